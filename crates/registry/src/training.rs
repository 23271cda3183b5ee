//! Self-play, data sets and training.

use crate::{Playable, Registration};

/// Self-play, data sets and training.
pub trait TrainingApi {}

impl<G: Playable> TrainingApi for Registration<G> {}
