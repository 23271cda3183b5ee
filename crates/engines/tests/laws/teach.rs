//! What Othello is taught with: labels that are true where they claim to be, and games that anybody can play again.

use tesuji_engines::othello::{Goal, PatternEval, Selectivity, Solver};
use tesuji_engines::{LabelConfig, LabeledPositions, SelfPlayConfig, Spec, Trainable, UnusableRecord};
use tesuji_game::{Game, MoveList, Notation, Record, Side};
use tesuji_learn::Model;
use tesuji_othello::{Moves, Othello};
use tesuji_search::{CancelToken, Rng};

fn exercise(seed: u64) -> SelfPlayConfig {
    SelfPlayConfig { player: Spec::parse("alphabeta:depth=1,hash=1").unwrap(), solve: 10, seed }
}

fn played(seed: u64, number: u32) -> LabeledPositions<Othello> {
    let opening = Othello::openings(seed, 8..=20).nth(number as usize).unwrap();
    Othello::exercise(&exercise(seed), opening, number, &CancelToken::new()).unwrap().unwrap()
}

fn empties(game: &Othello) -> u32 {
    game.empties().count_ones()
}

#[test]
fn the_ends_of_our_games_are_labelled_with_the_truth() {
    let mut solver = Solver::new(4, PatternEval::shipped());
    let (mut solved, mut before) = (0, 0);
    for number in 0..20 {
        for (position, label) in played(3, number) {
            let game = Othello::at(&position);
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
fn before_the_end_a_game_has_one_score() {
    for number in 0..20 {
        let lesson = played(4, number);
        let scores: Vec<i16> = lesson
            .iter()
            .filter(|(position, _)| empties(&Othello::at(position)) > 10)
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
    let mut boards: Vec<(u64, u64)> = openings
        .iter()
        .map(|opening| opening.now().canonical())
        .map(|board| (board.own(), board.other()))
        .collect();
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 500);
    assert!(openings.iter().all(|opening| (8..=20).contains(&opening.plies().len())));
    assert!(openings.iter().any(|opening| opening.plies().len() == 8));
    assert!(openings.iter().any(|opening| opening.plies().len() == 20));
    // All first moves are images of each other, and so on: then there are no more.
    assert_eq!(Othello::openings(1, 1..=1).count(), 1);
    assert_eq!(Othello::openings(1, 2..=2).count(), 3);
}

#[test]
fn stopping_gives_nothing_rather_than_half() {
    let stop = CancelToken::new();
    stop.cancel();
    let opening = Othello::openings(1, 8..=8).next().unwrap();
    assert_eq!(Othello::exercise(&exercise(1), opening, 0, &stop).unwrap(), None);
}

#[test]
fn players_that_depend_on_the_machine_are_refused() {
    for (spec, good) in [
        ("alphabeta:depth=3", true),
        ("uct:playouts=50", true),
        ("random", true),
        ("alphabeta", false),
        ("alphabeta:time=1s", false),
        ("alphabeta:depth=3,time=1s", false),
        ("alphabeta:depth=3,threads=2", false),
    ] {
        let exercise = SelfPlayConfig { player: Spec::parse(spec).unwrap(), ..exercise(0) };
        assert_eq!(exercise.check().is_ok(), good, "{spec}");
    }
}

/// The first plies of a game by chance; a whole one has at most 70, passes counted.
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
fn a_record_is_worth_its_score() {
    let whole = random_game(70);
    let score = whole.now().score();
    let black = if whole.now().mover() == Side::First { score } else { -score };
    let lesson = Othello::lesson(&whole, 0).unwrap();
    assert!(lesson.len() >= 50, "{}", lesson.len());
    let mut now = *whole.start();
    let mut labels = lesson.iter();
    for (ply, mv) in whole.moves().enumerate() {
        if ply >= 8 && !now.must_pass() {
            let (position, label) = labels.next().unwrap();
            assert_eq!(
                (Othello::at(position).own(), Othello::at(position).other()),
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
fn a_base_may_know_better_and_a_solver_best() {
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
    for (told, is_right) in [(truth, true), (truth + if truth < 60 { 2 } else { -2 }, false)] {
        whole.set_tag("wthor-theoretical", (32 + told / 2).to_string());
        let (mut early, mut between) = (0, 0);
        for (position, label) in Othello::lesson(&whole, 8).unwrap() {
            let game = Othello::at(&position);
            match empties(&game) {
                ..=8 => assert_eq!(i32::from(label), 100 * solver.solve(&game, Goal::Score).score),
                9..24 => between += 1,
                _ => early += 1,
            }
            assert!(empties(&game) <= 8 || i32::from(label).abs() == 100 * told.abs());
        }
        // After the squares for which a base vouches, a score that proves wrong is not believed.
        assert!(early > 20);
        assert_eq!(between > 10, is_right, "{between}");
        assert_eq!(between == 0, !is_right, "{between}");
    }
}

#[test]
fn records_that_teach_nothing_are_told_apart() {
    assert_eq!(Othello::lesson(&random_game(15), 0), Err(UnusableRecord::Short));
    assert_eq!(Othello::lesson(&random_game(30), 0), Err(UnusableRecord::Unscored));
}

#[test]
fn the_model_keeps_positions() {
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

fn marking(stray: u32) -> LabelConfig {
    LabelConfig { depth: 3, sure: 100, solve: 9, stray, seed: 5 }
}

#[test]
fn marks_are_what_a_search_says() {
    let (mut solver, mut mark) =
        (Solver::new(1, PatternEval::shipped()), Othello::marker(marking(0), None).unwrap());
    for opening in Othello::openings(8, 8..=56).take(60) {
        let game = *opening.now();
        let lesson = mark(&(game.own(), game.other()), &CancelToken::new()).unwrap();
        if game.must_pass() {
            assert_eq!(lesson, []);
            continue;
        }
        solver.clear();
        let score = if empties(&game) <= 9 {
            solver.solve(&game, Goal::Score).score
        } else {
            solver.search_depth(&game, 3, Selectivity::EXACT, &CancelToken::new()).unwrap().score
        };
        assert_eq!(lesson, [((game.own(), game.other()), 100 * score as i16)], "{}", game.print());
    }
    let told = CancelToken::new();
    told.cancel();
    let start = Othello::start();
    assert_eq!(mark(&(start.own(), start.other()), &told), None);
}

#[test]
fn some_are_marked_after_a_random_move_the_same_by_everybody() {
    let positions: Vec<Othello> =
        Othello::openings(9, 8..=40).take(200).map(|opening| *opening.now()).collect();
    let marked = |stray: u32| {
        let mut mark = Othello::marker(marking(stray), None).unwrap();
        let lessons =
            positions.iter().map(|game| mark(&(game.own(), game.other()), &CancelToken::new()).unwrap());
        lessons.collect::<Vec<LabeledPositions<Othello>>>()
    };
    let (half, all) = (marked(2), marked(1));
    assert_eq!(half, marked(2));
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
