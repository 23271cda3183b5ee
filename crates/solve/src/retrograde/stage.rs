//! One stage in progress: the state of all its boards.

use std::io;

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex};
use tesuji_task::CancelToken;

use super::BoardValue;
use super::error::RetrogradeError;
use super::evaluate::ValueSource;
use super::memory::ClassLayout;
use super::memory::Plane;
use super::messages::BLOCK;
use super::state::{BoardState, Status};
use super::values::ClassValues;

/// The position of the solver. Everything before it is done, everything after it is not begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Initialisation.
    Initialize {
        /// The next block.
        block: usize,
    },
    /// Propagation of a layer.
    Propagate {
        /// The DTW of the layer, in plies.
        layer: u8,
        /// The next block.
        block: usize,
    },
    /// Solved.
    Done,
}

/// One stage in progress.
pub(super) struct Stage<'g, G: PerfectIndex> {
    pub(super) game: &'g G,
    /// The classes of the stage, one after the other.
    pub(super) layout: ClassLayout,
    pub(super) size: usize,
    /// Packed [`BoardState`]s.
    pub(super) states: Plane,
    /// The value with nothing forbidden; 0 while unknown.
    pub(super) first: Plane,
    /// The value without the exceptional move; until that is known, the limit set by moves to earlier stages,
    /// see [`initialize`](super::initialize).
    pub(super) second: Plane,
    /// Symmetric boards, which are evaluated forwards.
    pub(super) symmetric_boards: Vec<u32>,
    pub(super) phase: Phase,
    pub(super) progress: StageCounters,
}

/// Counters of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct StageCounters {
    /// Moves followed.
    pub(super) edges: u64,
    /// First and second values decided.
    pub(super) decided: u64,
    /// The last layer that decided a value.
    pub(super) last_active: u8,
    /// The highest limit set by a move to an earlier stage.
    pub(super) horizon: u8,
}

/// By class: the values of earlier stages with nothing forbidden.
pub(super) type EarlierValues<'a> = Vec<Option<&'a [u8]>>;

impl<'g, G: PerfectIndex> Stage<'g, G> {
    pub(super) fn new(game: &'g G, classes: &[u8]) -> io::Result<Stage<'g, G>> {
        let layout = ClassLayout::new(game, classes)?;
        let size = layout.size();
        Ok(Stage {
            game,
            layout,
            size,
            states: Plane::zeros(2 * size)?,
            first: Plane::zeros(size)?,
            second: Plane::zeros(size)?,
            symmetric_boards: Vec::new(),
            phase: Phase::Initialize { block: 0 },
            progress: StageCounters::default(),
        })
    }

    pub(super) fn blocks(&self) -> usize {
        self.size.div_ceil(BLOCK)
    }

    #[inline(always)]
    pub(super) fn state(&self, at: usize) -> BoardState {
        BoardState(self.states.words()[at])
    }

    /// The values of each class. A class that is alone in its stage keeps its planes instead of being copied.
    pub(super) fn into_values(mut self, cancel: &CancelToken) -> Result<Vec<(u8, ClassValues)>, RetrogradeError> {
        let classes: Vec<u8> = self.layout.classes().collect();
        let go_on = |at: usize| {
            if at.is_multiple_of(BLOCK) && cancel.is_cancelled() { Err(RetrogradeError::Cancelled) } else { Ok(()) }
        };
        if let [class] = classes[..] {
            let mut mv = Plane::zeros(self.size).map_err(RetrogradeError::Allocation)?;
            for at in 0..self.size {
                go_on(at)?;
                let value = self.value(at);
                mv[at] = value.mv;
                self.second[at] = value.second;
            }
            return Ok(vec![(class, ClassValues { first: self.first, mv, second: self.second })]);
        }
        let mut all = Vec::new();
        for class in classes {
            let start = self.layout.start(class).unwrap_or(0) as usize;
            let size = self.game.size(class) as usize;
            let mut values = ClassValues::new(size).map_err(RetrogradeError::Allocation)?;
            for index in 0..values.len() {
                go_on(index)?;
                values.set(index, self.value(start + index));
            }
            all.push((class, values));
        }
        Ok(all)
    }

    /// The final value of a board: unknown means a draw.
    #[inline]
    fn value(&self, at: usize) -> BoardValue {
        let state = self.state(at);
        let first = self.first[at];
        match state.exception() {
            None => BoardValue { first, mv: NO_MOVE, second: 0 },
            Some(mv) => {
                BoardValue { first, mv, second: if state.status() == Status::Pending { 0 } else { self.second[at] } }
            }
        }
    }
}

/// The values of a stage in progress up to a layer; higher values count as unknown.
pub(super) struct KnownUpTo<'a, 'g, G: PerfectIndex> {
    pub(super) stage: &'a Stage<'g, G>,
    pub(super) earlier: &'a EarlierValues<'a>,
    pub(super) layer: u8,
}

impl<G: PerfectIndex> ValueSource for KnownUpTo<'_, '_, G> {
    fn value(&self, place: BoardRank, forbidden: u8) -> u8 {
        let value = match self.stage.layout.start(place.class) {
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
        let state = self.stage.state(at);
        if forbidden != NO_MOVE && state.exception() == Some(forbidden) {
            if state.second_known() { self.stage.second[at] } else { 0 }
        } else {
            self.stage.first[at]
        }
    }
}
