//! What can be typed about matches, tournaments and their figures.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use tesuji_engines::{clock, duration};
use tesuji_search::Time;

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The engine whose score is told: a spec, or process:cmd="…",protocol=….
    #[arg(index = 2, value_name = "ENGINE")]
    pub(crate) one: String,
    /// Its opponent.
    #[arg(index = 3, value_name = "ENGINE")]
    pub(crate) two: String,
    /// Games; each opening is played twice, with the sides exchanged.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(2..=10_000_000))]
    pub(crate) games: u32,
    #[command(flatten)]
    pub(crate) pace: Pace,
    /// Random plies of an opening [default: the custom of the game], or plies to take of those in a file.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(0..=400))]
    pub(crate) plies: Option<u16>,
    /// Openings from a file of records or positions.
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<String>,
    /// What chance begins with.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(0..=i64::MAX as u64))]
    pub(crate) seed: u64,
    /// Ends by a sequential test: the first engine is stronger by ELO0 (no) or ELO1 (yes), as in `0,10`.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// What the bounds of the test are measured in.
    #[arg(long, value_enum, default_value = "normalised", requires = "sprt")]
    pub(crate) model: Model,
    /// Games at a time [default: as many as there are cores for].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: Option<u16>,
    /// Keeps the games in this new folder, so that an interrupted match can go on, with a report.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// How long both may think.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Pace {
    /// Plies to look ahead.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Positions to visit for a move.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Time per move: 250ms, 1s, 2m.
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// A game clock: 300s+2s with an increment, 300s/10s with byoyomi.
    #[arg(long, value_name = "C", value_parser = clock, conflicts_with = "time")]
    pub(crate) clock: Option<Time>,
    /// How late an answer may come.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "20ms")]
    pub(crate) margin: Duration,
}

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Model {
    /// Elo by the deviation of results.
    Normalised,
    /// The usual Elo.
    Logistic,
}

#[derive(Debug, Args)]
pub(crate) struct Tournament {
    #[command(subcommand)]
    pub(crate) verb: TournamentVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TournamentVerb {
    /// Plays the tournament that a TOML file describes.
    Run {
        /// The description.
        config: PathBuf,
        /// A new folder for the games and the report.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Goes on with a tournament that was interrupted.
    Resume {
        /// Its folder.
        folder: PathBuf,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Files of records, or folders of tournaments; `-` for standard input.
    #[arg(index = 2, required = true, value_name = "FILE|DIR")]
    pub(crate) files: Vec<String>,
    /// The format of records [default: found out].
    #[arg(long, value_name = "F")]
    pub(crate) format: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// `0,10`.
fn bounds(text: &str) -> Result<(f64, f64), String> {
    let wrong = || "two numbers, the first less than the second, such as 0,10".to_owned();
    let (low, high) = text.split_once(',').ok_or_else(wrong)?;
    match (low.trim().parse::<f64>(), high.trim().parse::<f64>()) {
        (Ok(low), Ok(high)) if low.is_finite() && high.is_finite() && low < high => Ok((low, high)),
        _ => Err(wrong()),
    }
}
