//! What both ways to grow a tree can be told.

use super::Scale;

/// Means and manners of a search that grows a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Threads that grow it together; one is deterministic.
    pub threads: usize,
    /// The most memory the tree may take. When it is full it grows no more, but counts on.
    pub memory_mib: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How a win rate is told as a value, and an evaluation read as a win rate.
    pub scale: Scale,
    /// Whether to look at once, where the tree grows and games have been seen to end, for moves that end the
    /// game. The root always is looked at like this.
    pub look_ahead: bool,
    /// Whether to end when the second move can no longer catch up with the first.
    pub early_stop: bool,
    /// Up to which ply of the game the move is drawn by the share of visits instead of being the best.
    pub sampled_plies: usize,
    /// Gives up when the best move promises less than this; 0 never gives up.
    pub resign_below: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            memory_mib: 256,
            seed: 0,
            scale: Scale::CENTIPAWNS,
            look_ahead: true,
            early_stop: true,
            sampled_plies: 0,
            resign_below: 0.0,
        }
    }
}
