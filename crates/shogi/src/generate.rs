//! Legal move generation: checks and pins are computed first, so that no move has to be tried.

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::count::pawn_targets;
use crate::pawn_drop;
use crate::side::StaticSide;
use crate::tables::{KING, ONE, between, line};
use crate::threats::{attacked, attacks_from, threats};
use crate::{Move, Moves, PieceKind, Square};

/// Replaces `out` by the legal moves of `C`, without drops unless `DROPS`.
#[inline(always)]
pub(crate) fn generate<C: StaticSide, const DROPS: bool>(board: &Board, out: &mut Moves) {
    out.clear();
    let king = board.king(C::SIDE);
    let own = board.side(C::SIDE);
    let occupied = board.occupied();
    let threats = threats::<C>(board);
    if threats.checkers.is_empty() {
        let targets = Bitboard::ALL & !own;
        pieces::<C>(board, own & !threats.pinned, occupied, targets, out);
        for from in threats.pinned.indices() {
            let targets = attacks_from::<C>(board, from, occupied) & line(king, from) & targets;
            piece::<C>(board, from, targets, out);
        }
        if DROPS {
            drops::<C>(board, Bitboard::ALL & !occupied, out);
        }
    } else if !threats.checkers.more_than_one() {
        // Capture the checker or interpose; a pinned piece can do neither.
        let between = between(king, threats.checkers.first());
        pieces::<C>(board, own & !threats.pinned, occupied, between | threats.checkers, out);
        if DROPS {
            drops::<C>(board, between, out);
        }
    }
    let flights = KING[king] & !own & !attacked::<C::Other>(board, occupied & !ONE[king]);
    plain(king, flights, out);
}

/// Replaces `out` by the legal captures and promotions of `C`, which must not be in check.
#[inline(always)]
pub(crate) fn tactical<C: StaticSide>(board: &Board, out: &mut Moves) {
    out.clear();
    let king = board.king(C::SIDE);
    let (own, enemies, occupied) = (board.side(C::SIDE), board.side(C::Other::SIDE), board.occupied());
    let threats = threats::<C>(board);
    debug_assert!(threats.checkers.is_empty());
    pieces::<C>(board, own & !threats.pinned, occupied, enemies, out);
    let golden = board.set(PieceClass::Golden) | board.set(PieceClass::Horse) | board.set(PieceClass::Dragon);
    for from in (own & !threats.pinned & !golden & !board.set(PieceClass::King)).indices() {
        promotions::<C>(from, attacks_from::<C>(board, from, occupied) & !occupied, out);
    }
    for from in threats.pinned.indices() {
        let targets = attacks_from::<C>(board, from, occupied) & line(king, from);
        piece::<C>(board, from, targets & enemies, out);
        if !golden.has(from) {
            promotions::<C>(from, targets & !occupied, out);
        }
    }
    let prey = KING[king] & enemies;
    if prey.any() {
        plain(king, prey & !attacked::<C::Other>(board, occupied & !ONE[king]), out);
    }
}

/// Replaces `out` by the legal moves of `C`, which must not be in check, that neither capture nor promote.
#[inline(always)]
pub(crate) fn quiet<C: StaticSide>(board: &Board, out: &mut Moves) {
    out.clear();
    let king = board.king(C::SIDE);
    let (own, empty, occupied) = (board.side(C::SIDE), Bitboard::ALL & !board.occupied(), board.occupied());
    let threats = threats::<C>(board);
    debug_assert!(threats.checkers.is_empty());
    let free = own & !threats.pinned;
    let pawns = free & board.set(PieceClass::Pawn);
    for to in (C::forward(pawns) & empty & !C::far(1)).indices() {
        let from = if C::BLACK { to + 1 } else { to - 1 };
        out.push(Move::board(Square::trust(from), Square::trust(to), false));
    }
    for from in (free & !board.set(PieceClass::King) & !pawns).indices() {
        let stuck = stuck::<C>(board.kind(Square::trust(from)));
        plain(from, attacks_from::<C>(board, from, occupied) & empty & !stuck, out);
    }
    for from in threats.pinned.indices() {
        let stuck = stuck::<C>(board.kind(Square::trust(from)));
        plain(from, attacks_from::<C>(board, from, occupied) & line(king, from) & empty & !stuck, out);
    }
    drops::<C>(board, empty, out);
    let flights = KING[king] & empty;
    if flights.any() {
        plain(king, flights & !attacked::<C::Other>(board, occupied & !ONE[king]), out);
    }
}

/// The squares from which an unpromoted piece of this kind could never move again.
#[inline(always)]
fn stuck<C: StaticSide>(kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => C::far(1),
        PieceKind::Knight => C::far(2),
        _ => Bitboard::EMPTY,
    }
}

/// Replaces `out` by the legal board moves of `C` to `targets`, and by all board moves of the pieces in `free`. `C` must
/// not be in check.
#[inline(always)]
pub(crate) fn board_moves_to<C: StaticSide>(board: &Board, targets: Bitboard, free: Bitboard, out: &mut Moves) {
    out.clear();
    let king = board.king(C::SIDE);
    let (own, occupied) = (board.side(C::SIDE), board.occupied());
    let threats = threats::<C>(board);
    debug_assert!(threats.checkers.is_empty());
    let all = Bitboard::ALL & !own;
    pieces::<C>(board, own & !threats.pinned & !free, occupied, targets & all, out);
    if (own & free).is_empty() && threats.pinned.is_empty() {
        return;
    }
    pieces::<C>(board, own & !threats.pinned & free, occupied, all, out);
    for from in threats.pinned.indices() {
        let targets = if free.has(from) { all } else { targets & all };
        piece::<C>(board, from, attacks_from::<C>(board, from, occupied) & line(king, from) & targets, out);
    }
    if free.has(king) {
        plain(king, KING[king] & all & !attacked::<C::Other>(board, occupied & !ONE[king]), out);
    }
}

/// Promotions of the piece on `from`, which can promote, on `targets`.
#[inline(always)]
fn promotions<C: StaticSide>(from: usize, targets: Bitboard, out: &mut Moves) {
    let zone = if C::far(3).has(from) { targets } else { targets & C::far(3) };
    for to in zone.indices() {
        out.push(Move::board(Square::trust(from), Square::trust(to), true));
    }
}

/// Moves of the pieces in `movers`, king apart, to `targets`.
#[inline(always)]
fn pieces<C: StaticSide>(board: &Board, movers: Bitboard, occupied: Bitboard, targets: Bitboard, out: &mut Moves) {
    let pawns = movers & board.set(PieceClass::Pawn);
    for to in (C::forward(pawns) & targets).indices() {
        let from = if C::BLACK { to + 1 } else { to - 1 };
        choice::<C>(from, ONE[to], C::far(3), C::far(1), out);
    }
    for from in (movers & !board.set(PieceClass::King) & !pawns).indices() {
        piece::<C>(board, from, attacks_from::<C>(board, from, occupied) & targets, out);
    }
}

/// Moves of the piece on `from` to `targets`.
#[inline(always)]
fn piece<C: StaticSide>(board: &Board, from: usize, targets: Bitboard, out: &mut Moves) {
    let kind = board.kind(Square::trust(from));
    if kind.promoted().is_none() {
        return plain(from, targets, out);
    }
    let zone = if C::far(3).has(from) { targets } else { C::far(3) };
    choice::<C>(from, targets, zone, stuck::<C>(kind), out);
}

/// Moves that may promote in `may` and must promote in `must`.
#[inline(always)]
fn choice<C: StaticSide>(from: usize, targets: Bitboard, may: Bitboard, must: Bitboard, out: &mut Moves) {
    let from = Square::trust(from);
    for to in (targets & may).indices() {
        out.push(Move::board(from, Square::trust(to), true));
    }
    for to in (targets & !must).indices() {
        out.push(Move::board(from, Square::trust(to), false));
    }
}

#[inline(always)]
fn plain(from: usize, targets: Bitboard, out: &mut Moves) {
    for to in targets.indices() {
        out.push(Move::board(Square::trust(from), Square::trust(to), false));
    }
}

/// Drops on `open` squares.
#[inline(always)]
fn drops<C: StaticSide>(board: &Board, open: Bitboard, out: &mut Moves) {
    if board.hand_is_empty(C::SIDE) || open.is_empty() {
        return;
    }
    for kind in PieceKind::HAND {
        if board.hand(C::SIDE, kind) == 0 {
            continue;
        }
        let targets = match kind {
            PieceKind::Pawn => {
                let targets = pawn_targets::<C>(board, open);
                targets & !pawn_drop::mating::<C>(board, targets)
            }
            PieceKind::Lance => open & !C::far(1),
            PieceKind::Knight => open & !C::far(2),
            _ => open,
        };
        for to in targets.indices() {
            out.push(Move::drop(kind, Square::trust(to)));
        }
    }
}
