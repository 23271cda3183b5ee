//! Small problems of our own, each to be solved at the depth it says.

use tesuji_game::{Notation, Record};
use tesuji_search::alphabeta::{AlphaBeta, Means};
use tesuji_search::{Choice, Engine, Limits, Stop, Value};

use super::super::{Material, Tactics};
use super::parsed;

/// The move found and its value.
fn solve(position: &str, depth: u32) -> (String, Value) {
    let game = parsed(position);
    let means = Means { hash_mib: 4, ..Means::default() };
    let mut engine = AlphaBeta::new(Material, Tactics::default(), means);
    let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
    let mut value = Value::LEAST;
    let choice = engine.think(&Record::new(game.clone()), &limits, &Stop::new(), &mut |report| {
        if let Some(line) = report.lines.first() {
            value = line.value;
        }
    });
    let Choice::Move { mv, .. } = choice else { panic!("{position}: {choice:?}") };
    (game.print_move(mv), value)
}

#[test]
fn mates_are_found() {
    let problems = [
        // A gold before the king, backed by a pawn.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1, "G*5b", 1),
    ];
    for (position, depth, mv, plies) in problems {
        assert_eq!(solve(position, depth), (mv.to_owned(), Value::win(plies)), "{position}");
    }
}
