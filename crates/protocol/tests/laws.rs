//! Every protocol reads what it prints, and survives what it does not understand.

#![allow(clippy::unwrap_used)]

#[path = "laws/usi.rs"]
mod usi;
