//! The threat search: forced wins by attacks alone, found by df-pn.
//!
//! The attacker plays only moves that threaten to win at once and leave the opponent no win of his own; the defender
//! plays everything that may answer. Such a sequence has a dozen attacks and a few answers at every turn, so that it is
//! followed much deeper than all moves are. A win is replayed by the rules, against every legal answer, before it is
//! believed.

use std::cell::RefCell;

use tesuji_game::Game;
use tesuji_search::dfpn::{AttackPolicy, SideToMove};
use tesuji_trax::{Move, Trax, Variant};

/// Attacks without pause.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttacksOnly;

thread_local! {
    /// Room for the keys of moves.
    static KEYS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl<V: Variant> AttackPolicy<Trax<V>> for AttacksOnly {
    const KNOWS_WINS_AT_ONCE: bool = true;

    fn attacks(&self, game: &mut Trax<V>, out: &mut Vec<Move>) {
        match game.win_in_one(game.mover()) {
            Some(win) => out.push(win),
            None => KEYS.with_borrow_mut(|keys| game.initiative_moves(keys, out)),
        }
    }

    fn defences(&self, game: &mut Trax<V>, out: &mut Vec<Move>) {
        match game.win_in_one(!game.mover()) {
            Some(threat) => {
                game.defences(threat, out);
                // Nothing answers: any move shows it.
                if out.is_empty() {
                    game.moves(out);
                    out.truncate(1);
                }
            }
            None => game.moves(out),
        }
    }

    fn win_at_once(&self, game: &mut Trax<V>) -> Option<Move> {
        game.win_in_one(game.mover())
    }

    fn initialize(&self, _: &Trax<V>, side: SideToMove) -> (u32, u32) {
        match side {
            SideToMove::Attacker => (1, 1),
            SideToMove::Defender { .. } => (2, 1),
        }
    }
}
