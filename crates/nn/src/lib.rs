//! Policy and value networks on the CPU, for any game: architectures by spec, inference and training with kernels of
//! our own, and files.
//!
//! A game gives an [`Encoding`] and [`Planes`]; this crate knows neither rules nor moves. An [`Architecture`] and an
//! encoding make a [`Network`], and an [`Evaluator`] computes logits and win rates with it. A
//! [`Trainer`] changes its weights.

mod arch;
mod file;
mod foreign;
pub mod fuzz;
mod half;
mod infer;
mod kernel;
mod network;
mod onnx;
mod random;
mod safetensors;
mod train;

pub use arch::{Architecture, ArchitectureError, Encoding, Trunk, ValueShape};
pub use file::{NetworkFile, NetworkFileError, sha256};
pub use infer::{Arithmetic, Evaluation, Evaluator, EvaluatorBuffers, Planes};
pub use kernel::InstructionSet;
pub use network::{Network, NetworkError, Role, Tensor};
pub use onnx::{OnnxError, OnnxNorms, read_onnx, read_onnx_for, write_onnx};
pub use random::Random;
pub use safetensors::{NamedArray, Precision, Safetensors, SafetensorsError};
pub use train::{
    Batch, Checkpoint, Metrics, Moments, Optimizer, PolicyTargets, Schedule, Step, Trainer, TrainingError,
    TrainingOptions,
};
