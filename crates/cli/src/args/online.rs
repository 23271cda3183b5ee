//! Arguments of `connect` and `host`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_registry::duration;

use super::{Json, Threads};

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
    /// Search depth in plies [default: limited by the server's clock only].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Solve the endgame from N empty squares on [default: as the clock allows].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=60))]
    pub(crate) solve: Option<u32>,
    /// Plays without the opening book.
    #[arg(long)]
    pub(crate) no_book: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Size of the transposition table in MiB [default: 64].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    /// Reconnects when the connection fails or is lost, this many times in a row.
    #[arg(long, value_name = "TIMES", num_args = 0..=1, default_missing_value = "10", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) reconnect: Option<u32>,
    /// How long the server may be silent.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1h")]
    pub(crate) patience: Duration,
    /// Appends every line sent and received to this file, with its time.
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
    /// The port; 0 takes any free port and reports it.
    #[arg(long, value_name = "PORT", default_value_t = 3000)]
    pub(crate) port: u16,
    /// The address to listen on; 0.0.0.0 accepts connections from other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// Players to wait for.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(2..=256))]
    pub(crate) players: u16,
    /// Round-robins to play; colours are swapped from round to round.
    #[arg(long, value_name = "R", default_value_t = 4, value_parser = value_parser!(u16).range(1..=10_000))]
    pub(crate) rounds: u16,
    /// Each player's time for a game.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "600s")]
    pub(crate) time: Duration,
    /// How far a clock may fall below zero before the game is lost; it is then reset to this.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "500ms")]
    pub(crate) byoyomi: Duration,
    /// How long to wait for the players.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1h")]
    pub(crate) wait: Duration,
    /// Games at a time [default: as many as there are pairs of players].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=128))]
    pub(crate) concurrency: Option<u16>,
    /// Writes the games to this new file after every game, in the richest format of the game.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}
