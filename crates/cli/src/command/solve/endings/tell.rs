//! How answers are told: one by itself, many line by line, or as JSON.

use serde_json::json;
use tesuji_engines::othello::{Goal, IterationReport};
use tesuji_game::{Game, Notation};
use tesuji_othello::{Move, Othello};

use super::desk::Answer;
use crate::args;
use crate::command::player;
use crate::failure::Done;
use crate::out::Out;

pub(super) fn json(args: &args::Solve, game: &Othello, answer: &Answer, out: &mut Out) -> Done {
    let words = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let Answer { solved, best, cost } = answer;
    let score = (!args.wld).then_some(solved.score);
    let outcome = OUTCOMES[outcome(solved.score)];
    out.json(
        "solve",
        json!({
            "position": game.print(),
            "score": score,
            "outcome": outcome,
            "best": args.best.then(|| words(best)),
            "line": words(&solved.pv),
            "nodes": cost.nodes,
            "seconds": cost.seconds.as_secs_f64(),
            "cpu": cost.cpu.as_secs_f64(),
        }),
    )
}

/// What a score means.
fn worth(args: &args::Solve, game: &Othello, score: i32) -> String {
    let mover = player::<Othello>(game.mover());
    match (score.signum(), args.wld) {
        (0, _) => "a draw".to_owned(),
        (sign, true) => format!("{mover} {}", if sign > 0 { "wins" } else { "loses" }),
        (sign, false) => {
            format!("{score:+}: {mover} {} by {}", if sign > 0 { "wins" } else { "loses" }, score.abs())
        }
    }
}

pub(super) fn one(args: &args::Solve, game: &Othello, answer: &Answer, out: &mut Out) -> Done {
    let words = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    out.line(format_args!("position  {}", game.print()))?;
    out.line(format_args!("value     {}", worth(args, game, answer.solved.score)))?;
    if !answer.best.is_empty() {
        out.line(format_args!("best      {}", words(&answer.best)))?;
    }
    if !answer.solved.pv.is_empty() {
        out.line(format_args!("line      {}", words(&answer.solved.pv)))?;
    }
    out.line(format_args!("cost      {}", answer.cost))
}

pub(super) fn line(
    args: &args::Solve,
    index: usize,
    game: &Othello,
    answer: &Answer,
    differs: Option<i32>,
    out: &mut Out,
) -> Done {
    let score = match args.wld {
        true => OUTCOMES[outcome(answer.solved.score)].to_owned(),
        false => format!("{:+}", answer.solved.score),
    };
    let best = answer.best.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let differs = differs.map_or(String::new(), |expected| format!("  THE FILE SAYS {expected:+}"));
    let empties = game.empties().count_ones();
    out.line(format_args!(
        "{:>4}  {empties:>2} empty  {score:>4}  {best:<5}  {}{differs}",
        index + 1,
        answer.cost
    ))
}

/// A position that took too long, and what it seemed to be worth.
pub(super) fn unsolved(
    aim: Goal,
    args: &args::Solve,
    index: usize,
    game: &Othello,
    glimpse: Option<IterationReport>,
    out: &mut Out,
) -> Done {
    if args.json.json {
        let estimate = glimpse.map(|glimpse| {
            json!({
                "depth": glimpse.depth,
                "selectivity": glimpse.selectivity.percent(),
                "score": (aim == Goal::Score).then_some(glimpse.score),
                "outcome": OUTCOMES[outcome(glimpse.score)],
                "best": glimpse.best.map(|mv| mv.to_string()),
            })
        });
        let position = game.print();
        let error = "not solved in time";
        return out.json(
            "solve",
            json!({ "position": position, "score": null, "error": error, "estimate": estimate }),
        );
    }
    let seen = glimpse.map_or(String::new(), |glimpse| format!(": {}", seen(aim, game, &glimpse)));
    let empties = game.empties().count_ones();
    out.line(format_args!("{:>4}  {empties:>2} empty  not solved in time{seen}", index + 1))
}

/// What a position seems to be worth on the way to its solution: `+24 e1 at 98 %` when the end was seen, `+3 e1 after 19
/// plies` before.
pub(super) fn seen(aim: Goal, game: &Othello, glimpse: &IterationReport) -> String {
    let worth = match aim {
        Goal::Score => format!("{:+}", glimpse.score),
        Goal::Outcome => OUTCOMES[outcome(glimpse.score)].to_owned(),
    };
    let best = glimpse.best.map_or(String::new(), |mv| format!(" {mv}"));
    match glimpse.depth < game.empties().count_ones() {
        true => format!("{worth}{best} after {} plies", glimpse.depth),
        false => format!("{worth}{best} at {} %", glimpse.selectivity.percent()),
    }
}

const OUTCOMES: [&str; 3] = ["loss", "draw", "win"];

fn outcome(score: i32) -> usize {
    (score.signum() + 1) as usize
}
