//! Arguments of `match` and `tournament`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, value_parser};
use tesuji_registry::{SprtModel, duration};

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The engine whose score is reported: a spec, or process:cmd="…",protocol=….
    #[arg(index = 2, value_name = "ENGINE")]
    pub(crate) one: String,
    /// Its opponent.
    #[arg(index = 3, value_name = "ENGINE")]
    pub(crate) two: String,
    /// Games; each opening is played twice, with the sides swapped.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(2..=10_000_000))]
    pub(crate) games: u32,
    /// Random plies of an opening [default: depends on the game], or plies to take of those in a file.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(0..=400))]
    pub(crate) plies: Option<u16>,
    /// Openings from a file of records or positions.
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<String>,
    /// The seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(0..=i64::MAX as u64))]
    pub(crate) seed: u64,
    /// Ends the match by a sequential test (SPRT) of the hypotheses ELO0 and ELO1, as in `0,10`.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// The unit of the bounds of the test: normalised or logistic Elo.
    #[arg(long, default_value = "normalised", requires = "sprt", value_parser = models())]
    pub(crate) model: SprtModel,
    /// Threads of each engine of ours [default: 1].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Size of the transposition table of each engine of ours in MiB [default: 64].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    /// Games at a time [default: as many as the cores allow].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: Option<u16>,
    /// Stores the games and a report in this new folder; an interrupted match can be resumed.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
    // Last, because its heading holds for everything after it.
    #[command(flatten)]
    pub(crate) limits: MatchLimits,
}

/// The limits of both engines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct MatchLimits {
    /// Search depth in plies.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Nodes per move.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Time per move: 250ms, 1s, 2m [default: 1s, unless something else limits both engines].
    #[arg(long, value_name = "T")]
    pub(crate) time: Option<String>,
    /// A game clock: 300s+2s with an increment, 300s/10s with byoyomi.
    #[arg(long, value_name = "C", conflicts_with = "time")]
    pub(crate) clock: Option<String>,
    /// Tolerance before an answer counts as late.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "20ms")]
    pub(crate) margin: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct TournamentCommand {
    #[command(subcommand)]
    pub(crate) verb: TournamentVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TournamentVerb {
    /// Runs the tournament that a TOML file describes.
    Run {
        /// The description.
        config: PathBuf,
        /// A new folder for the games and the report.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Only the events of this game; may be repeated.
        #[arg(long = "game", value_name = "GAME")]
        games: Vec<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Resumes an interrupted tournament.
    Resume {
        /// Its folder.
        folder: PathBuf,
        #[command(flatten)]
        json: Json,
    },
}

/// `0,10`.
pub(super) fn bounds(text: &str) -> Result<(f64, f64), String> {
    let wrong = || "two numbers, the first less than the second, such as 0,10".to_owned();
    let (low, high) = text.split_once(',').ok_or_else(wrong)?;
    match (low.trim().parse::<f64>(), high.trim().parse::<f64>()) {
        (Ok(low), Ok(high)) if low.is_finite() && high.is_finite() && low < high => Ok((low, high)),
        _ => Err(wrong()),
    }
}

/// The models of a sequential test, by name.
fn models() -> impl TypedValueParser<Value = SprtModel> {
    PossibleValuesParser::new(["normalised", "logistic"]).try_map(|name| name.parse::<SprtModel>())
}
