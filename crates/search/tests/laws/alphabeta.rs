//! Alpha-beta equals minimax: with and without a transposition table, by every driver, for one line and for many.

use tesuji_game::{Game, Notation, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::alphabeta::RootDriver;
use tesuji_search::{Choice, Limits, NoEval, NoHeuristics, Value, check_incremental};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

use crate::minimax::{Scrambled, engine, minimax_moves, minimax_of, records, search, to_depth, value};

const FINE: Scrambled = Scrambled { values: 2001 };
const COARSE: Scrambled = Scrambled { values: 3 };

/// Every configuration returns the minimax value and a move that has it.
fn as_minimax<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) {
    let mut tried = 0;
    for record in records {
        for eval in [FINE, COARSE] {
            let reference = minimax_of(&eval, &record, depth);
            let mut engines = vec![
                ("no TT", engine(eval, NoHeuristics, 0, 1)),
                ("no TT, MTD(f)", engine(eval, NoHeuristics, 0, 1).with_driver(RootDriver::Mtdf)),
            ];
            if !reference.repeats {
                engines.push(("TT", engine(eval, NoHeuristics, 1, 1).with_strict_tt()));
                let mtdf = engine(eval, NoHeuristics, 1, 1).with_strict_tt().with_driver(RootDriver::Mtdf);
                engines.push(("TT, MTD(f)", mtdf));
                engines.push(("two threads", engine(eval, NoHeuristics, 1, 2).with_strict_tt()));
            }
            for (name, mut engine) in engines {
                let (report, choice) = search(&mut engine, &record, &to_depth(depth));
                let now = record.now();
                assert_eq!(value(&report), reference.value, "{name}, {depth} plies: {now:?}");
                let Choice::Move { mv, reply } = choice else { panic!("{name}: {choice:?} in {now:?}") };
                assert_eq!(report.lines[0].moves[0], mv);
                let mut played = record.clone();
                played.push(mv).expect("the move chosen is legal");
                if played.ending().is_none() && depth > 1 {
                    let child = minimax_of(&eval, &played, depth - 1);
                    if !child.repeats && !reference.repeats {
                        assert_eq!(child.value.to_parent(), reference.value, "{name}: {mv:?} in {now:?}");
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

/// Positions with little more than two kings: every rule of repetition occurs, perpetual check included.
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

/// Perpetual check loses for the checker. The loss is not proven if the cycle began before the root, where there may have
/// been an alternative.
#[test]
fn perpetual_check_loses() {
    let mut record = Record::new(Shogi::parse("k8/9/9/9/9/9/9/9/1R6K b - 1").unwrap());
    for text in ["8i9i", "9a8a", "9i8i"] {
        record.push_text(text).unwrap();
    }
    for depth in 1..=4 {
        let reference = minimax_of(&FINE, &record, depth);
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1), &record, &to_depth(depth));
        assert_eq!(value(&report), reference.value, "{depth} plies");
        assert_eq!(reference.value, Value::estimate(i32::MAX));
        assert_eq!(record.now().print_move(report.lines[0].moves[0]), "8a9a");
    }
}

/// Multi-PV: with as many lines as moves, each move has its own value, best first. The first line equals the single one.
fn many_lines<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) {
    for record in records {
        let all = Limits { lines: usize::MAX, ..to_depth(depth) };
        let (report, choice) = search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &all);
        let values: Vec<Value> = report.lines.iter().map(|line| line.value).collect();
        assert_eq!(values, minimax_moves(&FINE, &record, depth), "{:?}", record.now());
        let (single, _) = search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &to_depth(depth));
        assert_eq!(value(&single), values[0]);
        assert!(matches!(choice, Choice::Move { mv, .. } if mv == report.lines[0].moves[0]));
        let three = Limits { lines: 3, ..to_depth(depth) };
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1).with_strict_tt(), &record, &three);
        assert_eq!(report.lines.len(), values.len().min(3));
        assert!(report.lines.iter().zip(&values).all(|(line, &value)| line.value == value));
    }
}

#[test]
fn multi_pv_equals_minimax() {
    many_lines(records(Othello::start(), 0..56, 10), 3);
    many_lines(records(Trax::<Unlimited>::start(), 1..8, 8), 2);
    many_lines(records(Ostle::start(), 0..3, 6), 3);
    many_lines(records(Shogi::start(), 0..3, 3), 2);
}

/// Graph-history interaction: results that depend on one path must not be used on another. The first search has a history
/// of positions to repeat, the second searches the same position without it.
#[test]
fn the_table_holds_no_path_dependent_results() {
    fn check<G: Game>(records: impl Iterator<Item = Record<G>>, depth: u32) -> usize {
        let mut repeats = 0;
        for record in records {
            let fresh = Record::new(record.now().clone());
            assert!(!minimax_of(&FINE, &fresh, depth).repeats, "too deep to be comparable");
            let mut engine = engine(FINE, NoHeuristics, 1, 1).with_strict_tt();
            // Multi-PV over all moves gives many exact values.
            let limits = Limits { lines: usize::MAX, ..to_depth(depth) };
            search(&mut engine, &record, &limits);
            let (report, _) = search(&mut engine, &fresh, &limits);
            let values: Vec<Value> = report.lines.iter().map(|line| line.value).collect();
            assert_eq!(values, minimax_moves(&FINE, &fresh, depth), "{:?}", record.now());
            repeats += usize::from(minimax_of(&FINE, &record, depth).repeats);
        }
        repeats
    }
    let kings = Shogi::parse("3k5/9/9/9/9/9/9/9/5K3 b - 1").unwrap();
    let repeats = check(records(kings, 4..20, 3000), 3) + check(records(Ostle::start(), 6..30, 100), 3);
    assert!(repeats > 60, "only {repeats} positions have a repetition");
}

/// A tree without evaluations is not searched deeper.
#[test]
fn a_solved_tree_ends_the_search() {
    let mut ended = 0;
    for record in records(Othello::start(), 54..58, 100) {
        let (report, _) = search(&mut engine(FINE, NoHeuristics, 1, 1), &record, &Limits::default());
        assert!(report.depth <= 12, "{report:?}");
        assert_eq!(value(&report), minimax_of(&FINE, &record, 12).value, "{:?}", record.now());
        ended += 1;
    }
    assert!(ended > 10);
}

#[test]
fn evaluations_are_incremental() {
    check_incremental::<Othello, _>(&FINE, 20, 80).unwrap();
    check_incremental::<Shogi, _>(&FINE, 5, 80).unwrap();
    check_incremental::<Ostle, _>(&NoEval, 5, 80).unwrap();
}

/// The property test can fail.
#[test]
fn a_wrong_accumulator_is_detected() {
    #[derive(Clone, Copy)]
    struct Stale;
    impl tesuji_search::Eval<Othello> for Stale {
        type Accumulator = u64;
        fn begin(&self, game: &Othello) -> u64 {
            game.own()
        }
        fn advance(&self, accumulator: &u64, _: tesuji_othello::Move, _: &Othello, _: &Othello, next: &mut u64) {
            *next = *accumulator;
        }
        fn value(&self, _: &Othello, _: &u64) -> Value {
            Value::DRAW
        }
    }
    assert!(check_incremental::<Othello, _>(&Stale, 1, 10).is_err());
}
