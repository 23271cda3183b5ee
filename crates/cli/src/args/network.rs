//! The arguments of networks: their training, and what is done with their files.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use tesuji_registry::duration;

use super::training::{fraction, not_negative, positive};
use super::{Json, Threads};

/// The options of `tesuji train` that make it train a network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Networks")]
pub(crate) struct NetworkTraining {
    /// Trains a network of this architecture, such as `policy-value:blocks=6,channels=64`, instead of weights.
    #[arg(
        long,
        value_name = "SPEC",
        group = "trained",
        conflicts_with_all = ["eval", "from", "step", "iterations", "stages", "ridge", "smooth", "plain"]
    )]
    pub(crate) net: Option<String>,
    /// Data sets to test on, whose games must not be among those of --data.
    #[arg(long, value_name = "SET", num_args = 1..)]
    pub(crate) test: Vec<PathBuf>,
    /// Tests use at most so many positions.
    #[arg(long, value_name = "N", default_value_t = 50_000, requires = "test", value_parser = value_parser!(u32).range(1..))]
    pub(crate) test_positions: u32,
    /// Takes over the tensors of another network that fit, such as the trunk of a policy network.
    #[arg(long, value_name = "FILE", requires = "net")]
    pub(crate) init: Option<PathBuf>,
    /// Positions of a batch [default: 256, of nnue 8192, of trax 64].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=65_536))]
    pub(crate) batch: Option<u32>,
    /// Peak of the learning rate [default: 0.01, with adamw 0.003, with sgd 0.2, of nnue 0.0015, of trax 0.01].
    #[arg(long, value_name = "X", value_parser = positive)]
    pub(crate) lr: Option<f32>,
    /// Passes over the data [default: 1, of nnue and trax 6].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) epochs: Option<u32>,
    /// Positions to learn, instead of --epochs.
    #[arg(long, value_name = "N", requires = "net", conflicts_with = "epochs", value_parser = value_parser!(u64).range(1..))]
    pub(crate) positions: Option<u64>,
    /// Positions between two evaluations [default: about a twentieth of all].
    #[arg(long, value_name = "N", requires = "net", value_parser = value_parser!(u64).range(1..))]
    pub(crate) eval_every: Option<u64>,
    /// How weights follow their gradients.
    #[arg(long, value_name = "NAME", default_value = "muon", requires = "net")]
    pub(crate) optimizer: OptimizerName,
    /// Momentum of SGD.
    #[arg(long, value_name = "X", default_value_t = 0.9, value_parser = fraction, requires = "net")]
    pub(crate) momentum: f32,
    /// Decay of the weights [default: 0.01, of nnue and trax 0].
    #[arg(long, value_name = "X", value_parser = not_negative)]
    pub(crate) weight_decay: Option<f32>,
    /// Scales gradients with a greater norm down [default: off].
    #[arg(long, value_name = "NORM", value_parser = positive, requires = "net")]
    pub(crate) clip: Option<f32>,
    /// The learning rate over the steps.
    #[arg(long, value_name = "NAME", default_value = "one-cycle", requires = "net")]
    pub(crate) schedule: ScheduleName,
    /// Share of the steps in which the learning rate rises.
    #[arg(long, value_name = "X", default_value_t = 0.15, value_parser = fraction, requires = "net")]
    pub(crate) warm_up: f32,
    /// Share of the result in the win rate to learn; the rest is that of the search values in the data [default: 1, of
    /// nnue 0.25, of trax 0.3].
    #[arg(long, value_name = "X", value_parser = fraction)]
    pub(crate) lambda: Option<f32>,
    /// The search value in the data that means a win rate of 73 %; `tesuji train data` stores it as 600 in every game.
    #[arg(long, value_name = "X", default_value_t = 600.0, value_parser = positive)]
    pub(crate) value_scale: f32,
    /// Weight of the policy in the loss.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative, requires = "net")]
    pub(crate) policy_weight: f32,
    /// Weight of the win rate in the loss.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative, requires = "net")]
    pub(crate) value_weight: f32,
    /// Ends after so many evaluations without a lower loss on the test set, and keeps the best network [default: off].
    #[arg(long, value_name = "N", requires = "test", value_parser = value_parser!(u32).range(1..))]
    pub(crate) patience: Option<u32>,
    /// How numbers are stored in the file.
    #[arg(long, value_name = "NAME", default_value = "f32", requires = "net")]
    pub(crate) precision: PrecisionName,
    /// File that gets a JSON line per evaluation.
    #[arg(long, value_name = "FILE", requires = "net")]
    pub(crate) log: Option<PathBuf>,
}

impl NetworkTraining {
    /// The first option that is given, of those that pattern evaluations do not have.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.test.is_empty(), "--test"),
            (self.batch.is_some(), "--batch"),
            (self.lr.is_some(), "--lr"),
            (self.epochs.is_some(), "--epochs"),
            (self.weight_decay.is_some(), "--weight-decay"),
            (self.lambda.is_some(), "--lambda"),
        ];
        options.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}

/// How weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OptimizerName {
    /// Adam with decoupled weight decay.
    #[value(name = "adamw")]
    AdamW,
    /// Muon for the convolutions, AdamW for everything else.
    Muon,
    /// Stochastic gradient descent with Nesterov's momentum.
    Sgd,
}

/// The learning rate over the steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ScheduleName {
    /// Up from a 25th of the peak, down to nearly zero, along cosines.
    OneCycle,
    /// Up along a line from zero, down along a cosine to zero.
    Cosine,
    /// Always the peak.
    Constant,
}

/// How numbers are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PrecisionName {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
}

#[derive(Debug, Args)]
pub(crate) struct Net {
    #[command(subcommand)]
    pub(crate) verb: NetVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NetVerb {
    /// Describes a network: architecture, encoder, tensors and metadata, after a check of its checksum.
    Show(NetShow),
    /// Evaluates a network on data sets: how often it predicts the move and the winner.
    Eval(NetEval),
    /// Writes a network in another format or precision.
    Convert(NetConvert),
    /// Measures the speed of a network on this machine.
    Bench(NetBench),
}

#[derive(Debug, Args)]
pub(crate) struct NetShow {
    /// The network: safetensors, or ONNX by the ending `.onnx`.
    #[arg(index = 1, value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct NetEval {
    /// The network: safetensors, or ONNX by the ending `.onnx`.
    #[arg(index = 1, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Data sets of positions, which the network must not have been trained on.
    #[arg(long, value_name = "SET", num_args = 1.., required_unless_present = "tablebase")]
    pub(crate) data: Vec<PathBuf>,
    /// Compares with the tablebase in this folder instead: optimal moves of the policy, error of the value.
    #[arg(long, value_name = "DIR", conflicts_with = "data")]
    pub(crate) tablebase: Option<PathBuf>,
    /// With --tablebase: an engine whose moves are compared too; its network is FILE.
    #[arg(long, value_name = "ENGINE", requires = "tablebase")]
    pub(crate) engine: Option<String>,
    /// With --tablebase: seed of the random boards.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "tablebase")]
    pub(crate) seed: u64,
    /// At most so many positions, chosen at random [default: all; 100,000 random boards with --tablebase].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(crate) positions: Option<u32>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct NetConvert {
    /// The network: safetensors, or ONNX by the ending `.onnx`.
    #[arg(index = 1, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The format to write.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: NetFormat,
    /// How numbers are stored; ONNX files have single precision.
    #[arg(long, value_name = "NAME", default_value = "f32")]
    pub(crate) precision: PrecisionName,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct NetBench {
    /// The network: safetensors, or ONNX by the ending `.onnx`.
    #[arg(index = 1, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Positions that are evaluated together.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_values_t = [1, 16, 128],
        value_parser = value_parser!(u32).range(1..=65_536)
    )]
    pub(crate) batch: Vec<u32>,
    /// Time for each batch size.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    pub(crate) time: Duration,
    /// Arithmetic of the convolutions.
    #[arg(long, value_name = "NAME", default_value = "f32")]
    pub(crate) precision: ArithmeticName,
    /// Also measures a tree search with the network, by batch size.
    #[arg(long)]
    pub(crate) search: bool,
    /// Also measures how fast this data set of positions is read.
    #[arg(long, value_name = "SET")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// A format of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum NetFormat {
    /// For other programs, such as ONNX Runtime.
    Onnx,
    /// Our own, which PyTorch reads too.
    Safetensors,
}

/// How a network is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ArithmeticName {
    /// Single precision.
    F32,
    /// bfloat16 on processors with AMX or AVX-512 BF16; elsewhere single precision, with a warning.
    Bf16,
}
