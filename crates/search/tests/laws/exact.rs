//! Alpha-beta is minimax: with and without a table, by every driver, for one line and for many.

use tesuji_game::{Game, Notation, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::alphabeta::RootDriver;
use tesuji_search::{Choice, Limits, NoEval, NoHeuristics, Value, check_incremental};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

use crate::plain::{Scrambled, engine, plain_moves, plain_of, records, search, to_depth, value};

const FINE: Scrambled = Scrambled { values: 2001 };
const COARSE: Scrambled = Scrambled { values: 3 };

/// Every way to search to a depth gives the value of minimax and a move that has it.
fn as_minimax<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) {
    let mut tried = 0;
    for record in records {
        for eval in [FINE, COARSE] {
            let plainly = plain_of(&eval, &record, depth);
            let mut engines = vec![
                ("no table", engine(eval, NoHeuristics, 0, 1)),
                ("no table, MTD(f)", engine(eval, NoHeuristics, 0, 1).with_driver(RootDriver::Mtdf)),
            ];
            if !plainly.repeats {
                engines.push(("table", engine(eval, NoHeuristics, 1, 1).with_strict_tt()));
                let mtdf = engine(eval, NoHeuristics, 1, 1).with_strict_tt().with_driver(RootDriver::Mtdf);
                engines.push(("table, MTD(f)", mtdf));
                engines.push(("two threads", engine(eval, NoHeuristics, 1, 2).with_strict_tt()));
            }
            for (name, mut engine) in engines {
                let (report, choice) = search(&mut engine, &record, &to_depth(depth));
                let now = record.now();
                assert_eq!(value(&report), plainly.value, "{name}, {depth} plies: {now:?}");
                let Choice::Move { mv, reply } = choice else { panic!("{name}: {choice:?} in {now:?}") };
                assert_eq!(report.lines[0].moves[0], mv);
                let mut played = record.clone();
                played.push(mv).expect("the move chosen is legal");
                if played.ending().is_none() && depth > 1 {
                    let child = plain_of(&eval, &played, depth - 1);
                    if !child.repeats && !plainly.repeats {
                        assert_eq!(child.value.to_parent(), plainly.value, "{name}: {mv:?} in {now:?}");
                    }
                }
                if let Some(reply) = reply {
                    played.push(reply).expect("the reply expected is legal");
                }
            }
        }
        tried += 1;
    }
    assert!(tried > 5, "only {tried} positions");
}

#[test]
fn othello_as_minimax() {
    as_minimax(records(Othello::start(), 0..40, 40), 4);
    as_minimax(records(Othello::start(), 50..60, 40), 5);
}

#[test]
fn trax_as_minimax() {
    as_minimax(records(Trax::<Unlimited>::start(), 0..7, 16), 2);
    as_minimax(records(Trax::<Unlimited>::start(), 1..3, 6), 3);
    as_minimax(records(Trax::<EightByEight>::start(), 5..30, 16), 2);
    as_minimax(records(Trax::<Loops>::start(), 1..6, 14), 2);
}

#[test]
fn ostle_as_minimax() {
    as_minimax(records(Ostle::start(), 0..24, 60), 3);
}

#[test]
fn shogi_as_minimax() {
    as_minimax(records(Shogi::start(), 0..150, 20), 2);
}

/// Two kings and little else walk in circles: every rule of repetition is met, perpetual check included.
#[test]
fn repetition_as_minimax() {
    let positions = [
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1", 4),
        ("k8/9/9/9/9/9/9/9/8K b - 1", 5),
        ("k8/9/1P7/9/9/9/9/9/8K b - 1", 5),
        ("8k/9/7G1/9/9/9/9/9/K8 b - 1", 4),
        ("k8/9/9/9/9/9/9/9/1R6K b - 1", 3),
    ];
    for (text, depth) in positions {
        let start = Shogi::parse(text).unwrap();
        as_minimax(records(start.clone(), 0..1, 1).chain(records(start, 1..9, 8)), depth);
    }
}

/// A rook that checks all the way round loses, but is not yet proven to have lost when the way round began
/// before the root: it might have turned off there.
#[test]
fn perpetual_check_is_bad_for_the_checker() {
    let mut record = Record::new(Shogi::parse("k8/9/9/9/9/9/9/9/1R6K b - 1").unwrap());
    for text in ["8i9i", "9a8a", "9i8i"] {
        record.push_text(text).unwrap();
    }
    for depth in 1..=4 {
        let plainly = plain_of(&FINE, &record, depth);
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1), &record, &to_depth(depth));
        assert_eq!(value(&report), plainly.value, "{depth} plies");
        assert_eq!(plainly.value, Value::estimate(i32::MAX));
        assert_eq!(record.now().print_move(report.lines[0].moves[0]), "8a9a");
    }
}

/// With as many lines as there are moves, each move has its own value, best first; the first line is the
/// single one.
fn many_lines<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) {
    for record in records {
        let all = Limits { lines: usize::MAX, ..to_depth(depth) };
        let (report, choice) = search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &all);
        let values: Vec<Value> = report.lines.iter().map(|line| line.value).collect();
        assert_eq!(values, plain_moves(&FINE, &record, depth), "{:?}", record.now());
        let (single, _) =
            search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &to_depth(depth));
        assert_eq!(value(&single), values[0]);
        assert!(matches!(choice, Choice::Move { mv, .. } if mv == report.lines[0].moves[0]));
        let three = Limits { lines: 3, ..to_depth(depth) };
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &three);
        assert_eq!(report.lines.len(), values.len().min(3));
        assert!(report.lines.iter().zip(&values).all(|(line, &value)| line.value == value));
    }
}

#[test]
fn lines_are_sorted_and_right() {
    many_lines(records(Othello::start(), 0..56, 10), 3);
    many_lines(records(Trax::<Unlimited>::start(), 1..8, 8), 2);
    many_lines(records(Ostle::start(), 0..3, 6), 3);
    many_lines(records(Shogi::start(), 0..3, 3), 2);
}

/// What a table holds of one path must not matter on another. The first search knows a history full of
/// positions to repeat; the second is asked about the same position without it.
#[test]
fn a_table_is_not_poisoned_by_a_path() {
    fn check<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) -> usize {
        let mut repeats = 0;
        for record in records {
            let fresh = Record::new(record.now().clone());
            assert!(!plain_of(&FINE, &fresh, depth).repeats, "too deep to be comparable");
            let mut engine = engine(FINE, NoHeuristics, 1, 1).with_strict_tt();
            // Every move is a line of its own, so that there are many exact values.
            let limits = Limits { lines: usize::MAX, ..to_depth(depth) };
            search(&mut engine, &record, &limits);
            let (report, _) = search(&mut engine, &fresh, &limits);
            let values: Vec<Value> = report.lines.iter().map(|line| line.value).collect();
            assert_eq!(values, plain_moves(&FINE, &fresh, depth), "{:?}", record.now());
            repeats += usize::from(plain_of(&FINE, &record, depth).repeats);
        }
        repeats
    }
    let kings = Shogi::parse("3k5/9/9/9/9/9/9/9/5K3 b - 1").unwrap();
    let repeats = check(records(kings, 4..20, 3000), 3) + check(records(Ostle::start(), 6..30, 100), 3);
    assert!(repeats > 60, "only {repeats} positions could have been poisoned");
}

/// A finished tree is searched once: nothing was estimated, so nothing deeper is to be found.
#[test]
fn a_tree_that_ends_is_not_searched_again() {
    let mut ended = 0;
    for record in records(Othello::start(), 54..58, 100) {
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1), &record, &Limits::default());
        assert!(report.depth <= 12, "{report:?}");
        assert_eq!(value(&report), plain_of(&FINE, &record, 12).value, "{:?}", record.now());
        ended += 1;
    }
    assert!(ended > 10);
}

#[test]
fn evaluations_keep_step() {
    check_incremental::<Othello, _>(&FINE, 20, 80).unwrap();
    check_incremental::<Shogi, _>(&FINE, 5, 80).unwrap();
    check_incremental::<Ostle, _>(&NoEval, 5, 80).unwrap();
}

/// The law can fail.
#[test]
fn an_evaluation_out_of_step_is_found_out() {
    #[derive(Clone, Copy)]
    struct Late;
    impl tesuji_search::Eval<Othello> for Late {
        type Accumulator = u64;
        fn begin(&self, game: &Othello) -> u64 {
            game.own()
        }
        fn advance(
            &self,
            accumulator: &u64,
            _: tesuji_othello::Move,
            _: &Othello,
            _: &Othello,
            next: &mut u64,
        ) {
            *next = *accumulator;
        }
        fn value(&self, _: &Othello, _: &u64) -> Value {
            Value::DRAW
        }
    }
    assert!(check_incremental::<Othello, _>(&Late, 1, 10).is_err());
}
