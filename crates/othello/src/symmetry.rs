//! The sixteen symmetries: the board turned and mirrored, and both again with the colours exchanged.

use tesuji_game::{Game, Side, Symmetric};

use crate::{Move, Othello, Square};

/// Row 1 becomes row 8.
const fn mirror_rows(set: u64) -> u64 {
    set.swap_bytes()
}

/// Column a becomes column h.
const fn mirror_columns(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// b1 becomes a2: exchanges ever larger blocks across the diagonal from a1.
const fn mirror_diagonal(set: u64) -> u64 {
    const fn exchange(set: u64, mask: u64, distance: u32) -> u64 {
        let differing = (set ^ set >> distance) & mask;
        set ^ differing ^ differing << distance
    }
    let set = exchange(set, 0x00aa_00aa_00aa_00aa, 7);
    let set = exchange(set, 0x0000_cccc_0000_cccc, 14);
    exchange(set, 0x0000_0000_f0f0_f0f0, 28)
}

/// The set under one of the eight symmetries of the square.
const fn turned(mut set: u64, symmetry: usize) -> u64 {
    if symmetry & 4 != 0 {
        set = mirror_diagonal(set);
    }
    if symmetry & 2 != 0 {
        set = mirror_rows(set);
    }
    if symmetry & 1 != 0 {
        set = mirror_columns(set);
    }
    set
}

impl Symmetric for Othello {
    /// Numbers 0 to 7 move squares; 8 to 15 move them alike and exchange the colours, which only changes
    /// the name of the mover.
    const SYMMETRIES: usize = 16;

    fn image(&self, symmetry: usize) -> Othello {
        let mover = if symmetry & 8 == 0 { self.mover() } else { !self.mover() };
        self.placed(|set| turned(set, symmetry), mover)
    }

    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        let image = mv.square().and_then(|square| Square::lowest(turned(square.bit(), symmetry)));
        image.map_or(mv, Move::from)
    }

    fn canonical_key(&self) -> u64 {
        self.canonical().key()
    }
}

impl Othello {
    /// The one position that stands for all images: the least sets of the eight, with black to move.
    pub fn canonical(&self) -> Othello {
        let images = (0..8).map(|symmetry| self.placed(|set| turned(set, symmetry), Side::First));
        images.min_by_key(|image| (image.own(), image.other())).unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_and_its_neighbour_have_eight_images() {
        let images: std::collections::BTreeSet<u64> =
            (0..8).map(|symmetry| turned(1 | 1 << 1 | 1 << 2, symmetry)).collect();
        assert_eq!(images.len(), 8);
        assert_eq!(mirror_diagonal(0b10), 1 << 8);
        assert_eq!(mirror_rows(1), 1 << 56);
        assert_eq!(mirror_columns(1), 1 << 7);
    }
}
