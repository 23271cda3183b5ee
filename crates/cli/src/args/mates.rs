//! Arguments of `solve` for games with mates.

use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_registry::duration;

use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct SolveMates {
    /// A position (SFEN), a file of positions or records, or `-` for standard input.
    ///
    /// A file has one SFEN per line, or is a record file (USI, CSA, KIF). Moves behind a position that end in mate are a
    /// solution: its length is compared with the mate found. Other moves are played first.
    #[arg(value_name = "SFEN|FILE", required = true)]
    pub(crate) what: Vec<String>,
    /// Take the first mate found; the default is the shortest, which takes longer.
    #[arg(long)]
    pub(crate) any: bool,
    /// The longest mate to look for, in plies.
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..=1999), default_value = "31")]
    pub(crate) max: u32,
    /// The time limit per position.
    #[arg(long, alias = "time-limit", value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) time: Duration,
    /// The node limit per position [default: none].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Size of the tables of all threads together in MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20), default_value = "256")]
    pub(crate) hash: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}
