//! Arguments of `improve`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_registry::duration;

use super::compete::bounds;
use super::training::{fraction, not_negative, positive, span};
use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct Improve {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Generations in all; those of an earlier run of the same command count.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) generations: u32,
    /// Folder for games, networks, matches and curves. Continues an earlier run of the same command.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Improves a network of this architecture [default: policy-value:blocks=4,channels=32; in trax, the weights of its
    /// evaluation; in shogi with --engine alphabeta, its evaluation nnue].
    #[arg(long, value_name = "SPEC")]
    pub(crate) net: Option<String>,
    /// Network or weights to begin with [default: random weights; in trax and of nnue those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) init: Option<PathBuf>,
    /// Also measures every generation by the tablebase in this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) tablebase: Option<PathBuf>,
    /// Random boards of the tablebase to measure by.
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "tablebase", value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) tablebase_positions: u32,
    /// Seed of everything random.
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
    pub(crate) self_play: ImproveSelfPlay,
    #[command(flatten)]
    pub(crate) training: ImproveTraining,
    #[command(flatten)]
    pub(crate) gate: ImproveGate,
}

/// How games are played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Self-play")]
pub(crate) struct ImproveSelfPlay {
    /// Games of each generation.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=100_000_000))]
    pub(crate) games: u32,
    /// The engine of both sides; its network or weights are the best so far [default: puct:playouts=200; for weights
    /// alphabeta:nodes=2500,hash=1].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Share of Dirichlet noise in the priors of the root.
    #[arg(long, value_name = "X", default_value_t = 0.25, value_parser = fraction)]
    pub(crate) noise: f32,
    /// Temperature of the visit counts by which the first moves are sampled.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    pub(crate) temperature: f32,
    /// So many plies are sampled; then the move with the most visits is played.
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    pub(crate) sample: u32,
    /// Random plies before the engine plays: a number, or from A to B [default: 0; for weights and nnue 1..8].
    #[arg(long, value_name = "N|A..B", value_parser = span)]
    pub(crate) random: Option<RangeInclusive<u32>>,
    /// For weights and nnue: share of later moves that are random [default: 0.02].
    #[arg(long, value_name = "X", value_parser = fraction)]
    pub(crate) random_moves: Option<f32>,
    /// A file of start positions, one per line, for self-play and gate [default: the usual start].
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// A game of self-play of so many plies is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 512, value_parser = value_parser!(u32).range(1..=65_535))]
    pub(crate) longest: u32,
}

/// How networks are trained.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct ImproveTraining {
    /// Generations whose games are learned, the newest ones.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) window: u32,
    /// Passes over these games [default: 1; of weights and nnue 6].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) epochs: Option<u32>,
    /// Positions of a batch [default: 256; of weights 64, of nnue 8192].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=65_536))]
    pub(crate) batch: Option<u32>,
    /// Peak of the learning rate [default: 0.003; of weights 0.01, of nnue 0.0015].
    #[arg(long, value_name = "X", value_parser = positive)]
    pub(crate) lr: Option<f32>,
    /// Decay of the weights [default: 0.01; of weights and nnue 0].
    #[arg(long, value_name = "X", value_parser = not_negative)]
    pub(crate) weight_decay: Option<f32>,
    /// Share of the result in the win rate to learn; the rest is the value of the search [default: 1; of weights 0.3, of nnue
    /// 0.25].
    #[arg(long, value_name = "X", value_parser = fraction)]
    pub(crate) lambda: Option<f32>,
    /// For weights and nnue: data sets that are learned besides the games of the generations.
    #[arg(long, value_name = "SET", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// For weights and nnue: data sets of other games on which the loss of every generation is told.
    #[arg(long, value_name = "SET", num_args = 1..)]
    pub(crate) test: Vec<PathBuf>,
}

/// When a network takes the place of the best before it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate")]
pub(crate) struct ImproveGate {
    /// Games of the match against the best network so far; at most so many with --sprt.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(2..=10_000_000))]
    pub(crate) gate_games: u32,
    /// Share of the points that a new network needs.
    #[arg(long, value_name = "X", default_value_t = 0.55, value_parser = fraction)]
    pub(crate) gate_score: f32,
    /// Decides by a sequential test (SPRT) of the hypotheses ELO0 and ELO1 instead, as in `0,50`.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = bounds, allow_hyphen_values = true, conflicts_with = "gate_score")]
    pub(crate) sprt: Option<(f64, f64)>,
    /// Accepts every network without a match.
    #[arg(long, conflicts_with_all = ["gate_games", "gate_score", "sprt", "gate_engine", "gate_plies"])]
    pub(crate) no_gate: bool,
    /// The engine of both sides in the match [default: that of self-play, without noise].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) gate_engine: Option<String>,
    /// Random plies of an opening of the match [default: depends on the game; 0 with --openings].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(0..=400))]
    pub(crate) gate_plies: Option<u16>,
}
