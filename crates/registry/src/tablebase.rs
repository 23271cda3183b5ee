//! Tablebases of whole games: build, query, verify.

use crate::{Playable, Registration};

/// Tablebases of whole games: build, query, verify.
pub trait TablebaseApi {}

impl<G: Playable> TablebaseApi for Registration<G> {}
