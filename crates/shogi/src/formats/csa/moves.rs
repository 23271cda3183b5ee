//! CSA moves: side, origin, target and the piece as it is after the move, `+7776FU`.

use tesuji_game::{Game, Record};

use super::words;
use crate::{Move, Piece, Shogi};

/// Whether `text` has the shape of a move.
pub(super) fn is_move(text: &str) -> bool {
    match *text.as_bytes() {
        [b'+' | b'-', ref squares @ .., a, b] => {
            squares.len() == 4
                && squares.iter().all(u8::is_ascii_digit)
                && (a.is_ascii_uppercase() && b.is_ascii_uppercase())
        }
        _ => false,
    }
}

/// The move of a text, if the pieces allow it. The record checks legality.
pub(in crate::formats) fn read(text: &str, game: &Record<Shogi>) -> Result<Move, String> {
    let now = game.now();
    if !is_move(text) {
        return Err("a move reads +7776FU: side, from (00 for the hand), to, and the piece after it".to_owned());
    }
    let (sign, rest) = text.split_at(1);
    let (origin, rest) = rest.split_at(2);
    let (target, name) = rest.split_at(2);
    let mover = words::sign(now.mover());
    if !sign.starts_with(mover) {
        return Err(format!("it is {mover}'s turn"));
    }
    let to = words::read_square(target).ok_or_else(|| format!("there is no square {target}"))?;
    let kind = words::read_kind(name).ok_or_else(|| format!("{name} is no piece; a pawn is FU, promoted TO"))?;
    if origin == "00" {
        if kind.is_promoted() || now.hand(now.mover(), kind) == 0 {
            return Err(format!("{mover} has no {name} in hand"));
        }
        return Ok(Move::drop(kind, to));
    }
    let from = words::read_square(origin).ok_or_else(|| format!("there is no square {origin}"))?;
    match now.piece(from) {
        Some(Piece { side, kind: before }) if side == now.mover() => {
            let promoted = before.promoted();
            if before != kind && promoted != Some(kind) {
                let after = promoted.map(|promoted| format!(", or {} promoted", words::kind(promoted)));
                let (before, after) = (words::kind(before), after.unwrap_or_default());
                return Err(format!("the piece on {origin} is written {before}{after}"));
            }
            Ok(Move::board(from, to, before != kind))
        }
        Some(_) => Err(format!("the piece on {origin} is not {mover}'s")),
        None => Err(format!("no piece stands on {origin}")),
    }
}

/// A move that is legal in `now`.
pub(in crate::formats) fn write(now: &Shogi, mv: Move) -> String {
    let to = mv.to();
    let moved = |from| now.piece(from).map(|piece| piece.kind);
    let kind = mv.dropped().or_else(|| mv.from().and_then(moved));
    let after = if mv.promotes() { kind.and_then(|kind| kind.promoted()) } else { kind };
    let origin = mv.from().map_or("00".to_owned(), |from| format!("{}{}", from.file(), from.rank()));
    let name = after.map_or("", words::kind);
    format!("{}{origin}{}{}{name}", words::sign(now.mover()), to.file(), to.rank())
}
