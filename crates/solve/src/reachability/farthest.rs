//! The positions farthest from the start.
//!
//! Distances store when a board is first reached, and when again if the first arrival forbids a move. The last moves that
//! can be played lead to the farthest positions: from the boards whose largest stored depth is the largest of all, or
//! else from those one ply before.

use std::convert::Infallible;

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};
use tesuji_task::CancelToken;

use super::map::depth_without_ko;
use super::{Distance, DistanceMap, DistanceTable, UNREACHED};
use crate::tablebase::TablebaseError;

/// A position: a board and what is forbidden there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DistantPosition {
    /// Plies from the start.
    pub plies: u8,
    /// The class of the board.
    pub class: u8,
    /// Its index.
    pub index: u32,
    /// The forbidden move in the frame of the representative, the least of its equivalents; [`NO_MOVE`] for none.
    pub forbidden: u8,
}

impl DistanceMap {
    /// The positions farthest from the start, up to symmetry, in order of class and index; `None` when cancelled.
    pub fn farthest<G: PerfectIndex>(
        &self,
        game: &G,
        threads: usize,
        cancel: &CancelToken,
    ) -> Option<Vec<DistantPosition>> {
        const TASK: usize = 1 << 20;
        let size = self.layout.size();
        let tasks: Vec<usize> = (0..size).step_by(TASK).collect();
        let parts = tesuji_task::fold(threads, tasks, |start, found: &mut Deepest| {
            let end = if cancel.is_cancelled() { start } else { (start + TASK).min(size) };
            for at in start..end {
                let distance = self.at(at);
                if found.may_add(distance) {
                    found.add(self.layout.place(at), distance);
                }
            }
        });
        if cancel.is_cancelled() {
            return None;
        }
        let boards = Deepest::joined(parts);
        let get = |class, index| Ok::<_, Infallible>(self.get(class, index));
        let Ok(found) = boards.farthest(game, get);
        Some(found)
    }
}

impl<G: PerfectIndex + Send> DistanceTable<G> {
    /// The positions farthest from the start, as [`DistanceMap::farthest`] finds them. Reads all files; `watch` gets the
    /// number of boards read, from any thread, and returns `false` to stop; then the result is `None`.
    ///
    /// # Errors
    /// A block cannot be read.
    pub fn farthest(
        &self,
        threads: usize,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Option<Vec<DistantPosition>>, TablebaseError> {
        let parts = self.scan(threads, watch, |place, distance, found: &mut Deepest| {
            if found.may_add(distance) {
                found.add(place, distance);
            }
        })?;
        let Some(parts) = parts else { return Ok(None) };
        let get = |class, index| self.get(class, index);
        Deepest::joined(parts).farthest(&**self.game(), get).map(Some)
    }
}

/// The boards with the two largest depths.
#[derive(Default)]
struct Deepest {
    /// The largest depth, and the boards where a move can first be played at that depth.
    last: (u8, Vec<(u8, u32)>),
    /// The same for one ply less.
    before: Vec<(u8, u32)>,
}

impl Deepest {
    /// Whether a distance is among the largest so far.
    #[inline]
    fn may_add(&self, distance: Distance) -> bool {
        depths(distance).any(|depth| depth + 1 >= self.last.0)
    }

    fn add(&mut self, place: (u8, u32), distance: Distance) {
        depths(distance).for_each(|depth| self.add_at(depth, place));
    }

    fn add_at(&mut self, depth: u8, place: (u8, u32)) {
        let (deepest, boards) = &mut self.last;
        if depth > *deepest {
            let boards = std::mem::take(boards);
            self.before = if depth == *deepest + 1 { boards } else { Vec::new() };
            *deepest = depth;
        }
        match deepest.checked_sub(depth) {
            Some(0) => self.last.1.push(place),
            Some(1) => self.before.push(place),
            _ => {}
        }
    }

    fn joined(parts: Vec<Deepest>) -> Deepest {
        let mut all = Deepest::default();
        for Deepest { last: (depth, boards), before } in parts {
            before.into_iter().for_each(|place| all.add_at(depth.saturating_sub(1), place));
            boards.into_iter().for_each(|place| all.add_at(depth, place));
        }
        all
    }

    fn farthest<G: PerfectIndex, E>(
        self,
        game: &G,
        get: impl Fn(u8, u32) -> Result<Distance, E>,
    ) -> Result<Vec<DistantPosition>, E> {
        let (depth, boards) = self.last;
        let found = successors(game, &get, &boards, depth)?;
        match depth.checked_sub(1) {
            Some(before) if found.is_empty() => successors(game, &get, &self.before, before),
            _ => Ok(found),
        }
    }
}

/// The depths at which some move of a board can first be played.
#[inline]
fn depths(distance: Distance) -> impl Iterator<Item = u8> {
    [distance.first, distance.second].into_iter().filter(|&depth| depth < UNREACHED - 1)
}

/// The positions that are first reached by moves from these boards that are played at this depth.
fn successors<G: PerfectIndex, E>(
    game: &G,
    get: &impl Fn(u8, u32) -> Result<Distance, E>,
    boards: &[(u8, u32)],
    depth: u8,
) -> Result<Vec<DistantPosition>, E> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for &(class, index) in boards {
        let distance = get(class, index)?;
        let Some(board) = game.unrank(class, index) else { continue };
        game.successors(board, |mv, step| {
            let Successor::Board(next, reply) = step else { return };
            if distance.after(mv) != Some(depth + 1) {
                return;
            }
            let place = game.rank(next);
            if reply == NO_MOVE {
                open.push((place.class, place.index));
                return;
            }
            let mut forbidden = game.image(reply, place.symmetry);
            if place.symmetric {
                game.equivalent_moves(next, reply, |equivalent| {
                    forbidden = forbidden.min(game.image(equivalent, place.symmetry));
                });
            }
            let (class, index) = (place.class, place.index);
            found.push(DistantPosition { plies: depth + 1, class, index, forbidden });
        });
    }
    open.sort_unstable();
    open.dedup();
    for (class, index) in open {
        // Another board may lead there earlier.
        if depth_without_ko(game, get, class, index)? == Some(depth + 1) {
            found.push(DistantPosition { plies: depth + 1, class, index, forbidden: NO_MOVE });
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
