//! Analysis of positions and games, and the best move.

use crate::{Playable, Registration};

/// Analysis of positions and games, and the best move.
pub trait AnalysisApi {}

impl<G: Playable> AnalysisApi for Registration<G> {}
