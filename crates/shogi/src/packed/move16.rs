//! Moves in the 16 bits of other programs. Both number the squares file by file from 1a and the kinds of pieces in the
//! order of YaneuraOu; 0 is no move.
//!
//! ```text
//! bit           0–6  7–13                                  14         15
//! hcpe          to   from, or 81 and more for a drop       promotion
//! packed SFEN   to   from, or the kind for a drop          drop       promotion
//! ```

use super::EntryError;
use super::huffman::{SQUARES, number};
use crate::{Move, PieceKind, Shogi};

/// The kinds by their number, from 1.
const KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];
/// What the number of a dropped kind is added to in hcpe, where squares end at 80.
const HCPE_DROP: u16 = 80;
const HCPE_PROMOTION: u16 = 1 << 14;
const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;

/// The move in the bits of hcpe.
pub(super) fn to_hcpe(mv: Move) -> u16 {
    let to = number(mv.to()) as u16;
    match mv.from() {
        Some(from) => to | (number(from) as u16) << 7 | if mv.promotes() { HCPE_PROMOTION } else { 0 },
        None => to | (HCPE_DROP + kind_number(mv)) << 7,
    }
}

/// The move in the bits of packed SFEN files.
pub(super) fn to_psv(mv: Move) -> u16 {
    let to = number(mv.to()) as u16;
    match mv.from() {
        Some(from) => to | (number(from) as u16) << 7 | if mv.promotes() { PROMOTION } else { 0 },
        None => to | kind_number(mv) << 7 | DROP,
    }
}

/// The legal move of the bits of hcpe.
pub(super) fn from_hcpe(bits: u16, position: &Shogi) -> Result<Option<Move>, EntryError> {
    let origin = bits >> 7 & 127;
    let mv = match origin.checked_sub(HCPE_DROP) {
        None | Some(0) => board(origin, bits, bits & HCPE_PROMOTION != 0),
        Some(kind) if bits & HCPE_PROMOTION == 0 => drop(kind, bits),
        Some(_) => None,
    };
    legal(mv.filter(|_| bits >> 15 == 0), bits, position)
}

/// The legal move of the bits of packed SFEN files.
pub(super) fn from_psv(bits: u16, position: &Shogi) -> Result<Option<Move>, EntryError> {
    let origin = bits >> 7 & 127;
    let mv = match (bits & DROP != 0, bits & PROMOTION != 0) {
        (true, false) => drop(origin, bits),
        (true, true) => None,
        (false, promotes) => board(origin, bits, promotes),
    };
    legal(mv, bits, position)
}

fn board(from: u16, bits: u16, promotes: bool) -> Option<Move> {
    Some(Move::board(*SQUARES.get(usize::from(from))?, *SQUARES.get(usize::from(bits & 127))?, promotes))
}

fn drop(kind: u16, bits: u16) -> Option<Move> {
    let kind = KINDS.get(usize::from(kind).checked_sub(1)?)?;
    Some(Move::drop(*kind, *SQUARES.get(usize::from(bits & 127))?))
}

fn legal(mv: Option<Move>, bits: u16, position: &Shogi) -> Result<Option<Move>, EntryError> {
    match mv {
        _ if bits == 0 => Ok(None),
        Some(mv) if position.why_illegal(mv).is_none() => Ok(Some(mv)),
        _ => Err(EntryError::Move(bits)),
    }
}

fn kind_number(mv: Move) -> u16 {
    let place = mv.dropped().and_then(|dropped| KINDS.iter().position(|&kind| kind == dropped));
    place.map_or(0, |place| place as u16 + 1)
}
