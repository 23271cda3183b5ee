//! The board as numbers: neighbours, directions, and how far each piece reaches along them.
//!
//! The rules keep their sets of squares to themselves; what is asked here is asked of one square at a time.

use tesuji_game::{Move as _, Side};
use tesuji_shogi::{Kind, Move, Shogi, Square};

/// Numbers of squares, `10 * (file - 1) + (rank - 1)`, lie below this; it also stands for "off the board".
pub(super) const OFF: usize = 90;

/// The eight directions as (files, ranks), all round; the opposite of `d` is `d ^ 4`. 0 is forward for black.
pub(super) const DIRECTIONS: [(i32, i32); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// No direction leads from the one square to the other.
pub(super) const APART: usize = 8;

/// The number of a square.
#[inline]
pub(super) fn number(square: Square) -> usize {
    // The low bits of a move are the number of its target.
    (Move::drop(Kind::Pawn, square).to_bits() & 127) as usize
}

/// The square of a number below [`OFF`]; a number of no square gives some square.
#[inline]
pub(super) fn square(number: usize) -> Square {
    static SQUARES: [Square; 128] = {
        let Some(first) = Square::new(1, 1) else { panic!("1a is a square") };
        let mut squares = [first; 128];
        let mut number = 0;
        while number < OFF {
            if let Some(square) = Square::new(number as u8 / 10 + 1, number as u8 % 10 + 1) {
                squares[number] = square;
            }
            number += 1;
        }
        squares
    };
    SQUARES[number & 127]
}

/// What stands on the square of a number, as its side and kind.
#[inline]
pub(super) fn piece(game: &Shogi, number: usize) -> Option<(Side, Kind)> {
    game.piece(square(number)).map(|piece| (piece.side, piece.kind))
}

/// Whether the square lies in the three far ranks of a side.
#[inline]
pub(super) const fn in_zone(side: Side, number: usize) -> bool {
    match side {
        Side::First => number % 10 < 3,
        Side::Second => number % 10 > 5,
    }
}

pub(super) const fn beyond(number: usize, files: i32, ranks: i32) -> usize {
    let (file, rank) = (number as i32 / 10 + files, number as i32 % 10 + ranks);
    if number < OFF && number % 10 != 9 && 0 <= file && file < 9 && 0 <= rank && rank < 9 {
        (file * 10 + rank) as usize
    } else {
        OFF
    }
}

/// The neighbour in each direction, or [`OFF`].
pub(super) static NEXT: [[u8; 8]; OFF + 1] = {
    let mut next = [[OFF as u8; 8]; OFF + 1];
    let mut at = 0;
    while at < OFF * 8 {
        let (files, ranks) = DIRECTIONS[at % 8];
        next[at / 8][at % 8] = beyond(at / 8, files, ranks) as u8;
        at += 1;
    }
    next
};

/// The squares from where a knight of each side attacks a square.
pub(super) static KNIGHTS: [[[u8; 2]; OFF + 1]; 2] = {
    let mut from = [[[OFF as u8; 2]; OFF + 1]; 2];
    let mut number = 0;
    while number < OFF {
        from[0][number] = [beyond(number, -1, 2) as u8, beyond(number, 1, 2) as u8];
        from[1][number] = [beyond(number, -1, -2) as u8, beyond(number, 1, -2) as u8];
        number += 1;
    }
    from
};

/// Direction and distance between any two squares; 8 and 0 where no line joins them.
static BEARING: [[u8; OFF + 1]; OFF + 1] = {
    let mut bearing = [[APART as u8; OFF + 1]; OFF + 1];
    let mut at = 0;
    while at < OFF * 8 {
        let (from, direction) = (at / 8, at % 8);
        let (mut to, mut steps) = (NEXT[from][direction], 1);
        while to != OFF as u8 {
            bearing[from][to as usize] = direction as u8 | steps << 4;
            (to, steps) = (NEXT[to as usize][direction], steps + 1);
        }
        at += 1;
    }
    bearing
};

/// In which direction, or [`APART`], and how far one square lies from another.
#[inline]
pub(super) fn bearing(from: usize, to: usize) -> (usize, usize) {
    let bearing = BEARING[from][to];
    (usize::from(bearing & 15), usize::from(bearing >> 4))
}

/// Whether two squares are neighbours or the same, counting `within` steps of a king.
#[inline]
pub(super) const fn within(a: usize, b: usize, steps: usize) -> bool {
    (a / 10).abs_diff(b / 10) <= steps && (a % 10).abs_diff(b % 10) <= steps
}

/// The directions a piece attacks in, one bit each.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// To the neighbour.
    pub(super) near: u8,
    /// As far as the way is free.
    pub(super) far: u8,
}

/// The reach of each kind, by side. A knight's is empty: it jumps.
pub(super) static REACH: [[Reach; 16]; 2] = {
    const CROSS: u8 = 0b0101_0101;
    const SALTIRE: u8 = 0b1010_1010;
    const GOLD: u8 = 0b1101_0111;
    const fn reach(near: u8, far: u8) -> Reach {
        Reach { near: near | far, far }
    }
    let mut table = [[reach(0, 0); 16]; 2];
    table[0][Kind::Pawn as usize] = reach(1, 0);
    table[0][Kind::Lance as usize] = reach(1, 1);
    table[0][Kind::Silver as usize] = reach(SALTIRE | 1, 0);
    table[0][Kind::Gold as usize] = reach(GOLD, 0);
    table[0][Kind::Bishop as usize] = reach(0, SALTIRE);
    table[0][Kind::Rook as usize] = reach(0, CROSS);
    table[0][Kind::King as usize] = reach(CROSS | SALTIRE, 0);
    table[0][Kind::ProPawn as usize] = reach(GOLD, 0);
    table[0][Kind::ProLance as usize] = reach(GOLD, 0);
    table[0][Kind::ProKnight as usize] = reach(GOLD, 0);
    table[0][Kind::ProSilver as usize] = reach(GOLD, 0);
    table[0][Kind::Horse as usize] = reach(CROSS, SALTIRE);
    table[0][Kind::Dragon as usize] = reach(SALTIRE, CROSS);
    let mut kind = 0;
    while kind < 16 {
        let Reach { near, far } = table[0][kind];
        table[1][kind] = Reach { near: near.rotate_left(4), far: far.rotate_left(4) };
        kind += 1;
    }
    table
};

/// Whether a piece attacks along a direction, over this distance, the way being free.
#[inline]
pub(super) fn reaches(side: Side, kind: Kind, direction: usize, distance: usize) -> bool {
    let reach = REACH[side.index()][kind as usize];
    let directions = if distance == 1 { reach.near } else { reach.far };
    directions >> direction & 1 != 0
}

/// Whether a piece of this side and kind on `from` attacks `to`, with `gone` taken for empty.
#[inline]
pub(super) fn attacks(game: &Shogi, side: Side, kind: Kind, from: usize, to: usize, gone: usize) -> bool {
    let (direction, distance) = bearing(from, to);
    if direction == APART {
        return kind == Kind::Knight && KNIGHTS[side.index()][to].contains(&(from as u8));
    }
    reaches(side, kind, direction, distance) && (distance == 1 || first(game, from, direction, gone) == to)
}

/// The first occupied square in a direction, with `gone` taken for empty; [`OFF`] when there is none.
#[inline]
pub(super) fn first(game: &Shogi, from: usize, direction: usize, gone: usize) -> usize {
    let mut at = usize::from(NEXT[from][direction]);
    while at != OFF && (at == gone || game.piece(square(at)).is_none()) {
        at = usize::from(NEXT[at][direction]);
    }
    at
}
