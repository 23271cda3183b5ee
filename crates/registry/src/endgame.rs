//! Exact values of single positions.

use crate::{Playable, Registration};

/// Exact values of single positions.
pub trait EndgameApi {}

impl<G: Playable> EndgameApi for Registration<G> {}
