//! What an attacker may try in a search for mate: checks and nothing else.

use tesuji_game::{Game, MoveList};
use tesuji_search::dfpn::Policy;
use tesuji_shogi::{Move, Moves, Shogi};

/// Mate by checks alone, as tsume-shogi has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks;

impl Policy<Shogi> for Checks {
    fn attacks(&self, game: &mut Shogi, out: &mut Vec<Move>) {
        let mut list = Moves::default();
        game.moves(&mut list);
        for mv in list.each() {
            let undo = game.play(mv);
            if game.in_check() {
                out.push(mv);
            }
            game.undo(undo);
        }
    }
}
