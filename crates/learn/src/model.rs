//! What a game tells of its evaluation so that it can be trained. How a position looks is the game's affair.

use std::fmt::Debug;

/// An evaluation that is a sum of weights, one for each feature of a position, apart for each stage of the game.
pub trait Model: Sync {
    /// A position as it is kept in data sets.
    type Position: Copy + Send + Sync + Eq + Debug;

    /// Bytes of a position in a data set.
    const BYTES: usize;

    /// Writes a position as [`BYTES`](Model::BYTES) bytes.
    fn pack(&self, position: &Self::Position, to: &mut [u8]);

    /// The position of these bytes; none when there is no such position (damaged or foreign data).
    fn unpack(&self, from: &[u8]) -> Option<Self::Position>;

    /// Game and set of features, with a version, such as `othello/pattern/1`: files that name another are refused.
    fn name(&self) -> &str;

    /// Stages of the game, each with weights of its own.
    fn stages(&self) -> usize;

    /// The stage a position belongs to.
    fn stage(&self, position: &Self::Position) -> usize;

    /// Weights of one stage.
    fn weights(&self) -> usize;

    /// Features of a position: always so many.
    fn features(&self) -> usize;

    /// The numbers of the weights that a position sums; equal numbers may occur twice.
    fn list(&self, position: &Self::Position, to: &mut [u32]);
}
