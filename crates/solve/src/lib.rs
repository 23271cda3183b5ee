//! Solving games that this room does not know, exactly: only the traits of `tesuji-game`.
//!
//! [`exact`] searches to the end of the game. It is slow beside a solver made for one game, and stays for ever
//! as the oracle such solvers are compared with. [`retrograde`] solves a whole game backwards, over numbers for all its
//! boards, and proves every value. [`reach`] finds how far each board is from the start.

pub mod exact;
pub mod findings;
pub mod reach;
pub mod retrograde;
pub mod table;
pub mod whole;
