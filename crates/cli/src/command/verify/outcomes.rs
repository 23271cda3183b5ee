//! Tables that tell who wins and not how soon.
//!
//! That all entries follow from those after them proves less here than where plies are told. The boards that are truly
//! won or lost satisfy the same equations and are the fewest that do, so no board called a draw is anything else. But
//! boards that lead to each other in a circle could call themselves won and lost in turn, and all would agree. Only
//! plies, which grow smaller with every move, rule that out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex, Successor};
use tesuji_solve::retrograde::{Solution, Value, Values, Wrong};
use tesuji_solve::table::{Table, TableError, Worth};

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
) -> Result<Looked, TableError> {
    let Some(values) = solution.class(span.class) else { return Ok(Looked::default()) };
    scan(game, span, gauge, |index, board| {
        let right = if game.wins_in_one(board) { at_once() } else { evaluate(game, board, solution) };
        Ok((values.get(index as usize), right))
    })
}

/// Compares entries with those of the table that tells plies, too.
pub(super) fn compare<R: PerfectIndex + Send>(
    game: &R,
    table: &Table<R>,
    exact: &Values,
    span: &Span,
    gauge: &Gauge,
) -> Result<Looked, TableError> {
    scan(game, span, gauge, |index, board| {
        let verdict = table.probe(board)?;
        let (mv, second) = verdict.exception.map_or((NO_MOVE, 0), |(mv, without)| (mv, value(without)));
        let said = Value { first: value(verdict.worth), mv, second };
        Ok((said, without_plies(exact.get(index as usize))))
    })
}

fn at_once() -> Value {
    Value { first: 1, mv: NO_MOVE, second: 0 }
}

/// What a board is worth by the outcomes of the boards after it.
fn evaluate<R: PerfectIndex>(game: &R, board: R::Board, solution: &Solution) -> Value {
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
        Value { first: VALUES[best], mv, second: VALUES[second] }
    } else {
        Value { first: VALUES[best], mv: NO_MOVE, second: 0 }
    }
}

/// What a table without plies should say of a value.
fn without_plies(value: Value) -> Value {
    let outcome = |plies: u8| if plies < 2 { plies } else { 2 + plies % 2 };
    let (first, second) = (outcome(value.first), outcome(value.second));
    if value.mv == NO_MOVE || first == second {
        Value { first, mv: NO_MOVE, second: 0 }
    } else {
        Value { first, mv: value.mv, second }
    }
}

/// An answer of such a table as a value.
fn value(worth: Worth) -> u8 {
    match worth {
        Worth { plies: Some(1), .. } => 1,
        Worth { outcome: Outcome::Win, .. } => 3,
        Worth { outcome: Outcome::Loss, .. } => 2,
        Worth { outcome: Outcome::Draw, .. } => 0,
    }
}

/// Looks at boards, of each of which `judge` tells what is said and what is right.
fn scan<R: PerfectIndex>(
    game: &R,
    span: &Span,
    gauge: &Gauge,
    judge: impl Fn(u32, R::Board) -> Result<(Value, Value), TableError> + Sync,
) -> Result<Looked, TableError> {
    let &Span { class, step, threads, weight } = span;
    let size = game.size(class) as usize;
    let (boards, count) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<(Vec<Wrong>, Option<TableError>)> = Mutex::default();
    share(threads, size.div_ceil(TASK), &|task| {
        let numbers = (task * TASK..((task + 1) * TASK).min(size)).filter(|at| at % step as usize == 0);
        let (mut looked, mut wrong, mut trouble) = (0, Vec::new(), None);
        for index in numbers.map(|at| at as u32) {
            let Some(board) = game.unrank(class, index) else { continue };
            looked += 1;
            match judge(index, board) {
                Ok((said, right)) if said == right => {}
                Ok((said, right)) => wrong.push(Wrong { class, index, said, right }),
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
