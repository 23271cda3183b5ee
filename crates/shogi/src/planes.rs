//! Shogi for neural networks: 104 input planes and 27 × 81 policy labels, those of the classic deep-learning programs.
//!
//! Everything is seen by the mover: for white the board is turned by 180°. Squares count row by row from 9a. The planes
//! of the mover come first, then those of the opponent:
//!
//! ```text
//! 0–13    the 14 kinds of pieces on the board, in the order of `PieceKind::ALL`
//! 14–51   pieces in hand, one full plane for each: 18 pawns, 4 lances, 4 knights, 4 silvers, 4 golds, 2 bishops, 2 rooks
//! ```
//!
//! A label is the target square and how the piece gets there: one of ten directions, the same with promotion, or a drop
//! of one of seven kinds.

use tesuji_game::{Encoding, Game, PlaneInput, Planes, Side};

use crate::{Move, PieceKind, Shogi, Square};

/// The kinds in hand in the order of the planes, with the planes of each.
const HANDS: [(PieceKind, usize); 7] = [
    (PieceKind::Pawn, 18),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];
/// The planes of one side: 14 kinds on the board and 38 pieces in hand.
const SIDE_PLANES: usize = 52;
/// Directions without promotion.
const DIRECTIONS: usize = 10;

impl Planes for Shogi {
    const ENCODING: Encoding =
        Encoding { name: "shogi-104/1", height: 9, width: 9, planes: 2 * SIDE_PLANES, policy_planes: 27 };

    fn planes(&self, input: &mut impl PlaneInput) {
        let mover = self.mover();
        for (side, first) in [(mover, 0), (!mover, SIDE_PLANES)] {
            for square in self.pieces(side) {
                if let Some(piece) = self.piece(square) {
                    input.square(first + plane_of(piece.kind), seen(square, mover));
                }
            }
            let mut plane = first + PieceKind::ALL.len();
            for (kind, planes) in HANDS {
                for held in 0..(self.hand(side, kind) as usize).min(planes) {
                    input.fill(plane + held);
                }
                plane += planes;
            }
        }
    }

    #[inline]
    fn label(&self, mv: Move) -> Option<usize> {
        let mover = self.mover();
        let to = seen(mv.to(), mover);
        let how = match (mv.from(), mv.dropped()) {
            (Some(from), _) => direction(seen(from, mover), to) + if mv.promotes() { DIRECTIONS } else { 0 },
            (None, Some(kind)) => 2 * DIRECTIONS + HANDS.iter().position(|&(held, _)| held == kind)?,
            (None, None) => return None,
        };
        Some(how * 81 + to)
    }
}

/// The place of a kind in `PieceKind::ALL`.
#[inline]
fn plane_of(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Gold => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::King => 7,
        PieceKind::ProPawn => 8,
        PieceKind::ProLance => 9,
        PieceKind::ProKnight => 10,
        PieceKind::ProSilver => 11,
        PieceKind::Horse => 12,
        PieceKind::Dragon => 13,
    }
}

/// The square as its mover sees it, row by row from the far left corner.
#[inline]
fn seen(square: Square, mover: Side) -> usize {
    let index = usize::from(square.rank() - 1) * 9 + usize::from(9 - square.file());
    match mover {
        Side::First => index,
        Side::Second => 80 - index,
    }
}

/// Up, up left, up right, left, right, down, down left, down right, and the two jumps of a knight.
#[inline]
fn direction(from: usize, to: usize) -> usize {
    let (right, down) = (to as i32 % 9 - from as i32 % 9, to as i32 / 9 - from as i32 / 9);
    match (right.signum(), down.signum()) {
        (-1, -1) if (right, down) == (-1, -2) => 8,
        (1, -1) if (right, down) == (1, -2) => 9,
        (0, -1) => 0,
        (-1, -1) => 1,
        (1, -1) => 2,
        (-1, 0) => 3,
        (1, 0) => 4,
        (0, _) => 5,
        (-1, _) => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Notation, SparsePlanes};

    use super::*;

    #[test]
    fn kinds_have_the_planes_of_their_order() {
        for (plane, kind) in PieceKind::ALL.into_iter().enumerate() {
            assert_eq!(plane_of(kind), plane, "{kind:?}");
        }
    }

    #[test]
    fn the_start_looks_the_same_to_both_sides() {
        let black = Shogi::start();
        let white = Shogi::parse("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
        let sorted = |game: &Shogi| {
            let mut planes = SparsePlanes::of(game);
            planes.squares.sort_unstable();
            planes
        };
        assert_eq!(sorted(&black), sorted(&white));
        assert_eq!(sorted(&black).squares.len(), 40);
        assert!(sorted(&black).filled.is_empty());
    }

    #[test]
    fn labels_of_known_moves() {
        let label = |position: &str, text: &str| {
            let mut game = Shogi::parse(position).unwrap();
            let mv = game.parse_move(text).unwrap();
            game.label(mv).map(|label| (label / 81, label % 81))
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(label(start, "7g7f"), Some((0, 5 * 9 + 2)));
        assert_eq!(label(start, "2h5h"), Some((3, 7 * 9 + 4)), "towards file 9 is left");
        assert_eq!(label(&start.replace(" b ", " w "), "3c3d"), Some((0, 5 * 9 + 2)), "white's 3d is black's 7f");
        assert_eq!(label("4k4/9/9/9/9/9/9/4N4/4K4 b 2P 1", "5h6f"), Some((8, 5 * 9 + 3)));
        assert_eq!(label("4k4/9/9/9/9/9/9/4N4/4K4 b 2P 1", "P*5e"), Some((20, 4 * 9 + 4)));
        assert_eq!(label("4k4/8R/9/9/9/9/9/9/4K4 b - 1", "1b1a+"), Some((10, 8)));
    }
}
