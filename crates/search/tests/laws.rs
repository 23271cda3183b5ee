//! Property tests of the searches, on random positions of every game.

#[path = "laws/alphabeta.rs"]
mod alphabeta;
#[path = "laws/behaviour.rs"]
mod behaviour;
#[path = "laws/dfpn.rs"]
mod dfpn;
#[path = "laws/maze.rs"]
mod maze;
#[path = "laws/mcts.rs"]
mod mcts;
#[path = "laws/minimax.rs"]
mod minimax;
#[path = "laws/proven.rs"]
mod proven;
