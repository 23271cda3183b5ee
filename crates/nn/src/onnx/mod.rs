//! ONNX files: every network can be written, and networks of the same shape can be read.
//!
//! The fields of the messages are those of `onnx.proto`, the operators those of opset 17.

mod graph;
mod protobuf;
mod read;
mod write;

use thiserror::Error;

use crate::network::NetworkError;

pub use read::read_onnx;
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
