//! Exact solving of any game, over the traits of `tesuji-game` alone.
//!
//! [`exact`] searches to the end of the game. It is slower than a solver written for one game and serves as the
//! reference implementation for those. [`forced_win`] proves short wins. [`retrograde`] solves a whole game by retrograde analysis over a perfect index.
//! [`tablebase`] builds, stores, probes, queries and verifies the result. [`reachability`] finds the distance of every
//! board from the start position.

pub mod exact;
pub mod forced_win;
pub mod reachability;
pub mod retrograde;
pub mod tablebase;
