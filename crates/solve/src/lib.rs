//! Solving games that this room does not know, exactly: only the traits of `tesuji-game`.
//!
//! [`exact`] searches to the end of the game. It is slow beside a solver made for one game, and stays for ever
//! as the oracle such solvers are compared with.

pub mod exact;
pub mod retrograde;
