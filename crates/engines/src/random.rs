//! The random mover.

use tesuji_game::{Game, MoveList, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng, SearchReport};

/// Plays a random legal move; reproducible by its seed.
#[derive(Clone, Debug)]
pub struct RandomMover {
    rng: Rng,
}

impl RandomMover {
    /// A random mover with this seed.
    pub fn new(seed: u64) -> RandomMover {
        RandomMover { rng: Rng::new(seed) }
    }
}

impl<G: Game> Engine<G> for RandomMover {
    fn think(
        &mut self,
        record: &Record<G>,
        _: &Limits,
        _: &CancelToken,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_some() {
            return Choice::Over;
        }
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        let chosen = list.each().nth(self.rng.below(list.len().max(1)));
        chosen.map_or(Choice::Over, |mv| Choice::Move { mv, reply: None })
    }
}
