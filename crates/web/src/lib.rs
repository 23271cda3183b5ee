//! `tesuji serve`: one page for all games, and the HTTP interface behind it.
//!
//! Everything here translates between HTTP and the registry; the only crate with `async`. A request carries the whole
//! position or record, so nothing is remembered between two of them. Searches run on their own threads, as many as the
//! pool has slots.

mod analysis;
mod assets;
mod best_move;
mod body;
mod cluster;
mod config;
mod connections;
mod edit;
mod error;
mod events;
mod exchange;
mod game_analysis;
mod games;
mod guard;
mod job;
mod mate;
mod metrics;
mod openapi;
mod pages;
mod patient;
mod pool;
mod position;
mod puzzles;
mod routes;
mod server;
mod state;
mod table;
mod thread;
mod tournament;
mod wire;

pub use cluster::WatchedCluster;
pub use config::{Config, Limits};
pub use server::{Listening, ServeError, serve};
