//! Data sets of positions for networks: position, move, value, result and visit counts, in checked blocks that are read
//! through a memory map.
//!
//! The header is text, one field per line:
//!
//! ```text
//! tesuji-positions 1
//! game shogi
//! packing shogi/hcp/1
//! encoding shogi/104/1
//! entry 52
//! block 8192
//! positions      3648221
//! games            28829
//! the provenance, one or more lines
//! ```
//!
//! A block holds `block` entries, the last block what is left. Numbers are little-endian.
//!
//! ```text
//! number of entries, 4 bytes | bytes of the tail, 4 | entries | tail: visit counts
//! ```
//!
//! An entry has a fixed number of bytes, [`Packed::BYTES`]` + 20`:
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | bytes | the packed position |
//! | +0 | u16 | policy label of the move played; 0xFFFF: none |
//! | +2 | i16 | search value for the mover: 600 multiply the odds of winning by e, as centipawns of shogi do; 0x8000: none |
//! | +4 | u8 | result for the mover: 0 loss, 1 draw, 2 win, 3 unknown |
//! | +5 | u8 | flags: bit 0 is set when the mover is the second player |
//! | +6 | u16 | ply of the game |
//! | +8 | u32 | game number |
//! | +12 | u32 | byte offset of its visit counts in the tail of the block |
//! | +16 | u16 | number of visit counts; 0: none, the label is all there is |
//! | +18 | u16 | 0 |
//!
//! A visit count in the tail is a pair of u16: the label of a move, and its visits.

mod collector;
mod entry;
mod header;
mod joined;
mod reader;
mod writer;

pub use collector::PositionCollector;
pub use entry::{KnownFields, PositionBlock, PositionEntry};
pub use header::PositionSetHeader;
pub use joined::PositionSets;
pub use reader::PositionSet;
pub use writer::{PositionSetWriter, SavedPositionSet};

use tesuji_game::{Packed, Planes};

/// A game whose positions can be kept in a data set for networks.
pub trait PositionGame: Packed + Planes {
    /// The bytes of an entry.
    const ENTRY: usize = Self::BYTES + entry::FIELDS;
}

impl<G: Packed + Planes> PositionGame for G {}
