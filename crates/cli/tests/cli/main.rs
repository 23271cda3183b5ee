//! The command line as its users meet it, the example game, and the rules of the house.

#![allow(clippy::unwrap_used)]

mod analyze;
mod architecture;
mod arena;
mod bench;
mod best_move;
mod board_on_terminal;
mod book;
mod cluster;
mod commands;
mod corpus;
mod documents;
mod endings;
mod engine_process;
mod folder;
mod gtp;
mod headings;
mod improve;
#[cfg(unix)]
mod lifetime;
mod mates;
mod nboard;
mod networks;
mod ostle;
mod play;
mod position_sets;
mod protocols;
mod query;
mod record_formats;
mod record_sets;
mod run;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
mod serve;
mod solve;
#[cfg(unix)]
mod terminal;
mod tictactoe;
mod train;
mod usi;
mod values;
mod verify;
mod wording;
