//! `tesuji host`: a match server.

use std::net::SocketAddr;

use tesuji_registry::{GameHandle, HostEvent, HostGame, HostRequest, HostRow};

use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Host, out: &mut Out) -> Done {
    let players = usize::from(args.players);
    let request = HostRequest {
        listen: SocketAddr::new(args.listen, args.port),
        players,
        rounds: usize::from(args.rounds),
        time: args.time,
        byoyomi: args.byoyomi,
        wait: args.wait,
        concurrency: args.concurrency.map(usize::from),
        out: args.out.clone(),
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

/// An event for standard error.
fn remark(event: &HostEvent, players: usize) -> String {
    match event {
        HostEvent::Listening { address, .. } => format!("listening on {address} for {players} players"),
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
    let HostGame { game: number, first, second, discs: [own, other], reason, .. } = result;
    let [black, white] = game.players();
    let winner = match result.outcome.as_str() {
        "first" => format!("{black} won"),
        "second" => format!("{white} won"),
        "draw" => "a draw".to_owned(),
        _ => "both lost".to_owned(),
    };
    format!("game {number}: {first} {own}–{other} {second}, {winner} ({reason})")
}

/// The final table, the best first.
fn print_table(table: &[HostRow], out: &mut Out) -> Done {
    let width = table.iter().map(|row| row.name.len()).max().unwrap_or(0).max(6);
    out.line("")?;
    out.line(format_args!("{:width$}  score  won  drawn  lost  discs", "player"))?;
    table.iter().try_for_each(|HostRow { name, score, won, drawn, lost, discs }| {
        out.line(format_args!("{name:width$}  {score:>+5}  {won:>3}  {drawn:>5}  {lost:>4}  {discs:>+5}"))
    })
}
