//! Protocols by which other programs use our engines.

use crate::{Playable, Registration};

/// Protocols by which other programs use our engines.
pub trait ProtocolApi {}

impl<G: Playable> ProtocolApi for Registration<G> {}
