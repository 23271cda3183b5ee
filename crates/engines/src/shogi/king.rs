//! How safe a king is: who bears on the squares around it, and who guards them.
//!
//! A piece counts by what it would attack on an empty board, so that its part depends on nothing but where it
//! stands from the king, and sums can be kept in step with the moves.

use tesuji_game::Side;
use tesuji_shogi::Kind;

use super::geometry::{DIRECTIONS, OFF, REACH};

/// Ways a piece can lie from a king: 17 files by 17 ranks.
const WAYS: usize = 17 * 17;

/// A square on a board so wide that a difference of two tells how they lie to each other.
static WIDE: [u16; OFF + 1] = {
    let mut wide = [0; OFF + 1];
    let mut number = 0;
    while number < OFF {
        wide[number] = (number / 10 * 17 + number % 10) as u16;
        number += 1;
    }
    wide
};

/// How a king lies from a piece, as the owner of the piece sees it.
#[inline]
fn way(side: Side, from: usize, king: usize) -> usize {
    let way = usize::from(WIDE[king]) + WAYS / 2 - usize::from(WIDE[from]);
    match side {
        Side::First => way,
        Side::Second => WAYS - 1 - way,
    }
}

/// How much a piece bears on the other king.
#[inline]
pub(super) fn pressure(side: Side, kind: Kind, from: usize, king: usize) -> i32 {
    i32::from(PRESSURE[kind as usize][way(side, from, king)])
}

/// How much a piece guards its own king.
#[inline]
pub(super) fn guard(side: Side, kind: Kind, from: usize, king: usize) -> i32 {
    i32::from(GUARD[kind as usize][way(side, from, king)])
}

/// What a piece in hand adds to an attack.
pub(super) static HELD: [i32; 8] = [0, 1, 3, 4, 8, 9, 7, 9];

/// What an attack is worth: pieces that bear on the king count the more the more there are, in hand too, and
/// the less the better it is guarded.
#[inline]
pub(super) fn danger(pressure: i32, held: i32, guard: i32) -> i32 {
    (pressure * (pressure + 2 * held.min(30)) / (8 + guard / 4)).min(1200)
}

static PRESSURE: [[u8; WAYS]; 16] = bearing(true);
static GUARD: [[u8; WAYS]; 16] = bearing(false);

/// Units for the squares around the king, and its own, that a piece attacks on an empty board.
const fn bearing(attack: bool) -> [[u8; WAYS]; 16] {
    let mut table = [[0; WAYS]; 16];
    let mut at = 0;
    while at < 16 * WAYS {
        let (kind, way) = (at / WAYS, at % WAYS);
        // Where the king lies from the piece.
        let (files, ranks) = (way as i32 / 17 - 8, way as i32 % 17 - 8);
        table[kind][way] = units(kind, files, ranks, attack);
        at += 1;
    }
    table
}

const fn units(kind: usize, files: i32, ranks: i32, attack: bool) -> u8 {
    if kind == Kind::King as usize || (files == 0 && ranks == 0) {
        return 0;
    }
    let mut units = 0;
    let mut direction = 0;
    while direction < 8 {
        let (right, down) = DIRECTIONS[direction];
        let reach = REACH[0][kind];
        let steps = if reach.far >> direction & 1 != 0 {
            8
        } else if reach.near >> direction & 1 != 0 {
            1
        } else {
            0
        };
        let mut step = 1;
        while step <= steps {
            units += seen(files - right * step, ranks - down * step, step);
            step += 1;
        }
        direction += 1;
    }
    if kind == Kind::Knight as usize {
        units += seen(files - 1, ranks + 2, 1) + seen(files + 1, ranks + 2, 1);
    }
    // A piece beside the king is a threat, or a help, whatever it attacks.
    let close = files * files <= 4 && ranks * ranks <= 4;
    if attack && close {
        units += 3;
    }
    // Own pieces in front of the king shelter it better than those behind.
    if !attack && close && ranks >= 0 && kind != Kind::Rook as usize && kind != Kind::Dragon as usize {
        units += 3;
    }
    units
}

/// Units for one attacked square that lies so from the king; lines are often blocked.
const fn seen(files: i32, ranks: i32, step: i32) -> u8 {
    if files * files > 1 || ranks * ranks > 1 {
        0
    } else if step > 2 {
        2
    } else {
        4
    }
}
