//! Behaviour of the alpha-beta engine: cancellation, determinism, reports, new games.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tesuji_game::{Game, MoveList, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Choice, Engine, Eval, Limits, NoHeuristics, Rng, SearchReport, Time, Value};
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

use crate::minimax::{Scrambled, engine, minimax_of, records, search, to_depth, value};

const FINE: Scrambled = Scrambled { values: 2001 };

/// Cancels the search after a number of evaluations.
struct CancellingEval {
    left: AtomicU64,
    stop: CancelToken,
}

impl<G: Game> Eval<G> for CancellingEval {
    type Accumulator = u64;

    fn begin(&self, game: &G) -> u64 {
        Eval::<G>::begin(&FINE, game)
    }

    fn advance(&self, accumulator: &u64, mv: G::Move, undo: &G::Undo, after: &G, next: &mut u64) {
        FINE.advance(accumulator, mv, undo, after, next);
    }

    fn value(&self, game: &G, accumulator: &u64) -> Value {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.cancel();
        }
        FINE.value(game, accumulator)
    }
}

fn legal<G: Game>(record: &Record<G>, choice: Choice<G::Move>) -> bool {
    let mut list = G::Moves::default();
    record.now().clone().moves(&mut list);
    matches!(choice, Choice::Move { mv, .. } if list.has(mv))
}

/// Cancels searches at random moments. There is always a legal move, and only completed iterations are reported.
fn stopped<G: Game>(records: impl Iterator<Item = Record<G>>, threads: usize) {
    let mut rng = Rng::new(3);
    for record in records {
        let stop = CancelToken::new();
        let left = 1 + rng.draw() % (1 << rng.below(15));
        let eval = CancellingEval { left: AtomicU64::new(left), stop: stop.clone() };
        let mut engine = engine(eval, NoHeuristics, 1, threads);
        let mut reports: Vec<SearchReport<G::Move>> = Vec::new();
        let limits = Limits { lines: 1 + rng.below(3), ..Limits::default() };
        let choice = engine.think(&record, &limits, &stop, &mut |report| reports.push(report.clone()));
        assert!(legal(&record, choice), "{choice:?} in {:?}", record.now());
        for (index, report) in reports.iter().enumerate() {
            assert_eq!(report.depth, index as u32 + 1);
            let values: Vec<Value> = report.lines.iter().map(|line| line.value).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
            if threads == 1 && report.depth <= 2 {
                assert_eq!(values[0], minimax_of(&FINE, &record, report.depth).value);
            }
        }
        // Cancelled before the search.
        assert!(legal(&record, engine.think(&record, &limits, &stop, &mut |_| ())));
    }
}

#[test]
fn a_cancelled_search_has_a_legal_move() {
    stopped(records(Othello::start(), 0..50, 400), 1);
    stopped(records(Othello::start(), 0..50, 100), 2);
    stopped(records(Trax::<Unlimited>::start(), 1..6, 100), 1);
    stopped(records(Ostle::start(), 0..10, 200), 1);
    stopped(records(Shogi::start(), 0..20, 20), 2);
}

#[test]
fn a_search_without_time_has_a_legal_move() {
    let record = Record::new(Shogi::start());
    for time in [
        Time::Move(Duration::ZERO),
        Time::Clock { left: Duration::ZERO, increment: Duration::ZERO, byoyomi: Duration::ZERO },
        Time::Move(Duration::from_millis(3)),
    ] {
        let limits = Limits { time: Some(time), ..Limits::default() };
        let choice = engine(FINE, NoHeuristics, 1, 1).think(&record, &limits, &CancelToken::new(), &mut |_| ());
        assert!(legal(&record, choice));
    }
}

/// A report without its time.
fn timeless<M: Copy>(report: &SearchReport<M>) -> (u32, u64, Vec<(Value, Vec<M>)>) {
    (report.depth, report.nodes, report.lines.iter().map(|line| (line.value, line.moves.clone())).collect())
}

/// A search with one thread is deterministic, down to the node count.
fn repeatable<G: Game>(records: impl Iterator<Item = Record<G>>) {
    for record in records {
        for nodes in [1, 100, 3_333, 20_000] {
            let limits = Limits { nodes: Some(nodes), lines: 1, ..Limits::default() };
            let run = || {
                let mut reports = Vec::new();
                let mut engine = engine(FINE, NoHeuristics, 1, 1);
                let mut choices = Vec::new();
                for _ in 0..2 {
                    choices.push(engine.think(&record, &limits, &CancelToken::new(), &mut |report| {
                        assert!(report.nodes <= nodes, "{} of {nodes} nodes", report.nodes);
                        reports.push(timeless(report));
                    }));
                }
                (choices, reports)
            };
            assert_eq!(run(), run(), "{:?}", record.now());
        }
    }
}

#[test]
fn one_thread_is_deterministic() {
    repeatable(records(Othello::start(), 0..40, 4));
    repeatable(records(Trax::<Unlimited>::start(), 1..6, 3));
    repeatable(records(Ostle::start(), 0..10, 4));
    repeatable(records(Shogi::start(), 0..30, 3));
}

#[test]
fn a_new_game_starts_without_stored_results() {
    let record = Record::new(Othello::start());
    let mut engine = engine(FINE, NoHeuristics, 1, 1);
    let first = timeless(&search(&mut engine, &record, &to_depth(6)).0);
    let again = timeless(&search(&mut engine, &record, &to_depth(6)).0);
    assert!(again.1 < first.1, "the table helps: {} nodes, then {}", first.1, again.1);
    Engine::<Othello>::forget(&mut engine);
    assert_eq!(timeless(&search(&mut engine, &record, &to_depth(6)).0), first);
}

#[test]
fn a_single_move_is_searched_for_its_value() {
    let record = records(Othello::start(), 40..58, 400)
        .find(|record| record.now().clone().count() == 1)
        .expect("some position has one move");
    let time = Some(Time::Move(Duration::from_secs(3600)));
    let limits = Limits { time, ..Limits::default() };
    let (report, choice) = search(&mut engine(FINE, NoHeuristics, 1, 1), &record, &limits);
    assert!(report.depth > 1 && report.lines[0].solved, "{report:?}");
    assert!(legal(&record, choice));
}

#[test]
fn a_finished_game_has_no_move() {
    let record = (0..)
        .find_map(|seed| {
            let mut rng = Rng::new(seed);
            let mut record = Record::new(Ostle::start());
            let mut list = tesuji_ostle::Moves::default();
            for _ in 0..200 {
                record.now().clone().moves(&mut list);
                let mv = list.each().nth(rng.below(list.len().max(1)))?;
                record.push(mv).ok()?;
                if record.ending().is_some() {
                    return Some(record);
                }
            }
            None
        })
        .expect("some random game ends");
    let mut engine = engine(FINE, NoHeuristics, 1, 1);
    let choice = engine.think(&record, &Limits::default(), &CancelToken::new(), &mut |_| ());
    assert_eq!(choice, Choice::Over);
}

/// With a strict transposition table, two threads find the same value as one.
#[test]
fn threads_agree() {
    for record in records(Othello::start(), 0..45, 12) {
        let one = search(&mut engine(FINE, NoHeuristics, 4, 1).with_strict_tt(), &record, &to_depth(6)).0;
        let two = search(&mut engine(FINE, NoHeuristics, 4, 2).with_strict_tt(), &record, &to_depth(6)).0;
        assert_eq!(value(&one), value(&two), "{:?}", record.now());
    }
}
