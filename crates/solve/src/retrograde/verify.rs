//! Verification: derives every value again from the successors.
//!
//! The equations between a value and those of its successors have exactly one solution, so values that
//! satisfy all of them are correct, whatever produced them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::error::RetrogradeError;
use super::evaluate::evaluate;
use super::values::{BoardValue, Solution};

/// Boards per task.
const TASK: usize = 1 << 14;

/// A board whose stored value does not follow from its successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueMismatch {
    /// The class.
    pub class: u8,
    /// The index in the class.
    pub index: u32,
    /// The stored value.
    pub stored: BoardValue,
    /// The value derived from the successors.
    pub derived: BoardValue,
}

/// Derives the value of every `step`th board of a class. `watch` gets the number of boards done and returns
/// `false` to stop.
///
/// Returns the number of boards checked and the mismatches in order.
///
/// # Errors
///
/// The solution must hold all classes of this stage and of earlier ones; the error names a missing class.
pub fn verify<G: PerfectIndex>(
    game: &G,
    solution: &Solution,
    class: u8,
    step: u32,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(u64, Vec<ValueMismatch>), RetrogradeError> {
    let size = solution.class(class).map_or(0, |values| values.len());
    verify_span(game, solution, class, 0..size, step, threads, watch)
}

/// The same for a range of the indices of a class.
pub(crate) fn verify_span<G: PerfectIndex>(
    game: &G,
    solution: &Solution,
    class: u8,
    span: Range<usize>,
    step: u32,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(u64, Vec<ValueMismatch>), RetrogradeError> {
    let last = game.stages().iter().position(|classes| classes.contains(&class)).map_or(0, |stage| stage + 1);
    let mut needed = game.stages()[..last].iter().flat_map(|classes| classes.iter().copied());
    if let Some(class) = needed.find(|&class| solution.class(class).is_none()) {
        return Err(RetrogradeError::Missing { class: game.class_name(class) });
    }
    let tasks: Vec<usize> = span.clone().step_by(TASK).collect();
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let found = tesuji_task::fold(threads, tasks, |start, found: &mut (u64, Vec<ValueMismatch>)| {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut looked = 0;
        for index in (start..(start + TASK).min(span.end)).filter(|index| index % step.max(1) as usize == 0) {
            looked += u64::from(check(game, solution, class, index as u32, &mut found.1));
        }
        found.0 += looked;
        if !watch(done.fetch_add(looked, Ordering::Relaxed) + looked) {
            stopped.store(true, Ordering::Relaxed);
        }
    });
    let boards = found.iter().map(|(looked, _)| looked).sum();
    let mut wrong: Vec<ValueMismatch> = found.into_iter().flat_map(|(_, wrong)| wrong).collect();
    wrong.sort_unstable_by_key(|wrong| wrong.index);
    Ok((boards, wrong))
}

/// Checks one index; returns whether it has a board.
fn check<G: PerfectIndex>(
    game: &G,
    solution: &Solution,
    class: u8,
    index: u32,
    wrong: &mut Vec<ValueMismatch>,
) -> bool {
    let Some(stored) = solution.class(class).map(|values| values.get(index as usize)) else { return false };
    let none = |first: u8| BoardValue { first, mv: NO_MOVE, second: 0 };
    let board = game.unrank(class, index);
    let derived = match board {
        None => none(0),
        Some(board) if game.wins_in_one(board) => none(1),
        Some(board) => evaluate(game, board, solution),
    };
    if stored != derived {
        wrong.push(ValueMismatch { class, index, stored, derived });
    }
    board.is_some()
}
