//! Policy and value networks on the CPU, for any game.

// Until the network uses all kernels.
#![allow(dead_code, unused_imports)]

mod kernel;
mod random;

pub use kernel::{Block, InstructionSet};
pub use random::Random;
