//! The command line as its users meet it, the example game, and the rules of the house.

#![allow(clippy::unwrap_used)]

mod commands;
mod house;
mod tictactoe;
