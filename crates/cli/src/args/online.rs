//! What can be typed about match servers: playing on one, and being one.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_engines::duration;

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// The game; only othello has match servers so far.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The server.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Its port.
    #[arg(long, value_name = "PORT", default_value_t = 3000, value_parser = value_parser!(u16).range(1..))]
    pub(crate) port: u16,
    /// The name to play under: letters, digits, `_`, `-` and `.`.
    #[arg(long, value_name = "NAME", default_value = "tesuji")]
    pub(crate) name: String,
    /// The engine [default: the game's own], or process:cmd="…",protocol=….
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Plies to look ahead [default: as many as the server's clock allows].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Solve the end from so many empty squares on [default: as the clock allows].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=60))]
    pub(crate) solve: Option<u32>,
    /// Thinks from the first move on, without the opening book.
    #[arg(long)]
    pub(crate) no_book: bool,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Size of the engine's table in MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    /// When there is no connection, or it ends without a farewell, tries again: so many times in a row.
    #[arg(long, value_name = "TIMES", num_args = 0..=1, default_missing_value = "10", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) reconnect: Option<u32>,
    /// How long the server may say nothing at all.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1h")]
    pub(crate) patience: Duration,
    /// Adds every line that is said and heard to this file, with its time.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Host {
    /// The game; only othello has match servers so far.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The port; 0 takes any that is free and tells which.
    #[arg(long, value_name = "PORT", default_value_t = 3000)]
    pub(crate) port: u16,
    /// The address to listen on; 0.0.0.0 lets everybody in who can reach this machine.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// Players to wait for.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(2..=256))]
    pub(crate) players: u16,
    /// How often everybody meets everybody; colours are exchanged from round to round.
    #[arg(long, value_name = "R", default_value_t = 4, value_parser = value_parser!(u16).range(1..=10_000))]
    pub(crate) rounds: u16,
    /// Each player's time for a game.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "600s")]
    pub(crate) time: Duration,
    /// How far a clock may fall below zero before the game is lost; it is then set to this.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "500ms")]
    pub(crate) byoyomi: Duration,
    /// How long to wait for the players.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1h")]
    pub(crate) wait: Duration,
    /// Games at a time [default: as many as there are pairs of players].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=128))]
    pub(crate) concurrency: Option<u16>,
    /// Keeps the games in this file, anew after every game, in the richest format of the game.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}
