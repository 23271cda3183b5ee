//! Match servers and clients.

use crate::{Playable, Registration};

/// Match servers and clients.
pub trait OnlineApi {}

impl<G: Playable> OnlineApi for Registration<G> {}
