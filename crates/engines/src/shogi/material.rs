//! The evaluation `material`: pieces, where they stand, and how safe the kings are, in centipawns.

use tesuji_game::{Game, Side};
use tesuji_search::{Eval, Value};
use tesuji_shogi::{Kind, Move, Shogi, Undo};

use super::geometry::{OFF, number, piece, square};
use super::king::{HELD, danger, guard, pressure};
use super::places::placed;
use super::worth::HAND;

/// Pieces on the board and in hand, their places, and the safety of the kings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Material;

/// Sums over all pieces, kept in step with the moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Sums {
    /// Pieces and places, seen by black.
    score: i32,
    /// What each side's pieces in hand add to its attack.
    held: [i32; 2],
    /// How much each side bears on the other king.
    pressure: [i32; 2],
    /// How much each side guards its own king.
    guard: [i32; 2],
}

/// The square of each king, where it is on the board.
type Kings = [Option<usize>; 2];

fn kings(game: &Shogi) -> Kings {
    Side::BOTH.map(|side| game.king(side).map(number))
}

impl Sums {
    /// A piece comes to a square, or leaves it when `sign` is −1.
    #[inline]
    fn count(&mut self, side: Side, kind: Kind, at: usize, kings: Kings, sign: i32) {
        self.score += sign * placed(side, kind, at);
        if let Some(king) = kings[(!side).index()] {
            self.pressure[side.index()] += sign * pressure(side, kind, at, king);
        }
        if let Some(king) = kings[side.index()] {
            self.guard[side.index()] += sign * guard(side, kind, at, king);
        }
    }

    /// A piece comes to a hand, or leaves it when `sign` is −1.
    #[inline]
    fn hold(&mut self, side: Side, kind: Kind, sign: i32) {
        let kind = kind as usize & 7;
        self.score += sign * if side == Side::First { HAND[kind] } else { -HAND[kind] };
        self.held[side.index()] += sign * HELD[kind];
    }

    /// Sums up anew what depends on where the king of `side` stands.
    fn look_at_king(&mut self, game: &Shogi, side: Side) {
        let (own, other) = (side.index(), (!side).index());
        (self.guard[own], self.pressure[other]) = (0, 0);
        let Some(king) = game.king(side).map(number) else { return };
        for at in (0..OFF).filter(|at| at % 10 != 9) {
            match piece(game, at) {
                Some((owner, kind)) if owner == side => self.guard[own] += guard(side, kind, at, king),
                Some((_, kind)) => self.pressure[other] += pressure(!side, kind, at, king),
                None => {}
            }
        }
    }
}

impl Eval<Shogi> for Material {
    type Accumulator = Sums;

    fn begin(&self, game: &Shogi) -> Sums {
        let mut sums = Sums::default();
        let kings = kings(game);
        for at in (0..OFF).filter(|at| at % 10 != 9) {
            if let Some((side, kind)) = piece(game, at) {
                sums.count(side, kind, at, kings, 1);
            }
        }
        for side in Side::BOTH {
            for kind in Kind::HAND {
                for _ in 0..game.hand(side, kind) {
                    sums.hold(side, kind, 1);
                }
            }
        }
        sums
    }

    #[inline]
    fn advance(&self, accumulator: &Sums, mv: Move, undo: &Undo, after: &Shogi, next: &mut Sums) {
        *next = *accumulator;
        let (side, to) = (!after.mover(), number(mv.to()));
        let kings = kings(after);
        let Some(standing) = after.piece(square(to)).map(|piece| piece.kind) else { return };
        match mv.from().map(number) {
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
        if standing == Kind::King {
            next.look_at_king(after, side);
        }
    }

    #[inline]
    fn advance_null(&self, accumulator: &Sums, _: &Shogi, next: &mut Sums) {
        *next = *accumulator;
    }

    #[inline]
    fn value(&self, game: &Shogi, accumulator: &Sums) -> Value {
        let attack = |side: Side| {
            let (own, other) = (side.index(), (!side).index());
            danger(accumulator.pressure[own], accumulator.held[own], accumulator.guard[other])
                + accumulator.guard[own] / 2
        };
        let black = accumulator.score + attack(Side::First) - attack(Side::Second);
        Value::estimate(if game.mover() == Side::First { black } else { -black })
    }
}
