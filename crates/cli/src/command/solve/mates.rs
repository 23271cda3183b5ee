//! `tesuji solve shogi`: forced mates in single positions.

use std::path::Path;
use std::time::Duration;

use tesuji_registry::{Error, GameHandle, MateEvent, MateRequest, MateResponse, MateSolution, RecordSource};
use tesuji_report::grouped;

use crate::args;
use crate::command::{counted, load};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, args: &args::SolveMates, out: &mut Out) -> Done {
    // Without quotation marks an SFEN is several words.
    let what = args.what.join(" ");
    let file = what == "-" || Path::new(&what).exists();
    let bytes = if file { load(&what)? } else { what.clone().into_bytes() };
    let request = MateRequest {
        source: RecordSource { bytes, format: None, file: file.then(|| what.clone()) },
        any: args.any,
        max: args.max,
        time: Some(args.time),
        nodes: args.nodes,
        hash: args.hash,
        threads: args.threads.get(),
    };
    let invalid = |error: Error| match error {
        Error::Cancelled => Error::failed("stopped before all was solved"),
        Error::Invalid(message) if file => Error::invalid(format!("{what}: {message}")),
        Error::Invalid(message) => Error::invalid(format!("{what:?} is neither a file nor a position: {message}")),
        error => error,
    };
    let totals = out.events(
        |context, events| game.solve_mates(&request, context, events).map_err(invalid),
        |out, event| match event {
            event if args.json.json => out.json("solve-mates", event),
            MateEvent::Searched(solution) if file => print_line(&solution, args, out),
            MateEvent::Searched(solution) => print_one(game, &solution, args, out),
            MateEvent::Refused(refused) => {
                out.line(format_args!("{:>5}  no position to solve: {}", refused.index, refused.error))
            }
        },
    )?;
    if file && !args.json.json {
        print_totals(&totals, args, out)?;
    }
    if totals.refused > 0 {
        return Err(Failure::Failed(format!("{what}: {} refused", counted(totals.refused, "position"))));
    }
    match totals.undecided {
        0 => Ok(()),
        count if file || args.json.json => {
            Err(Failure::Failed(format!("{} not decided {}", counted(count, "position"), limits(args))))
        }
        _ => Err(Failure::No),
    }
}

/// `within 5 s`; `within 5 s or 1,000 nodes`.
fn limits(args: &args::SolveMates) -> String {
    let nodes = args.nodes.map_or(String::new(), |nodes| format!(" or {} nodes", grouped(nodes)));
    format!("within {}{nodes}", seconds(args.time))
}

/// `5 s`, `0.25 s`.
fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// `1 ply`, `3 plies`.
fn plies_of(plies: usize) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// The mate in a few words.
fn verdict(solution: &MateSolution, args: &args::SolveMates) -> String {
    match solution.mate {
        Some(plies) if solution.shortest || args.any => format!("mate in {plies}"),
        Some(plies) => format!("mate in {plies} or less"),
        None if solution.proven => format!("no mate within {}", args.max),
        None => "not decided".to_owned(),
    }
}

fn print_one(game: &GameHandle, solution: &MateSolution, args: &args::SolveMates, out: &mut Out) -> Done {
    let mover = solution.mover.map_or("the mover", |mover| game.player(mover));
    out.line(format_args!("position  {}", solution.position))?;
    let told = match solution.mate {
        Some(plies) if solution.shortest => format!("{mover} mates in {}, the shortest way", plies_of(plies)),
        Some(plies) if args.any => format!("{mover} mates in {}; there may be a shorter way", plies_of(plies)),
        Some(plies) => format!(
            "{mover} mates in {}; whether there is a shorter way was not decided {}",
            plies_of(plies),
            limits(args)
        ),
        None if solution.proven => format!("{mover} has no mate within {}", plies_of(args.max as usize)),
        None => format!("not decided {}; --time takes more", limits(args)),
    };
    out.line(format_args!("mate      {told}"))?;
    if !solution.moves.is_empty() {
        out.line(format_args!("moves     {}", solution.moves.join(" ")))?;
    }
    if let Some(given) = solution.given.filter(|&given| Some(given) != solution.mate) {
        out.line(format_args!("given     a solution of {}", plies_of(given)))?;
    }
    out.line(format_args!("cost      {} nodes in {:.2} s", grouped(solution.nodes), solution.seconds))
}

fn print_line(solution: &MateSolution, args: &args::SolveMates, out: &mut Out) -> Done {
    let MateSolution { index, seconds, moves, .. } = solution;
    let differs = solution.given.filter(|&given| solution.mate.is_some_and(|plies| plies != given));
    let differs = differs.map_or(String::new(), |given| format!("  ({given} given)"));
    let (verdict, nodes) = (verdict(solution, args), grouped(solution.nodes));
    let text = format!("{index:>5}  {verdict:<17} {nodes:>12} nodes {seconds:>8.3} s{differs}  ");
    out.line(format!("{text}{}", moves.join(" ")).trim_end())
}

fn print_totals(totals: &MateResponse, args: &args::SolveMates, out: &mut Out) -> Done {
    let MateResponse { mates, not_shortest, without, undecided, refused, shorter, longer, nodes, .. } = totals;
    let mut parts = vec![counted(*mates, "mate")];
    if !args.any && *not_shortest > 0 {
        parts.push(format!("{not_shortest} perhaps not the shortest"));
    }
    for (count, what) in [
        (without, "without a mate"),
        (undecided, "not decided"),
        (refused, "refused"),
        (shorter, "shorter than given"),
        (longer, "longer than given"),
    ] {
        if *count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let (seconds, cpu, most) = (totals.seconds, totals.cpu_seconds, totals.longest_seconds);
    let cost = format!("{} nodes in {seconds:.2} s ({cpu:.2} s CPU), at most {most:.2} s for one", grouped(*nodes));
    out.line(format_args!("{}; {cost}", parts.join(", ")))
}
