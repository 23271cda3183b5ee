//! The shipped games through their handles, as a front end uses them.

#![allow(clippy::unwrap_used)]

mod analysis;
mod annotate;
mod protocols;
mod session;
mod tablebase;
