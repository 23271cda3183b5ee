//! A toy game: a piece on a rope that moves to and fro and never back at once.

use tesuji_game::{BoardRank, NO_MOVE, Outcome, PerfectIndex, Predecessor, Successor};

/// Knots of a rope.
pub(super) const KNOTS: u8 = 7;
const LEFT: u8 = 0;
const RIGHT: u8 = 1;
const FALL: u8 = 2;
const STAY: u8 = 3;

/// The player who finds the piece on the last knot of the lower rope wins; from every third knot of the upper
/// rope it can be dropped to the lower one. On the first knot one may resign, on the third of the lower rope
/// agree to a draw.
pub(super) struct Rope;

/// The rope, 0 the lower one, and the knot.
type Board = (u8, u8);

impl PerfectIndex for Rope {
    type Board = Board;

    fn stages(&self) -> &[&[u8]] {
        &[&[0], &[1]]
    }

    /// One index more than boards.
    fn size(&self, _: u8) -> u32 {
        u32::from(KNOTS) + 1
    }

    fn class_name(&self, class: u8) -> String {
        ["lower", "upper"][usize::from(class)].to_owned()
    }

    fn class(&self, (rope, _): Board) -> u8 {
        rope
    }

    fn rank(&self, (class, knot): Board) -> BoardRank {
        BoardRank { class, index: knot.into(), symmetry: 0, symmetric: false }
    }

    fn unrank(&self, class: u8, index: u32) -> Option<Board> {
        (index < KNOTS.into()).then_some((class, index as u8))
    }

    fn image(&self, mv: u8, _: u8) -> u8 {
        mv
    }

    fn is_symmetric(&self, _: Board) -> bool {
        false
    }

    fn equivalent_moves(&self, _: Board, mv: u8, mut visit: impl FnMut(u8)) {
        visit(mv);
    }

    fn wins_in_one(&self, board: Board) -> bool {
        board == (0, KNOTS - 1)
    }

    fn successors(&self, (rope, knot): Board, mut visit: impl FnMut(u8, Successor<Board>)) {
        if knot > 0 {
            visit(LEFT, Successor::Board((rope, knot - 1), RIGHT));
        }
        if knot + 1 < KNOTS {
            visit(RIGHT, Successor::Board((rope, knot + 1), LEFT));
        }
        match (rope, knot) {
            (1, knot) if knot % 3 == 0 => visit(FALL, Successor::Board((0, knot), NO_MOVE)),
            (0, 0) => visit(STAY, Successor::End(Outcome::Loss)),
            (0, 2) => visit(STAY, Successor::End(Outcome::Draw)),
            (0, knot) if knot + 1 == KNOTS => visit(STAY, Successor::End(Outcome::Win)),
            _ => {}
        }
    }

    fn after(&self, board: Board, mv: u8) -> Option<(Board, u8)> {
        let mut found = None;
        self.successors(board, |number, step| {
            if let Successor::Board(next, reply) = step
                && number == mv
            {
                found = Some((next, reply));
            }
        });
        found
    }

    fn predecessors(&self, class: u8, index: u32, mut visit: impl FnMut(Predecessor)) {
        let symmetric = false;
        if index + 1 < KNOTS.into() {
            visit(Predecessor { class, index: index + 1, mv: LEFT, reply: RIGHT, symmetric });
        }
        if index > 0 && index < KNOTS.into() {
            visit(Predecessor { class, index: index - 1, mv: RIGHT, reply: LEFT, symmetric });
        }
    }

    fn conversions(&self, class: u8, index: u32, mut visit: impl FnMut(Predecessor)) {
        if class == 0 && index.is_multiple_of(3) && index < KNOTS.into() {
            visit(Predecessor { class: 1, index, mv: FALL, reply: NO_MOVE, symmetric: false });
        }
    }
}
