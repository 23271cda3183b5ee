//! A player that declares the win as soon as the rules grant it.

use tesuji_game::{Claims, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport};

/// Claims where there is something to claim; else asks the engine inside.
pub(super) struct Claimant<G: Claims> {
    pub(super) engine: Box<dyn Engine<G>>,
}

impl<G: Claims> Engine<G> for Claimant<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_none() && record.now().claim(&record.path().rules) {
            return Choice::Claim;
        }
        self.engine.think(record, limits, stop, watch)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        self.engine.root_visits()
    }
}
