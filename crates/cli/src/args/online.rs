//! Arguments of `connect` and `host`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_registry::duration;

use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// Othello, Trax, or csa: shogi on servers of the Computer Shogi Association.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The server.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Its port [default: othello 3000, trax 10001, csa 4081].
    #[arg(long, value_name = "PORT", value_parser = value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// The name to play under: letters, digits, `_`, `-` and `.` [default: tesuji]; in Trax the team code [default: TS].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
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
    /// Trax: the time of a turn, communication included [default: 1s].
    #[arg(long, value_name = "T")]
    pub(crate) time: Option<String>,
    /// Trax and csa: plays this many games, over as many connections as it takes [default: Trax until the server leaves after a game, csa 1].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(crate) games: Option<u32>,
    /// csa: the password; a CSA server that knows no passwords still wants a word.
    #[arg(long, value_name = "WORD")]
    pub(crate) password: Option<String>,
    /// csa: the game with its times, sent before the password: test-600-10 (byoyomi), test-300-2F (increment).
    #[arg(id = "game_name", long = "game", value_name = "GAME")]
    pub(crate) game_name: Option<String>,
    /// csa: sends value and line with each move, as floodgate keeps them in its records.
    #[arg(long)]
    pub(crate) comments: bool,
    /// csa: sends an empty line after this time without another one, no more often than every 30 s; 0 for never.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "60s")]
    pub(crate) keep_alive: Duration,
    /// csa: writes the record of each game into this folder, with times, values and lines.
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
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
    /// The game: othello or trax.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The port; 0 takes any free port and reports it [default: othello 3000, trax 10001 for the first program].
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Trax: the port of the second program [default: the next one].
    #[arg(long, value_name = "PORT")]
    pub(crate) second_port: Option<u16>,
    /// Trax: does not ask the programs for their team codes.
    #[arg(long)]
    pub(crate) no_team: bool,
    /// The address to listen on; 0.0.0.0 accepts connections from other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// Players to wait for.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(2..=256))]
    pub(crate) players: u16,
    /// Round-robins to play; colours are swapped from round to round [default: othello 4, trax 2; trax plays pairs].
    #[arg(long, value_name = "R", value_parser = value_parser!(u16).range(1..=10_000))]
    pub(crate) rounds: Option<u16>,
    /// Othello: each player's time for a game [default: 600s]; Trax: the time of a turn [default: 1s].
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Othello: how far a clock may fall below zero before the game is lost; it is then reset to this [default: 500ms].
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) byoyomi: Option<Duration>,
    /// How long to wait for the players.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1h")]
    pub(crate) wait: Duration,
    /// Games at a time [default: as many as there are pairs of players].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=128))]
    pub(crate) concurrency: Option<u16>,
    /// Othello: writes the games to this new file after every game; Trax: a new folder for journal, games and report.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}
