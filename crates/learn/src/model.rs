//! What a game provides so that its evaluation can be trained.

use std::fmt::Debug;

/// A linear evaluation: the sum of one weight for each active feature of a position, with separate weights for each
/// stage of the game.
pub trait Model: Sync {
    /// A position as data sets store it.
    type Position: Copy + Send + Sync + Eq + Debug;

    /// Bytes of a position in a data set.
    const BYTES: usize;

    /// Writes a position as [`BYTES`](Model::BYTES) bytes.
    fn pack(&self, position: &Self::Position, to: &mut [u8]);

    /// Reads a position. `None` if the bytes are no possible position, as in damaged or foreign data.
    fn unpack(&self, from: &[u8]) -> Option<Self::Position>;

    /// Game and feature set with a version, such as `othello/pattern/1`. Files with another name are refused.
    fn name(&self) -> &str;

    /// Number of stages.
    fn stages(&self) -> usize;

    /// The stage of a position.
    fn stage(&self, position: &Self::Position) -> usize;

    /// Number of weights of one stage.
    fn weights(&self) -> usize;

    /// Number of active features, the same for every position.
    fn features(&self) -> usize;

    /// The weight index of each active feature of a position. An index may occur twice.
    fn active_features(&self, position: &Self::Position, to: &mut [u32]);
}
