//! `tesuji solve othello`: exact values of single positions.

mod desk;
mod tell;

use tesuji_engines::othello::{Goal, PatternEval, Solver};
use tesuji_othello::ObfProblem;
use tesuji_search::CancelToken;

use super::threads;
use crate::args;
use crate::command::{counted, load};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, raise_on_interrupt};
use desk::{Cost, Desk};

pub(crate) fn run(args: &args::Solve, out: &mut Out) -> Done {
    refuse_options_of_whole_games(args)?;
    let (problems, alone) = problems(args)?;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut desk = Desk {
        solver: Solver::new(args.hash as usize, PatternEval::shipped()).threads(threads(args)),
        aim: if args.wld { Goal::Outcome } else { Goal::Score },
        best: args.best,
        limit: args.time_limit,
        stop,
    };
    let progress = out.progress(problems.len() as u64);
    let (mut sum, mut unsolved, mut differing) = (Cost::default(), 0, 0);
    for (index, problem) in problems.iter().enumerate() {
        let answer = desk.solve(&problem.position, &progress);
        progress.step();
        if interrupted() {
            break;
        }
        let position = &problem.position;
        let answer = match answer {
            Ok(answer) => answer,
            Err(glimpse) => {
                unsolved += 1;
                progress.aside(|| tell::unsolved(desk.aim, args, index, position, glimpse, out))?;
                continue;
            }
        };
        sum.add(&answer.cost);
        let expected = problem.score().map(|score| if args.wld { score.signum() } else { score });
        let differs = expected.filter(|&expected| expected != answer.solved.score);
        differing += usize::from(differs.is_some());
        progress.aside(|| match (args.json.json, alone) {
            (true, _) => tell::json(args, position, &answer, out),
            (false, true) => tell::one(args, position, &answer, out),
            (false, false) => tell::line(args, index, position, &answer, differs, out),
        })?;
    }
    progress.done();
    if interrupted() {
        return Err(Failure::Failed("stopped before all was solved".to_owned()));
    }
    if !alone && !args.json.json {
        out.line(format_args!("{}, {sum}", counted(problems.len() - unsolved, "position")))?;
    }
    if differing > 0 {
        return Err(Failure::Failed(format!("{} not as the file says", counted(differing, "value"))));
    }
    if unsolved > 0 {
        return Err(Failure::Failed(format!("{} not solved in time", counted(unsolved, "position"))));
    }
    Ok(())
}

fn refuse_options_of_whole_games(args: &args::Solve) -> Done {
    let of_whole = [
        (args.out.is_some(), "--out"),
        (args.pieces.is_some(), "--pieces"),
        (args.reach, "--reach"),
        (args.wdl, "--wdl"),
        (args.published, "--published"),
        (args.memory.is_some(), "--memory"),
    ];
    match of_whole.iter().find(|(given, _)| *given) {
        Some((_, "--wdl")) => {
            Err(Failure::usage("--wdl is for tables of whole games; --wld asks who wins here"))
        }
        Some((_, option)) => {
            Err(Failure::usage(format!("{option} is for games that are solved whole; othello is not")))
        }
        None => Ok(()),
    }
}

/// The positions to solve, and whether there is just one, given by itself.
fn problems(args: &args::Solve) -> Result<(Vec<ObfProblem>, bool), Failure> {
    let Some(what) = &args.what else {
        return Err(Failure::usage(
            "othello is too large to be solved whole: give a position of 64 squares and a side, a file of them, or -",
        ));
    };
    let is_file = what == "-" || std::path::Path::new(what).exists();
    if !is_file {
        let problem = ObfProblem::parse(what).map_err(|error| {
            Failure::usage(format!("{what:?} is neither a file nor a position: {}", error.message))
        })?;
        return Ok((vec![problem], true));
    }
    let bytes = load(what)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{what}: not a text file")))?;
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('%') {
            continue;
        }
        let problem = ObfProblem::parse(line)
            .map_err(|error| Failure::usage(format!("{what}: line {}: {}", number + 1, error.message)))?;
        problems.push(problem);
    }
    if problems.is_empty() {
        return Err(Failure::usage(format!("{what}: no positions: one a line, 64 squares and a side")));
    }
    Ok((problems, false))
}
