//! Othello's own search: an exact endgame solver and a selective midgame search, by the pattern evaluation.
//!
//! To follow an engine's move, start at [`engine`]; to follow a solved position, at [`solver`]. Both run the schedule of
//! [`iterate`] through [`pvs`] (aspiration windows, principal variation search). All other nodes are null-window
//! searches: [`midgame`] (Multi-ProbCut in [`probcut`], YBWC split points in [`split`]), then from 13 empties on
//! [`endgame`], then [`last4`]. `solve::exact` is the reference implementation that the tests compare it with.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod endgame;
mod engine;
mod hash;
mod iterate;
mod kernel;
mod last4;
mod local_cache;
mod midgame;
mod move_ordering;
mod node;
mod probcut;
mod pvs;
mod solver;
mod split;
mod thread;

pub use engine::OthelloEngine;
pub use iterate::{Selectivity, Strength};
pub use solver::{BestMoves, Goal, IterationReport, MoveValues, Solver, SolverResult};
