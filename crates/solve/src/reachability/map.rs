//! The distances of all boards, in memory.

use std::convert::Infallible;
use std::io;

use tesuji_game::{NO_MOVE, PerfectIndex, Predecessor};

use super::{Distance, UNREACHED};
use crate::retrograde::Plane;
use crate::retrograde::memory::ClassLayout;
use crate::tablebase::TablebaseError;

/// The distances of all boards.
///
/// Depths are stored plus one, so zeroed memory means unreached.
pub struct DistanceMap {
    pub(super) layout: ClassLayout,
    /// Class and index of the start.
    pub(super) start: (u8, u32),
    pub(super) first: Plane,
    pub(super) mv: Plane,
    pub(super) second: Plane,
    /// Boards by the depth at which they are first reached with nothing forbidden, if the search counted
    /// them.
    pub(super) alone: Option<Vec<u64>>,
}

impl DistanceMap {
    /// A map in which nothing is reached.
    pub(super) fn new<G: PerfectIndex>(game: &G, start: (u8, u32)) -> io::Result<DistanceMap> {
        let classes: Vec<u8> = game.stages().iter().flat_map(|classes| classes.iter().copied()).collect();
        let layout = ClassLayout::new(game, &classes)?;
        let plane = || Plane::zeros(layout.size());
        Ok(DistanceMap { first: plane()?, mv: plane()?, second: plane()?, alone: None, start, layout })
    }

    /// The memory of a search, in bytes.
    pub fn memory<G: PerfectIndex>(game: &G) -> u64 {
        let classes = game.stages().iter().flat_map(|classes| classes.iter());
        let numbers = classes.map(|&class| u64::from(game.size(class))).sum::<u64>();
        3 * numbers + numbers / 8
    }

    /// Class and index of the start.
    pub fn start(&self) -> (u8, u32) {
        self.start
    }

    /// The distance of a ranked board.
    #[inline]
    pub fn get(&self, class: u8, index: u32) -> Distance {
        match self.layout.start(class) {
            Some(start) => self.at((start + index) as usize),
            None => Distance::NONE,
        }
    }

    /// Sets the distance of a ranked board; ignored when there is no such class.
    pub fn set(&mut self, class: u8, index: u32, distance: Distance) {
        if let Some(start) = self.layout.start(class) {
            let at = (start + index) as usize;
            [self.first[at], self.mv[at], self.second[at]] = encode(distance);
        }
    }

    #[inline]
    pub(super) fn at(&self, at: usize) -> Distance {
        let depth = |encode: u8| encode.wrapping_sub(1);
        // Moves are stored plus one, too.
        let mv = if self.mv[at] == 0 { NO_MOVE } else { self.mv[at] - 1 };
        Distance { first: depth(self.first[at]), mv, second: depth(self.second[at]) }
    }

    /// The planes of a class, in the encoding of [`kept`].
    pub(super) fn planes(&mut self, class: u8, size: u32) -> Option<[&mut [u8]; 3]> {
        let start = self.layout.start(class)? as usize;
        let span = start..start + size as usize;
        let planes = [&mut self.first, &mut self.mv, &mut self.second];
        let [first, mv, second] = planes.map(|plane| plane.get_mut(span.clone()));
        Some([first?, mv?, second?])
    }

    /// Checks that the map has the classes and sizes of this game.
    pub(super) fn fits<G: PerfectIndex>(&self, game: &G) -> Result<(), TablebaseError> {
        for &class in game.stages().iter().flat_map(|classes| classes.iter()) {
            let start = self.layout.start(class);
            let starts = self.layout.classes().filter_map(|class| self.layout.start(class));
            let end = starts.filter(|&other| Some(other) > start).min().unwrap_or(self.layout.size() as u32);
            let found = start.map_or(0, |start| end - start) as usize;
            let expected = game.size(class) as usize;
            if found != expected {
                return Err(TablebaseError::WrongSize { class: game.class_name(class), found, expected });
            }
        }
        Ok(())
    }
}

/// The stored bytes of a distance.
#[inline]
pub(super) fn encode(Distance { first, mv, second }: Distance) -> [u8; 3] {
    let mv = if mv == NO_MOVE { 0 } else { mv.wrapping_add(1) };
    [first.wrapping_add(1), mv, second.wrapping_add(1)]
}

impl std::fmt::Debug for DistanceMap {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("DistanceMap")
            .field("start", &self.start)
            .field("numbers", &self.layout.size())
            .finish_non_exhaustive()
    }
}

impl DistanceMap {
    /// The fewest plies after which a board is reached with this move forbidden, in the board's own frame;
    /// [`NO_MOVE`] for none. `None` when it is not.
    ///
    /// With a move forbidden, the last move was its inverse. With none, the last move was irreversible, or
    /// this is the start.
    pub fn depth<G: PerfectIndex>(&self, game: &G, board: G::Board, forbidden: u8) -> Option<u8> {
        never_fails(depth(game, |class, index| Ok(self.get(class, index)), board, forbidden))
    }

    /// The depth of a ranked board with nothing forbidden.
    pub(super) fn depth_without_ko<G: PerfectIndex>(&self, game: &G, class: u8, index: u32) -> Option<u8> {
        never_fails(depth_without_ko(game, |class, index| Ok(self.get(class, index)), class, index))
    }
}

fn never_fails<T>(result: Result<T, Infallible>) -> T {
    let Ok(found) = result;
    found
}

/// [`DistanceMap::depth`] over any fallible source of distances.
pub(super) fn depth<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    board: G::Board,
    forbidden: u8,
) -> Result<Option<u8>, E> {
    if forbidden == NO_MOVE {
        let place = game.rank(board);
        return depth_without_ko(game, get, place.class, place.index);
    }
    match game.after(board, forbidden) {
        Some((before, mv)) if mv != NO_MOVE => depth_after(game, get, before, mv),
        _ => Ok(None),
    }
}

pub(super) fn depth_without_ko<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    class: u8,
    index: u32,
) -> Result<Option<u8>, E> {
    if get(class, index)?.first == 0 {
        return Ok(Some(0));
    }
    let mut least = Ok(UNREACHED);
    let mut visit = |back: Predecessor| {
        if let Ok(known) = &mut least
            && back.reply == NO_MOVE
        {
            match get(back.class, back.index) {
                Ok(distance) => *known = (*known).min(distance.after(NO_MOVE).unwrap_or(UNREACHED)),
                Err(error) => least = Err(error),
            }
        }
    };
    game.predecessors(class, index, &mut visit);
    game.conversions(class, index, &mut visit);
    least.map(|least| (least != UNREACHED).then_some(least))
}

fn depth_after<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    before: G::Board,
    mv: u8,
) -> Result<Option<u8>, E> {
    let place = game.rank(before);
    let mv = game.image(mv, place.symmetry);
    Ok(get(place.class, place.index)?.after(mv))
}
