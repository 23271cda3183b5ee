//! How far every board is from the start of the game, over the same numbers as [`retrograde`](crate::retrograde).
//!
//! Where the rules forbid the move that takes the last one back, what can be reached next depends on how a board was
//! reached. But a board needs to be gone on from only twice: on first arrival by every move except the forbidden
//! one, and by that move as soon as the board is reached in another way. So two depths and one move are all there
//! is to keep ([`Distance`]); the depth of a board with any move forbidden follows from the boards around it.
//!
//! Distances are [written](write()) beside the tables of a solved game, and [asked for](Distances) there; that each is
//! right is [proven](verify()) from the boards before it.
//!
//! On a symmetric board a forbidden move may have twins, images of it that are not forbidden: nothing is lost then, and
//! up to symmetry all those positions are one.

mod cell;
mod census;
mod context;
mod depth;
mod distances;
mod facts;
mod reached;
mod search;
mod verify;
mod write;

pub use census::{ReachCensus, census};
pub use distances::Distances;
pub use facts::DistanceFacts;
pub use reached::Reached;
pub use search::reach;
pub use verify::{WrongDistance, verify};
pub use write::{write, write_in_blocks};

use tesuji_game::NO_MOVE;

/// No way from the start was found.
pub const UNREACHED: u8 = u8::MAX;

/// When a board can be gone on from, in plies from the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Distance {
    /// The first arrival; [`UNREACHED`] when there is none.
    pub first: u8,
    /// The move that cannot be played then; [`NO_MOVE`] when all can.
    pub mv: u8,
    /// When that move can be played; [`UNREACHED`] when it never can, or when there is none.
    pub second: u8,
}

impl Distance {
    /// That of a board which no game reaches.
    pub const NONE: Distance = Distance { first: UNREACHED, mv: NO_MOVE, second: UNREACHED };

    /// The plies after which this move can have been played here.
    #[inline]
    pub fn after(self, mv: u8) -> Option<u8> {
        let at = if mv != NO_MOVE && mv == self.mv { self.second } else { self.first };
        // There are no more plies than a byte holds besides the mark for none.
        (at < UNREACHED - 1).then(|| at + 1)
    }
}
