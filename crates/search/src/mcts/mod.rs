//! Monte-Carlo tree search (MCTS): [`Uct`] with random playouts, [`Puct`] with a policy and a value.
//!
//! Both share the [`SearchTree`] and the loop in `think`. Transpositions share a node; the statistics of a move belong to
//! its edge. Proven results are propagated (MCTS-Solver). A repetition depends on the path, so it is never stored. With
//! one thread and a playout limit, the same seed grows the same tree on every machine.

mod control;
mod descent;
mod final_move;
mod math;
mod node;
mod noise;
mod playout;
mod policy;
mod pool;
mod puct;
mod think;
mod tree;
mod uct;
mod win_rate;

pub use playout::{Playout, playout};
pub use policy::{EvalPolicy, LeafPosition, PolicyValue};
pub use puct::{Puct, PuctOptions};
pub use tree::{EdgeStats, NodeId, SearchTree};
pub use uct::{Uct, UctOptions};
pub use win_rate::WinRateScale;

/// Options of both tree searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// Number of threads. A search with one is deterministic.
    pub threads: usize,
    /// Memory limit of the tree. A full tree no longer grows, but its statistics are still updated.
    pub memory_mib: usize,
    /// Random seed.
    pub seed: u64,
    /// Conversion between win rates and values.
    pub scale: WinRateScale,
    /// Whether to check new nodes near the end of the game for moves that end it. The root is always checked.
    pub prove_children: bool,
    /// Whether to stop when the second move can no longer catch up with the first.
    pub early_stop: bool,
    /// Up to this ply of the game the move is sampled by visit count (temperature 1) instead of being the best.
    pub sampled_plies: usize,
    /// Resigns below this win rate; 0 never resigns.
    pub resign_below: f64,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            threads: 1,
            memory_mib: 256,
            seed: 0,
            scale: WinRateScale::CENTIPAWNS,
            prove_children: true,
            early_stop: true,
            sampled_plies: 0,
            resign_below: 0.0,
        }
    }
}
