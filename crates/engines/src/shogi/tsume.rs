//! The attack policy of mate searches: every move of the attacker gives check, as in tsume-shogi.
//!
//! Proofs and disproofs are kept with the least and the most that the attacker may hold (the *proof pieces* and
//! *disproof pieces* of the literature). What he does not hold the defender does, who may drop it as an interposition.

use tesuji_game::{Game, MoveList, Side};
use tesuji_search::dfpn::{AttackPolicy, Counts, Holdings};
use tesuji_shogi::{Move, Moves, Shogi, attacks};

use super::mate::{self, Checks};

/// Attacks by checks alone. The defender may play every legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChecksOnly;

impl AttackPolicy<Shogi> for ChecksOnly {
    const ATTACKER_MOVES_LAST: bool = true;
    const KNOWS_WINS_AT_ONCE: bool = true;

    fn attacks(&self, game: &mut Shogi, out: &mut Vec<Move>) {
        let Some(checks) = Checks::new(game) else { return };
        let mut list = Moves::default();
        game.moves(&mut list);
        out.extend(list.each().filter(|&mv| checks.given_by(game, mv)));
    }

    /// Interpositions last, sorted by square.
    fn defences(&self, game: &mut Shogi, out: &mut Vec<Move>) {
        let mut list = Moves::default();
        game.moves(&mut list);
        out.extend(list.each());
        out.sort_by_key(|mv| if mv.is_drop() { 1 + mv.to().index() } else { 0 });
    }

    /// Interpositions on one square: most are captured there, and what refutes one refutes all.
    #[inline]
    fn alike(&self, before: Move, mv: Move) -> bool {
        before.is_drop() && mv.is_drop() && before.to() == mv.to()
    }

    #[inline]
    fn win_at_once(&self, game: &mut Shogi) -> Option<Move> {
        mate::in_one(game)
    }

    /// More in hand never harms the attacker: he has more drops, the defender fewer. A pawn that may not be dropped to
    /// give mate is no exception, since only pieces on the board can answer it.
    #[inline]
    fn holdings(&self, game: &Shogi, attacker: Side) -> Holdings {
        Holdings { rest: game.key_without_hands(), counts: Counts::new(game.hand_counts(attacker)) }
    }

    /// Where an interposition is possible, every piece of a kind that the defender lacks.
    #[inline]
    fn least_held(&self, game: &Shogi, attacker: Side) -> Counts {
        let Some(king) = game.king(!attacker) else { return Counts::NONE };
        let checkers = game.attackers(king, attacker, game.occupied());
        let Some(checker) = checkers.into_iter().next().filter(|_| !checkers.more_than_one()) else {
            return Counts::NONE;
        };
        if attacks::between(king, checker).is_empty() {
            return Counts::NONE;
        }
        let (own, other) = (game.hand_counts(attacker), game.hand_counts(!attacker));
        Counts::new(std::array::from_fn(|kind| if other[kind] == 0 { own[kind] } else { 0 }))
    }

    /// More of what he holds, as long as the defender keeps one; nothing of what he does not hold.
    #[inline]
    fn most_held(&self, game: &Shogi, attacker: Side) -> Counts {
        let (own, other) = (game.hand_counts(attacker), game.hand_counts(!attacker));
        Counts::new(std::array::from_fn(|kind| match own[kind] {
            0 => 0,
            held => held + other[kind].saturating_sub(1),
        }))
    }

    /// The piece to be dropped must be in the defender's hand.
    #[inline]
    fn most_held_for(&self, game: &Shogi, attacker: Side, mv: Move) -> Counts {
        let Some(kind) = mv.dropped() else { return Counts::ALL };
        let kind = kind as usize;
        let held = game.hand_counts(attacker)[kind] + game.hand_counts(!attacker)[kind];
        Counts::ALL.with(kind, held.saturating_sub(1))
    }

    #[inline]
    fn held_before(&self, game: &Shogi, mv: Move, after: Counts) -> Counts {
        let counts = after.get();
        if let Some(kind) = mv.dropped() {
            return after.with(kind as usize, (counts[kind as usize] + 1).min(127));
        }
        match game.piece(mv.to()) {
            Some(taken) => {
                let kind = taken.kind.unpromoted() as usize;
                after.with(kind, counts[kind].saturating_sub(1))
            }
            None => after,
        }
    }
}
