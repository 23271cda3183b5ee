//! Every protocol reads what it prints, and survives what it does not understand.

#![allow(clippy::unwrap_used)]

#[path = "laws/csa.rs"]
mod csa;
#[path = "laws/gtp.rs"]
mod gtp;
#[path = "laws/nboard.rs"]
mod nboard;
#[path = "laws/reversi.rs"]
mod reversi;
#[path = "laws/trax.rs"]
mod trax;
#[path = "laws/usi.rs"]
mod usi;
