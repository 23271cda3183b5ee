//! Every move tried in turn; replaced by the generator.

use crate::bits::Bits;
use crate::board::{Board, Class};
use crate::piece::rank_from_far;
use crate::sliders::{bishop, lance, rook};
use crate::tables::{CROSS, GOLD, KING, KNIGHT, PAWN, SALTIRE, SILVER};
use crate::{Kind, Move, Moves, Square};
use tesuji_game::{MoveList, Side};

fn attacks(board: &Board, kind: Kind, side: Side, from: usize) -> Bits {
    let (s, occupied) = (side.index(), board.occupied());
    match kind {
        Kind::Pawn => PAWN[s][from],
        Kind::Lance if side == Side::First => lance::<true>(from, occupied),
        Kind::Lance => lance::<false>(from, occupied),
        Kind::Knight => KNIGHT[s][from],
        Kind::Silver => SILVER[s][from],
        Kind::Bishop => bishop(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::King => KING[from],
        Kind::Horse => bishop(from, occupied) | CROSS[from],
        Kind::Dragon => rook(from, occupied) | SALTIRE[from],
        _ => GOLD[s][from],
    }
}

pub(crate) fn moves(board: &mut Board, out: &mut Moves) {
    all(board, out, true);
}

fn all(board: &mut Board, out: &mut Moves, mates: bool) {
    out.clear();
    let side = board.mover();
    let mut found = Vec::new();
    for from in Square::all() {
        let Some(piece) = board.piece(from).filter(|piece| piece.side == side) else { continue };
        let targets = attacks(board, piece.kind, side, from.number()) & !board.side(side) & Bits::BOARD;
        targets.each(|to| {
            let to = Square::of(to);
            let far = rank_from_far(side, to.rank()).min(rank_from_far(side, from.rank()));
            if rank_from_far(side, to.rank()) > piece.kind.dead_ranks() {
                found.push(Move::board(from, to, false));
            }
            if far <= 3 && piece.kind.promoted().is_some() {
                found.push(Move::board(from, to, true));
            }
        });
    }
    for to in Square::all().filter(|&to| board.piece(to).is_none()) {
        for kind in Kind::HAND {
            let nifu = (board.set(Class::Pawn)
                & board.side(side)
                & crate::tables::line(
                    Square::new(to.file(), 1).map_or(0, Square::number),
                    Square::new(to.file(), 9).map_or(0, Square::number),
                )
                .with(Bits::one(Square::new(to.file(), 1).map_or(0, Square::number))))
            .any();
            if board.hand(side, kind) > 0
                && rank_from_far(side, to.rank()) > kind.dead_ranks()
                && !(kind == Kind::Pawn && nifu)
            {
                found.push(Move::drop(kind, to));
            }
        }
    }
    for mv in found {
        let undo = board.play(mv);
        let mut legal = !board.is_checked(side);
        if legal && mates && mv.dropped() == Some(Kind::Pawn) && board.is_checked(!side) {
            let mut replies = Moves::default();
            all(board, &mut replies, false);
            legal = !replies.is_empty();
        }
        board.undo(undo);
        if legal {
            out.push(mv);
        }
    }
}
