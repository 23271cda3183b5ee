//! Tables that tell who wins and not how soon.
//!
//! That all entries follow from those after them proves less here than where plies are told. The boards that are truly
//! won or lost satisfy the same equations and are the fewest that do, so no board called a draw is anything else. But
//! boards that lead to each other in a circle could call themselves won and lost in turn, and all would agree. Only
//! plies, which grow smaller with every move, rule that out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex, Successor};
use tesuji_solve::retrograde::{BoardValue, ClassValues, Solution, ValueMismatch};
use tesuji_solve::tablebase::{PositionValue, Tablebase, TablebaseError};

use super::crew::{Gauge, share};
use super::entries::{Looked, SHOWN, Span};

/// Boards to a task.
const TASK: usize = 1 << 14;
/// Values by how good they are for the mover: a loss, a draw, a win.
const VALUES: [u8; 3] = [2, 0, 3];

/// Derives entries from those after them.
pub(super) fn derive<R: PerfectIndex>(
    game: &R,
    solution: &Solution,
    span: &Span,
    gauge: &Gauge,
) -> Result<Looked, TablebaseError> {
    let Some(values) = solution.class(span.class) else { return Ok(Looked::default()) };
    scan(game, span, gauge, |index, board| {
        let right = if game.wins_in_one(board) { at_once() } else { evaluate(game, board, solution) };
        Ok((values.get(index as usize), right))
    })
}

/// Compares entries with those of the table that tells plies, too.
pub(super) fn compare<R: PerfectIndex + Send>(
    game: &R,
    table: &Tablebase<R>,
    exact: &ClassValues,
    span: &Span,
    gauge: &Gauge,
) -> Result<Looked, TablebaseError> {
    scan(game, span, gauge, |index, board| {
        let verdict = table.probe(board)?;
        let (mv, second) = verdict.exception.map_or((NO_MOVE, 0), |(mv, without)| (mv, value(without)));
        let said = BoardValue { first: value(verdict.value), mv, second };
        Ok((said, without_plies(exact.get(index as usize))))
    })
}

fn at_once() -> BoardValue {
    BoardValue { first: 1, mv: NO_MOVE, second: 0 }
}

/// What a board is worth by the outcomes of the boards after it.
fn evaluate<R: PerfectIndex>(game: &R, board: R::Board, solution: &Solution) -> BoardValue {
    let (mut best, mut second, mut mv, mut reversible) = (0, 0, NO_MOVE, false);
    game.successors(board, |number, step| {
        let (worth, back) = match step {
            Successor::End(Outcome::Loss) => (0, NO_MOVE),
            Successor::End(Outcome::Draw) => (1, NO_MOVE),
            Successor::End(Outcome::Win) => (2, NO_MOVE),
            Successor::Board(next, reply) => {
                // The better for whoever moves there, the worse for the mover here.
                let after = solution.value(game, next, reply).unwrap_or(0);
                (if after == 0 { 1 } else { 2 * usize::from(after.is_multiple_of(2)) }, reply)
            }
        };
        if worth > best {
            (second, best) = (best, worth);
            (mv, reversible) = (number, back != NO_MOVE);
        } else {
            second = second.max(worth);
        }
    });
    if reversible && second < best {
        BoardValue { first: VALUES[best], mv, second: VALUES[second] }
    } else {
        BoardValue { first: VALUES[best], mv: NO_MOVE, second: 0 }
    }
}

/// What a table without plies should say of a value.
fn without_plies(value: BoardValue) -> BoardValue {
    let outcome = |plies: u8| if plies < 2 { plies } else { 2 + plies % 2 };
    let (first, second) = (outcome(value.first), outcome(value.second));
    if value.mv == NO_MOVE || first == second {
        BoardValue { first, mv: NO_MOVE, second: 0 }
    } else {
        BoardValue { first, mv: value.mv, second }
    }
}

/// An answer of such a table as a value.
fn value(worth: PositionValue) -> u8 {
    match worth {
        PositionValue { plies: Some(1), .. } => 1,
        PositionValue { outcome: Outcome::Win, .. } => 3,
        PositionValue { outcome: Outcome::Loss, .. } => 2,
        PositionValue { outcome: Outcome::Draw, .. } => 0,
    }
}

/// Looks at boards, of each of which `judge` tells what is said and what is right.
fn scan<R: PerfectIndex>(
    game: &R,
    span: &Span,
    gauge: &Gauge,
    judge: impl Fn(u32, R::Board) -> Result<(BoardValue, BoardValue), TablebaseError> + Sync,
) -> Result<Looked, TablebaseError> {
    let &Span { class, step, threads, weight } = span;
    let size = game.size(class) as usize;
    let (boards, count) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<(Vec<ValueMismatch>, Option<TablebaseError>)> = Mutex::default();
    share(threads, size.div_ceil(TASK), &|task| {
        let numbers = (task * TASK..((task + 1) * TASK).min(size)).filter(|at| at % step as usize == 0);
        let (mut looked, mut wrong, mut trouble) = (0, Vec::new(), None);
        for index in numbers.map(|at| at as u32) {
            let Some(board) = game.unrank(class, index) else { continue };
            looked += 1;
            match judge(index, board) {
                Ok((said, right)) if said == right => {}
                Ok((said, right)) => wrong.push(ValueMismatch { class, index, stored: said, derived: right }),
                Err(error) => {
                    trouble = Some(error);
                    break;
                }
            }
        }
        boards.fetch_add(looked, Ordering::Relaxed);
        count.fetch_add(wrong.len() as u64, Ordering::Relaxed);
        wrong.truncate(SHOWN);
        let stop = trouble.is_some();
        if stop || !wrong.is_empty() {
            let mut found = found.lock().unwrap_or_else(|broken| broken.into_inner());
            found.0.append(&mut wrong);
            found.0.sort_unstable_by_key(|wrong| wrong.index);
            found.0.truncate(SHOWN);
            found.1 = found.1.take().or(trouble);
        }
        gauge.add(looked * weight) && !stop
    });
    let (shown, trouble) = found.into_inner().unwrap_or_else(|broken| broken.into_inner());
    let looked = Looked { boards: boards.into_inner(), wrong: count.into_inner(), shown };
    trouble.map_or(Ok(looked), Err)
}
