//! Labels from records: every position after the opening gets the score of the game.

use tesuji_game::{Game, Record, Side};
use tesuji_othello::Othello;

use super::{Labels, empties};
use crate::othello::{Goal, PatternEval, Solver};
use crate::training::{LabeledPositions, RecordConfig, UnusableRecord};

/// Records with fewer plies are not used.
const MIN_PLIES: usize = 20;
/// Opening plies that are left out: common to many games, and too far from the end to know the score.
const OPENING_PLIES: usize = 8;
/// The tag of WTHOR databases with black's discs under perfect play from [`THEORETICAL_EMPTIES`] empty squares on.
const THEORETICAL_TAG: &str = "wthor-theoretical";
/// Where the theoretical score applies: 24 empty squares, in all WTHOR databases.
const THEORETICAL_EMPTIES: u32 = 24;
/// Size of the solver's transposition table in MiB: the games of a database have short endgames.
const TABLE_MIB: usize = 2;

/// Labels the positions of a record. Positions with at most `solve` empty squares are solved. Those before get the
/// theoretical score of the database, or else the final score.
///
/// The theoretical score does not apply after a mistake. Where the endgame is solved, a mistake is detected: positions
/// between 24 and `solve` empty squares are used only if the solved score agrees with the theoretical one.
pub(super) fn label_record(
    record: &Record<Othello>,
    RecordConfig { solve, hash }: RecordConfig,
) -> Result<LabeledPositions<Othello>, UnusableRecord> {
    if record.plies().len() < MIN_PLIES {
        return Err(UnusableRecord::Short);
    }
    let theoretical = theoretical(record);
    let black = theoretical.or_else(|| final_score(record)).ok_or(UnusableRecord::Unscored)?;
    let mut solver = (solve > 0).then(|| Solver::new(hash.unwrap_or(TABLE_MIB), PatternEval::shipped()));
    let mut labels = Labels::default();
    let mut unconfirmed = Labels::default();
    let mut is_pending = theoretical.is_some() && solve > 0;
    let mut now = *record.start();
    for (ply, mv) in record.moves().enumerate() {
        let left = empties(&now);
        let solver = solver.as_mut().filter(|_| left <= solve);
        if let Some(solver) = solver {
            let score = solver.solve(&now, Goal::Score).score;
            if is_pending && score == for_mover(&now, black) {
                labels.0.append(&mut unconfirmed.0);
            }
            is_pending = false;
            labels.add(&now, score);
        } else if ply >= OPENING_PLIES {
            let to = if is_pending && left < THEORETICAL_EMPTIES { &mut unconfirmed } else { &mut labels };
            to.add(&now, for_mover(&now, black));
        }
        now.play(mv);
    }
    Ok(labels.0)
}

/// Black's score under perfect play of the endgame, if the database has it.
fn theoretical(record: &Record<Othello>) -> Option<i32> {
    let discs = record.tag(THEORETICAL_TAG)?.parse::<i32>().ok()?;
    (0..=64).contains(&discs).then_some(2 * discs - 64)
}

/// Black's final score.
fn final_score(record: &Record<Othello>) -> Option<i32> {
    let now = record.now();
    now.is_over().then(|| for_mover(now, now.score()))
}

/// Black's score as a score of the side to move.
fn for_mover(game: &Othello, black: i32) -> i32 {
    if game.mover() == Side::First { black } else { -black }
}
