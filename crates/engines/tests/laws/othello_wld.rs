//! The engine solves the outcome (WLD) before the score: it never gives away a solved win or draw.

use std::time::Duration;

use tesuji_engines::othello::{Goal, OthelloEngine, PatternEval, Selectivity, Solver, Strength};
use tesuji_game::{Game, Notation, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, Rng, Time};

use crate::othello_solver::random_position;

fn engine() -> OthelloEngine {
    OthelloEngine::new(Solver::new(1, PatternEval::shipped()), Some(Strength::new(1)))
}

/// The move with its last reported score in discs and bound.
fn chosen(engine: &mut OthelloEngine, game: &Othello, limits: &Limits) -> (Move, i32, Bound) {
    let mut reported = (0, Bound::Exact);
    let choice = engine.think(&Record::new(*game), limits, &CancelToken::new(), &mut |report| {
        reported = (i32::from(report.lines[0].value.get()) / 100, report.lines[0].bound);
    });
    match choice {
        Choice::Move { mv, .. } => (mv, reported.0, reported.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_outcome_is_kept_from_the_wld_empties_on() {
    let mut rng = Rng::new(26);
    let (mut solver, mut blunders) = (Solver::new(1, PatternEval::shipped()), 0);
    let limits = Limits { lines: 1, ..Limits::default() };
    for _ in 0..60 {
        let game = random_position(&mut rng, 13);
        if game.is_over() {
            continue;
        }
        let truth = solver.solve(&game, Goal::Outcome);
        let keeping = solver.all_best(&game, Goal::Outcome, &truth);
        let (mv, score, bound) = chosen(&mut engine().wld_from(14), &game, &limits);
        assert!(keeping.contains(&mv), "{mv} in {}", game.print());
        let meant = [Bound::Upper, Bound::Exact, Bound::Lower][(truth.score + 1) as usize];
        assert_eq!((score.signum(), bound), (truth.score, meant), "{}", game.print());
        blunders += u32::from(!keeping.contains(&chosen(&mut engine(), &game, &limits).0));
    }
    assert!(blunders > 0, "no position in which a search of one ply goes wrong");
}

#[test]
fn with_enough_time_the_score_is_solved() {
    let mut rng = Rng::new(27);
    let mut solver = Solver::new(1, PatternEval::shipped());
    let mut engine = OthelloEngine::new(Solver::new(1, PatternEval::shipped()), None);
    let limits = Limits { lines: 1, time: Some(Time::Move(Duration::from_secs(60))), ..Limits::default() };
    for _ in 0..20 {
        let game = random_position(&mut rng, 13);
        if game.is_over() {
            continue;
        }
        let truth = solver.solve(&game, Goal::Score);
        let (mv, ..) = chosen(&mut engine, &game, &limits);
        let mut after = game;
        after.play(mv);
        let kept = -solver.search_depth(&after, 60, Selectivity::EXACT, &CancelToken::new()).unwrap().score;
        assert_eq!(kept, truth.score, "{mv} in {}", game.print());
    }
}
