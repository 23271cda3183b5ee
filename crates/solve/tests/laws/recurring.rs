//! Games whose positions recur: Ostle and shogi to small depths, repetition being a draw.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Notation, Path};
use tesuji_laws::{for_all, hold, playout};
use tesuji_ostle::Ostle;
use tesuji_shogi::Shogi;
use tesuji_solve::exact::{ByOutcome, ExactSolver};

use crate::minimax::agrees;

#[test]
fn ostle_is_worth_what_brute_force_says() {
    for_all(24, vec(any::<u16>(), 0..80), |choices| {
        let mut last = Ostle::start();
        let mut path = None;
        playout(Ostle::start(), &choices, |game, _, _| {
            let path = path.get_or_insert_with(|| Path::new(game, ()));
            if *game != last {
                path.push(game);
            }
            last = *game;
            let depth = if path.plies().is_multiple_of(8) { 2 } else { 1 };
            agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, game, path, Some(depth))
        })?;
        let path = path.ok_or("nothing was visited")?;
        agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, &last, &path, Some(3))
    });
}

#[test]
fn a_checkmate_in_ostle_is_a_win_at_depth_one() {
    let mates = Cell::new(0);
    for_all(64, vec(any::<u16>(), 20..200), |choices| {
        playout(Ostle::start(), &choices, |game, _, _| {
            let path = Path::new(game, ());
            let solution = ExactSolver::new(ByOutcome, 0).solve_within(game, &path, Some(1), &|| true);
            let won = solution.ok_or("stopped")?.value == 1;
            hold!(game.is_over() || won == game.checkmate(), "{game:?}");
            mates.set(mates.get() + u32::from(won));
            Ok(())
        })
    });
    assert!(mates.get() > 30, "{} mates are too few to tell", mates.get());
}

/// A rook that can only move to and fro: going back repeats a position of the path, a draw.
#[test]
fn a_position_on_the_path_is_a_draw() {
    let start = Shogi::parse("k8/9/9/9/9/9/9/9/8K b R 1").unwrap();
    let mut path = Path::new(&start, Default::default());
    let mut game = start.clone();
    for text in ["1i2i", "9a8a", "2i1i"] {
        let mv = game.parse_move(text).unwrap();
        game.play(mv);
        path.push(&game);
    }
    for depth in 0..3 {
        agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, &game, &path, Some(depth)).unwrap();
    }
    let solution = ExactSolver::new(ByOutcome, 1).solve_within(&game, &path, Some(1), &|| true).unwrap();
    assert_eq!(solution.line.len(), 1);
}

#[test]
fn mates_of_shogi_are_found() {
    for (position, depth, value) in [
        ("8k/9/8P/9/9/9/9/9/9 b G 1", 1, 1),
        ("8k/9/8P/9/9/9/9/9/9 b P 1", 1, 0),
        // A lance on 1b mates; a pawn would too, but that is forbidden.
        ("7nk/7n1/8S/9/9/9/9/9/K8 b L 1", 1, 1),
        ("7nk/7n1/8S/9/9/9/9/9/K8 b P 1", 1, 0),
        ("8k/9/9/8P/9/9/9/9/K8 b 2G 1", 2, 0),
        ("8k/9/9/8P/9/9/9/9/K8 b 2G 1", 3, 1),
    ] {
        let game = Shogi::parse(position).unwrap();
        let path = Path::new(&game, Default::default());
        let solution = ExactSolver::new(ByOutcome, 1).solve_within(&game, &path, Some(depth), &|| true).unwrap();
        assert_eq!(solution.value, value, "{position}");
        agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, &game, &path, Some(depth)).unwrap();
    }
}
