//! Playing and undoing a move on a scratch copy of the board, to count the replies.
//!
//! Both functions read from the unchanged original, so that no write waits for an earlier one.

use super::{Board, Code, PROMOTION, class};
use crate::side::StaticSide;
use crate::tables::ONE;
use crate::{Move, PieceKind};

impl Board {
    /// Applies a move of `C` to this copy of `before`, as far as counting replies needs it: the sets, the hand and the
    /// king's square. The squares, the key and the mover stay.
    #[inline(always)]
    pub(crate) fn apply<C: StaticSide>(&mut self, before: &Board, mv: Move) {
        let side = C::SIDE.index();
        let to = mv.to().index();
        if let Some(from) = mv.from() {
            let code = before.squares[from.index()];
            let (old, step) = (class(code), ONE[from.index()] ^ ONE[to]);
            self.sides[side] = before.sides[side] ^ step;
            if mv.promotes() {
                let new = class(code | PROMOTION);
                self.sets[old] = before.sets[old] ^ ONE[from.index()];
                self.sets[new] = before.sets[new] ^ ONE[to];
            } else {
                self.sets[old] = before.sets[old] ^ step;
                if code & 15 == PieceKind::King as u8 {
                    self.kings[side] = to as u8;
                }
            }
            let captured = before.squares[to];
            if captured != 0 {
                self.sets[class(captured)] ^= ONE[to];
                self.sides[1 - side] ^= ONE[to];
                self.hands[side][usize::from(captured & 7)] += 1;
            }
        } else {
            let code = mv.dropped_code();
            self.sets[class(code)] = before.sets[class(code)] ^ ONE[to];
            self.sides[side] = before.sides[side] ^ ONE[to];
            self.hands[side][usize::from(code)] -= 1;
        }
    }

    /// Undoes `apply`: makes this copy equal to `before` again.
    #[inline(always)]
    pub(crate) fn restore<C: StaticSide>(&mut self, before: &Board, mv: Move) {
        let side = C::SIDE.index();
        self.sides[side] = before.sides[side];
        self.hands[side] = before.hands[side];
        let mut copy = |code: Code| self.sets[class(code)] = before.sets[class(code)];
        if let Some(from) = mv.from() {
            let code = before.squares[from.index()];
            copy(code);
            if mv.promotes() {
                copy(code | PROMOTION);
            }
            let captured = before.squares[mv.to().index()];
            if captured != 0 {
                copy(captured);
                self.sides[1 - side] = before.sides[1 - side];
            }
            self.kings[side] = before.kings[side];
        } else {
            copy(mv.dropped_code());
        }
    }
}
