//! The evaluation `material`: piece values, piece-square tables and king safety, in centipawns.

use tesuji_game::{Game, Side};
use tesuji_search::{Eval, Value};
use tesuji_shogi::{Move, Piece, PieceKind, Shogi, Square, Undo};

use super::king_safety::{HELD, danger, guard, pressure};
use super::piece_square::piece_square;
use super::piece_values::HAND;

/// Piece values, piece-square tables and king safety.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Material;

/// Incremental evaluation state: sums over all pieces.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct MaterialSums {
    /// Piece values and piece-square tables, for black.
    score: i32,
    /// The contribution of each side's hand to its attack.
    held: [i32; 2],
    /// The pressure of each side on the other king.
    pressure: [i32; 2],
    /// The defence of each side for its own king.
    guard: [i32; 2],
}

/// The square of each king.
type Kings = [Option<Square>; 2];

fn kings(game: &Shogi) -> Kings {
    Side::BOTH.map(|side| game.king(side))
}

impl MaterialSums {
    /// Adds a piece on a square, or removes it when `sign` is −1.
    #[inline]
    fn count(&mut self, side: Side, kind: PieceKind, at: Square, kings: Kings, sign: i32) {
        self.score += sign * piece_square(side, kind, at);
        if let Some(king) = kings[(!side).index()] {
            self.pressure[side.index()] += sign * pressure(side, kind, at, king);
        }
        if let Some(king) = kings[side.index()] {
            self.guard[side.index()] += sign * guard(side, kind, at, king);
        }
    }

    /// Adds a piece to a hand, or removes it when `sign` is −1.
    #[inline]
    fn hold(&mut self, side: Side, kind: PieceKind, sign: i32) {
        let kind = kind as usize & 7;
        self.score += sign * if side == Side::First { HAND[kind] } else { -HAND[kind] };
        self.held[side.index()] += sign * HELD[kind];
    }

    /// Refreshes the sums that depend on the square of the king of `side`.
    fn refresh_king(&mut self, game: &Shogi, side: Side) {
        let (own, other) = (side.index(), (!side).index());
        (self.guard[own], self.pressure[other]) = (0, 0);
        let Some(king) = game.king(side) else { return };
        for at in Square::all() {
            match game.piece(at) {
                Some(piece) if piece.side == side => self.guard[own] += guard(side, piece.kind, at, king),
                Some(piece) => self.pressure[other] += pressure(!side, piece.kind, at, king),
                None => {}
            }
        }
    }
}

impl Eval<Shogi> for Material {
    type Accumulator = MaterialSums;

    fn begin(&self, game: &Shogi) -> MaterialSums {
        let mut sums = MaterialSums::default();
        let kings = kings(game);
        for at in Square::all() {
            if let Some(Piece { side, kind }) = game.piece(at) {
                sums.count(side, kind, at, kings, 1);
            }
        }
        for side in Side::BOTH {
            for kind in PieceKind::HAND {
                for _ in 0..game.hand(side, kind) {
                    sums.hold(side, kind, 1);
                }
            }
        }
        sums
    }

    #[inline]
    fn advance(&self, accumulator: &MaterialSums, mv: Move, undo: &Undo, after: &Shogi, next: &mut MaterialSums) {
        *next = *accumulator;
        let (side, to) = (!after.mover(), mv.to());
        let kings = kings(after);
        let Some(standing) = after.piece(to).map(|piece| piece.kind) else { return };
        match mv.from() {
            None => next.hold(side, standing, -1),
            Some(from) => {
                let moved = if mv.promotes() { standing.unpromoted() } else { standing };
                next.count(side, moved, from, kings, -1);
                if let Some(taken) = undo.captured() {
                    next.count(!side, taken, to, kings, -1);
                    next.hold(side, taken, 1);
                }
            }
        }
        next.count(side, standing, to, kings, 1);
        if standing == PieceKind::King {
            next.refresh_king(after, side);
        }
    }

    #[inline]
    fn advance_null(&self, accumulator: &MaterialSums, _: &Shogi, next: &mut MaterialSums) {
        *next = *accumulator;
    }

    #[inline]
    fn value(&self, game: &Shogi, accumulator: &MaterialSums) -> Value {
        let attack = |side: Side| {
            let (own, other) = (side.index(), (!side).index());
            danger(accumulator.pressure[own], accumulator.held[own], accumulator.guard[other])
                + accumulator.guard[own] / 2
        };
        let black = accumulator.score + attack(Side::First) - attack(Side::Second);
        Value::estimate(if game.mover() == Side::First { black } else { -black })
    }
}
