//! What a record teaches: every position after the opening, labelled with the score of the game.

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;

use super::labels::{Labels, empties, seen};
use crate::othello::{Aim, Pattern, Solver};
use crate::{Lesson, Unfit};

/// Games with fewer plies were hardly played.
const SHORT: usize = 20;
/// Plies of the opening: what everybody plays, and too far from the end to know its score.
const OPENING: usize = 8;
/// The tag of black's discs had both played without fault from 24 empty squares on, in WTHOR bases.
const THEORETICAL: &str = "wthor-theoretical";
/// Size of the solver's table in MiB: the games of a base have short endings.
const TABLE: usize = 2;

/// The positions of a record. The last `solve` empty squares are solved; before them a game counts as the base says
/// it should have ended, or as it did.
pub(super) fn lesson(record: &Record<Othello>, solve: u32) -> Result<Lesson<Othello>, Unfit> {
    if record.plies().len() < SHORT {
        return Err(Unfit::Short);
    }
    let black = score(record).ok_or(Unfit::Unscored)?;
    let mut solver = (solve > 0).then(|| Solver::new(TABLE, Pattern::shipped()));
    let mut labels = Labels::default();
    let mut now = *record.start();
    for (ply, mv) in record.moves().enumerate() {
        let solver = solver.as_mut().filter(|_| empties(&now) <= solve);
        if let Some(solver) = solver {
            labels.add(&now, solver.solve(&now, Aim::Score).score);
        } else if ply >= OPENING {
            labels.add(&now, seen(&now, black));
        }
        now.play(mv);
    }
    Ok(labels.0)
}

/// Black's score: what the base says it should have been, or what it was.
fn score(record: &Record<Othello>) -> Option<i32> {
    let theoretical = record.tag(THEORETICAL).and_then(|discs| discs.parse::<i32>().ok());
    let theoretical = theoretical.filter(|discs| (0..=64).contains(discs)).map(|discs| 2 * discs - 64);
    let now = record.now();
    theoretical.or_else(|| now.is_over().then(|| seen(now, now.score())))
}
