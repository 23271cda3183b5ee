//! Bounds of positions met before. A position is compared whole: equal keys do not make equal positions.

use tesuji_game::Game;

use super::walk::Bounds;

/// One position per place; the later takes it.
#[derive(Debug)]
pub(super) struct Table<G> {
    places: Vec<Option<Kept<G>>>,
}

#[derive(Clone, Debug)]
struct Kept<G> {
    game: G,
    /// Plies that were left to look ahead.
    left: u32,
    bounds: Bounds,
}

impl<G: Game> Table<G> {
    pub(super) fn new(mib: usize) -> Table<G> {
        let count = mib.saturating_mul(1 << 20) / size_of::<Option<Kept<G>>>();
        Table { places: vec![None; count] }
    }

    pub(super) fn is_none(&self) -> bool {
        self.places.is_empty()
    }

    fn place(&self, game: &G) -> usize {
        // Keys of small games are often not stirred well in their upper bits.
        let key = game.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(key ^ key >> 32) * self.places.len() as u128) >> 64) as usize
    }

    /// What is known of a position with so many plies left: everything is possible, at worst.
    pub(super) fn get(&self, game: &G, left: u32) -> Bounds {
        match self.places.get(self.place(game)) {
            Some(Some(kept)) if kept.left == left && kept.game == *game => kept.bounds,
            _ => Bounds::ALL,
        }
    }

    pub(super) fn put(&mut self, game: G, left: u32, bounds: Bounds) {
        let place = self.place(&game);
        if let Some(place) = self.places.get_mut(place) {
            *place = Some(Kept { game, left, bounds });
        }
    }
}
