//! `tesuji solve othello`: exact values of single positions.

use tesuji_registry::{
    EndgameEvent, EndgameMove, EndgameRequest, EndgameResponse, EndgameSolution, Error, GameHandle, UnsolvedEndgame,
};
use tesuji_report::grouped;

use crate::args;
use crate::command::{counted, load};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, args: &args::SolveEndgames, out: &mut Out) -> Done {
    let (positions, file) = positions(args)?;
    let request = EndgameRequest {
        positions,
        best: args.best,
        all: args.all,
        wld: args.wld,
        hash: args.hash,
        time_limit: args.time_limit,
        threads: args.threads.get(),
    };
    let what = args.what.as_deref().unwrap_or_default();
    let invalid = |error: Error| match error {
        Error::Cancelled => Error::failed("stopped before all was solved"),
        Error::Invalid(message) if file => Error::invalid(format!("{what}: {message}")),
        Error::Invalid(message) => {
            let message = message.trim_start_matches("line 1: ");
            Error::invalid(format!("{what:?} is neither a file nor a position: {message}"))
        }
        error => error,
    };
    let totals = out.events(
        |context, events| game.solve_endgames(&request, context, events).map_err(invalid),
        |out, event| match event {
            event if args.json.json => out.json("solve", event),
            EndgameEvent::Solved(solution) if file => print_line(&solution, out),
            EndgameEvent::Solved(solution) => print_one(game, &solution, out),
            EndgameEvent::Unsolved(unsolved) => print_unsolved(&unsolved, out),
        },
    )?;
    let EndgameResponse { solved, unsolved, differing, nodes, seconds, cpu_seconds } = totals;
    if file && !args.json.json {
        out.line(format_args!("{}, {}", counted(solved, "position"), cost(nodes, seconds, cpu_seconds)))?;
    }
    if differing > 0 {
        return Err(Failure::Failed(format!("{} not as the file says", counted(differing, "value"))));
    }
    if unsolved > 0 {
        return Err(Failure::Failed(format!("{} not solved in time", counted(unsolved, "position"))));
    }
    Ok(())
}

/// The text of the positions to solve, and whether it comes from a file.
fn positions(args: &args::SolveEndgames) -> Result<(String, bool), Failure> {
    let Some(what) = &args.what else {
        return Err(Failure::usage(
            "othello is too large to be solved whole: give a position of 64 squares and a side, a file of them, or -",
        ));
    };
    if what != "-" && !std::path::Path::new(what).exists() {
        return Ok((what.clone(), false));
    }
    let text = String::from_utf8(load(what)?);
    Ok((text.map_err(|_| Failure::usage(format!("{what}: not a text file")))?, true))
}

fn print_one(game: &GameHandle, solution: &EndgameSolution, out: &mut Out) -> Done {
    let mover = solution.mover.map_or("the mover", |mover| game.player(mover));
    let verb = if solution.outcome == "win" { "wins" } else { "loses" };
    out.line(format_args!("position  {}", solution.position))?;
    match solution.score {
        _ if solution.outcome == "draw" => out.line("value     a draw")?,
        None => out.line(format_args!("value     {mover} {verb}"))?,
        Some(score) => out.line(format_args!("value     {score:+}: {mover} {verb} by {}", score.abs()))?,
    }
    if !solution.best_moves.is_empty() {
        out.line(format_args!("best      {}", solution.best_moves.join(" ")))?;
    }
    if let Some(moves) = &solution.moves {
        out.line(format_args!("moves     {}", values(moves)))?;
    }
    if !solution.line.is_empty() {
        out.line(format_args!("line      {}", solution.line.join(" ")))?;
    }
    out.line(format_args!("cost      {}", cost(solution.nodes, solution.seconds, solution.cpu_seconds)))
}

fn print_line(solution: &EndgameSolution, out: &mut Out) -> Done {
    let EndgameSolution { index, empties, outcome, .. } = solution;
    let score = solution.score.map_or_else(|| outcome.clone(), |score| format!("{score:+}"));
    let best = solution.best_moves.join(",");
    let best = solution.moves.as_deref().map_or(best, values);
    let given = solution.expected.map(|value| format!("{value:+}"));
    let given = given.into_iter().chain(solution.expected_moves.iter().map(|(mv, value)| format!("{mv} {value:+}")));
    let given = given.collect::<Vec<_>>().join(", ");
    let differs = if given.is_empty() { given } else { format!("  THE FILE SAYS {given}") };
    let cost = cost(solution.nodes, solution.seconds, solution.cpu_seconds);
    out.line(format_args!("{:>4}  {empties:>2} empty  {score:>4}  {best:<5}  {cost}{differs}", index + 1))
}

/// `h5 +6, g7 -2`.
fn values(moves: &[EndgameMove]) -> String {
    let value = |mv: &EndgameMove| {
        let value = mv.score.map_or_else(|| mv.outcome.clone(), |score| format!("{score:+}"));
        format!("{} {value}", mv.mv)
    };
    moves.iter().map(value).collect::<Vec<_>>().join(", ")
}

fn print_unsolved(unsolved: &UnsolvedEndgame, out: &mut Out) -> Done {
    let UnsolvedEndgame { index, empties, error, estimate, .. } = unsolved;
    let estimate = estimate.as_ref().map_or(String::new(), |estimate| format!(": {}", estimate.text()));
    out.line(format_args!("{:>4}  {empties:>2} empty  {error}{estimate}", index + 1))
}

fn cost(nodes: u64, seconds: f64, cpu: f64) -> String {
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{} nodes in {seconds:.2} s ({cpu:.2} s CPU), {rate:.1} M/s", grouped(nodes))
}
