//! Property tests of evaluations on random games.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_engines::ostle::Material;
use tesuji_engines::othello::{Classic, PatternEval, SquareWeights, TerminalEval};
use tesuji_engines::trax::{AverageThenPlayouts, LeafAverage, Lines, MonteCarlo};
use tesuji_engines::{HasEngines, SpecError};
use tesuji_game::{Game, Outcome, Side, Symmetric};
use tesuji_laws::{PropertyResult, effort, for_all, hold, playout};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::{Eval, Value};
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

/// Checks a property at every position of some random games.
fn positions<G: Game>(games: u32, plies: usize, property: impl Fn(&mut G) -> PropertyResult) {
    for_all(games, vec(any::<u16>(), 0..plies), |choices| playout(G::start(), &choices, |game, _, _| property(game)));
}

/// Folding `advance` over a game gives `begin` of its last position.
fn updates_incrementally<G: Game, E: Eval<G>>(eval: E) {
    for_all(effort(), vec(any::<u16>(), 0..100), |choices| {
        let mut accumulator = eval.begin(&G::start());
        playout(G::start(), &choices, |game, _, chosen| {
            hold!(accumulator == eval.begin(game), "{accumulator:?} for {:?} in {game:?}", eval.begin(game));
            if let Some(mv) = chosen {
                let mut after = game.clone();
                let undo = after.play(mv);
                let mut next = E::Accumulator::default();
                eval.advance(&accumulator, mv, &undo, &after, &mut next);
                accumulator = next;
            }
            Ok(())
        })
    });
}

/// Symmetric positions have the same value.
fn is_symmetric<G: Symmetric, E: Eval<G>>(eval: E, games: u32) {
    positions::<G>(games, 80, |game| {
        let value = value_of(&eval, game);
        for symmetry in 1..G::SYMMETRIES {
            let image = game.image(symmetry);
            let other = value_of(&eval, &image);
            hold!(value == other, "{value} but {other} under symmetry {symmetry}: {game:?}");
        }
        Ok(())
    });
}

fn value_of<G: Game, E: Eval<G>>(eval: &E, game: &G) -> Value {
    match game.outcome() {
        Some(outcome) => eval.terminal_value(game, outcome),
        None => eval.value(game, &eval.begin(game)),
    }
}

#[test]
fn othello_evaluations_update_incrementally() {
    updates_incrementally::<Othello, _>(SquareWeights);
    updates_incrementally::<Othello, _>(Classic);
    updates_incrementally::<Othello, _>(TerminalEval);
    updates_incrementally::<Othello, _>(PatternEval::shipped());
}

#[test]
fn othello_evaluations_are_symmetric() {
    is_symmetric::<Othello, _>(SquareWeights, effort());
    is_symmetric::<Othello, _>(Classic, effort());
    is_symmetric::<Othello, _>(TerminalEval, effort());
    is_symmetric::<Othello, _>(PatternEval::shipped(), effort());
}

#[test]
fn with_colours_exchanged_the_value_is_negated() {
    positions::<Othello>(effort(), 80, |game| {
        let turned = Othello::new(game.other(), game.own(), game.mover()).unwrap();
        for (value, other) in [
            (
                SquareWeights.value(game, &SquareWeights.begin(game)),
                SquareWeights.value(&turned, &SquareWeights.begin(&turned)),
            ),
            (Classic.value(game, &()), Classic.value(&turned, &())),
        ] {
            hold!(value == -other, "{value} but {other} for the other: {game:?}");
        }
        Ok(())
    });
}

#[test]
fn a_won_game_of_othello_beats_every_estimate() {
    let most = |value: Value| i32::from(value.get()).abs();
    positions::<Othello>(effort(), 80, |game| {
        for value in [SquareWeights.value(game, &SquareWeights.begin(game)), Classic.value(game, &())] {
            hold!(most(value) < 10_000, "{value} is no estimate: {game:?}");
        }
        if let Some(outcome) = game.outcome() {
            let over = Classic.terminal_value(game, outcome);
            hold!(!over.is_proven(), "{over} leaves no room for the margin");
            let right = match outcome {
                Outcome::Win => over.get() > 10_000,
                Outcome::Draw => over == Value::DRAW,
                Outcome::Loss => over.get() < -10_000,
            };
            hold!(right, "{over} for {outcome:?}: {game:?}");
        }
        Ok(())
    });
}

#[test]
fn corners_and_few_discs_early_are_good() {
    let board = |own: u64, other: u64| Othello::new(own, other, Side::First).unwrap();
    let corner = board(1 | 1 << 28, 1 << 27 | 1 << 36);
    let inside = board(1 << 18 | 1 << 28, 1 << 27 | 1 << 36);
    let many = board(0x0000_3c00_0000_0000, 0x0000_0000_1000_0000);
    for value in [
        |game: &Othello| SquareWeights.value(game, &SquareWeights.begin(game)),
        |game: &Othello| Classic.value(game, &()),
    ] {
        assert!(value(&corner) > value(&inside));
    }
    assert!(SquareWeights.value(&many, &SquareWeights.begin(&many)) < Value::DRAW);
}

#[test]
fn ostle_material_updates_incrementally_and_is_symmetric() {
    updates_incrementally::<Ostle, _>(Material);
    is_symmetric::<Ostle, _>(Material, effort());
}

#[test]
fn an_extra_piece_is_an_advantage_anywhere() {
    positions::<Ostle>(effort(), 80, |game| {
        let value = value_of(&Material, game);
        match game.pieces() {
            (own, other) if own > other => hold!(value > Value::DRAW, "{value} for a piece more: {game:?}"),
            (own, other) if own < other && !game.can_drop_other() => {
                hold!(value < Value::DRAW, "{value} for a piece less: {game:?}");
            }
            _ => {}
        }
        Ok(())
    });
}

#[test]
fn trax_leaf_average_is_symmetric() {
    updates_incrementally::<Trax<Unlimited>, _>(Lines::shipped());
    is_symmetric::<Trax<Unlimited>, _>(Lines::shipped(), effort());
    is_symmetric::<Trax<EightByEight>, _>(Lines::shipped(), effort());
    is_symmetric::<Trax<Loops>, _>(Lines::shipped(), effort());
    updates_incrementally::<Trax<Unlimited>, _>(LeafAverage);
    is_symmetric::<Trax<Unlimited>, _>(LeafAverage, effort() / 4);
    is_symmetric::<Trax<EightByEight>, _>(LeafAverage, effort() / 4);
    is_symmetric::<Trax<Loops>, _>(LeafAverage, effort() / 4);
}

#[test]
fn trax_playouts_depend_on_the_position_alone() {
    let (few, mut met) = (MonteCarlo { games: 3, seed: 1 }, 0);
    let mut known: HashMap<u64, Value> = HashMap::new();
    let mut rng = tesuji_search::Rng::new(5);
    let mut list = Vec::new();
    for _ in 0..400 {
        let mut game = Trax::<Unlimited>::start();
        for _ in 0..4 {
            game.moves(&mut list);
            if !list.is_empty() {
                game.play(list[rng.below(list.len())]);
            }
        }
        let value = few.value(&game, &());
        assert!(value.get().abs() <= 1000, "{value}");
        if let Some(before) = known.insert(game.key(), value) {
            met += 1;
            assert_eq!(before, value, "{game:?}");
        }
    }
    assert!(met > 20, "only {met} positions were met twice");
}

#[test]
fn playouts_only_break_the_ties_of_the_average() {
    let both = AverageThenPlayouts { playouts: MonteCarlo { games: 2, seed: 0 } };
    positions::<Trax<Unlimited>>(effort() / 4, 30, |game| {
        let average = 20 * i32::from(LeafAverage.value(game, &()).get());
        let value = i32::from(both.value(game, &()).get());
        hold!((value - average).abs() <= 9, "{value} is far from {average}: {game:?}");
        Ok(())
    });
}

/// Each evaluation is found by its name, and values a finished game by its result.
fn evaluates_by_name<G: HasEngines>() {
    positions::<G>(8, 60, |game| {
        for name in G::EVALUATIONS {
            let value = G::static_eval(name, game).map_err(|error| error.to_string())?;
            if let Some(outcome) = game.outcome() {
                let sign = i32::from(value.get()).signum();
                hold!(sign == outcome as i32 - 1, "{name} gives {value} for {outcome:?}: {game:?}");
            } else {
                hold!(!value.is_proven(), "{name} proves {value}: {game:?}");
            }
        }
        Ok(())
    });
    let wrong = G::static_eval("no such", &G::start());
    assert!(matches!(wrong, Err(SpecError::Unknown { what: "evaluation", .. })), "{wrong:?}");
}

#[test]
fn evaluations_are_found_by_name() {
    evaluates_by_name::<Othello>();
    evaluates_by_name::<Ostle>();
    evaluates_by_name::<Trax<Unlimited>>();
    evaluates_by_name::<Trax<EightByEight>>();
    evaluates_by_name::<Trax<Loops>>();
}
