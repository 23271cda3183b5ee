//! Perft for shogi. The last two plies are not played: replies are counted, and most moves do not change their number.
//!
//! A silver that steps aside, far from the other king and off every line, leaves the other side exactly the moves that
//! it had before. Those are counted once, together with the squares where a change could matter. Only moves that touch
//! one of these squares are played on a scratch board.

use crate::Moves;
use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::count::{drops, pawn_targets, unchecked};
use crate::generate::generate;
use crate::pawn_drop::before_king;
use crate::side::StaticSide;
use crate::sliders::towards;
use crate::tables::{KING, NEAR, ONE, between, lines};
use crate::threats::{slider_attacks, sliders_towards, threats};
use crate::{Move, PieceKind};

/// A move list for each ply except the last.
pub(crate) fn lists(depth: u32) -> Vec<Moves> {
    (1..depth).map(|_| Moves::default()).collect()
}

/// The leaves one ply below the lists; `deeper` recurses for the other side.
#[inline(always)]
pub(crate) fn descend<C: StaticSide>(
    board: &mut Board,
    lists: &mut [Moves],
    count: impl Fn(&Board) -> u64,
    deeper: impl Fn(&mut Board, &mut [Moves]) -> u64,
) -> u64 {
    let Some((here, below)) = lists.split_first_mut() else { return 0 };
    generate::<C, true>(board, here);
    let mut leaves = 0;
    if below.is_empty() {
        let replies = ReplyCount::new::<C>(board);
        let mut scratch = board.clone();
        for &mv in here.as_slice() {
            leaves += match replies.after::<C>(board, mv) {
                Some(replies) => replies,
                None => {
                    scratch.apply::<C>(board, mv);
                    let replies = count(&scratch);
                    scratch.restore::<C>(board, mv);
                    replies
                }
            };
        }
    } else {
        for &mv in here.as_slice() {
            let undo = board.play(mv);
            leaves += deeper(board, below);
            board.undo(undo);
        }
    }
    leaves
}

/// The replies of the other side to a move that changes nothing.
#[derive(Clone, Copy)]
struct ReplyCount {
    /// The number of its moves on the board.
    moves: u64,
    /// The squares where a change may change that number.
    fragile: Bitboard,
    /// The other king and its neighbours.
    zone: Bitboard,
    /// The empty squares.
    open: Bitboard,
    /// The square from which its pawn would give check.
    before_king: Bitboard,
}

impl ReplyCount {
    /// For a move of `C`. The other side is never in check when `C` moves.
    #[inline(always)]
    fn new<C: StaticSide>(board: &Board) -> ReplyCount {
        let king = board.king(C::Other::SIDE);
        let zone = KING[king] | ONE[king];
        let occupied = board.occupied();
        // Captures, squares near the king, squares on the lines of its sliders, and squares that shield it.
        let mut fragile = board.side(C::Other::SIDE) | NEAR[king] | slider_attacks::<C::Other>(board, occupied);
        for from in sliders_towards::<C>(board, king).indices() {
            fragile |= between(king, from);
        }
        // The sliders of `C` with a line into the zone, and the squares on the way there, also behind the king.
        let sliders = board.set(PieceClass::Lance)
            | board.set(PieceClass::Bishop)
            | board.set(PieceClass::Rook)
            | board.set(PieceClass::Horse)
            | board.set(PieceClass::Dragon);
        for from in (board.side(C::SIDE) & sliders).indices() {
            let lines = board.lines::<C>(from);
            if (lines[from] & zone).any() {
                fragile |= ONE[from] | towards(from, lines[from], zone, occupied & !ONE[king]);
            }
        }
        // The king of `C`, when a pawn might be dropped in front of it.
        if board.hand(C::Other::SIDE, PieceKind::Pawn) != 0 {
            fragile |= ONE[board.king(C::SIDE)];
        }
        ReplyCount {
            moves: unchecked::<C::Other>(board, threats::<C::Other>(board).pinned),
            fragile,
            zone,
            open: Bitboard::ALL & !occupied,
            before_king: before_king::<C::Other>(board),
        }
    }

    /// The number of replies to a move of `C`; `None` when the move must be played to know.
    #[inline(always)]
    fn after<C: StaticSide>(&self, board: &Board, mv: Move) -> Option<u64> {
        let number = mv.to().index();
        let to = ONE[number];
        let (from, lines) = match mv.from() {
            Some(from) => (ONE[from.index()], board.lines::<C>(from.index())),
            None => (Bitboard::EMPTY, lines::<C>(mv.dropped_code())),
        };
        let open = (self.open | from) & !to;
        let mate = pawn_targets::<C::Other>(board, open) & self.before_king;
        if ((from | to) & self.fragile | lines[number] & self.zone | mate).any() {
            return None;
        }
        Some(self.moves + drops::<C::Other>(board, open))
    }
}
