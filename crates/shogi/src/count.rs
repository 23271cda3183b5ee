//! How many legal moves there are, counted by sets of targets: nothing is written down.

use crate::attacks::{attacked, threats};
use crate::bits::Bits;
use crate::board::Board;
use crate::class::Class;
use crate::colour::Colour;
use crate::pawn_drop;
use crate::reach::reach;
use crate::sliders::{bishop, rook};
use crate::tables::{CROSS, KING, ONE, SALTIRE, between, line};
use crate::{Kind, Square};

/// The number of legal moves of `C`.
#[inline(always)]
pub(crate) fn count<C: Colour>(board: &Board) -> u64 {
    let threats = threats::<C>(board);
    if threats.checkers.is_empty() {
        let open = Bits::BOARD & !board.occupied();
        return unchecked::<C>(board, threats.pinned) + drops::<C>(board, open)
            - pawn_drop::mating::<C>(board, pawn_targets::<C>(board, open)).count();
    }
    let total = flights::<C>(board);
    if threats.checkers.many() {
        return total;
    }
    // Take the checker or stand between; a pinned piece can do neither.
    let between = between(board.king(C::SIDE), threats.checkers.first());
    let movers = board.side(C::SIDE) & !threats.pinned;
    total + free::<C>(board, movers, between | threats.checkers) + drops::<C>(board, between)
        - pawn_drop::mating::<C>(board, pawn_targets::<C>(board, between)).count()
}

/// Moves on the board while `C` is not in check.
#[inline(always)]
pub(crate) fn unchecked<C: Colour>(board: &Board, pinned: Bits) -> u64 {
    let own = board.side(C::SIDE);
    let targets = Bits::BOARD & !own;
    let mut total = flights::<C>(board) + free::<C>(board, own & !pinned, targets);
    for from in pinned {
        let along = line(board.king(C::SIDE), from) & targets;
        total += weight::<C>(board, from, reach::<C>(board, from, board.occupied()) & along);
    }
    total
}

/// Moves of the king: it no longer blocks the lines it flees along.
#[inline(always)]
fn flights<C: Colour>(board: &Board) -> u64 {
    let king = board.king(C::SIDE);
    let attacked = attacked::<C::Other>(board, board.occupied() & !ONE[king]);
    (KING[king] & !board.side(C::SIDE) & !attacked).count()
}

/// Moves of the pieces in `movers`, king apart, to `targets`.
#[inline(always)]
fn free<C: Colour>(board: &Board, movers: Bits, targets: Bits) -> u64 {
    let occupied = board.occupied();
    let (zone, second_and_third, third) = (C::far(3), C::far(3) & !C::far(1), C::far(3) & !C::far(2));
    // Pawns and lances have a choice on the second and third rank, knights on the third.
    let pawns = C::forward(movers & board.set(Class::Pawn)) & targets;
    let lances = C::lances(movers & board.set(Class::Lance), occupied) & targets;
    let knights = movers & board.set(Class::Knight);
    let left = C::jump_left(knights) & targets;
    let right = C::jump_right(knights) & targets;
    let mut total = pawns.count() + lances.count() + left.count() + right.count();
    total += (pawns & second_and_third).count() + (lances & second_and_third).count();
    total += (left & third).count() + (right & third).count();

    let golden = movers & board.set(Class::Golden);
    let mut plain = |reached: Bits| total += (reached & targets).count();
    plain(C::forward(golden));
    plain(C::forward_left(golden));
    plain(C::forward_right(golden));
    plain(C::left(golden));
    plain(C::right(golden));
    plain(C::back(golden));

    // A step back that ends on the fourth rank began in the zone.
    let silvers = movers & board.set(Class::Silver);
    let mut choice = |reached: Bits, zone: Bits| {
        total += (reached & targets).count() + (reached & targets & zone).count();
    };
    choice(C::forward(silvers), zone);
    choice(C::forward_left(silvers), zone);
    choice(C::forward_right(silvers), zone);
    choice(C::back_left(silvers), C::far(4));
    choice(C::back_right(silvers), C::far(4));

    for from in movers & board.set(Class::Bishop) {
        total += promotable::<C>(from, bishop(from, occupied) & targets);
    }
    for from in movers & board.set(Class::Rook) {
        total += promotable::<C>(from, rook(from, occupied) & targets);
    }
    for from in movers & board.set(Class::Horse) {
        total += ((bishop(from, occupied) | CROSS[from]) & targets).count();
    }
    for from in movers & board.set(Class::Dragon) {
        total += ((rook(from, occupied) | SALTIRE[from]) & targets).count();
    }
    total
}

/// Moves of a piece that may always choose, to `targets`.
#[inline(always)]
fn promotable<C: Colour>(from: usize, targets: Bits) -> u64 {
    let zone = if C::far(3).has(from) { targets } else { targets & C::far(3) };
    targets.count() + zone.count()
}

/// Moves of the piece on `from` to `targets`.
#[inline(always)]
fn weight<C: Colour>(board: &Board, from: usize, targets: Bits) -> u64 {
    match board.kind(Square::trust(from)) {
        Kind::Pawn | Kind::Lance => targets.count() + (targets & C::far(3) & !C::far(1)).count(),
        Kind::Knight => targets.count() + (targets & C::far(3) & !C::far(2)).count(),
        Kind::Silver | Kind::Bishop | Kind::Rook => promotable::<C>(from, targets),
        _ => targets.count(),
    }
}

/// Drops on `open` squares; a pawn that would give mate is counted too.
#[inline(always)]
pub(crate) fn drops<C: Colour>(board: &Board, open: Bits) -> u64 {
    if board.hand_is_empty(C::SIDE) {
        return 0;
    }
    let held = |kind| u64::from(board.hand(C::SIDE, kind) != 0);
    let anywhere = held(Kind::Rook) + held(Kind::Bishop) + held(Kind::Gold) + held(Kind::Silver);
    anywhere * open.count()
        + held(Kind::Lance) * (open & !C::far(1)).count()
        + held(Kind::Knight) * (open & !C::far(2)).count()
        + pawn_targets::<C>(board, open).count()
}

/// Where a pawn in hand may fall on `open` squares, mate apart: not on the last rank, not on a file with
/// another.
#[inline(always)]
pub(crate) fn pawn_targets<C: Colour>(board: &Board, open: Bits) -> Bits {
    if board.hand(C::SIDE, Kind::Pawn) == 0 {
        return Bits::NONE;
    }
    let pawns = board.set(Class::Pawn) & board.side(C::SIDE);
    open & pawns.files_without() & !C::far(1)
}
