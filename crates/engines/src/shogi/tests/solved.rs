//! Small problems of our own, each to be solved at the depth it says.

use tesuji_game::{Notation, Record};
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Value};

use super::super::{Material, ShogiHeuristics};
use super::parsed;

/// The move found and its value.
fn solve(position: &str, depth: u32) -> (String, Value) {
    let game = parsed(position);
    let options = AlphaBetaOptions { hash_mib: 4, ..AlphaBetaOptions::default() };
    let mut engine = AlphaBeta::new(Material, ShogiHeuristics::default(), options);
    let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
    let mut value = Value::LEAST;
    let choice = engine.think(&Record::new(game.clone()), &limits, &CancelToken::new(), &mut |report| {
        if let Some(line) = report.lines.first() {
            value = line.value;
        }
    });
    let Choice::Move { mv, .. } = choice else { panic!("{position}: {choice:?}") };
    (game.print_move(mv), value)
}

#[test]
fn mates_are_found() {
    let problems: [(&str, &str, u16); _] = [
        // A gold before the king, backed by a pawn; a knight that nothing can take.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 1),
        ("7nk/7nl/9/9/9/9/9/9/4K4 b N 1", "N*2c", 1),
        // In each of these one first move is quicker than all others.
        ("8k/4+Bn3/6p1g/9/7N1/9/9/9/2K6 b SN 1", "2e1c+", 3),
        ("4S3s/7k1/5lp2/4N4/9/9/9/9/2K6 b 2R 1", "R*2d", 3),
        ("5p3/8k/5l2n/6+P2/6P2/9/9/9/2K6 b 2S 1", "S*2c", 3),
        ("5s1p1/8k/7l1/9/4P3B/9/9/9/2K6 b GL 1", "1e3c+", 5),
        ("9/5k1p1/7sl/5S3/7B1/9/9/9/2K6 b LP 1", "2e4c+", 5),
        ("5lk1n/5p3/9/7S1/6+P2/9/9/9/2K6 b 2L 1", "L*3d", 7),
    ];
    for (position, mv, plies) in problems {
        // Late moves are pruned and looked at less deep, so more depth is needed, and a longer mate may come first.
        let (found, value) = solve(position, u32::from(plies) + 8);
        assert!(value.is_proven() && value > Value::DRAW && value <= Value::win(plies), "{position}: {value}");
        assert!(found == mv || value < Value::win(plies), "{position}: {found} {value}");
    }
}

#[test]
fn pieces_are_won() {
    let problems = [
        // A rook that nobody guards.
        ("4k4/9/9/4r4/9/9/9/9/4R3K b - 1", 1, "5i5d", 1000),
        // A bishop that checks and looks at the rook.
        ("4k4/9/9/9/9/9/9/7r1/4K4 b B 1", 3, "B*7c", 1500),
        // The rook on 2h is attacked twice by pawns that may promote: it has to take one with check.
        ("4k4/9/9/9/9/9/6p1p/7R1/1K7 b - 1", 2, "2h2a+", 500),
    ];
    for (position, depth, mv, least) in problems {
        let (found, value) = solve(position, depth);
        assert!(found == mv && value > Value::estimate(least), "{position}: {found} {value}");
    }
}
