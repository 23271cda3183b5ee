//! The protocols that players' programs speak: text to commands and back, nothing else. No pipe is opened
//! here and no clock read.

pub mod gtp;
pub mod nboard;
pub mod reversi;
pub mod trax;
pub mod usi;
