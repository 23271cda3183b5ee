//! Training data of Othello: labels are exact where they claim to be, and self-play games are reproducible.

use tesuji_engines::othello::{Goal, PatternEval, Selectivity, Solver};
use tesuji_engines::training::{LabelConfig, LabeledPositions, RecordConfig, SelfPlayConfig, UnusableRecord};
use tesuji_engines::{Spec, Trainable};
use tesuji_game::{Game, MoveList, Notation, Record, Side};
use tesuji_learn::Model;
use tesuji_othello::{Moves, Othello};
use tesuji_search::{CancelToken, Rng};

fn config(seed: u64) -> SelfPlayConfig {
    SelfPlayConfig { engine: Spec::parse("alphabeta:depth=1,hash=1").unwrap(), solve: 10, seed, hash: None }
}

fn played(seed: u64, number: u32) -> LabeledPositions<Othello> {
    let opening = Othello::openings(seed, 8..=20).nth(number as usize).unwrap();
    Othello::self_play(&config(seed), opening, number, &CancelToken::new()).unwrap().unwrap()
}

fn empties(game: &Othello) -> u32 {
    game.empties().count_ones()
}

#[test]
fn endgames_of_self_play_are_labelled_exactly() {
    let mut solver = Solver::new(4, PatternEval::shipped());
    let (mut solved, mut before) = (0, 0);
    for number in 0..20 {
        for (position, label) in played(3, number) {
            let game = Othello::from_position(&position);
            if empties(&game) <= 10 {
                let truth = solver.solve(&game, Goal::Score).score;
                assert_eq!(i32::from(label), 100 * truth, "{}", game.print());
                solved += 1;
            } else {
                before += 1;
            }
        }
    }
    assert!(solved > 120 && before > 400, "{solved} solved, {before} before them");
}

#[test]
fn the_midgame_of_a_game_has_one_score() {
    for number in 0..20 {
        let labeled = played(4, number);
        let scores: Vec<i16> = labeled
            .iter()
            .filter(|(position, _)| empties(&Othello::from_position(position)) > 10)
            .map(|(_, label)| label.abs())
            .collect();
        assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
    }
}

#[test]
fn games_depend_on_their_seed_and_number_alone() {
    assert_eq!(played(5, 7), played(5, 7));
    assert_ne!(played(5, 7), played(5, 8));
    assert_ne!(played(5, 7), played(6, 7));
}

#[test]
fn no_two_openings_are_alike() {
    let openings: Vec<Record<Othello>> = Othello::openings(1, 8..=20).take(500).collect();
    let mut boards: Vec<(u64, u64)> =
        openings.iter().map(|opening| opening.now().canonical()).map(|board| (board.own(), board.other())).collect();
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 500);
    assert!(openings.iter().all(|opening| (8..=20).contains(&opening.plies().len())));
    assert!(openings.iter().any(|opening| opening.plies().len() == 8));
    assert!(openings.iter().any(|opening| opening.plies().len() == 20));
    // All first moves are symmetric; of two plies there are three.
    assert_eq!(Othello::openings(1, 1..=1).count(), 1);
    assert_eq!(Othello::openings(1, 2..=2).count(), 3);
}

#[test]
fn a_cancelled_game_gives_nothing() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let opening = Othello::openings(1, 8..=8).next().unwrap();
    assert_eq!(Othello::self_play(&config(1), opening, 0, &cancel).unwrap(), None);
}

#[test]
fn engines_that_are_not_deterministic_are_refused() {
    for (spec, good) in [
        ("alphabeta:depth=3", true),
        ("uct:playouts=50", true),
        ("random", true),
        ("alphabeta", false),
        ("alphabeta:time=1s", false),
        ("alphabeta:depth=3,time=1s", false),
        ("alphabeta:depth=3,threads=2", false),
    ] {
        let config = SelfPlayConfig { engine: Spec::parse(spec).unwrap(), ..config(0) };
        assert_eq!(config.check().is_ok(), good, "{spec}");
    }
}

/// The first plies of a random game; a complete one has at most 70, including passes.
fn random_game(plies: usize) -> Record<Othello> {
    let mut rng = Rng::new(12);
    let mut record = Record::new(Othello::start());
    let mut list = Moves::default();
    while record.plies().len() < plies && record.ending().is_none() {
        record.now().clone().moves(&mut list);
        record.push(list.each().nth(rng.below(list.len())).unwrap()).unwrap();
    }
    record
}

#[test]
fn a_record_is_labelled_with_its_score() {
    let whole = random_game(70);
    let score = whole.now().score();
    let black = if whole.now().mover() == Side::First { score } else { -score };
    let labeled = Othello::label_record(&whole, RecordConfig::default()).unwrap();
    assert!(labeled.len() >= 50, "{}", labeled.len());
    let mut now = *whole.start();
    let mut labels = labeled.iter();
    for (ply, mv) in whole.moves().enumerate() {
        if ply >= 8 && !now.must_pass() {
            let (position, label) = labels.next().unwrap();
            assert_eq!(
                (Othello::from_position(position).own(), Othello::from_position(position).other()),
                (now.own(), now.other())
            );
            let black = if now.mover() == Side::First { black } else { -black };
            assert_eq!(i32::from(*label), 100 * black);
        }
        now.play(mv);
    }
    assert_eq!(labels.next(), None);
}

#[test]
fn theoretical_scores_are_checked_by_the_solver() {
    let mut whole = random_game(70);
    let mut solver = Solver::new(1, PatternEval::shipped());
    let mut now = *whole.start();
    for mv in whole.moves() {
        if empties(&now) > 8 {
            now.play(mv);
        }
    }
    let score = solver.solve(&now, Goal::Score).score;
    let truth = if now.mover() == Side::First { score } else { -score };
    for (theoretical, is_right) in [(truth, true), (truth + if truth < 60 { 2 } else { -2 }, false)] {
        whole.set_tag("wthor-theoretical", (32 + theoretical / 2).to_string());
        let (mut early, mut between) = (0, 0);
        for (position, label) in Othello::label_record(&whole, RecordConfig { solve: 8, hash: Some(1) }).unwrap() {
            let game = Othello::from_position(&position);
            match empties(&game) {
                ..=8 => assert_eq!(i32::from(label), 100 * solver.solve(&game, Goal::Score).score),
                9..24 => between += 1,
                _ => early += 1,
            }
            assert!(empties(&game) <= 8 || i32::from(label).abs() == 100 * theoretical.abs());
        }
        // Positions after a mistake are left out.
        assert!(early > 20);
        assert_eq!(between > 10, is_right, "{between}");
        assert_eq!(between == 0, !is_right, "{between}");
    }
}

#[test]
fn unusable_records_are_refused_with_a_reason() {
    assert_eq!(Othello::label_record(&random_game(15), RecordConfig::default()), Err(UnusableRecord::Short));
    assert_eq!(Othello::label_record(&random_game(30), RecordConfig::default()), Err(UnusableRecord::Unscored));
}

#[test]
fn positions_survive_packing() {
    let model = Othello::model();
    for (position, _) in played(9, 0) {
        let mut bytes = vec![0; <Othello as Trainable>::Model::BYTES];
        model.pack(&position, &mut bytes);
        assert_eq!(model.unpack(&bytes), Some(position));
        assert!(model.stage(&position) < model.stages());
        let mut list = vec![0; model.features()];
        model.active_features(&position, &mut list);
        assert!(list.iter().all(|&weight| (weight as usize) < model.weights()));
    }
}

fn label_config(random_move_rate: u32) -> LabelConfig {
    LabelConfig { depth: 3, sure: 100, solve: 9, random_move_rate, seed: 5, hash: None }
}

#[test]
fn labels_are_search_scores() {
    let (mut solver, mut label) =
        (Solver::new(1, PatternEval::shipped()), Othello::labeler(label_config(0), None).unwrap());
    for opening in Othello::openings(8, 8..=56).take(60) {
        let game = *opening.now();
        let labeled = label(&(game.own(), game.other()), &CancelToken::new()).unwrap();
        if game.must_pass() {
            assert_eq!(labeled, []);
            continue;
        }
        solver.clear();
        let score = if empties(&game) <= 9 {
            solver.solve(&game, Goal::Score).score
        } else {
            solver.search_depth(&game, 3, Selectivity::EXACT, &CancelToken::new()).unwrap().score
        };
        assert_eq!(labeled, [((game.own(), game.other()), 100 * score as i16)], "{}", game.print());
    }
    let cancel = CancelToken::new();
    cancel.cancel();
    let start = Othello::start();
    assert_eq!(label(&(start.own(), start.other()), &cancel), None);
}

#[test]
fn some_positions_are_labelled_after_a_random_move() {
    let positions: Vec<Othello> = Othello::openings(9, 8..=40).take(200).map(|opening| *opening.now()).collect();
    let labeled = |rate: u32| {
        let mut label = Othello::labeler(label_config(rate), None).unwrap();
        let lists = positions.iter().map(|game| label(&(game.own(), game.other()), &CancelToken::new()).unwrap());
        lists.collect::<Vec<LabeledPositions<Othello>>>()
    };
    let (half, all) = (labeled(2), labeled(1));
    assert_eq!(half, labeled(2));
    let mut moved = 0;
    for (game, (half, all)) in positions.iter().zip(half.iter().zip(&all)) {
        let board = (game.own(), game.other());
        let mut list = Moves::default();
        game.clone().moves(&mut list);
        let after = |position: (u64, u64)| {
            list.each().any(|mv| {
                let mut next = *game;
                next.play(mv);
                (next.own(), next.other()) == position
            })
        };
        assert!(all.iter().all(|&(position, _)| after(position)), "{}", game.print());
        assert!(half.iter().all(|&(position, _)| position == board || after(position)));
        moved += usize::from(half.iter().any(|&(position, _)| position != board));
    }
    assert!((70..130).contains(&moved), "{moved}");
}
