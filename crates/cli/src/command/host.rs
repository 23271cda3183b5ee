//! `tesuji host`: a match server.

use std::net::SocketAddr;
use std::time::Duration;

use tesuji_registry::{GameHandle, HostEvent, HostGame, HostRequest, HostRow};

use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Host, out: &mut Out) -> Done {
    let players = usize::from(args.players);
    let usual = Usual::of(game.name());
    let request = HostRequest {
        listen: SocketAddr::new(args.listen, args.port.unwrap_or(usual.port)),
        players,
        rounds: usize::from(args.rounds.unwrap_or(usual.rounds)),
        time: args.time.unwrap_or(usual.time),
        byoyomi: args.byoyomi.unwrap_or(usual.byoyomi),
        wait: args.wait,
        concurrency: args.concurrency.map(usize::from),
        out: args.out.clone(),
        second_port: args.second_port,
        asks_team: !args.no_team,
    };
    out.events(
        |context, events| game.host(&request, context, events),
        |out, event| match &event {
            HostEvent::Listening { .. } | HostEvent::Came { .. } | HostEvent::Game(_) | HostEvent::Final { .. }
                if args.json.json =>
            {
                out.json("host", &event)
            }
            HostEvent::Game(result) => out.line(game_line(game, result)),
            HostEvent::Final { table, .. } => print_table(table, out),
            HostEvent::Started { .. } if out.quiet() => Ok(()),
            _ => {
                eprintln!("{}", remark(&event, players));
                Ok(())
            }
        },
    )
}

/// What a server of a game is like if nobody says otherwise.
struct Usual {
    port: u16,
    rounds: u16,
    time: Duration,
    byoyomi: Duration,
}

impl Usual {
    fn of(game: &str) -> Usual {
        match game {
            "trax" => Usual { port: 10_001, rounds: 2, time: Duration::from_secs(1), byoyomi: Duration::ZERO },
            _ => Usual { port: 3000, rounds: 4, time: Duration::from_secs(600), byoyomi: Duration::from_millis(500) },
        }
    }
}

/// An event for standard error.
fn remark(event: &HostEvent, players: usize) -> String {
    match event {
        HostEvent::Listening { address, .. } => format!("listening on {address} for {players} players"),
        HostEvent::Warning { message } => format!("warning: {message}"),
        HostEvent::Came { name, peer } => format!("{name} came, from {peer}"),
        HostEvent::Left { name } => format!("{name} left again"),
        HostEvent::Refused { peer, reason } => format!("{peer} was turned away: {reason}"),
        HostEvent::Started { game, round, first, second } => {
            format!("game {game}, round {round}: {first} against {second}")
        }
        HostEvent::Game(_) | HostEvent::Final { .. } => String::new(),
    }
}

fn game_line(game: &GameHandle, result: &HostGame) -> String {
    let HostGame { game: number, first, second, reason, .. } = result;
    let [black, white] = game.players();
    let winner = match result.outcome.as_str() {
        "first" => format!("{black} won"),
        "second" => format!("{white} won"),
        "draw" => "a draw".to_owned(),
        _ => "both lost".to_owned(),
    };
    let reason = match &result.fault {
        Some(fault) => format!("{reason}: {fault}"),
        None => reason.clone(),
    };
    match result.discs {
        Some([own, other]) => format!("game {number}: {first} {own}–{other} {second}, {winner} ({reason})"),
        None => format!("game {number}: {first} against {second}, {winner} ({reason})"),
    }
}

/// The final table, the best first.
fn print_table(table: &[HostRow], out: &mut Out) -> Done {
    let width = table.iter().map(|row| row.name.len()).max().unwrap_or(0).max(6);
    out.line("")?;
    let counts_discs = table.iter().any(|row| row.discs.is_some());
    let head = if counts_discs { "  discs" } else { "" };
    out.line(format_args!("{:width$}  score  won  drawn  lost{head}", "player"))?;
    table.iter().try_for_each(|HostRow { name, score, won, drawn, lost, discs }| {
        let discs = discs.map_or_else(String::new, |discs| format!("  {discs:>+5}"));
        out.line(format_args!("{name:width$}  {score:>+5}  {won:>3}  {drawn:>5}  {lost:>4}{discs}"))
    })
}
