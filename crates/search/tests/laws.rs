//! The laws of searching, on random positions of every game.

#[path = "laws/exact.rs"]
mod exact;
#[path = "laws/plain.rs"]
mod plain;
