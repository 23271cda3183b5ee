//! The distance of every board from the start of the game, over the same index as [`retrograde`](crate::retrograde).
//!
//! Where the rules forbid the move that takes the last one back (ko), the moves available on a board depend on how it was
//! reached. But each board needs to be expanded only twice: on first arrival by every move except the forbidden one, and
//! by that move as soon as the board is reached in another way. So two depths and one move per board are enough
//! ([`Distance`]); the depth of a board with any given move forbidden follows from its neighbours.
//!
//! Distances are [written](write()) beside the tablebase and [probed](DistanceTable) there; [`verify()`] derives each of
//! them again from its predecessors.
//!
//! On a symmetric board a forbidden move may have images under the symmetry that are not forbidden. Up to symmetry all
//! those positions are one.

mod coding;
mod farthest;
mod map;
mod search;
mod statistics;
mod table;
mod verify;

pub use coding::DistanceInfo;
pub use farthest::DistantPosition;
pub use map::DistanceMap;
pub use search::search;
pub use statistics::{DistanceStatistics, statistics};
pub use table::{DistanceTable, write, write_in_blocks};
pub(crate) use verify::verify_spans;
pub use verify::{DistanceMismatch, verify};

use tesuji_game::NO_MOVE;

/// Not reachable from the start.
pub const UNREACHED: u8 = u8::MAX;

/// When a board can be expanded, in plies from the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Distance {
    /// The first arrival; [`UNREACHED`] when there is none.
    pub first: u8,
    /// The move forbidden on first arrival; [`NO_MOVE`] for none.
    pub mv: u8,
    /// When that move can first be played; [`UNREACHED`] when never, or when nothing is forbidden.
    pub second: u8,
}

impl Distance {
    /// The distance of an unreachable board.
    pub const NONE: Distance = Distance { first: UNREACHED, mv: NO_MOVE, second: UNREACHED };

    /// The plies after which this move can have been played here.
    #[inline]
    pub fn after(self, mv: u8) -> Option<u8> {
        let at = if mv != NO_MOVE && mv == self.mv { self.second } else { self.first };
        // Depths are bytes below the mark for unreached.
        (at < UNREACHED - 1).then(|| at + 1)
    }
}
