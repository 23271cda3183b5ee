//! Opening books.

use crate::{Playable, Registration};

/// Opening books.
pub trait BookApi {}

impl<G: Playable> BookApi for Registration<G> {}
