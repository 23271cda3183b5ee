//! Verdicts over a whole game: repetition, perpetual check, the limit of moves, and declarations.

use tesuji_game::{Claims, Ending, Game, Outcome, Path, Side};

use crate::bitboard::Bitboard;
use crate::board::PieceClass;
use crate::tables::{KING, NO_KING};
use crate::{PieceKind, Shogi, Square};

/// Options that only the verdict depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What a player whose king has entered the enemy camp may declare.
    pub declaration: Declaration,
    /// After how many plies the game is a draw.
    pub move_limit: Option<usize>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { declaration: Declaration::Points27, move_limit: None }
    }
}

/// The rules for a king that has entered the enemy camp. All but the last ask for a king in the camp (the
/// three far ranks), no check, and ten other own pieces in the camp; these and the pieces in hand are worth
/// 5 points for rook and bishop, 1 for the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// Nothing can be declared.
    None,
    /// 31 points win, for both sides.
    Points24,
    /// 28 points win for black, 27 for white.
    Points27,
    /// The king wins by reaching the square where the other king started.
    Try,
}

/// The verdict on a game that came this way.
pub(crate) fn ending(now: &Shogi, path: &Path<Shogi>) -> Option<Ending> {
    let mover = now.mover();
    if let Some(outcome) = now.outcome() {
        let reason = if now.in_check() { "checkmate" } else { "no-moves" };
        return Some(Ending { winner: outcome.winner(mover), reason });
    }
    if let Some(repetition) = path.repetition().filter(|repetition| repetition.times >= 4) {
        return Some(match repetition.checker {
            Some(checker) => Ending { winner: Some(!checker), reason: "perpetual-check" },
            None => Ending { winner: None, reason: "repetition" },
        });
    }
    let reached = path.rules.move_limit.is_some_and(|limit| path.plies() >= limit);
    reached.then_some(Ending { winner: Outcome::Draw.winner(mover), reason: "move-limit" })
}

impl Claims for Shogi {
    fn claim(&self, rules: &Rules) -> bool {
        let black = self.mover() == Side::First;
        match rules.declaration {
            Declaration::None => false,
            Declaration::Points24 => self.camp_points().is_some_and(|points| points >= 31),
            Declaration::Points27 => {
                self.camp_points().is_some_and(|points| points >= if black { 28 } else { 27 })
            }
            Declaration::Try => self.reaches_throne(),
        }
    }
}

impl Shogi {
    /// The points the mover could declare; `None` when the conditions other than points do not hold.
    fn camp_points(&self) -> Option<u64> {
        let (side, board) = (self.mover(), &self.board);
        let camp = match side {
            Side::First => Bitboard::ranks(0b111),
            Side::Second => Bitboard::ranks(0b111_000_000),
        };
        let king = board.king(side);
        let entered = board.side(side) & camp;
        // The king counts among those in the camp.
        if king == NO_KING || !camp.has(king) || entered.count() < 11 || self.in_check() {
            return None;
        }
        let big = [PieceClass::Bishop, PieceClass::Rook, PieceClass::Horse, PieceClass::Dragon];
        let big_entered: u64 = big.into_iter().map(|class| (entered & board.set(class)).count()).sum();
        let held: u64 = PieceKind::HAND.into_iter().map(|kind| u64::from(board.hand(side, kind))).sum();
        let big_held = u64::from(board.hand(side, PieceKind::Bishop) + board.hand(side, PieceKind::Rook));
        Some(entered.count() - 1 + held + 4 * (big_entered + big_held))
    }

    /// Whether the mover's king stands where the other king started, or can step there.
    fn reaches_throne(&self) -> bool {
        let side = self.mover();
        let rank = if side == Side::First { 1 } else { 9 };
        let Some(throne) = Square::new(5, rank) else { return false };
        let (king, throne) = (self.board.king(side), throne.index());
        if king == NO_KING {
            return false;
        }
        let steps = (KING[king] & !self.board.side(side)).has(throne);
        let away = self.board.occupied() ^ Bitboard::one(king);
        king == throne || steps && self.board.attackers(throne, !side, away).is_empty()
    }
}
