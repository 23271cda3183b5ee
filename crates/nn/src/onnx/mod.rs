//! ONNX files: every network can be written, and networks of the same shape can be read.
//!
//! The fields of the messages are those of `onnx.proto`, the operators those of opset 17.

mod graph;
mod protobuf;
mod read;
mod write;

use thiserror::Error;

use crate::arch::Encoding;
use crate::network::NetworkError;

pub use read::{read_onnx, read_onnx_for};
pub use write::{OnnxNorms, write_onnx};

/// A file that is not ONNX, or a network that has another shape than ours.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OnnxError {
    /// Not a protocol buffer, or a cut one.
    #[error("this is not an ONNX file, or it is damaged: byte {at}: {problem}")]
    Wire {
        /// Where in the innermost message.
        at: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A part of the model is missing or invalid.
    #[error("the ONNX file has {0}")]
    Model(String),
    /// A network for other planes.
    #[error(
        "the ONNX file belongs to another encoder: its input has {planes} planes of {height}×{width} squares, and the \
         game has {} of {}×{}", expected.planes, expected.height, expected.width
    )]
    Encoder {
        /// The planes of the input.
        planes: usize,
        /// The rows of the input.
        height: usize,
        /// The columns of the input.
        width: usize,
        /// The encoding of the game.
        expected: Encoding,
    },
    /// A network with other labels.
    #[error(
        "the ONNX file belongs to another encoder: its policy has {found} planes of labels, and the game has {expected}"
    )]
    Labels {
        /// The planes of the policy.
        found: usize,
        /// Those of the game.
        expected: usize,
    },
    /// A node that a network of ours does not have at this place.
    #[error("the node {node} ({operator}): {problem}")]
    Node {
        /// The first output of the node.
        node: String,
        /// Its operator.
        operator: String,
        /// What is wrong.
        problem: String,
    },
    /// Tensors that do not fit.
    #[error(transparent)]
    Network(#[from] NetworkError),
}
