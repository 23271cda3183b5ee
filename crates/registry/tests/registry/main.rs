//! The shipped games through their handles, as a front end uses them.

#![allow(clippy::unwrap_used)]

mod analysis;
mod annotate;
mod contest;
mod protocols;
mod puzzles;
mod session;
mod tablebase;
