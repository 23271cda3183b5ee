//! Verification of distances: derives each from the predecessors.
//!
//! A distance follows from those of the predecessors and is one more than one of them, so exactly one map is
//! consistent everywhere, that of the search. No code of the search is used.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_game::{NO_MOVE, PerfectIndex, Predecessor};

use super::{Distance, DistanceMap, UNREACHED};
use crate::tablebase::TablebaseError;

/// Boards per task.
const TASK: u32 = 1 << 14;

/// A board whose stored distance does not follow from its predecessors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistanceMismatch {
    /// The class.
    pub class: u8,
    /// The index in the class.
    pub index: u32,
    /// The stored distance.
    pub stored: Distance,
    /// The distance derived from the predecessors.
    pub derived: Distance,
}

/// Derives every distance from `start`. `watch` gets the number of boards done and returns `false` to stop.
///
/// Returns the number of boards checked and the mismatches in order.
pub fn verify<G: PerfectIndex>(
    game: &G,
    start: G::Board,
    distances: &DistanceMap,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(u64, Vec<DistanceMismatch>), TablebaseError> {
    let classes = game.stages().iter().flat_map(|classes| classes.iter().copied());
    let spans: Vec<(u8, Range<u32>)> = classes.map(|class| (class, 0..game.size(class))).collect();
    verify_spans(game, start, distances, &spans, threads, watch)
}

/// Derives the distances of some boards: of ranges of classes.
///
/// # Errors
/// The distances are those of another game.
pub(crate) fn verify_spans<G: PerfectIndex>(
    game: &G,
    start: G::Board,
    distances: &DistanceMap,
    spans: &[(u8, Range<u32>)],
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(u64, Vec<DistanceMismatch>), TablebaseError> {
    distances.fits(game)?;
    let place = game.rank(start);
    let proof = Derivation { game, distances, start: (place.class, place.index) };
    let tasks = spans.iter().flat_map(|(class, span)| {
        span.clone().step_by(TASK as usize).map(|from| (*class, from..from.saturating_add(TASK).min(span.end)))
    });
    let tasks: Vec<(usize, (u8, Range<u32>))> = tasks.enumerate().collect();
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let found = tesuji_task::fold(threads, tasks, |(task, (class, span)), found: &mut VerifiedPart| {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let (mut looked, mut arrivals) = (0, Vec::new());
        for index in span {
            let (stored, board) = (distances.get(class, index), game.unrank(class, index));
            looked += u64::from(board.is_some());
            let derived = board.map_or(Distance::NONE, |board| proof.distance(class, index, board, &mut arrivals));
            if stored != derived {
                found.wrong.push((task, DistanceMismatch { class, index, stored, derived }));
            }
        }
        found.boards += looked;
        if !watch(done.fetch_add(looked, Ordering::Relaxed) + looked) {
            stopped.store(true, Ordering::Relaxed);
        }
    });
    let boards = found.iter().map(|found| found.boards).sum();
    let mut wrong: Vec<_> = found.into_iter().flat_map(|found| found.wrong).collect();
    wrong.sort_unstable_by_key(|(task, wrong)| (*task, wrong.index));
    Ok((boards, wrong.into_iter().map(|(_, wrong)| wrong).collect()))
}

/// The result of one thread.
#[derive(Default)]
struct VerifiedPart {
    boards: u64,
    wrong: Vec<(usize, DistanceMismatch)>,
}

struct Derivation<'p, G> {
    game: &'p G,
    distances: &'p DistanceMap,
    start: (u8, u32),
}

impl<G: PerfectIndex> Derivation<'_, G> {
    /// The distance of a board derived from its predecessors. `arrivals` is scratch memory.
    fn distance(&self, class: u8, index: u32, board: G::Board, arrivals: &mut Vec<(u8, u8)>) -> Distance {
        arrivals.clear();
        if (class, index) == self.start {
            arrivals.push((0, NO_MOVE));
        }
        let symmetric = self.game.is_symmetric(board);
        let mut visit = |back: Predecessor| {
            if let Some(plies) = self.distances.get(back.class, back.index).after(back.mv) {
                arrivals.push((plies, if symmetric { self.effective_ko(board, back.reply) } else { back.reply }));
            }
        };
        self.game.predecessors(class, index, &mut visit);
        self.game.conversions(class, index, &mut visit);
        combine(arrivals)
    }

    /// A forbidden move, or [`NO_MOVE`] when an equivalent move is allowed.
    fn effective_ko(&self, board: G::Board, forbidden: u8) -> u8 {
        let mut left = forbidden;
        if forbidden != NO_MOVE {
            self.game.equivalent_moves(board, forbidden, |equivalent| {
                if equivalent != forbidden {
                    left = NO_MOVE;
                }
            });
        }
        left
    }
}

/// Combines all arrivals at a board, each with its plies and forbidden move.
fn combine(arrivals: &[(u8, u8)]) -> Distance {
    let Some(first) = arrivals.iter().map(|&(plies, _)| plies).min() else { return Distance::NONE };
    // A move is forbidden on first arrival if every arrival at that depth forbids it.
    let mut at_first = arrivals.iter().filter(|&&(plies, _)| plies == first).map(|&(_, forbidden)| forbidden);
    let mv = at_first.next().filter(|&mv| at_first.all(|other| other == mv)).unwrap_or(NO_MOVE);
    if mv == NO_MOVE {
        return Distance { first, ..Distance::NONE };
    }
    let allowed = arrivals.iter().filter(|&&(_, forbidden)| forbidden != mv).map(|&(plies, _)| plies);
    Distance { first, mv, second: allowed.min().unwrap_or(UNREACHED) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_come_together() {
        let combined = |arrivals: &[(u8, u8)]| {
            let Distance { first, mv, second } = combine(arrivals);
            (first, mv, second)
        };
        assert_eq!(combined(&[]), (UNREACHED, NO_MOVE, UNREACHED));
        assert_eq!(combined(&[(3, NO_MOVE)]), (3, NO_MOVE, UNREACHED));
        assert_eq!(combined(&[(3, 7)]), (3, 7, UNREACHED));
        assert_eq!(combined(&[(5, 7), (3, 7), (3, 7)]), (3, 7, UNREACHED));
        assert_eq!(combined(&[(9, 8), (5, NO_MOVE), (3, 7), (4, 7)]), (3, 7, 5));
        // Two arrivals at the same depth allow every move.
        assert_eq!(combined(&[(3, 7), (3, 8), (4, 9)]), (3, NO_MOVE, UNREACHED));
        assert_eq!(combined(&[(3, 7), (3, NO_MOVE)]), (3, NO_MOVE, UNREACHED));
    }
}
