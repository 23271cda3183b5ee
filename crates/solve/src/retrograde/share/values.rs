//! The values of a share: of a stage that is solved, and of a class that was saved.

use std::ops::Range;

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::{Partition, ShareStage};
use crate::retrograde::memory::Plane;
use crate::retrograde::state::Status;
use crate::retrograde::values::{BoardSource, BoardValue, ClassValues};

/// The values of a share of a solved stage.
pub struct FinishedShare {
    /// The classes, and their places in the planes.
    classes: Vec<(u8, Range<usize>)>,
    first: Plane,
    /// The moves; the second half is unused.
    mv: Plane,
    second: Plane,
}

impl FinishedShare {
    /// The classes of the stage, each with its values with nothing forbidden, exceptional moves, and values without
    /// these moves.
    pub fn classes(&self) -> impl Iterator<Item = (u8, [&[u8]; 3])> {
        let planes =
            |range: &Range<usize>| [&self.first[range.clone()], &self.mv[range.clone()], &self.second[range.clone()]];
        self.classes.iter().map(move |(class, range)| (*class, planes(range)))
    }
}

impl<G: PerfectIndex> ShareStage<'_, G> {
    /// The final values: what is unknown is a draw. Takes no memory, because the moves replace the states.
    pub fn finish(mut self) -> FinishedShare {
        for at in 0..self.places() {
            let state = self.state(at);
            let (mv, second) = match state.exception() {
                None => (NO_MOVE, 0),
                Some(mv) if state.status() == Status::Pending => (mv, 0),
                Some(mv) => (mv, self.second[at]),
            };
            // The word of this board has been read, and so have those before it.
            self.states[at] = mv;
            self.second[at] = second;
        }
        let places = |(class, start): (u8, u32)| {
            let places = self.partition.places(self.game.size(class)) as usize;
            (class, start as usize..start as usize + places)
        };
        let classes = self.classes.iter().copied().map(places).collect();
        FinishedShare { classes, first: self.first, mv: self.states, second: self.second }
    }
}

/// The values of a share of a class, by the index in the class.
pub struct ShareValues {
    partition: Partition,
    values: ClassValues,
}

impl ShareValues {
    pub(in crate::retrograde) fn new(partition: Partition, values: ClassValues) -> ShareValues {
        ShareValues { partition, values }
    }
}

impl BoardSource for ShareValues {
    #[inline(always)]
    fn board(&self, index: u32) -> BoardValue {
        self.values.get(self.partition.place(index).1 as usize)
    }
}
