//! Interactive play.

use crate::{Playable, Registration};

/// Interactive play.
pub trait SessionApi {}

impl<G: Playable> SessionApi for Registration<G> {}
