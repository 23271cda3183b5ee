//! How many legal moves there are, counted by sets of targets: nothing is written down.

use crate::attacks::{attacked, threats};
use crate::bits::Bits;
use crate::board::{Board, Class};
use crate::colour::Colour;
use crate::pawn_drop;
use crate::reach::reach;
use crate::sliders::{bishop, rook};
use crate::tables::{CROSS, KING, ONE, SALTIRE, line};
use crate::{Kind, Square};

/// The number of legal moves of `C`.
#[inline(always)]
pub(crate) fn count<C: Colour>(board: &Board) -> u64 {
    let king = board.king(C::SIDE);
    let own = board.side(C::SIDE);
    let occupied = board.occupied();
    let threats = threats::<C>(board);
    let flights = KING[king] & !own;
    let mut total = (flights & !attacked::<C::Other>(board, occupied & !ONE[king])).count();
    if threats.checkers.is_empty() {
        let targets = Bits::BOARD & !own;
        total += free::<C>(board, own & !threats.pinned, occupied, targets);
        threats.pinned.each(|from| {
            let targets = reach::<C>(board, from, occupied) & line(king, from) & targets;
            total += weight::<C>(board, from, targets);
        });
        total + drops::<C>(board, Bits::BOARD & !occupied)
    } else if threats.checkers.many() {
        total
    } else {
        // Take the checker or stand between; a pinned piece can do neither.
        let between = crate::tables::between(king, threats.checkers.first());
        total += free::<C>(board, own & !threats.pinned, occupied, between | threats.checkers);
        if between.any() { total + drops::<C>(board, between) } else { total }
    }
}

/// Moves of the pieces in `movers`, king apart, to `targets`.
#[inline(always)]
fn free<C: Colour>(board: &Board, movers: Bits, occupied: Bits, targets: Bits) -> u64 {
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

    (movers & board.set(Class::Bishop)).each(|from| {
        total += promotable::<C>(from, bishop(from, occupied) & targets);
    });
    (movers & board.set(Class::Rook)).each(|from| {
        total += promotable::<C>(from, rook(from, occupied) & targets);
    });
    (movers & board.set(Class::Horse)).each(|from| {
        total += ((bishop(from, occupied) | CROSS[from]) & targets).count();
    });
    (movers & board.set(Class::Dragon)).each(|from| {
        total += ((rook(from, occupied) | SALTIRE[from]) & targets).count();
    });
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

/// Drops on `open` squares.
#[inline(always)]
fn drops<C: Colour>(board: &Board, open: Bits) -> u64 {
    if board.hand_is_empty(C::SIDE) {
        return 0;
    }
    let held = |kind| u64::from(board.hand(C::SIDE, kind) != 0);
    let anywhere = held(Kind::Rook) + held(Kind::Bishop) + held(Kind::Gold) + held(Kind::Silver);
    let mut total = anywhere * open.count()
        + held(Kind::Lance) * (open & !C::far(1)).count()
        + held(Kind::Knight) * (open & !C::far(2)).count();
    if held(Kind::Pawn) != 0 {
        let pawns = pawn_targets::<C>(board, open);
        total += pawns.count() - pawn_drop::mating::<C>(board, pawns).count();
    }
    total
}

/// Where a pawn may fall on `open` squares, mate apart: not on the last rank, not on a file with another.
#[inline(always)]
pub(crate) fn pawn_targets<C: Colour>(board: &Board, open: Bits) -> Bits {
    let pawns = board.set(Class::Pawn) & board.side(C::SIDE);
    open & pawns.files_without() & !C::far(1)
}
