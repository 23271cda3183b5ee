//! The player asks who wins before it can tell by how much: it never gives away a game that it could know to be won.

use std::time::Duration;

use tesuji_engines::othello::{Aim, Expert, Level, Pattern, Solver, Strength};
use tesuji_game::{Game, Notation, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, Rng, Time};

use crate::expert::random_position;

fn expert() -> Expert {
    Expert::new(Solver::new(1, Pattern::shipped()), Some(Strength::new(1)))
}

/// The move, and what was said of it at last: its worth in discs and what that means.
fn chosen(engine: &mut Expert, game: &Othello, limits: &Limits) -> (Move, i32, Bound) {
    let mut told = (0, Bound::Exact);
    let choice = engine.think(&Record::new(*game), limits, &CancelToken::new(), &mut |report| {
        told = (i32::from(report.lines[0].value.get()) / 100, report.lines[0].bound);
    });
    match choice {
        Choice::Move { mv, .. } => (mv, told.0, told.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_wins_is_certain_where_a_player_decides() {
    let mut rng = Rng::new(26);
    let (mut solver, mut blunders) = (Solver::new(1, Pattern::shipped()), 0);
    let limits = Limits { lines: 1, ..Limits::default() };
    for _ in 0..60 {
        let game = random_position(&mut rng, 13);
        if game.is_over() {
            continue;
        }
        let truth = solver.solve(&game, Aim::Outcome);
        let keeping = solver.all_best(&game, Aim::Outcome, &truth);
        let (mv, score, bound) = chosen(&mut expert().decide(14), &game, &limits);
        assert!(keeping.contains(&mv), "{mv} in {}", game.print());
        let meant = [Bound::Upper, Bound::Exact, Bound::Lower][(truth.score + 1) as usize];
        assert_eq!((score.signum(), bound), (truth.score, meant), "{}", game.print());
        blunders += u32::from(!keeping.contains(&chosen(&mut expert(), &game, &limits).0));
    }
    assert!(blunders > 0, "no position in which a player who looks one ply ahead goes wrong");
}

#[test]
fn a_player_against_the_clock_knows_the_score_if_there_is_time() {
    let mut rng = Rng::new(27);
    let mut solver = Solver::new(1, Pattern::shipped());
    let mut engine = Expert::new(Solver::new(1, Pattern::shipped()), None);
    let limits = Limits { lines: 1, time: Some(Time::Move(Duration::from_secs(60))), ..Limits::default() };
    for _ in 0..20 {
        let game = random_position(&mut rng, 13);
        if game.is_over() {
            continue;
        }
        let truth = solver.solve(&game, Aim::Score);
        let (mv, ..) = chosen(&mut engine, &game, &limits);
        let mut after = game;
        after.play(mv);
        let kept = -solver.look(&after, 60, Level::EXACT, &CancelToken::new()).unwrap().score;
        assert_eq!(kept, truth.score, "{mv} in {}", game.print());
    }
}
