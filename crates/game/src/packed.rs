//! Positions as a fixed number of bytes, for data sets.

use crate::Game;

/// A game whose positions fit into a fixed number of bytes.
pub trait Packed: Game {
    /// Name and version of the packing, stored in every data set.
    const PACKING: &'static str;

    /// The bytes of a position.
    const BYTES: usize;

    /// Writes a position to `bytes`, which are [`Packed::BYTES`] long. `false` if the packing cannot express it; the
    /// content of `bytes` is unspecified then.
    #[must_use]
    fn pack(&self, bytes: &mut [u8]) -> bool;

    /// Reads a position that [`Packed::pack`] wrote: an equal one, with the same side to move. `None` if there is no such
    /// position, or `bytes` are not [`Packed::BYTES`] long.
    fn unpack(bytes: &[u8]) -> Option<Self>;
}
