//! The boards of one stage side by side, with all that is known of them.

use std::io;

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex};

use super::BoardValue;
use super::evaluate::ValueSource;
use super::memory::ClassLayout;
use super::memory::Plane;
use super::messages::BLOCK;
use super::state::{BoardState, Status};
use super::values::ClassValues;

/// Where the solver stands. Everything before is done, everything after is not begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Boards are looked at for the first time, by the number of their block.
    Begin {
        /// The next block.
        block: usize,
    },
    /// The boards worth `layer` tell the boards before them.
    Push {
        /// The value, in plies.
        layer: u8,
        /// The next block.
        block: usize,
    },
    /// Nothing more can be found out.
    Done,
}

/// One stage in work.
pub(super) struct Stage<'g, G: PerfectIndex> {
    pub(super) game: &'g G,
    /// The boards of its classes, one class after the other.
    pub(super) spans: ClassLayout,
    pub(super) size: usize,
    /// See [`Cell`].
    pub(super) cells: Plane,
    /// The value with nothing forbidden, 0 while it is open.
    pub(super) first: Plane,
    /// The value when the move that matters is forbidden; until that is known, the limit that moves to earlier
    /// stages set, see [`begin`](super::initialize).
    pub(super) second: Plane,
    /// Symmetric boards: looked at one by one.
    pub(super) apart: Vec<u32>,
    pub(super) phase: Phase,
    pub(super) progress: StageCounters,
}

/// What has been done in a stage so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct StageCounters {
    /// Moves followed back.
    pub(super) edges: u64,
    /// Boards whose value was found, or whose second value was.
    pub(super) decided: u64,
    /// The last layer that found something.
    pub(super) busy: u8,
    /// The latest limit that a move to an earlier stage sets.
    pub(super) horizon: u8,
}

/// The values of the classes of earlier stages, nothing being forbidden, by the name of the class.
pub(super) type EarlierValues<'a> = Vec<Option<&'a [u8]>>;

impl<'g, G: PerfectIndex> Stage<'g, G> {
    pub(super) fn new(game: &'g G, classes: &[u8]) -> io::Result<Stage<'g, G>> {
        let spans = ClassLayout::new(game, classes)?;
        let size = spans.size();
        Ok(Stage {
            game,
            spans,
            size,
            cells: Plane::zeros(2 * size)?,
            first: Plane::zeros(size)?,
            second: Plane::zeros(size)?,
            apart: Vec::new(),
            phase: Phase::Begin { block: 0 },
            progress: StageCounters::default(),
        })
    }

    pub(super) fn blocks(&self) -> usize {
        self.size.div_ceil(BLOCK)
    }

    #[inline(always)]
    pub(super) fn cell(&self, at: usize) -> BoardState {
        BoardState(self.cells.words()[at])
    }

    /// Everything as the caller of the solver wants it, class by class. A class that is alone in its stage, as the
    /// largest may be, keeps its planes instead of being copied.
    pub(super) fn into_values(mut self) -> io::Result<Vec<(u8, ClassValues)>> {
        let classes: Vec<u8> = self.spans.classes().collect();
        if let [class] = classes[..] {
            let mut mv = Plane::zeros(self.size)?;
            for at in 0..self.size {
                let value = self.value(at);
                mv[at] = value.mv;
                self.second[at] = value.second;
            }
            return Ok(vec![(class, ClassValues { first: self.first, mv, second: self.second })]);
        }
        let mut all = Vec::new();
        for class in classes {
            let start = self.spans.start(class).unwrap_or(0) as usize;
            let mut values = ClassValues::new(self.game.size(class) as usize)?;
            for index in 0..values.len() {
                values.set(index, self.value(start + index));
            }
            all.push((class, values));
        }
        Ok(all)
    }

    /// The value of a board when all layers are done: what is open is a draw.
    #[inline]
    fn value(&self, at: usize) -> BoardValue {
        let cell = self.cell(at);
        let first = self.first[at];
        match cell.exception() {
            None => BoardValue { first, mv: NO_MOVE, second: 0 },
            Some(mv) => BoardValue {
                first,
                mv,
                second: if cell.state() == Status::Pending { 0 } else { self.second[at] },
            },
        }
    }
}

/// What is known of a stage in work, up to a layer: a value above it counts as not known.
pub(super) struct KnownUpTo<'a, 'g, G: PerfectIndex> {
    pub(super) stage: &'a Stage<'g, G>,
    pub(super) earlier: &'a EarlierValues<'a>,
    pub(super) layer: u8,
}

impl<G: PerfectIndex> ValueSource for KnownUpTo<'_, '_, G> {
    fn value(&self, place: BoardRank, forbidden: u8) -> u8 {
        let value = match self.stage.spans.start(place.class) {
            Some(start) => self.in_work((start + place.index) as usize, forbidden),
            None => {
                let plane = self.earlier.get(usize::from(place.class)).copied().flatten();
                plane.map_or(0, |plane| plane[place.index as usize])
            }
        };
        if value <= self.layer { value } else { 0 }
    }
}

impl<G: PerfectIndex> KnownUpTo<'_, '_, G> {
    fn in_work(&self, at: usize, forbidden: u8) -> u8 {
        let cell = self.stage.cell(at);
        if forbidden != NO_MOVE && cell.exception() == Some(forbidden) {
            if cell.second_known() { self.stage.second[at] } else { 0 }
        } else {
            self.stage.first[at]
        }
    }
}
