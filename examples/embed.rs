//! Plays and analyses a game through the registry, without the command line: `cargo run --example embed -- trax`.
use std::time::Duration;

use tesuji_registry::{
    AnalysisEvent, AnalyzeRequest, EngineRequest, Error, PositionSpec, SearchLimits, SessionRequest, shipped::shipped,
};
use tesuji_task::{CancelToken, Context};

fn main() -> Result<(), Error> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "othello".to_owned());
    let registry = shipped();
    let game = registry.game(&name)?;

    // Two engines play a game. A session is what a terminal or a page shows: positions, moves and events as plain data.
    let players = ["alphabeta:depth=4,hash=1", "alphabeta:depth=2,hash=1"];
    let [first, second] = players.map(|spec| Some(spec.to_owned()));
    let mut session = game.session(&SessionRequest { first, second, ..SessionRequest::default() })?;
    while session.view().ending.is_none() && session.view().moves.len() < 60 {
        session.poll(Duration::from_secs(10));
    }
    let moves = session.view().moves.join(" ");
    println!("{} against {}: {moves}", players[0], players[1]);
    if let Some(ending) = &session.view().ending {
        let winner = ending.winner.map_or("nobody", |side| game.player(side));
        println!("{winner} won ({})", ending.reason);
    }

    // The same types analyse a position of it. The token belongs to this search; anybody with a clone may cancel it.
    let played: Vec<String> = session.view().moves.iter().take(6).cloned().collect();
    let limits = SearchLimits { depth: Some(6), threads: Some(1), ..SearchLimits::default() };
    let request = AnalyzeRequest {
        at: PositionSpec { moves: Some(played.join(" ")), ..PositionSpec::default() },
        engine: EngineRequest { engine: None, limits },
        lines: 3,
    };
    let cancel = CancelToken::new();
    game.analyze(&request, Context::silent(&cancel), &mut |event| {
        if let AnalysisEvent::Update(update) = event {
            // What `tesuji analyze --json` prints, and what an HTTP interface would send.
            println!("{}", serde_json::to_string(&update).unwrap_or_default());
        }
    })?;
    Ok(())
}
