//! Attack policies for the tests.

use tesuji_game::{Game, MoveList, Outcome, Side};
use tesuji_search::dfpn::AttackPolicy;
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Variant};

/// Tsume: the attacker gives check with every move; the defender plays any legal move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks;

impl AttackPolicy<Shogi> for Checks {
    fn attacks(&self, game: &mut Shogi, out: &mut Vec<tesuji_shogi::Move>) {
        let mut list = tesuji_shogi::Moves::default();
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

/// Trax: the attacker wins at once or threatens to win in the next turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats;

impl Threats {
    /// Whether a turn on this board completes the attacker's path.
    fn wins_at_once<V: Variant>(game: &mut Trax<V>, attacker: Side) -> bool {
        let mut list = Vec::new();
        game.moves(&mut list);
        list.iter().any(|&mv| {
            let undo = game.play(mv);
            let won = winner(game) == Some(attacker);
            game.undo(undo);
            won
        })
    }
}

fn winner<G: Game>(game: &G) -> Option<Side> {
    game.outcome().and_then(|outcome: Outcome| outcome.winner(game.mover()))
}

impl<V: Variant> AttackPolicy<Trax<V>> for Threats {
    /// The board is the same for both players. A turn that completes only the attacker's path wins for the attacker,
    /// whichever side plays it. So a threat exists if either side to move has such a turn.
    fn attacks(&self, game: &mut Trax<V>, out: &mut Vec<<Trax<V> as Game>::Move>) {
        let attacker = game.mover();
        let mut list = Vec::new();
        game.moves(&mut list);
        let mut quiet = Vec::new();
        for mv in list {
            let undo = game.play(mv);
            match winner(game) {
                Some(side) if side == attacker => out.push(mv),
                Some(_) => {}
                None => quiet.push(mv),
            }
            game.undo(undo);
        }
        // With a win at once there is no need for threats.
        if out.is_empty() {
            out.extend(quiet.into_iter().filter(|&mv| {
                let undo = game.play(mv);
                let threatens = Threats::wins_at_once(game, attacker);
                game.undo(undo);
                threatens
            }));
        }
    }
}

/// Every move is an attack: the whole game tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Everything;

impl<G: Game> AttackPolicy<G> for Everything {
    fn attacks(&self, game: &mut G, out: &mut Vec<G::Move>) {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        out.extend(list.each());
    }
}
