//! The legal moves, written down: checks and pins first, so that none has to be tried.

use crate::attacks::{attacked, threats};
use crate::bits::Bits;
use crate::board::Board;
use crate::class::Class;
use crate::colour::Colour;
use crate::count::pawn_targets;
use crate::pawn_drop;
use crate::reach::reach;
use crate::tables::{KING, ONE, between, line};
use crate::{Kind, Move, Moves, Square};

/// Replaces `out` by the legal moves of `C`.
#[inline(always)]
pub(crate) fn generate<C: Colour>(board: &Board, out: &mut Moves) {
    out.clear();
    let king = board.king(C::SIDE);
    let own = board.side(C::SIDE);
    let occupied = board.occupied();
    let threats = threats::<C>(board);
    if threats.checkers.is_empty() {
        let targets = Bits::BOARD & !own;
        pieces::<C>(board, own & !threats.pinned, occupied, targets, out);
        for from in threats.pinned {
            let targets = reach::<C>(board, from, occupied) & line(king, from) & targets;
            piece::<C>(board, from, targets, out);
        }
        drops::<C>(board, Bits::BOARD & !occupied, out);
    } else if !threats.checkers.many() {
        // Take the checker or stand between; a pinned piece can do neither.
        let between = between(king, threats.checkers.first());
        pieces::<C>(board, own & !threats.pinned, occupied, between | threats.checkers, out);
        drops::<C>(board, between, out);
    }
    let flights = KING[king] & !own & !attacked::<C::Other>(board, occupied & !ONE[king]);
    plain(king, flights, out);
}

/// Moves of the pieces in `movers`, king apart, to `targets`.
#[inline(always)]
fn pieces<C: Colour>(board: &Board, movers: Bits, occupied: Bits, targets: Bits, out: &mut Moves) {
    let pawns = movers & board.set(Class::Pawn);
    for to in C::forward(pawns) & targets {
        let from = if C::BLACK { to + 1 } else { to - 1 };
        choice::<C>(from, ONE[to], C::far(3), C::far(1), out);
    }
    for from in movers & !board.set(Class::King) & !pawns {
        piece::<C>(board, from, reach::<C>(board, from, occupied) & targets, out);
    }
}

/// Moves of the piece on `from` to `targets`.
#[inline(always)]
fn piece<C: Colour>(board: &Board, from: usize, targets: Bits, out: &mut Moves) {
    let kind = board.kind(Square::trust(from));
    if kind.promoted().is_none() {
        return plain(from, targets, out);
    }
    let zone = if C::far(3).has(from) { targets } else { C::far(3) };
    let must = match kind {
        Kind::Pawn | Kind::Lance => C::far(1),
        Kind::Knight => C::far(2),
        _ => Bits::NONE,
    };
    choice::<C>(from, targets, zone, must, out);
}

/// Moves that promote in `may` and have to in `must`.
#[inline(always)]
fn choice<C: Colour>(from: usize, targets: Bits, may: Bits, must: Bits, out: &mut Moves) {
    let from = Square::trust(from);
    for to in targets & may {
        out.push(Move::board(from, Square::trust(to), true));
    }
    for to in targets & !must {
        out.push(Move::board(from, Square::trust(to), false));
    }
}

#[inline(always)]
fn plain(from: usize, targets: Bits, out: &mut Moves) {
    for to in targets {
        out.push(Move::board(Square::trust(from), Square::trust(to), false));
    }
}

/// Drops on `open` squares.
#[inline(always)]
fn drops<C: Colour>(board: &Board, open: Bits, out: &mut Moves) {
    if board.hand_is_empty(C::SIDE) || open.is_empty() {
        return;
    }
    for kind in Kind::HAND {
        if board.hand(C::SIDE, kind) == 0 {
            continue;
        }
        let targets = match kind {
            Kind::Pawn => {
                let targets = pawn_targets::<C>(board, open);
                targets & !pawn_drop::mating::<C>(board, targets)
            }
            Kind::Lance => open & !C::far(1),
            Kind::Knight => open & !C::far(2),
            _ => open,
        };
        for to in targets {
            out.push(Move::drop(kind, Square::trust(to)));
        }
    }
}
