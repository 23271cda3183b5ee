//! Levels of play.

pub use tesuji_engines::LevelInfo;

use crate::{Playable, Registration};

/// Levels of play, from 1 (first steps) to 10 (full strength).
pub trait LevelApi {
    /// The levels with their meaning. [`SearchLimits::level`](crate::SearchLimits::level) selects one in every request
    /// that searches.
    fn levels(&self) -> Vec<LevelInfo>;
}

impl<G: Playable> LevelApi for Registration<G> {
    fn levels(&self) -> Vec<LevelInfo> {
        LevelInfo::of(self.engines.levels)
    }
}
