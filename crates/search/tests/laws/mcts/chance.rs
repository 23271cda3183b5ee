//! Manners: single moves, early ends, resignation, sampling, providers that talk nonsense; and that more
//! thought plays better.

use std::collections::HashSet;

use tesuji_game::{Game, MoveList, Notation, Outcome, Record, Side};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng, Time};
use tesuji_trax::{Trax, Unlimited};

use super::{chosen, playouts, puct, random, settings, think, uct};

/// Random games whose last position satisfies `wish`.
fn found<G: Game>(plies: usize, wish: impl Fn(&mut G) -> bool) -> Record<G> {
    (0..5000)
        .map(|seed| random::<G>(plies, seed))
        .find(|record| wish(&mut record.now().clone()))
        .expect("some random game gets there")
}

#[test]
fn a_single_move_is_played_at_once() {
    let record = found::<Othello>(40, |game| game.count() == 1);
    let hour = Limits { time: Some(Time::Move(std::time::Duration::from_secs(3600))), ..Limits::default() };
    let (mut by_chance, mut by_judgement) = (uct::<Othello>(settings()), puct::<Othello>(settings()));
    let engines: [&mut dyn Engine<Othello>; 2] = [&mut by_chance, &mut by_judgement];
    for engine in engines {
        for limits in [&hour, &playouts(1_000_000)] {
            let (choice, report) = think(engine, &record, limits);
            assert!(matches!(choice, Choice::Move { .. }) && report.nodes <= 1, "{report:?}");
        }
    }
}

#[test]
fn without_any_time_a_move_is_chosen_all_the_same() {
    let none = std::time::Duration::ZERO;
    let clock = Time::Clock { left: none, increment: none, byoyomi: none };
    let record = random::<Othello>(9, 4);
    let mut list = Default::default();
    record.now().clone().moves(&mut list);
    for time in [Time::Move(none), clock] {
        let limits = Limits { time: Some(time), ..Limits::default() };
        for threads in 1..=2 {
            let settings = MctsOptions { threads, ..settings() };
            assert!(list.has(chosen(think(&mut uct(settings), &record, &limits).0)));
            assert!(list.has(chosen(think(&mut puct(settings), &record, &limits).0)));
        }
    }
    let (choice, report) = think(&mut uct(settings()), &record, &playouts(0));
    assert!(list.has(chosen(choice)) && report.nodes == 0);
}

#[test]
fn nothing_is_chosen_when_the_game_is_over() {
    let mut record = Record::new(Othello::start());
    while record.ending().is_none() {
        let mut list = Default::default();
        record.now().clone().moves(&mut list);
        let mv = list.each().next().expect("the game goes on");
        record.push(mv).expect("a listed move");
    }
    let mut engine = uct::<Othello>(settings());
    assert_eq!(engine.think(&record, &playouts(9), &CancelToken::new(), &mut |_| {}), Choice::Over);
    let mut engine = puct::<Othello>(settings());
    assert_eq!(engine.think(&record, &playouts(9), &CancelToken::new(), &mut |_| {}), Choice::Over);
}

#[test]
fn an_early_end_changes_nothing_but_the_time() {
    let mut shorter = 0;
    for seed in 0..12 {
        let record = random::<Othello>(20, seed);
        let hasty = MctsOptions { early_stop: true, seed, ..settings() };
        let (mut early, mut late) =
            (uct::<Othello>(hasty), uct::<Othello>(MctsOptions { seed, ..settings() }));
        let (first, second) =
            (think(&mut early, &record, &playouts(4000)), think(&mut late, &record, &playouts(4000)));
        assert_eq!(chosen(first.0), chosen(second.0));
        assert!(first.1.nodes <= second.1.nodes);
        shorter += u32::from(first.1.nodes < second.1.nodes);
        // Whoever asks for several moves wants to see them all searched.
        let both = Limits { lines: 2, ..playouts(4000) };
        assert_eq!(think(&mut uct::<Othello>(hasty), &record, &both).1.nodes, second.1.nodes);
    }
    assert!(shorter >= 6, "only {shorter} of 12 searches ended early");
}

#[test]
fn a_lost_game_is_given_up_only_when_asked() {
    // Where every move loses at once or to a mate: brute force says so.
    let record = found::<Ostle>(60, |game| super::brute(game, 4) == Some(Outcome::Loss));
    for (resign_below, resigns) in [(0.05, true), (0.0, false)] {
        let settings = MctsOptions { resign_below, ..settings() };
        let limits = Limits { lines: 2, ..playouts(50_000) };
        let choice = think(&mut uct::<Ostle>(settings), &record, &limits).0;
        assert_eq!(choice == Choice::Resign, resigns, "{choice:?}");
        let choice = think(&mut puct::<Ostle>(settings), &record, &limits).0;
        assert_eq!(choice == Choice::Resign, resigns, "{choice:?}");
    }
}

#[test]
fn first_moves_may_be_drawn_by_their_visits() {
    let moves = |sampled_plies, plies| -> HashSet<_> {
        (0..30)
            .map(|seed| {
                let settings = MctsOptions { sampled_plies, seed, ..settings() };
                let mut engine = puct::<Trax<Unlimited>>(settings);
                chosen(think(&mut engine, &random(plies, 1), &playouts(60)).0)
            })
            .collect()
    };
    assert!(moves(10, 5).len() > 1, "thirty drawings agree");
    assert_eq!(moves(5, 5).len(), 1, "after the first moves the best is played");
}

/// Says what no provider should.
struct Nonsense(f32);

impl PolicyValue<Othello> for Nonsense {
    fn evaluate(&self, batch: &mut [LeafPosition<Othello>]) {
        for leaf in batch {
            leaf.value = self.0;
            leaf.policy.fill(self.0);
            leaf.policy.truncate(2);
        }
    }
}

#[test]
fn nonsense_from_a_provider_does_no_harm() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0] {
        let mut engine: Puct<Othello, _> = Puct::new(Nonsense(number), settings(), PuctOptions::default());
        let (choice, report) = think(&mut engine, &random(5, 5), &playouts(500));
        assert!(matches!(choice, Choice::Move { .. }), "{number}: {choice:?}");
        assert!(report.lines[0].rate.is_some_and(|rate| (0.0..=1.0).contains(&rate)), "{report:?}");
    }
}

#[test]
fn a_report_tells_lines_that_can_be_played() {
    let record = random::<Othello>(8, 3);
    let limits = Limits { lines: 3, ..playouts(5000) };
    let mut last = 0;
    let mut engine = uct::<Othello>(settings());
    engine.think(&record, &limits, &CancelToken::new(), &mut |report| {
        assert!(report.nodes >= last && report.lines.len() == 3);
        last = report.nodes;
        for line in &report.lines {
            let mut replay = record.clone();
            for &mv in &line.moves {
                replay.push(mv).expect("a line can be played");
            }
            let rate = line.rate.expect("play-outs were counted");
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
        let mut engines = nodes.map(|_| uct::<G>(MctsOptions { seed: game, ..settings() }));
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
fn more_play_outs_play_better() {
    for (game, points) in [
        ("othello", points::<Othello>(20, [400, 20])),
        ("ostle", points::<Ostle>(20, [400, 20])),
        ("trax", points::<Trax<Unlimited>>(20, [200, 10])),
    ] {
        assert!(points >= 13.0, "{points} of 20 in {game}");
    }
}

#[test]
fn judgement_beats_chance() {
    let mut points = 0;
    for game in 0..20 {
        let mut record = random::<Othello>(6, game);
        let mut engine = puct::<Othello>(settings());
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
