//! The arguments of training and self-play.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use tesuji_registry::duration;

use super::{Json, NetworkTraining, Threads};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Train {
    #[command(subcommand)]
    pub(crate) verb: Option<TrainVerb>,
    /// The game; `tesuji games` lists them.
    #[arg(index = 1, required = true)]
    pub(crate) game: Option<String>,
    /// Data sets made by `tesuji train data` or `tesuji selfplay`.
    #[arg(long, value_name = "SET", num_args = 1.., required_unless_present = "records")]
    pub(crate) data: Vec<PathBuf>,
    /// Tells how often an evaluation predicts the moves of these records, one ply ahead: the weights of --eval, or those
    /// that ship. For trax.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["data", "out", "net"])]
    pub(crate) records: Vec<PathBuf>,
    /// File for the weights or the network; charts of the training are written beside it. Continues an earlier run of
    /// the same command.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["eval", "records"])]
    pub(crate) out: Option<PathBuf>,
    /// Compares evaluations by name and weights by file on the held-out set [default: all hand-written evaluations]. With
    /// --out, trains a network for the evaluation of this name: `nnue` of shogi.
    #[arg(long, value_name = "NAME|FILE", num_args = 0.., group = "trained")]
    pub(crate) eval: Option<Vec<String>>,
    /// Starts with these weights; those without samples stay unchanged.
    #[arg(long = "continue", value_name = "FILE", conflicts_with = "eval")]
    pub(crate) from: Option<PathBuf>,
    /// Step length: 1 goes to the minimum of each line search.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive, conflicts_with = "eval")]
    pub(crate) step: f32,
    /// Iterations for each stage.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=100_000), conflicts_with = "eval")]
    pub(crate) iterations: u32,
    /// Only the stages from A to B inclusive [default: all].
    #[arg(long, value_name = "A..B", value_parser = span, conflicts_with = "eval")]
    pub(crate) stages: Option<RangeInclusive<u32>>,
    /// Regularisation in samples: a larger value limits the weights of rare features.
    #[arg(long, value_name = "X", default_value_t = 8.0, value_parser = positive, conflicts_with = "eval")]
    pub(crate) ridge: f32,
    /// Weight of a sample of an adjacent stage, from 0 to 1.
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = fraction, conflicts_with = "eval")]
    pub(crate) smooth: f32,
    /// Othello: only patterns that Edax and Egaroucid also have, so that `train export` can write their files.
    #[arg(long, conflicts_with = "eval")]
    pub(crate) plain: bool,
    /// Selects the held-out set of weights, one game in twenty; of a network: the first weights and the order of positions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Interval of checkpoints.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "20s")]
    pub(crate) checkpoint: Duration,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) network: NetworkTraining,
}

impl Train {
    /// The game of the command or of its subcommand.
    pub(crate) fn game_name(&self) -> &str {
        match &self.verb {
            Some(TrainVerb::Data(data)) => &data.game,
            Some(TrainVerb::Label(label)) => &label.searched.game,
            Some(TrainVerb::Probcut(probcut)) => &probcut.searched.game,
            Some(TrainVerb::Export(export)) => &export.game,
            None => self.game.as_deref().unwrap_or_default(),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrainVerb {
    /// Makes a data set from records, for weights or for networks.
    Data(TrainData),
    /// Labels positions of data sets by search.
    Label(TrainLabel),
    /// Measures how far shallow searches are from deeper ones, and fits the parameters of Multi-ProbCut.
    #[command(alias = "cuts")]
    Probcut(TrainProbCut),
    /// Writes weights as a file of another program.
    Export(TrainExport),
}

/// Positions of data sets that are searched again.
#[derive(Debug, Args)]
pub(crate) struct Searched {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Data sets made by `tesuji train data` or `tesuji selfplay`; only their positions are used.
    #[arg(long, value_name = "SET", num_args = 1.., required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// Weights to search with [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Seed of the drawn positions and of random moves.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Size of the transposition table of each search in MiB [default: 1 to label, 4 to measure].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TrainLabel {
    #[command(flatten)]
    pub(crate) searched: Searched,
    /// File for the new data set. Continues an earlier run of the same command.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// Search depth.
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = value_parser!(u32).range(1..=30))]
    pub(crate) depth: u32,
    /// Selectivity of the search, as a confidence in percent; 100 makes no ProbCut.
    #[arg(long, value_name = "PERCENT", default_value_t = 87, value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) sure: u32,
    /// Solves positions with at most this many empty squares.
    #[arg(long, value_name = "EMPTIES", default_value_t = 0, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: u32,
    /// Only positions of the stages from A to B inclusive [default: all].
    #[arg(long, value_name = "A..B", value_parser = span)]
    pub(crate) stages: Option<RangeInclusive<u32>>,
    /// Positions per stage.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) positions: u32,
    /// Labels one position in N after a random move, since searches meet such positions; 0 for none.
    #[arg(long, alias = "stray", value_name = "N", default_value_t = 2)]
    pub(crate) random_move_rate: u32,
}

#[derive(Debug, Args)]
pub(crate) struct TrainProbCut {
    #[command(flatten)]
    pub(crate) searched: Searched,
    /// File for the parameters.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Positions per stage.
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) positions: u32,
    /// Depth of the deepest search.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = value_parser!(u32).range(2..=30))]
    pub(crate) depth: u32,
    /// Also solves positions with at most this many empty squares.
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: u32,
}

#[derive(Debug, Args)]
pub(crate) struct TrainExport {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The weights [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The program that will read them.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) format: Program,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Another program with a pattern evaluation.
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
    /// Files of records, folders and lists of such files. For networks also data sets of positions and, for shogi, files
    /// that end in .hcpe or .psv.
    #[arg(index = 2, value_name = "FILE|DIR", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File for the data set.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// What will be trained: the weights of a pattern evaluation, or a network [default: weights where the game has
    /// them].
    #[arg(long = "for", value_name = "WHAT")]
    pub(crate) purpose: Option<DataPurpose>,
    /// Format of the records [default: detected].
    #[arg(long, value_name = "F")]
    pub(crate) format: Option<String>,
    /// For networks: the format of the new file, `set`, or for shogi `hcpe` or `psv` [default: set].
    #[arg(long, value_name = "F")]
    pub(crate) to: Option<String>,
    /// For weights: solves positions with at most this many empty squares; others get the score of their game [default:
    /// 0].
    #[arg(long, value_name = "EMPTIES", value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) solve: Option<u32>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// For weights: size of the transposition table of each solver in MiB [default: 2].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20), requires = "solve")]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// What a data set is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DataPurpose {
    /// A network: positions with moves, results, values and visit counts.
    Net,
    /// Weights: those of a pattern evaluation learn positions with scores, those of trax and the evaluation nnue of shogi
    /// positions with search values and results.
    Weights,
}

#[derive(Debug, Args)]
pub(crate) struct Selfplay {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) games: u32,
    /// File for the data set. Continues an earlier run of the same command.
    #[arg(long, value_name = "SET")]
    pub(crate) out: PathBuf,
    /// The engine, limited by depth, nodes or playouts; a network learns from puct or uct [default: a fast one of the
    /// game].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// What will be trained [default: a network with puct and in games without weights, else the weights; in shogi the
    /// evaluation nnue with alphabeta].
    #[arg(long = "for", value_name = "WHAT")]
    pub(crate) purpose: Option<DataPurpose>,
    /// Random plies of an opening: a number, or from A to B [default: 8..20 for weights, 1..8 for those of trax and for
    /// nnue, 0 for networks].
    #[arg(long, value_name = "N|A..B", value_parser = span)]
    pub(crate) random: Option<RangeInclusive<u32>>,
    /// For weights of trax and for nnue: share of later moves that are random [default: 0.02].
    #[arg(long, value_name = "X", value_parser = fraction)]
    pub(crate) random_moves: Option<f32>,
    /// For weights: solves positions with at most this many empty squares [default: 20].
    #[arg(long, value_name = "EMPTIES", value_parser = value_parser!(u32).range(1..=30))]
    pub(crate) solve: Option<u32>,
    /// For networks: the share of Dirichlet noise in the priors of the root, for puct.
    #[arg(long, value_name = "X", default_value_t = 0.25, value_parser = fraction)]
    pub(crate) noise: f32,
    /// For networks: the temperature of the visit counts by which the first moves are sampled.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    pub(crate) temperature: f32,
    /// For networks: so many plies are sampled; then the move with the most visits is played.
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    pub(crate) sample: u32,
    /// For networks: a game of so many plies is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 512, value_parser = value_parser!(u32).range(1..=65_535))]
    pub(crate) longest: u32,
    /// For networks: the start position [default: the usual one].
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// For networks and nnue: a file of start positions, one per line; every game begins at one of them.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) openings: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Size of the transposition tables of each game in MiB, where the engine does not name it; of uct and puct, the memory limit of
    /// the tree [default: the engine's own; 8 to solve positions].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

fn number(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

pub(super) fn positive(text: &str) -> Result<f32, String> {
    let found = number(text).filter(|&number| number > 0.0);
    found.ok_or_else(|| "expected a number above 0, such as 0.5".to_owned())
}

pub(super) fn not_negative(text: &str) -> Result<f32, String> {
    let found = number(text).filter(|&number| number >= 0.0);
    found.ok_or_else(|| "expected a number that is not negative, such as 0.01".to_owned())
}

pub(super) fn fraction(text: &str) -> Result<f32, String> {
    let found = number(text).filter(|number| (0.0..=1.0).contains(number));
    found.ok_or_else(|| "expected a number from 0 to 1, such as 0.3".to_owned())
}

/// `8..20` or `12`.
pub(super) fn span(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("expected a number, or two of them, the smaller first, such as 8..20".to_owned()),
    }
}
