//! A game on the command line.

use tesuji_registry::{GameHandle, Playable, Registration};

/// A game on the command line, behind the registry.
pub struct Entry(GameHandle);

impl Entry {
    /// A game with no more than its rules, notation, formats and board.
    pub fn of<G: Playable>(about: &'static str) -> Entry {
        Entry(Registration::<G>::new(about).handle())
    }

    pub(crate) fn name(&self) -> &'static str {
        self.0.name()
    }

    pub(crate) fn handle(&self) -> &GameHandle {
        &self.0
    }
}

/// The games that ship with tesuji, in the order they are listed.
pub fn shipped() -> Vec<Entry> {
    tesuji_registry::shipped().games().iter().cloned().map(Entry).collect()
}
