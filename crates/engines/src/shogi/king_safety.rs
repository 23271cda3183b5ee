//! King safety: how strongly each side's pieces attack the squares around the other king and defend their own.
//!
//! A piece counts by its attacks on an empty board. So its part depends only on its position relative to the king,
//! and sums can be updated move by move.

use tesuji_game::Side;
use tesuji_shogi::attacks::{Direction, Directions};
use tesuji_shogi::{PieceKind, Square};

/// Offsets of a king from a piece: 17 files by 17 ranks.
const OFFSETS: usize = 17 * 17;

/// The index of a square on a board of width 17, where a difference of two indices is an offset.
static WIDE: [u16; Square::INDICES] = {
    let mut wide = [0; Square::INDICES];
    let mut index = 0;
    while index < Square::INDICES {
        wide[index] = (index / 10 * 17 + index % 10) as u16;
        index += 1;
    }
    wide
};

/// The offset of a king from a piece, from the point of view of the piece's side.
#[inline]
fn offset(side: Side, from: Square, king: Square) -> usize {
    let offset = usize::from(WIDE[king.index()]) + OFFSETS / 2 - usize::from(WIDE[from.index()]);
    match side {
        Side::First => offset,
        Side::Second => OFFSETS - 1 - offset,
    }
}

/// The pressure of a piece on the other king.
#[inline]
pub(super) fn pressure(side: Side, kind: PieceKind, from: Square, king: Square) -> i32 {
    i32::from(PRESSURE[kind as usize][offset(side, from, king)])
}

/// The defence of a piece for its own king.
#[inline]
pub(super) fn guard(side: Side, kind: PieceKind, from: Square, king: Square) -> i32 {
    i32::from(GUARD[kind as usize][offset(side, from, king)])
}

/// The contribution of a piece in hand to an attack.
pub(super) static HELD: [i32; 8] = [0, 1, 3, 4, 8, 9, 7, 9];

/// The value of an attack. It grows faster than linearly with the pressure, also with pieces in hand, and shrinks
/// with the defence.
#[inline]
pub(super) fn danger(pressure: i32, held: i32, guard: i32) -> i32 {
    (pressure * (pressure + 2 * held.min(30)) / (8 + guard / 4)).min(1200)
}

static PRESSURE: [[u8; OFFSETS]; 16] = table(true);
static GUARD: [[u8; OFFSETS]; 16] = table(false);

/// By kind and offset: units for the squares around the king, including its own, that a piece attacks on an empty
/// board.
const fn table(attack: bool) -> [[u8; OFFSETS]; 16] {
    let mut table = [[0; OFFSETS]; 16];
    let mut at = 0;
    while at < PieceKind::ALL.len() * OFFSETS {
        let (kind, offset) = (PieceKind::ALL[at / OFFSETS], at % OFFSETS);
        let (files, ranks) = (offset as i32 / 17 - 8, offset as i32 % 17 - 8);
        table[kind as usize][offset] = units(kind, files, ranks, attack);
        at += 1;
    }
    table
}

const fn units(kind: PieceKind, files: i32, ranks: i32, attack: bool) -> u8 {
    if matches!(kind, PieceKind::King) || (files == 0 && ranks == 0) {
        return 0;
    }
    let mut units = 0;
    let directions = Directions::of(Side::First, kind);
    let mut at = 0;
    while at < 8 {
        let direction = Direction::ALL[at];
        let (left, down) = direction.offset();
        let mut step = 1;
        while step <= 8 && directions.attacks(direction, step as u8) {
            units += square_units(files - left * step, ranks - down * step, step);
            step += 1;
        }
        at += 1;
    }
    if matches!(kind, PieceKind::Knight) {
        units += square_units(files - 1, ranks + 2, 1) + square_units(files + 1, ranks + 2, 1);
    }
    // A piece near the king counts in any case.
    let close = files * files <= 4 && ranks * ranks <= 4;
    if attack && close {
        units += 3;
    }
    // Own pieces in front of the king shelter it better than those behind.
    if !attack && close && ranks >= 0 && !matches!(kind, PieceKind::Rook | PieceKind::Dragon) {
        units += 3;
    }
    units
}

/// Units for one attacked square at this offset from the king. Distant squares count less: lines are often
/// blocked.
const fn square_units(files: i32, ranks: i32, step: i32) -> u8 {
    if files * files > 1 || ranks * ranks > 1 {
        0
    } else if step > 2 {
        2
    } else {
        4
    }
}
