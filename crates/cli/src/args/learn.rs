//! What can be typed about training.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use tesuji_engines::duration;

use super::Json;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Train {
    #[command(subcommand)]
    pub(crate) verb: Option<TrainVerb>,
    /// The game; `tesuji games` lists them.
    #[arg(index = 1, required = true)]
    pub(crate) game: Option<String>,
    /// Data sets made by `tesuji train data` or `tesuji selfplay`.
    #[arg(long, value_name = "SET", num_args = 1.., required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The file the weights go to; pictures of the training go beside it. An earlier run of the same command goes on.
    #[arg(long, value_name = "WEIGHTS", required_unless_present = "eval", conflicts_with = "eval")]
    pub(crate) out: Option<PathBuf>,
    /// Compares evaluations by name and weights by file on the games kept back [default: all that were made by hand].
    #[arg(long, value_name = "NAME|FILE", num_args = 0..)]
    pub(crate) eval: Option<Vec<String>>,
    /// Begins with these weights, and leaves them where the data has nothing to say.
    #[arg(long = "continue", value_name = "FILE", conflicts_with = "eval")]
    pub(crate) from: Option<PathBuf>,
    /// How far each step goes: 1 is to the least error in its direction.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive, conflicts_with = "eval")]
    pub(crate) step: f32,
    /// Steps of each stage.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=100_000), conflicts_with = "eval")]
    pub(crate) iterations: u32,
    /// Only the stages from A to B, both of them too [default: all].
    #[arg(long, value_name = "A..B", value_parser = span, conflicts_with = "eval")]
    pub(crate) stages: Option<RangeInclusive<u32>>,
    /// How many samples it takes to believe in a weight: more holds rare ones back.
    #[arg(long, value_name = "X", default_value_t = 8.0, value_parser = positive, conflicts_with = "eval")]
    pub(crate) ridge: f32,
    /// How much a sample of a neighbouring stage counts: from 0, nothing, to 1.
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = part, conflicts_with = "eval")]
    pub(crate) smooth: f32,
    /// Othello: only the patterns that Edax and Egaroucid have as well, so that `train export` can write their files.
    #[arg(long, conflicts_with = "eval")]
    pub(crate) plain: bool,
    /// Which games are kept back, one in twenty.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// How often the work is saved.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "20s", conflicts_with = "eval")]
    pub(crate) checkpoint: Duration,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrainVerb {
    /// Makes a data set of records: positions with the score of their game.
    Data(TrainData),
    /// Labels positions of data sets by what searches say of them.
    Label(TrainLabel),
    /// Measures how far shallow searches are from deeper ones, and fits what branches are left out by.
    Cuts(TrainCuts),
    /// Writes weights as a file of another program.
    Export(TrainExport),
}

#[derive(Debug, Args)]
pub(crate) struct TrainLabel {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Data sets made by `tesuji train data` or `tesuji selfplay`; their labels are not used.
    #[arg(long, value_name = "SET", num_args = 1.., required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The file the new data set goes to. An earlier run of the same command goes on.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// Weights to search with [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Plies to look ahead.
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = value_parser!(u32).range(1..=30))]
    pub(crate) depth: u32,
    /// How sure searches are of the branches they leave out, in per cent; 100 leaves out nothing.
    #[arg(long, value_name = "PERCENT", default_value_t = 87, value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) sure: u32,
    /// From how many empty squares on positions are solved instead.
    #[arg(long, value_name = "EMPTIES", default_value_t = 0, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: u32,
    /// Only positions of the stages from A to B, both of them too [default: all].
    #[arg(long, value_name = "A..B", value_parser = span)]
    pub(crate) stages: Option<RangeInclusive<u32>>,
    /// Positions of each stage.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) positions: u32,
    /// One position in so many is labelled after a random move, as searches meet them; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) stray: u32,
    /// What chance begins with: which positions are drawn, and which random moves are made.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TrainCuts {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Data sets made by `tesuji train data` or `tesuji selfplay`; only their positions are used.
    #[arg(long, value_name = "SET", num_args = 1.., required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The file the error model goes to.
    #[arg(long, value_name = "CUTS")]
    pub(crate) out: PathBuf,
    /// Weights to search with [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Positions of each stage.
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) positions: u32,
    /// Plies that the deepest search looks ahead.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = value_parser!(u32).range(2..=30))]
    pub(crate) depth: u32,
    /// From how many empty squares on positions are solved as well.
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: u32,
    /// Which positions are drawn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TrainExport {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The weights [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The program that is to read them.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) format: Program,
    /// The file they go to.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// A program that judges by patterns, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Program {
    /// `eval.dat` of Edax 4.
    Edax,
    /// `eval.egev2` of Egaroucid 7.7 and later.
    Egaroucid,
}

#[derive(Debug, Args)]
pub(crate) struct TrainData {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Files of records, or folders of such files.
    #[arg(index = 2, value_name = "FILE|DIR", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file the data set goes to.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// The format of the records [default: found out].
    #[arg(long, value_name = "F")]
    pub(crate) format: Option<String>,
    /// Solves positions with so few empty squares instead of taking the score of their game.
    #[arg(long, value_name = "EMPTIES", default_value_t = 0, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: u32,
    /// Threads that solve [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Selfplay {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Games to play.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) games: u32,
    /// The file the data set goes to. An earlier run of the same command goes on.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// Who plays, by a depth, nodes or play-outs [default: the game's own quick player].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Random plies of an opening: so many, or from A to B.
    #[arg(long, value_name = "N|A..B", default_value = "8..20", value_parser = span)]
    pub(crate) random: RangeInclusive<u32>,
    /// From how many empty squares on positions are labelled with the truth.
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = value_parser!(u32).range(1..=30))]
    pub(crate) solve: u32,
    /// What chance begins with.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

fn number(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

fn positive(text: &str) -> Result<f32, String> {
    let found = number(text).filter(|&number| number > 0.0);
    found.ok_or_else(|| "a number above 0 is needed, such as 0.5".to_owned())
}

fn part(text: &str) -> Result<f32, String> {
    let found = number(text).filter(|number| (0.0..=1.0).contains(number));
    found.ok_or_else(|| "a number from 0 to 1 is needed, such as 0.3".to_owned())
}

/// `8..20` or `12`.
fn span(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("a number or two of them are needed, the smaller first, such as 8..20".to_owned()),
    }
}
