//! A game played to learn from: a random opening, a middle game by a quick engine, an end that is solved.

use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::{CancelToken, Choice, Limits, Rng};

use super::labels::{Labels, empties};
use crate::othello::{Goal, PatternEval, Solver};
use crate::{HasEngines, LabeledPositions, SelfPlayConfig, SpecError};

/// One middle game in so many has a random move, so that what the engine never plays is seen, too.
const SLIP: usize = 4;
/// One move in so many is random once the score is known.
const STRAY: usize = 8;
/// Size of the solver's table in MiB.
const TABLE: usize = 8;

/// Plays and labels a game; none when it was stopped.
///
/// Perfect play keeps the score, so the solved score at the end of the middle game labels all positions since the last
/// random move. After that every position has its own true score.
pub(super) fn exercise(
    exercise: &SelfPlayConfig,
    mut record: Record<Othello>,
    number: u32,
    stop: &CancelToken,
) -> Result<Option<LabeledPositions<Othello>>, SpecError> {
    let mut rng = Rng::new(exercise.seed.wrapping_add(u64::from(number) << 32));
    let first = middle(exercise, &mut record, &mut rng, stop)?;
    let mut labels = Labels::default();
    // A new solver for each game: what one remembers of others would choose among equal moves.
    let mut solver = Solver::new(TABLE, PatternEval::shipped());
    let Some(solved) = solver.solve_until(record.now(), Goal::Score, stop) else { return Ok(None) };
    label_middle(&record, first, solved.score, &mut labels);
    let (mut now, mut score, mut line) = (*record.now(), solved.score, solved.pv.into_iter());
    while !now.is_over() {
        labels.add(&now, score);
        let stray = !now.must_pass() && rng.below(STRAY) == 0;
        if let Some(best) = line.next().filter(|_| !stray) {
            now.play(best);
            score = -score;
            continue;
        }
        let Some(chosen) = any(&now, &mut rng) else { break };
        now.play(chosen);
        let Some(solved) = solver.solve_until(&now, Goal::Score, stop) else { return Ok(None) };
        (score, line) = (solved.score, solved.pv.into_iter());
    }
    Ok((!stop.is_cancelled()).then_some(labels.0))
}

/// Plays until few enough squares are empty; the ply after the last random move is returned.
fn middle(
    exercise: &SelfPlayConfig,
    record: &mut Record<Othello>,
    rng: &mut Rng,
    stop: &CancelToken,
) -> Result<usize, SpecError> {
    let mut engine = Othello::engine(&exercise.player)?;
    // A book would play the same openings over and over.
    let limits = Limits { lines: 1, ignore_book: true, ..Limits::default() };
    let mut first = record.plies().len();
    let left = empties(record.now()).saturating_sub(exercise.solve) as usize;
    let slip = (left > 0 && rng.below(SLIP) == 0).then(|| first + rng.below(left));
    while record.ending().is_none() && empties(record.now()) > exercise.solve && !stop.is_cancelled() {
        let mv = if slip == Some(record.plies().len()) {
            first = record.plies().len() + 1;
            any(record.now(), rng)
        } else {
            match engine.think(record, &limits, stop, &mut |_| {}) {
                Choice::Move { mv, .. } => Some(mv),
                _ => None,
            }
        };
        let Some(Ok(())) = mv.map(|mv| record.push(mv)) else { break };
    }
    Ok(first)
}

/// Labels the positions from the ply `first` up to where the game stands, which is worth `score`.
fn label_middle(record: &Record<Othello>, first: usize, score: i32, labels: &mut Labels) {
    let end = record.now().mover();
    let mut now = *record.start();
    for (ply, mv) in record.moves().enumerate() {
        if ply >= first {
            labels.add(&now, if now.mover() == end { score } else { -score });
        }
        now.play(mv);
    }
}

/// Any legal move.
pub(super) fn any(game: &Othello, rng: &mut Rng) -> Option<Move> {
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    list.each().nth(rng.below(list.len().max(1)))
}
