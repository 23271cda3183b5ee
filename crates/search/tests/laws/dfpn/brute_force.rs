//! The reference implementation: forced wins by brute force, every attack and every defence to a depth.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, Side};
use tesuji_search::dfpn::AttackPolicy;

/// A full search with a cache of exact positions and remaining depths.
pub(crate) struct BruteForce<'a, G: Game, P> {
    policy: &'a P,
    attacker: Side,
    cache: HashMap<(G, Side, u32), bool>,
}

impl<'a, G: Game, P: AttackPolicy<G>> BruteForce<'a, G, P> {
    pub(crate) fn new(policy: &'a P, attacker: Side) -> BruteForce<'a, G, P> {
        BruteForce { policy, attacker, cache: HashMap::new() }
    }

    /// Whether the attacker wins within `left` plies.
    pub(crate) fn wins(&mut self, game: &mut G, left: u32) -> bool {
        let position = (game.clone(), game.mover(), left);
        if let Some(&known) = self.cache.get(&position) {
            return known;
        }
        let attacking = game.mover() == self.attacker;
        let mut list = Vec::new();
        if attacking {
            self.policy.attacks(game, &mut list);
        } else {
            let mut legal = G::Moves::default();
            game.moves(&mut legal);
            list.extend(legal.each());
        }
        let wins = if list.is_empty() || left == 0 {
            game.outcome() == Some(if attacking { Outcome::Win } else { Outcome::Loss })
        } else {
            let mut after = |mv: G::Move| {
                let undo = game.play(mv);
                let wins = self.wins(game, left - 1);
                game.undo(undo);
                wins
            };
            if attacking { list.into_iter().any(&mut after) } else { list.into_iter().all(&mut after) }
        };
        self.cache.insert(position, wins);
        wins
    }

    /// The length of the shortest win, up to `most`.
    pub(crate) fn shortest(&mut self, game: &mut G, most: u32) -> Option<u32> {
        (0..=most).find(|&plies| self.wins(game, plies))
    }
}
