//! Statistics of records and journals.

use crate::{Playable, Registration};

/// Statistics of records and journals.
pub trait StatsApi {}

impl<G: Playable> StatsApi for Registration<G> {}
