//! Static exchange evaluation (SEE): the material result of the captures on one square.
//!
//! Both sides capture with their least valuable piece, promote where they may, and stop when it pays. Sliders
//! behind a piece that has captured join in. Pins are ignored. A king captures only what is not defended.

use tesuji_game::{Game, Side};
use tesuji_shogi::{Bitboard, Move, PieceKind, Shogi, Square};

use super::mate::moved_and_captured;
use super::piece_values::{promotion, swing};

/// An exchange on one square: who may capture next, and what stands there.
struct Exchange<'a> {
    game: &'a Shogi,
    to: Square,
    /// The side that captures next.
    side: Side,
    /// The squares that are still occupied.
    occupied: Bitboard,
    /// The piece on the square.
    standing: PieceKind,
}

impl<'a> Exchange<'a> {
    /// The exchange that a move begins, and what the move itself gains.
    fn begin(game: &'a Shogi, mv: Move) -> (Exchange<'a>, i32) {
        let (kind, captured) = moved_and_captured(game, mv);
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::from_square);
        let mut gain = captured.map_or(0, swing);
        let mut standing = kind;
        if mv.promotes() {
            gain += promotion(kind);
            standing = kind.promoted().unwrap_or(kind);
        }
        let occupied = game.occupied() & !left;
        (Exchange { game, to: mv.to(), side: !game.mover(), occupied, standing }, gain)
    }

    /// The pieces of a side that can capture. Sliders behind a piece that has captured join in.
    fn capturers(&self, side: Side) -> Bitboard {
        self.game.attackers(self.to, side, self.occupied) & self.occupied
    }

    /// Captures with the least valuable piece and returns the gain; `None` if there is none or it is a king that would
    /// be captured.
    fn capture(&mut self) -> Option<i32> {
        let mut least: Option<(i32, Square, PieceKind)> = None;
        for at in self.capturers(self.side) {
            let Some(piece) = self.game.piece(at) else { continue };
            let value = if piece.kind == PieceKind::King { i32::MAX } else { swing(piece.kind) };
            if least.is_none_or(|(other, ..)| value < other) {
                least = Some((value, at, piece.kind));
            }
        }
        let (_, from, kind) = least?;
        self.occupied &= !Bitboard::from_square(from);
        if kind == PieceKind::King && self.capturers(!self.side).any() {
            return None;
        }
        let mut gain = swing(self.standing);
        self.standing = kind;
        if (self.to.in_promotion_zone(self.side) || from.in_promotion_zone(self.side))
            && let Some(promoted) = kind.promoted()
        {
            gain += promotion(kind);
            self.standing = promoted;
        }
        self.side = !self.side;
        Some(gain)
    }
}

/// The result of a legal move and the exchange on its target square, in centipawns for the mover.
#[cfg(test)]
pub(super) fn see(game: &Shogi, mv: Move) -> i32 {
    let (mut exchange, gain) = Exchange::begin(game, mv);
    let mut gains = vec![gain];
    while let Some(gain) = exchange.capture() {
        gains.push(gain);
    }
    // The side to capture takes what it gains less what the other side gains then, or stops.
    let later = gains[1..].iter().rev().fold(0, |later, gain| (gain - later).max(0));
    gains[0] - later
}

/// Whether a legal move and the exchange on its target square gain at least `least`.
pub(super) fn gains_at_least(game: &Shogi, mv: Move, least: i32) -> bool {
    let (mut exchange, gain) = Exchange::begin(game, mv);
    // What the mover has more than asked for. The side that is not content must capture.
    let mut surplus = gain - least;
    if surplus < 0 {
        return false;
    }
    let mut content = true;
    while let Some(gain) = exchange.capture() {
        surplus += if content { -gain } else { gain };
        if content == (surplus >= 0) {
            return content;
        }
        content = !content;
    }
    content
}

/// Whether a legal move loses more than `most` by the exchange on its target square.
#[inline]
pub(super) fn loses_more_than(game: &Shogi, mv: Move, most: i32) -> bool {
    let (kind, captured) = moved_and_captured(game, mv);
    let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
    // At worst the piece itself is lost, and a recapture promotes.
    let worst = swing(standing) - captured.map_or(0, swing);
    if worst <= most && !mv.to().in_promotion_zone(!game.mover()) {
        return false;
    }
    !gains_at_least(game, mv, -most)
}

/// Whether a capture or a promotion loses nothing.
#[inline]
pub(super) fn is_good(game: &Shogi, mv: Move, mover: PieceKind, captured: Option<PieceKind>) -> bool {
    is_even_trade(game, mv, mover, captured) || gains_at_least(game, mv, 0)
}

/// Whether a capture is an even trade at worst, without a look at the recaptures: the captured piece is worth
/// the mover, and the recapture cannot promote.
#[inline]
pub(super) fn is_even_trade(game: &Shogi, mv: Move, mover: PieceKind, captured: Option<PieceKind>) -> bool {
    let standing = if mv.promotes() { mover.promoted().unwrap_or(mover) } else { mover };
    captured.is_some_and(|captured| swing(captured) >= swing(standing)) && !mv.to().in_promotion_zone(!game.mover())
}
