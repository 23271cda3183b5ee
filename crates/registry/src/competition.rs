//! Matches and tournaments.

use crate::{Playable, Registration};

/// Matches and tournaments.
pub trait CompetitionApi {}

impl<G: Playable> CompetitionApi for Registration<G> {}
