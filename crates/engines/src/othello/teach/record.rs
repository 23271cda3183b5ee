//! What a record teaches: every position after the opening, labelled with the score of the game.

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;

use super::labels::{Labels, empties, seen};
use crate::othello::{Goal, PatternEval, Solver};
use crate::{LabeledPositions, UnusableRecord};

/// Games with fewer plies were hardly played.
const SHORT: usize = 20;
/// Plies of the opening: what everybody plays, and too far from the end to know its score.
const OPENING: usize = 8;
/// The tag of black's discs had both played without fault from [`JUDGED`] empty squares on, in WTHOR bases.
const THEORETICAL: &str = "wthor-theoretical";
/// Where the theoretical score holds: 24 empty squares, in every base there is.
const JUDGED: u32 = 24;
/// Size of the solver's table in MiB: the games of a base have short endings.
const TABLE: usize = 2;

/// The positions of a record. The last `solve` empty squares are solved; before them a game counts as the base says
/// it should have ended, or as it did.
///
/// The theoretical score says nothing of a position after a fault. Where the end is solved it can be told whether there
/// was one: positions in between are kept only if the score was still the same when the end came in sight.
pub(super) fn lesson(
    record: &Record<Othello>,
    solve: u32,
) -> Result<LabeledPositions<Othello>, UnusableRecord> {
    if record.plies().len() < SHORT {
        return Err(UnusableRecord::Short);
    }
    let theoretical = theoretical(record);
    let black = theoretical.or_else(|| played(record)).ok_or(UnusableRecord::Unscored)?;
    let mut solver = (solve > 0).then(|| Solver::new(TABLE, PatternEval::shipped()));
    let mut labels = Labels::default();
    let mut doubtful = Labels::default();
    let mut is_open = theoretical.is_some() && solve > 0;
    let mut now = *record.start();
    for (ply, mv) in record.moves().enumerate() {
        let left = empties(&now);
        let solver = solver.as_mut().filter(|_| left <= solve);
        if let Some(solver) = solver {
            let score = solver.solve(&now, Goal::Score).score;
            if is_open && score == seen(&now, black) {
                labels.0.append(&mut doubtful.0);
            }
            is_open = false;
            labels.add(&now, score);
        } else if ply >= OPENING {
            let to = if is_open && left < JUDGED { &mut doubtful } else { &mut labels };
            to.add(&now, seen(&now, black));
        }
        now.play(mv);
    }
    Ok(labels.0)
}

/// Black's score had there been no faults near the end, if the base tells it.
fn theoretical(record: &Record<Othello>) -> Option<i32> {
    let discs = record.tag(THEORETICAL)?.parse::<i32>().ok()?;
    (0..=64).contains(&discs).then_some(2 * discs - 64)
}

/// Black's score as the game ended.
fn played(record: &Record<Othello>) -> Option<i32> {
    let now = record.now();
    now.is_over().then(|| seen(now, now.score()))
}
