//! Arguments of `solve`, `query` and `verify`.

use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_registry::duration;

use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Othello: the position to solve, a file of positions (OBF), or `-` for standard input.
    #[arg(index = 2, value_name = "POSITION|FILE", allow_hyphen_values = true)]
    pub(crate) what: Option<String>,
    /// Othello: find all best moves.
    #[arg(long)]
    pub(crate) best: bool,
    /// Othello: find only win, loss or draw, which is faster than the score.
    #[arg(long)]
    pub(crate) wld: bool,
    /// Othello: size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20), default_value = "256")]
    pub(crate) hash: u64,
    /// Directory of the tablebase [default: `tables` in your data folder]. An earlier run there is resumed.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<String>,
    /// Only boards with up to N pieces [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) pieces: Option<String>,
    /// Also find the distance of every board from the start, in plies.
    #[arg(long)]
    pub(crate) reach: bool,
    /// Find only the distances from the start, without solving the game.
    #[arg(long, conflicts_with_all = ["pieces", "wdl"])]
    pub(crate) reach_only: bool,
    /// Store win, draw or loss (WDL) without the distance to win, which takes less space.
    #[arg(long)]
    pub(crate) wdl: bool,
    /// Follow the ko rule of the published solution, which also forbids images of the board before, and compare.
    #[arg(long)]
    pub(crate) published: bool,
    /// Stop after this time; the same command resumes later. Othello: the time limit per position.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Interval of checkpoints.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    pub(crate) checkpoint: Duration,
    /// Memory limit in MiB [default: the free memory].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The position, in the game's own notation [default: the start]; in Ostle also BOARD/PREVIOUS.
    #[arg(index = 2, allow_hyphen_values = true, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) position: Option<String>,
    /// The board before the last move, as its own mover saw it; it determines the forbidden move.
    #[arg(long, value_name = "P", requires = "position", allow_hyphen_values = true)]
    pub(crate) previous: Option<String>,
    /// Moves to play from there, in the game's own notation, separated by blanks.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) moves: Option<String>,
    /// Also show the best line to the end, with all equal moves.
    #[arg(long, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) line: bool,
    /// List the positions with the longest distance to the end.
    #[arg(long, conflicts_with = "unreachable")]
    pub(crate) longest: bool,
    /// List the boards that no game reaches.
    #[arg(long)]
    pub(crate) unreachable: bool,
    /// Directory of the tablebase [default: `tables` in your data folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<String>,
    /// Letters instead of pictures.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A file, or a directory with a tablebase or a tournament.
    pub(crate) path: String,
    /// Verify only the checksums, not the entries.
    #[arg(long)]
    pub(crate) sums: bool,
    /// Verify only every Nth entry of a tablebase.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value = "1", conflicts_with = "sums")]
    pub(crate) step: u32,
    /// Also recompute the statistics of a tablebase, which takes longer than everything else.
    #[arg(long, alias = "census", conflicts_with = "sums")]
    pub(crate) statistics: bool,
    /// Memory limit in MiB [default: the free memory].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}
