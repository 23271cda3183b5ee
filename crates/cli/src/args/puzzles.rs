//! Arguments of `puzzles`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct Puzzles {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// How many puzzles.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) count: u32,
    /// The new file: one JSON object per line.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The seed of the games that the puzzles come from.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The engine of these games [default: a level that makes mistakes].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}
