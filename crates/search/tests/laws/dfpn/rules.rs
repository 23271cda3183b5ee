//! Limits are kept, and no win is proven that repetition or the move limit would prevent.

use std::time::Duration;

use tesuji_game::{Game, Notation, Path, Record, Side};
use tesuji_search::dfpn::{Dfpn, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits, Time};
use tesuji_shogi::{Rules, Shogi};

use super::policy::Checks;
use super::{depth, nodes};

/// Mate in 3; the only line is G*2c, 1a, R*1b.
const TSUME: &str = "9/6B1k/9/9/9/9/9/9/9 b RGPrb3g4s4n4l17p 1";

fn solve(game: &Shogi, path: &Path<Shogi>, limits: &Limits) -> ProofResult<tesuji_shogi::Move> {
    Dfpn::new(Checks, 1).solve(&ProofQuery::new(game, path), limits, &CancelToken::new())
}

#[test]
fn no_mate_is_proven_beyond_the_move_limit() {
    let game = Shogi::parse(TSUME).unwrap();
    for (limit, mates) in [(2, false), (3, true), (4, true)] {
        let path = Path::new(&game, Rules { move_limit: Some(limit), ..Rules::default() });
        let proven = matches!(solve(&game, &path, &Limits::default()), ProofResult::Proven(_));
        assert_eq!(proven, mates, "{limit}");
    }
}

#[test]
fn a_mate_does_not_pass_through_a_fourth_repetition() {
    let game = Shogi::parse(TSUME).unwrap();
    let mut after = game.clone();
    let mv = after.parse_move("G*2c").unwrap();
    after.play(mv);
    for (times, mates) in [(0, true), (2, true), (3, false)] {
        let mut path = Path::new(&game, Rules::default());
        for _ in 0..times {
            path.push(&after);
            path.push(&game);
        }
        match solve(&game, &path, &Limits::default()) {
            ProofResult::Proven(proof) => assert!(mates && proof.plies == 3, "{times} {proof:?}"),
            other => assert!(!mates && other == ProofResult::Unknown, "{times} {other:?}"),
        }
    }
}

/// A lone rook can check for ever: every line ends in a repetition, none in a mate.
#[test]
fn perpetual_check_is_not_a_mate() {
    for position in ["4k4/9/9/9/9/9/9/9/3R5 b - 1", "4k4/9/9/9/9/9/9/9/3+R5 b - 1", "8k/9/9/9/9/9/9/9/7R1 b - 1"] {
        let game = Shogi::parse(position).unwrap();
        let path = Path::new(&game, Rules::default());
        assert_eq!(solve(&game, &path, &Limits::default()), ProofResult::Disproven, "{position}");
    }
}

#[test]
fn limits_end_the_search() {
    let game = Shogi::parse(TSUME).unwrap();
    let path = Path::new(&game, Rules::default());
    let mut solver = Dfpn::new(Checks, 1);
    let query = ProofQuery::new(&game, &path);
    for limit in 0..2 {
        assert_eq!(solver.solve(&query, &nodes(limit), &CancelToken::new()), ProofResult::Unknown);
        assert!(solver.nodes() <= limit);
        solver.forget();
    }
    let hasty = Limits { time: Some(Time::Move(Duration::ZERO)), ..Limits::default() };
    assert_eq!(solver.solve(&query, &hasty, &CancelToken::new()), ProofResult::Unknown);
    let stop = CancelToken::new();
    stop.cancel();
    assert_eq!(solver.solve(&query, &Limits::default(), &stop), ProofResult::Unknown);
    assert_eq!(solver.solve(&query, &depth(2), &CancelToken::new()), ProofResult::Disproven);
    assert_eq!(solver.solve(&query, &depth(0), &CancelToken::new()), ProofResult::Disproven);
    assert!(matches!(solver.solve(&query, &depth(3), &CancelToken::new()), ProofResult::Proven(_)));
}

#[test]
fn either_side_can_be_the_attacker() {
    let mut record = Record::new(Shogi::parse(TSUME).unwrap());
    record.push_text("G*2c").unwrap();
    let mut solver = Dfpn::new(Checks, 1);
    let solve = |solver: &mut Dfpn<Checks>, record: &Record<Shogi>, side| {
        solver.solve(&ProofQuery::of(record).attacker(side).shortest(), &Limits::default(), &CancelToken::new())
    };
    let ProofResult::Proven(proof) = solve(&mut solver, &record, Side::First) else { panic!("black mates") };
    assert_eq!((proof.plies, proof.shortest), (2, true));
    assert_eq!(solve(&mut solver, &record, Side::Second), ProofResult::Disproven);
    // A finished game is won in 0 plies.
    for text in ["1b1a", "R*1b"] {
        record.push_text(text).unwrap();
    }
    let ProofResult::Proven(proof) = solve(&mut solver, &record, Side::First) else { panic!("black has mated") };
    assert_eq!((proof.plies, proof.line.len()), (0, 0));
    assert_eq!(solve(&mut solver, &record, Side::Second), ProofResult::Disproven);
}
