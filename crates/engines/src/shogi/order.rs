//! Move ordering and the move lists of the quiescence search.

use tesuji_game::{Game, Move as _, MoveList, Side};
use tesuji_shogi::{Bitboard, Move, Moves, PieceKind, Shogi, attacks};

use super::mate::moved_and_captured;
use super::piece_values::{promotion, swing};
use super::see::is_good;

/// A capture or promotion that loses nothing: before all quiet moves.
const GOOD: i32 = 20_000;
/// A losing capture: behind the average quiet move.
const BAD: i32 = -6_000;
/// A move whose promoting version is better in nearly every position.
const POINTLESS: i32 = -40_000;
/// A check.
const CHECK: i32 = 3_000;
/// A drop near the other king.
const NEAR_KING: i32 = 800;
/// Any other drop.
const IDLE_DROP: i32 = -1_500;

/// The move-ordering score of a legal move.
pub(super) fn score_move(game: &Shogi, mv: Move) -> i32 {
    let side = game.mover();
    let (kind, captured) = moved_and_captured(game, mv);
    if mv.from().is_some() {
        let gain = captured.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 };
        if gain > 0 {
            return if is_good(game, mv, kind, captured) { GOOD + gain - swing(kind) / 16 } else { BAD + gain };
        }
        if is_pointless(side, kind, mv) {
            return POINTLESS;
        }
        let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
        return check_bonus(game, side, standing, mv);
    }
    let near = game.king(!side).is_some_and(|king| king.distance(mv.to()) <= 2);
    check_bonus(game, side, kind, mv) + if near { NEAR_KING } else { IDLE_DROP }
}

fn check_bonus(game: &Shogi, side: Side, kind: PieceKind, mv: Move) -> i32 {
    if attacks_king(game, side, kind, mv) { CHECK } else { 0 }
}

/// Whether a piece of `kind` on the target of a move attacks the other king.
#[inline]
fn attacks_king(game: &Shogi, side: Side, kind: PieceKind, mv: Move) -> bool {
    let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::from_square);
    let occupied = game.occupied() & !left;
    game.king(!side).is_some_and(|king| attacks::attacks_square(side, kind, mv.to(), king, occupied))
}

/// Whether a move gives check by the moving piece itself.
pub(super) fn gives_direct_check(game: &Shogi, mv: Move) -> bool {
    let (kind, _) = moved_and_captured(game, mv);
    let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
    attacks_king(game, game.mover(), standing, mv)
}

/// Whether a move captures or promotes.
#[inline]
pub(super) fn is_tactical(game: &Shogi, mv: Move) -> bool {
    mv.promotes() || (!mv.is_drop() && game.piece(mv.to()).is_some())
}

/// Whether a pawn, bishop or rook does not promote although it could: promotion has no drawback for them.
#[inline]
fn is_pointless(side: Side, kind: PieceKind, mv: Move) -> bool {
    !mv.promotes()
        && matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook)
        && (mv.to().in_promotion_zone(side) || mv.from().is_some_and(|from| from.in_promotion_zone(side)))
}

/// Moves sorted by score, the best first. Moves beyond the capacity keep their order at the end.
struct SortedMoves<'a> {
    keys: [u64; 64],
    len: usize,
    out: &'a mut Vec<Move>,
}

impl SortedMoves<'_> {
    fn add(&mut self, score: i32, mv: Move) {
        let key = u64::from((score as u32) ^ 1 << 31) << 32 | u64::from(!mv.to_bits());
        if self.len == self.keys.len() {
            self.out.push(mv);
            return;
        }
        let mut at = self.len;
        while at > 0 && self.keys[at - 1] < key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
        self.len += 1;
    }

    fn finish(self) {
        let late = self.out.len();
        self.out.extend(self.keys[..self.len].iter().map(|&key| Move::from_bits(!(key as u32))));
        self.out.rotate_left(late);
    }
}

fn sorted(out: &mut Vec<Move>) -> SortedMoves<'_> {
    out.clear();
    SortedMoves { keys: [0; 64], len: 0, out }
}

/// All legal moves, best first: the evasions of a king in check.
pub(super) fn evasions(game: &mut Shogi, out: &mut Vec<Move>) {
    let mut list = Moves::default();
    game.moves(&mut list);
    let mut sorted = sorted(out);
    for mv in list.each() {
        sorted.add(score_move(game, mv), mv);
    }
    sorted.finish();
}

/// Captures and promotions that lose nothing and gain at least `least`, best first. The mover is not in check.
pub(super) fn good_captures(game: &Shogi, least: i32, out: &mut Vec<Move>) {
    let mut list = Moves::default();
    game.tactical_moves(&mut list);
    let side = game.mover();
    let mut sorted = sorted(out);
    for mv in list.each() {
        let (kind, captured) = moved_and_captured(game, mv);
        let gain = captured.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 };
        // Promotions of small gain are left to the main search.
        if gain < least.max(100) || is_pointless(side, kind, mv) {
            continue;
        }
        if is_good(game, mv, kind, captured) {
            sorted.add(gain - swing(kind) / 16, mv);
        }
    }
    sorted.finish();
}
