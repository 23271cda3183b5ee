//! Behaviour of the tree searches: single moves, early stop, resignation, sampling, invalid evaluations, strength.

use std::collections::HashSet;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use tesuji_game::{Game, MoveList, Notation, Outcome, Record, Side};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{EvalPolicy, LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions, WinRateScale};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng, Time};
use tesuji_trax::{Trax, Unlimited};

use super::{Mobility, chosen, options, playouts, puct, random, think, uct};

/// A random game whose last position satisfies `condition`.
fn random_with<G: Game>(plies: usize, condition: impl Fn(&mut G) -> bool) -> Record<G> {
    (0..5000)
        .map(|seed| random::<G>(plies, seed))
        .find(|record| condition(&mut record.now().clone()))
        .expect("some random game gets there")
}

#[test]
fn a_single_move_is_played_at_once() {
    let record = random_with::<Othello>(40, |game| game.count() == 1);
    let hour = Limits { time: Some(Time::Move(std::time::Duration::from_secs(3600))), ..Limits::default() };
    let (mut uct_engine, mut puct_engine) = (uct::<Othello>(options()), puct::<Othello>(options()));
    let engines: [&mut dyn Engine<Othello>; 2] = [&mut uct_engine, &mut puct_engine];
    for engine in engines {
        for limits in [&hour, &playouts(1_000_000)] {
            let (choice, report) = think(engine, &record, limits);
            assert!(matches!(choice, Choice::Move { .. }) && report.nodes <= 1, "{report:?}");
        }
    }
}

#[test]
fn a_search_without_time_has_a_legal_move() {
    let none = std::time::Duration::ZERO;
    let clock = Time::Clock { left: none, increment: none, byoyomi: none };
    let record = random::<Othello>(9, 4);
    let mut list = Default::default();
    record.now().clone().moves(&mut list);
    for time in [Time::Move(none), clock] {
        let limits = Limits { time: Some(time), ..Limits::default() };
        for threads in 1..=2 {
            let options = MctsOptions { threads, ..options() };
            assert!(list.has(chosen(think(&mut uct(options), &record, &limits).0)));
            assert!(list.has(chosen(think(&mut puct(options), &record, &limits).0)));
        }
    }
    let (choice, report) = think(&mut uct(options()), &record, &playouts(0));
    assert!(list.has(chosen(choice)) && report.nodes == 0);
}

#[test]
fn a_finished_game_has_no_move() {
    let mut record = Record::new(Othello::start());
    while record.ending().is_none() {
        let mut list = Default::default();
        record.now().clone().moves(&mut list);
        let mv = list.each().next().expect("the game goes on");
        record.push(mv).expect("a listed move");
    }
    let mut engine = uct::<Othello>(options());
    assert_eq!(engine.think(&record, &playouts(9), &CancelToken::new(), &mut |_| {}), Choice::Over);
    let mut engine = puct::<Othello>(options());
    assert_eq!(engine.think(&record, &playouts(9), &CancelToken::new(), &mut |_| {}), Choice::Over);
}

#[test]
fn an_early_stop_does_not_change_the_move() {
    let mut shorter = 0;
    for seed in 0..12 {
        let record = random::<Othello>(20, seed);
        let hasty = MctsOptions { early_stop: true, seed, ..options() };
        let (mut early, mut late) = (uct::<Othello>(hasty), uct::<Othello>(MctsOptions { seed, ..options() }));
        let (first, second) = (think(&mut early, &record, &playouts(4000)), think(&mut late, &record, &playouts(4000)));
        assert_eq!(chosen(first.0), chosen(second.0));
        assert!(first.1.nodes <= second.1.nodes);
        shorter += u32::from(first.1.nodes < second.1.nodes);
        // There is no early stop with multi-PV.
        let both = Limits { lines: 2, ..playouts(4000) };
        assert_eq!(think(&mut uct::<Othello>(hasty), &record, &both).1.nodes, second.1.nodes);
    }
    assert!(shorter >= 6, "only {shorter} of 12 searches ended early");
}

#[test]
fn a_lost_game_is_resigned_only_if_enabled() {
    // A forced loss, by brute force.
    let record = random_with::<Ostle>(60, |game| super::brute_force(game, 4) == Some(Outcome::Loss));
    for (resign_below, resigns) in [(0.05, true), (0.0, false)] {
        let options = MctsOptions { resign_below, ..options() };
        let limits = Limits { lines: 2, ..playouts(50_000) };
        let choice = think(&mut uct::<Ostle>(options), &record, &limits).0;
        assert_eq!(choice == Choice::Resign, resigns, "{choice:?}");
        let choice = think(&mut puct::<Ostle>(options), &record, &limits).0;
        assert_eq!(choice == Choice::Resign, resigns, "{choice:?}");
    }
}

#[test]
fn first_moves_may_be_sampled_by_visits() {
    let moves = |sampled_plies, plies| -> HashSet<_> {
        (0..30)
            .map(|seed| {
                let options = MctsOptions { sampled_plies, seed, ..options() };
                let mut engine = puct::<Trax<Unlimited>>(options);
                chosen(think(&mut engine, &random(plies, 1), &playouts(60)).0)
            })
            .collect()
    };
    assert!(moves(10, 5).len() > 1, "thirty samples agree");
    assert_eq!(moves(5, 5).len(), 1, "after the first moves the best is played");
}

/// Returns invalid values and policies.
struct InvalidPolicy(f32);

impl PolicyValue<Othello> for InvalidPolicy {
    fn evaluate(&self, batch: &mut [LeafPosition<Othello>]) {
        for leaf in batch {
            leaf.value = self.0;
            leaf.policy.fill(self.0);
            leaf.policy.truncate(2);
        }
    }
}

#[test]
fn an_invalid_evaluation_does_no_harm() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0] {
        let mut engine: Puct<Othello, _> = Puct::new(InvalidPolicy(number), options(), PuctOptions::default());
        let (choice, report) = think(&mut engine, &random(5, 5), &playouts(500));
        assert!(matches!(choice, Choice::Move { .. }), "{number}: {choice:?}");
        assert!(report.lines[0].rate.is_some_and(|rate| (0.0..=1.0).contains(&rate)), "{report:?}");
    }
}

#[test]
fn reported_lines_are_legal() {
    let record = random::<Othello>(8, 3);
    let limits = Limits { lines: 3, ..playouts(5000) };
    let mut last = 0;
    let mut engine = uct::<Othello>(options());
    engine.think(&record, &limits, &CancelToken::new(), &mut |report| {
        assert!(report.nodes >= last && report.lines.len() == 3);
        last = report.nodes;
        for line in &report.lines {
            let mut replay = record.clone();
            for &mv in &line.moves {
                replay.push(mv).expect("a line can be played");
            }
            let rate = line.rate.expect("playouts were counted");
            assert_eq!(line.value, MctsOptions::default().scale.value(rate), "{line:?}");
        }
    });
    assert_eq!(last, 5000);
}

/// Points of the first engine in `games` games from random openings, each opening played by both sides.
fn points<G: Notation>(games: u64, nodes: [u64; 2]) -> f64 {
    let mut points = 0.0;
    for game in 0..games {
        let mut record = random::<G>(6, game / 2);
        let first = if game % 2 == 0 { Side::First } else { Side::Second };
        let mut engines = nodes.map(|_| uct::<G>(MctsOptions { seed: game, ..options() }));
        while record.ending().is_none() && record.plies().len() < 200 {
            let which = usize::from(record.now().mover() != first);
            let mv = chosen(think(&mut engines[which], &record, &playouts(nodes[which])).0);
            record.push(mv).expect("what is chosen is legal");
        }
        points += match record.ending().and_then(|ending| ending.winner) {
            Some(side) if side == first => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
    }
    points
}

#[test]
fn more_playouts_play_better() {
    for (game, points) in [
        ("othello", points::<Othello>(20, [400, 20])),
        ("ostle", points::<Ostle>(20, [400, 20])),
        ("trax", points::<Trax<Unlimited>>(20, [200, 10])),
    ] {
        assert!(points >= 13.0, "{points} of 20 in {game}");
    }
}

#[test]
fn puct_beats_the_random_mover() {
    let mut points = 0;
    for game in 0..20 {
        let mut record = random::<Othello>(6, game);
        let mut engine = puct::<Othello>(options());
        let mut rng = Rng::new(game);
        let mut list = Default::default();
        while record.ending().is_none() {
            let mv = if record.now().mover() == Side::First {
                chosen(think(&mut engine, &record, &playouts(50)).0)
            } else {
                record.now().clone().moves(&mut list);
                list.each().nth(rng.below(list.len())).expect("the game goes on")
            };
            record.push(mv).expect("a legal move");
        }
        points += u32::from(record.ending().and_then(|ending| ending.winner) == Some(Side::First));
    }
    assert!(points >= 16, "{points} of 20");
}

/// Values a half, few leaves at a time, and cancels after so many calls.
struct Slow {
    calls: AtomicUsize,
    leaves: AtomicUsize,
    cancel_at: usize,
    token: CancelToken,
}

impl Slow {
    const AT_ONCE: usize = 3;

    fn new(cancel_at: usize) -> Slow {
        Slow { calls: 0.into(), leaves: 0.into(), cancel_at, token: CancelToken::new() }
    }
}

impl<G: Game> PolicyValue<G> for Slow {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        assert!(batch.len() <= Slow::AT_ONCE);
        self.leaves.fetch_add(batch.len(), Relaxed);
        if self.calls.fetch_add(1, Relaxed) + 1 == self.cancel_at {
            self.token.cancel();
        }
    }

    fn most_at_once(&self) -> usize {
        Slow::AT_ONCE
    }
}

/// After `stop` no leaf of the batch is evaluated any more, and the statistics are those of the completed ones.
#[test]
fn a_stopped_search_does_not_wait_for_its_batch() {
    for cancel_at in [2, 9, 40, 77] {
        let slow = Slow::new(cancel_at);
        let mut engine = Puct::new(&slow, options(), PuctOptions { batch: 64, ..PuctOptions::default() });
        let mut nodes = 0;
        let choice = engine.think(&Record::new(Othello::start()), &Limits::default(), &slow.token, &mut |report| {
            nodes = report.nodes as usize;
        });
        assert!(matches!(choice, Choice::Move { .. }));
        assert_eq!(slow.calls.load(Relaxed), cancel_at);
        // The root is evaluated apart.
        assert_eq!(nodes, slow.leaves.load(Relaxed) - 1);
        let tree = engine.tree();
        let root = tree.root().expect("a root");
        assert_eq!(tree.moves(root).map(|edge| edge.visits as usize).sum::<usize>(), nodes);
        assert_eq!(engine.root_visits().iter().map(|(_, visits)| *visits as usize).sum::<usize>(), nodes);
    }
}

/// The share of the moves that noise explores grows with it; the priors in the tree stay as they are.
#[test]
fn noise_explores_the_root() {
    let record = random::<Othello>(12, 3);
    let search = |noise: f32, seed: u64| {
        let policy = EvalPolicy::new(Mobility, WinRateScale::new(100.0), WinRateScale::new(10.0));
        let puct = PuctOptions { batch: 1, noise, noise_total: 2.0, ..PuctOptions::default() };
        let mut engine = Puct::new(policy, MctsOptions { seed, ..options() }, puct);
        think(&mut engine, &record, &playouts(100));
        let root = engine.tree().root().expect("a root");
        let priors: Vec<f64> = engine.tree().moves(root).map(|edge| edge.prior).collect();
        (engine.root_visits(), priors)
    };
    let (plain, priors) = search(0.0, 1);
    assert_eq!(search(0.0, 2), (plain.clone(), priors.clone()), "without noise the seed does not matter");
    let noisy: Vec<_> = (1..6).map(|seed| search(1.0, seed)).collect();
    assert!(noisy.iter().all(|(_, own)| *own == priors), "noise is not stored");
    assert!(noisy.iter().any(|(visits, _)| *visits != plain));
    assert!(noisy[1..].iter().any(|(visits, _)| *visits != noisy[0].0), "each seed has its own noise");
    assert_eq!(search(1.0, 1), noisy[0]);
}
