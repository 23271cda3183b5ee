//! Attack sets of single pieces, and the geometry of lines between squares.
//!
//! ```
//! use tesuji_game::Side;
//! use tesuji_shogi::{Bitboard, PieceKind, Square, attacks};
//!
//! let at = |name| Square::parse(name).unwrap();
//! // A rook on 5e with a piece on 5c and one on 2e attacks both, and nothing behind them:
//! //
//! //  9 8 7 6 5 4 3 2 1
//! //  . . . . . . . . .  a
//! //  . . . . . . . . .  b
//! //  . . . . # . . . .  c
//! //  . . . . # . . . .  d
//! //  # # # # R # # # .  e
//! //  . . . . # . . . .  f
//! let occupied: Bitboard = [at("5e"), at("5c"), at("2e")].into_iter().collect();
//! let rook = attacks::attacks(Side::First, PieceKind::Rook, at("5e"), occupied);
//! assert_eq!(rook.count(), 2 + 4 + 4 + 3);
//! assert!(rook.contains(at("5c")) && !rook.contains(at("5b")));
//! ```

use tesuji_game::Side;

use crate::bitboard::Bitboard;
use crate::sliders::{bishop, is_rising, lance, rook};
use crate::tables::{self, CROSS, GOLD, KING, KNIGHT, PAWN, RAYS, SALTIRE, SILVER, TOWARDS};
use crate::{PieceKind, Square};

/// A direction on the board, as black sees it, anticlockwise from straight ahead.
///
/// ```text
/// UpLeft   Up   UpRight
/// Left     ·    Right        files grow to the left, ranks grow downwards
/// DownLeft Down DownRight
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Forward for black.
    Up,
    /// Forward and left for black.
    UpLeft,
    /// Towards file 9.
    Left,
    /// Back and left for black.
    DownLeft,
    /// Forward for white.
    Down,
    /// Back and right for black.
    DownRight,
    /// Towards file 1.
    Right,
    /// Forward and right for black.
    UpRight,
}

impl Direction {
    /// All eight, in order.
    pub const ALL: [Direction; 8] = [
        Direction::Up,
        Direction::UpLeft,
        Direction::Left,
        Direction::DownLeft,
        Direction::Down,
        Direction::DownRight,
        Direction::Right,
        Direction::UpRight,
    ];

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 4]
    }

    /// One step as (files to the left, ranks down).
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Direction::Up => (0, -1),
            Direction::UpLeft => (1, -1),
            Direction::Left => (1, 0),
            Direction::DownLeft => (1, 1),
            Direction::Down => (0, 1),
            Direction::DownRight => (-1, 1),
            Direction::Right => (-1, 0),
            Direction::UpRight => (-1, -1),
        }
    }
}

/// The directions in which a piece attacks. A knight has none: it jumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Directions {
    steps: u8,
    slides: u8,
}

impl Directions {
    /// The directions of a piece.
    ///
    /// ```
    /// use tesuji_game::Side;
    /// use tesuji_shogi::PieceKind;
    /// use tesuji_shogi::attacks::{Direction, Directions};
    ///
    /// let horse = Directions::of(Side::First, PieceKind::Horse);
    /// assert!(horse.attacks(Direction::UpLeft, 5) && horse.attacks(Direction::Up, 1));
    /// assert!(!horse.attacks(Direction::Up, 2));
    /// ```
    #[inline]
    pub const fn of(side: Side, kind: PieceKind) -> Directions {
        DIRECTIONS[side.index()][kind as usize]
    }

    /// Whether the piece attacks a square at this distance (1 for a neighbour), with nothing between.
    #[inline]
    pub const fn attacks(self, direction: Direction, distance: u8) -> bool {
        let directions = if distance == 1 { self.steps } else { self.slides };
        directions >> direction as u8 & 1 != 0
    }
}

/// The directions of each kind, by side and code.
static DIRECTIONS: [[Directions; 16]; 2] = {
    const CROSS: u8 = 0b0101_0101;
    const SALTIRE: u8 = 0b1010_1010;
    const GOLD: u8 = 0b1101_0111;
    let mut table = [[Directions { steps: 0, slides: 0 }; 16]; 2];
    let mut at = 0;
    while at < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[at];
        let (steps, slides): (u8, u8) = match kind {
            PieceKind::Pawn => (1, 0),
            PieceKind::Lance => (1, 1),
            PieceKind::Knight => (0, 0),
            PieceKind::Silver => (SALTIRE | 1, 0),
            PieceKind::Bishop => (SALTIRE, SALTIRE),
            PieceKind::Rook => (CROSS, CROSS),
            PieceKind::King => (CROSS | SALTIRE, 0),
            PieceKind::Horse => (CROSS | SALTIRE, SALTIRE),
            PieceKind::Dragon => (CROSS | SALTIRE, CROSS),
            _ => (GOLD, 0),
        };
        table[0][kind as usize] = Directions { steps, slides };
        table[1][kind as usize] = Directions { steps: steps.rotate_left(4), slides: slides.rotate_left(4) };
        at += 1;
    }
    table
};

/// The squares that a piece attacks, up to and including the first occupied square of each line.
#[inline]
pub fn attacks(side: Side, kind: PieceKind, from: Square, occupied: Bitboard) -> Bitboard {
    let (side, at) = (side.index(), from.index());
    match kind {
        PieceKind::Pawn => PAWN[side][at],
        PieceKind::Lance if side == 0 => lance::<true>(at, occupied),
        PieceKind::Lance => lance::<false>(at, occupied),
        PieceKind::Knight => KNIGHT[side][at],
        PieceKind::Silver => SILVER[side][at],
        PieceKind::Bishop => bishop(at, occupied),
        PieceKind::Rook => rook(at, occupied),
        PieceKind::King => KING[at],
        PieceKind::Horse => bishop(at, occupied) | CROSS[at],
        PieceKind::Dragon => rook(at, occupied) | SALTIRE[at],
        _ => GOLD[side][at],
    }
}

/// Whether a piece attacks one square. The same as `attacks(…).contains(to)`, but cheaper.
#[inline]
pub fn attacks_square(side: Side, kind: PieceKind, from: Square, to: Square, occupied: Bitboard) -> bool {
    let Some(direction) = direction(from, to) else {
        return kind == PieceKind::Knight && knight(side, from).contains(to);
    };
    let distance = from.distance(to);
    Directions::of(side, kind).attacks(direction, distance)
        && (distance == 1 || (between(from, to) & occupied).is_empty())
}

/// The squares that a knight attacks.
#[inline]
pub fn knight(side: Side, from: Square) -> Bitboard {
    KNIGHT[side.index()][from.index()]
}

/// The squares that a king attacks.
#[inline]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// The squares from one square to the edge.
#[inline]
pub fn ray(from: Square, direction: Direction) -> Bitboard {
    RAYS[from.index()][direction as usize]
}

/// The first occupied square in a direction; `None` when there is none before the edge.
///
/// ```
/// use tesuji_shogi::{Bitboard, Square, attacks};
/// use tesuji_shogi::attacks::Direction;
///
/// let [from, near, far] = ["5e", "5c", "5b"].map(|name| Square::parse(name).unwrap());
/// let occupied: Bitboard = [near, far].into_iter().collect();
/// assert_eq!(attacks::first_on_ray(from, Direction::Up, occupied), Some(near));
/// assert_eq!(attacks::first_on_ray(from, Direction::Down, occupied), None);
/// ```
#[inline]
pub fn first_on_ray(from: Square, direction: Direction, occupied: Bitboard) -> Option<Square> {
    let blockers = ray(from, direction) & occupied;
    if blockers.is_empty() {
        return None;
    }
    let index = if is_rising(direction as usize) { blockers.first() } else { blockers.last() };
    Some(Square::trust(index))
}

/// The direction from one square to another; `None` when they are equal or not on a line.
#[inline]
pub fn direction(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL.get(usize::from(TOWARDS[from.index()][to.index()])).copied()
}

/// The squares strictly between two squares; empty when they are not on a line.
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    tables::between(from.index(), to.index())
}

/// The whole line through two squares, without the first; empty when they are not on a line.
#[inline]
pub fn line(from: Square, to: Square) -> Bitboard {
    tables::line(from.index(), to.index())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_squares_agree_with_attack_sets() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random
        };
        for _ in 0..20 {
            let occupied = Bitboard::of(next() & next(), next() & next()) & Bitboard::ALL;
            for from in Square::all() {
                for (side, kind) in Side::BOTH.into_iter().flat_map(|side| PieceKind::ALL.map(|kind| (side, kind))) {
                    let set = attacks(side, kind, from, occupied);
                    let single: Bitboard =
                        Square::all().filter(|&to| attacks_square(side, kind, from, to, occupied)).collect();
                    assert_eq!(set & Bitboard::ALL, single, "{side} {kind:?} on {from} in\n{occupied:?}");
                }
                for direction in Direction::ALL {
                    let (files, ranks) = direction.offset();
                    let mut at = from.offset(files, ranks);
                    while let Some(square) = at.filter(|&square| !occupied.contains(square)) {
                        at = square.offset(files, ranks);
                    }
                    assert_eq!(first_on_ray(from, direction, occupied), at, "{from} {direction:?}");
                    assert_eq!(ray(from, direction) & ray(from, direction.opposite()), Bitboard::EMPTY);
                }
            }
        }
    }
}
