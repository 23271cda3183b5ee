//! Move ordering and the move lists of the quiescence search.

use tesuji_game::{Game, Side};
use tesuji_shogi::{Bitboard, Move, PieceKind, Shogi, attacks};

use super::mate::{moved_and_captured, vicinity};
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

/// What a move gains by what it takes and by its promotion.
#[inline]
pub(super) fn gain(game: &Shogi, mv: Move) -> i32 {
    let (kind, captured) = moved_and_captured(game, mv);
    captured.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 }
}

/// The move-ordering score of a capture or promotion: the most valuable gain by the least valuable piece.
pub(super) fn score_tactical(game: &Shogi, mv: Move) -> i32 {
    let (kind, captured) = moved_and_captured(game, mv);
    let gain = captured.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 };
    let pointless = if is_pointless(game.mover(), kind, mv) { POINTLESS } else { 0 };
    3 * gain - swing(kind) / 8 + pointless
}

/// Whether a piece could promote by the move, does not, and would have no drawback from it.
pub(super) fn is_pointless_move(game: &Shogi, mv: Move) -> bool {
    let (kind, _) = moved_and_captured(game, mv);
    !mv.is_drop() && is_pointless(game.mover(), kind, mv)
}

/// Scores quiet moves, with their continuation keys: checks, drops near the other king, other drops; see `bonuses`.
pub(super) fn quiet_scorer(game: &Shogi, bonuses: [i32; 3]) -> impl Fn(Move) -> (u32, i32) {
    let [check, near, idle] = bonuses;
    let side = game.mover();
    let vicinity = game.king(!side).map_or(Bitboard::EMPTY, vicinity);
    let checks = CheckSquares::new(game);
    move |mv| {
        let kind = match mv.from() {
            Some(from) => game.piece(from).map_or(PieceKind::Gold, |piece| piece.kind),
            None => mv.dropped().unwrap_or(PieceKind::Gold),
        };
        let key = (kind as u32) << 7 | mv.to().index() as u32;
        let given = if checks.squares(kind).contains(mv.to()) { check } else { 0 };
        if mv.is_drop() {
            return (key, given + if vicinity.contains(mv.to()) { near } else { idle });
        }
        (key, if is_pointless(side, kind, mv) { POINTLESS } else { given })
    }
}

/// The squares from which the mover's pieces would give check.
struct CheckSquares([Bitboard; 16]);

impl CheckSquares {
    fn new(game: &Shogi) -> CheckSquares {
        let mut all = [Bitboard::EMPTY; 16];
        let Some(king) = game.king(!game.mover()) else { return CheckSquares(all) };
        // A piece attacks the king from where a like piece of the other side on the king's square would attack.
        let side = !game.mover();
        for kind in PieceKind::HAND {
            all[kind as usize] = attacks::attacks(side, kind, king, game.occupied());
        }
        let around = attacks::king(king);
        for (promoted, of) in [(PieceKind::Horse, PieceKind::Bishop), (PieceKind::Dragon, PieceKind::Rook)] {
            all[promoted as usize] = all[of as usize] | around;
        }
        for kind in [PieceKind::ProPawn, PieceKind::ProLance, PieceKind::ProKnight, PieceKind::ProSilver] {
            all[kind as usize] = all[PieceKind::Gold as usize];
        }
        CheckSquares(all)
    }

    fn squares(&self, kind: PieceKind) -> Bitboard {
        self.0[kind as usize]
    }
}
