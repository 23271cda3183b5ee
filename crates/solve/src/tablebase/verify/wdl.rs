//! Verification of WDL entries.
//!
//! For WDL, consistency with the successors proves less than for DTW. The boards that are truly won or lost satisfy the
//! same equations and are the smallest set that does, so every draw is proven. But boards that lead to each other in a
//! cycle could be marked won and lost in turn without a contradiction. Only distances, which decrease with every move,
//! exclude that.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex, Successor};
use tesuji_task::Counter;

use super::entries::{CheckedBoards, ClassScan, MAX_SHOWN};
use crate::retrograde::{BoardValue, ClassValues, Solution, ValueMismatch};
use crate::tablebase::value_coding::AT_ONCE;
use crate::tablebase::{PositionValue, Tablebase, TablebaseError};

/// Boards per task.
const TASK: usize = 1 << 14;
/// Stored values in ascending order for the side to move: a loss, a draw, a win.
const VALUES: [u8; 3] = [2, 0, 3];

/// Derives entries from their successors.
pub(super) fn derive<R: PerfectIndex>(
    game: &R,
    solution: &Solution,
    scan: &ClassScan,
    counter: &Counter<'_>,
) -> Result<CheckedBoards, TablebaseError> {
    let Some(values) = solution.class(scan.class) else { return Ok(CheckedBoards::default()) };
    scan_class(game, scan, counter, |index, board| {
        let derived = if game.wins_in_one(board) { AT_ONCE } else { evaluate(game, board, solution) };
        Ok((values.get(index as usize), derived))
    })
}

/// Compares entries with the DTW tablebase.
pub(super) fn compare<R: PerfectIndex + Send>(
    game: &R,
    table: &Tablebase<R>,
    exact: &ClassValues,
    scan: &ClassScan,
    counter: &Counter<'_>,
) -> Result<CheckedBoards, TablebaseError> {
    scan_class(game, scan, counter, |index, board| {
        let verdict = table.probe(board)?;
        let (mv, second) = verdict.exception.map_or((NO_MOVE, 0), |(mv, without)| (mv, value(without)));
        let stored = BoardValue { first: value(verdict.value), mv, second };
        Ok((stored, without_plies(exact.get(index as usize))))
    })
}

/// The WDL value of a board from its successors.
fn evaluate<R: PerfectIndex>(game: &R, board: R::Board, solution: &Solution) -> BoardValue {
    let (mut best, mut second, mut mv, mut reversible) = (0, 0, NO_MOVE, false);
    game.successors(board, |number, step| {
        let (value, back) = match step {
            Successor::End(Outcome::Loss) => (0, NO_MOVE),
            Successor::End(Outcome::Draw) => (1, NO_MOVE),
            Successor::End(Outcome::Win) => (2, NO_MOVE),
            Successor::Board(next, reply) => {
                // Good for the opponent is bad for the side to move.
                let after = solution.value(game, next, reply).unwrap_or(0);
                (if after == 0 { 1 } else { 2 * usize::from(after.is_multiple_of(2)) }, reply)
            }
        };
        if value > best {
            (second, best) = (best, value);
            (mv, reversible) = (number, back != NO_MOVE);
        } else {
            second = second.max(value);
        }
    });
    if reversible && second < best {
        BoardValue { first: VALUES[best], mv, second: VALUES[second] }
    } else {
        BoardValue { first: VALUES[best], mv: NO_MOVE, second: 0 }
    }
}

/// The WDL entry of a DTW value. Deliberately not the code that writes WDL tablebases.
fn without_plies(value: BoardValue) -> BoardValue {
    let outcome = |plies: u8| if plies < 2 { plies } else { 2 + plies % 2 };
    let (first, second) = (outcome(value.first), outcome(value.second));
    if value.mv == NO_MOVE || first == second {
        BoardValue { first, mv: NO_MOVE, second: 0 }
    } else {
        BoardValue { first, mv: value.mv, second }
    }
}

/// The stored value of a probed WDL value.
fn value(value: PositionValue) -> u8 {
    match value {
        PositionValue { plies: Some(1), .. } => 1,
        PositionValue { outcome: Outcome::Win, .. } => 3,
        PositionValue { outcome: Outcome::Loss, .. } => 2,
        PositionValue { outcome: Outcome::Draw, .. } => 0,
    }
}

/// Checks the boards of a class; `judge` returns the stored and the derived value.
fn scan_class<R: PerfectIndex>(
    game: &R,
    scan: &ClassScan,
    counter: &Counter<'_>,
    judge: impl Fn(u32, R::Board) -> Result<(BoardValue, BoardValue), TablebaseError> + Sync,
) -> Result<CheckedBoards, TablebaseError> {
    let &ClassScan { class, ref span, step, threads, weight } = scan;
    let (boards, count) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<(Vec<ValueMismatch>, Option<TablebaseError>)> = Mutex::default();
    tesuji_task::for_each(threads, span.len().div_ceil(TASK), |task| {
        let start = span.start + task * TASK;
        let numbers = (start..(start + TASK).min(span.end)).filter(|at| at % step as usize == 0);
        let (mut checked, mut wrong, mut trouble) = (0, Vec::new(), None);
        for index in numbers.map(|at| at as u32) {
            let Some(board) = game.unrank(class, index) else { continue };
            checked += 1;
            match judge(index, board) {
                Ok((stored, derived)) if stored == derived => {}
                Ok((stored, derived)) => wrong.push(ValueMismatch { class, index, stored, derived }),
                Err(error) => {
                    trouble = Some(error);
                    break;
                }
            }
        }
        boards.fetch_add(checked, Ordering::Relaxed);
        count.fetch_add(wrong.len() as u64, Ordering::Relaxed);
        wrong.truncate(MAX_SHOWN);
        let stop = trouble.is_some();
        if stop || !wrong.is_empty() {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.append(&mut wrong);
            found.0.sort_unstable_by_key(|wrong| wrong.index);
            found.0.truncate(MAX_SHOWN);
            found.1 = found.1.take().or(trouble);
        }
        counter.add(checked * weight) && !stop
    });
    let (shown, trouble) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let checked = CheckedBoards { boards: boards.into_inner(), wrong: count.into_inner(), shown };
    trouble.map_or(Ok(checked), Err)
}
