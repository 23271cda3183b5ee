//! The laws of searching, on random positions of every game.

#[path = "laws/conduct.rs"]
mod conduct;
#[path = "laws/dfpn.rs"]
mod dfpn;
#[path = "laws/exact.rs"]
mod exact;
#[path = "laws/maze.rs"]
mod maze;
#[path = "laws/mcts.rs"]
mod mcts;
#[path = "laws/plain.rs"]
mod plain;
#[path = "laws/proven.rs"]
mod proven;
