//! Counting legal moves by target sets, without generating them.

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::pawn_drop;
use crate::side::StaticSide;
use crate::sliders::{bishop, rook};
use crate::tables::{CROSS, KING, ONE, SALTIRE, between, line};
use crate::threats::{attacked, attackers, attacks_from, threats};
use crate::{PieceKind, Square};

/// The number of legal moves of `C`.
#[inline(always)]
pub(crate) fn count<C: StaticSide>(board: &Board) -> u64 {
    let threats = threats::<C>(board);
    if threats.checkers.is_empty() {
        let open = Bitboard::ALL & !board.occupied();
        return unchecked::<C>(board, threats.pinned) + drops::<C>(board, open)
            - pawn_drop::mating::<C>(board, pawn_targets::<C>(board, open)).count();
    }
    let total = flights::<C>(board);
    if threats.checkers.more_than_one() {
        return total;
    }
    // Capture the checker or interpose; a pinned piece can do neither.
    let between = between(board.king(C::SIDE), threats.checkers.first());
    let movers = board.side(C::SIDE) & !threats.pinned;
    total + free::<C>(board, movers, between | threats.checkers) + drops::<C>(board, between)
        - pawn_drop::mating::<C>(board, pawn_targets::<C>(board, between)).count()
}

/// Whether `C`, which is in check, has no legal move. Most kings can flee, and the first flight answers.
#[inline(always)]
pub(crate) fn is_mated<C: StaticSide>(board: &Board) -> bool {
    let king = board.king(C::SIDE);
    let occupied = board.occupied() & !ONE[king];
    let mut flights = (KING[king] & !board.side(C::SIDE)).indices();
    !flights.any(|to| attackers::<C::Other>(board, to, occupied).is_empty()) && count::<C>(board) == 0
}

/// Board moves of `C` when it is not in check.
#[inline(always)]
pub(crate) fn unchecked<C: StaticSide>(board: &Board, pinned: Bitboard) -> u64 {
    let own = board.side(C::SIDE);
    let targets = Bitboard::ALL & !own;
    let mut total = flights::<C>(board) + free::<C>(board, own & !pinned, targets);
    for from in pinned.indices() {
        let along = line(board.king(C::SIDE), from) & targets;
        total += weight::<C>(board, from, attacks_from::<C>(board, from, board.occupied()) & along);
    }
    total
}

/// King moves. The king does not block the lines along which it flees.
#[inline(always)]
fn flights<C: StaticSide>(board: &Board) -> u64 {
    let king = board.king(C::SIDE);
    let attacked = attacked::<C::Other>(board, board.occupied() & !ONE[king]);
    (KING[king] & !board.side(C::SIDE) & !attacked).count()
}

/// Moves of the pieces in `movers`, king apart, to `targets`.
#[inline(always)]
fn free<C: StaticSide>(board: &Board, movers: Bitboard, targets: Bitboard) -> u64 {
    let occupied = board.occupied();
    let (zone, second_and_third, third) = (C::far(3), C::far(3) & !C::far(1), C::far(3) & !C::far(2));
    // Pawns and lances may promote or not on the second and third rank, knights on the third.
    let pawns = C::forward(movers & board.set(PieceClass::Pawn)) & targets;
    let lances = C::lances(movers & board.set(PieceClass::Lance), occupied) & targets;
    let knights = movers & board.set(PieceClass::Knight);
    let left = C::jump_left(knights) & targets;
    let right = C::jump_right(knights) & targets;
    let mut total = pawns.count() + lances.count() + left.count() + right.count();
    total += (pawns & second_and_third).count() + (lances & second_and_third).count();
    total += (left & third).count() + (right & third).count();

    let golden = movers & board.set(PieceClass::Golden);
    let mut plain = |reached: Bitboard| total += (reached & targets).count();
    plain(C::forward(golden));
    plain(C::forward_left(golden));
    plain(C::forward_right(golden));
    plain(C::left(golden));
    plain(C::right(golden));
    plain(C::back(golden));

    // A step back that ends on the fourth rank began in the zone.
    let silvers = movers & board.set(PieceClass::Silver);
    let mut choice = |reached: Bitboard, zone: Bitboard| {
        total += (reached & targets).count() + (reached & targets & zone).count();
    };
    choice(C::forward(silvers), zone);
    choice(C::forward_left(silvers), zone);
    choice(C::forward_right(silvers), zone);
    choice(C::back_left(silvers), C::far(4));
    choice(C::back_right(silvers), C::far(4));

    for from in (movers & board.set(PieceClass::Bishop)).indices() {
        total += promotable::<C>(from, bishop(from, occupied) & targets);
    }
    for from in (movers & board.set(PieceClass::Rook)).indices() {
        total += promotable::<C>(from, rook(from, occupied) & targets);
    }
    for from in (movers & board.set(PieceClass::Horse)).indices() {
        total += ((bishop(from, occupied) | CROSS[from]) & targets).count();
    }
    for from in (movers & board.set(PieceClass::Dragon)).indices() {
        total += ((rook(from, occupied) | SALTIRE[from]) & targets).count();
    }
    total
}

/// Moves of a piece that may promote or not, to `targets`.
#[inline(always)]
fn promotable<C: StaticSide>(from: usize, targets: Bitboard) -> u64 {
    let zone = if C::far(3).has(from) { targets } else { targets & C::far(3) };
    targets.count() + zone.count()
}

/// Moves of the piece on `from` to `targets`.
#[inline(always)]
fn weight<C: StaticSide>(board: &Board, from: usize, targets: Bitboard) -> u64 {
    match board.kind(Square::trust(from)) {
        PieceKind::Pawn | PieceKind::Lance => targets.count() + (targets & C::far(3) & !C::far(1)).count(),
        PieceKind::Knight => targets.count() + (targets & C::far(3) & !C::far(2)).count(),
        PieceKind::Silver | PieceKind::Bishop | PieceKind::Rook => promotable::<C>(from, targets),
        _ => targets.count(),
    }
}

/// Drops on `open` squares, including a pawn drop that would mate.
#[inline(always)]
pub(crate) fn drops<C: StaticSide>(board: &Board, open: Bitboard) -> u64 {
    if board.hand_is_empty(C::SIDE) {
        return 0;
    }
    let held = |kind| u64::from(board.hand(C::SIDE, kind) != 0);
    let anywhere = held(PieceKind::Rook) + held(PieceKind::Bishop) + held(PieceKind::Gold) + held(PieceKind::Silver);
    anywhere * open.count()
        + held(PieceKind::Lance) * (open & !C::far(1)).count()
        + held(PieceKind::Knight) * (open & !C::far(2)).count()
        + pawn_targets::<C>(board, open).count()
}

/// The squares for a pawn drop among `open`, apart from mate: not on the last rank, no second pawn on a file (nifu).
#[inline(always)]
pub(crate) fn pawn_targets<C: StaticSide>(board: &Board, open: Bitboard) -> Bitboard {
    if board.hand(C::SIDE, PieceKind::Pawn) == 0 {
        return Bitboard::EMPTY;
    }
    let pawns = board.set(PieceClass::Pawn) & board.side(C::SIDE);
    open & pawns.files_without() & !C::far(1)
}
