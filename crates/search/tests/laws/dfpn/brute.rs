//! Forced wins by brute force: every attack, every defence, to a depth. No table, no proof numbers.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, Side};
use tesuji_search::dfpn::AttackPolicy;

/// A search by the letter; positions with so many plies left are remembered whole.
pub(crate) struct Brute<'a, G: Game, P> {
    policy: &'a P,
    attacker: Side,
    known: HashMap<(G, Side, u32), bool>,
}

impl<'a, G: Game, P: AttackPolicy<G>> Brute<'a, G, P> {
    pub(crate) fn new(policy: &'a P, attacker: Side) -> Brute<'a, G, P> {
        Brute { policy, attacker, known: HashMap::new() }
    }

    /// Whether the attacker wins within `left` plies.
    pub(crate) fn wins(&mut self, game: &mut G, left: u32) -> bool {
        let name = (game.clone(), game.mover(), left);
        if let Some(&known) = self.known.get(&name) {
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
        self.known.insert(name, wins);
        wins
    }

    /// The least number of plies the attacker wins in, up to `most`.
    pub(crate) fn shortest(&mut self, game: &mut G, most: u32) -> Option<u32> {
        (0..=most).find(|&plies| self.wins(game, plies))
    }
}
