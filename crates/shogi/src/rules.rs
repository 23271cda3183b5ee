//! Rules about whole games: repetition (sennichite), perpetual check, move limits and declarations (nyugyoku).

use tesuji_game::{Claims, Ending, Game, Outcome, Path, Side};

use crate::bitboard::Bitboard;
use crate::board::PieceClass;
use crate::tables::{KING, NO_KING};
use crate::{PieceKind, Shogi, Square};

/// Options that only the result depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The declaration rule for a king that has entered the enemy camp.
    pub declaration: Declaration,
    /// The number of plies after which the game is drawn.
    pub move_limit: Option<usize>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { declaration: Declaration::Points27, move_limit: None }
    }
}

/// Declaration rules. The point rules require a king in the enemy camp (the three far ranks) that is not in check, and ten
/// other own pieces in the camp. These and the pieces in hand count: 5 points for rook and bishop, 1 for the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// No declaration.
    None,
    /// 31 points win, for both sides.
    Points24,
    /// 28 points win for black, 27 for white.
    Points27,
    /// The try rule: the king wins by reaching the start square of the other king.
    Try,
}

/// The result of a game with this history.
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
            Declaration::Points27 => self.camp_points().is_some_and(|points| points >= if black { 28 } else { 27 }),
            Declaration::Try => self.reaches_try_square(),
        }
    }
}

impl Shogi {
    /// The points of the mover for a declaration; `None` when the other conditions are not met.
    fn camp_points(&self) -> Option<u64> {
        let (side, board) = (self.mover(), &self.board);
        let camp = match side {
            Side::First => Bitboard::ranks(0b111),
            Side::Second => Bitboard::ranks(0b111_000_000),
        };
        let king = board.king(side);
        let entered = board.side(side) & camp;
        // The king is one of the eleven.
        if king == NO_KING || !camp.has(king) || entered.count() < 11 || self.in_check() {
            return None;
        }
        let big = [PieceClass::Bishop, PieceClass::Rook, PieceClass::Horse, PieceClass::Dragon];
        let big_entered: u64 = big.into_iter().map(|class| (entered & board.set(class)).count()).sum();
        let held: u64 = PieceKind::HAND.into_iter().map(|kind| u64::from(board.hand(side, kind))).sum();
        let big_held = u64::from(board.hand(side, PieceKind::Bishop) + board.hand(side, PieceKind::Rook));
        Some(entered.count() - 1 + held + 4 * (big_entered + big_held))
    }

    /// Whether the mover's king is on the start square of the other king, or can step there.
    fn reaches_try_square(&self) -> bool {
        let side = self.mover();
        let rank = if side == Side::First { 1 } else { 9 };
        let Some(target) = Square::new(5, rank) else { return false };
        let (king, target) = (self.board.king(side), target.index());
        if king == NO_KING {
            return false;
        }
        let steps = (KING[king] & !self.board.side(side)).has(target);
        let away = self.board.occupied() ^ Bitboard::one(king);
        king == target || steps && self.board.attackers(target, !side, away).is_empty()
    }
}
