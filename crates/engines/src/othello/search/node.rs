//! Nodes of the search tree: the board with its parity, its pattern indices, and the moves from it.

use tesuji_othello::Square;

use super::super::pattern::PatternIndices;

/// A board seen by the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode {
    pub(super) own: u64,
    pub(super) other: u64,
    /// Parity: the quadrants with an odd number of empty squares.
    pub(super) odd: u64,
    /// The number of empty squares.
    pub(super) empties: u32,
    /// The legal moves if they are known already, zero otherwise.
    pub(super) moves: u64,
}

impl SearchNode {
    pub(super) fn new(own: u64, other: u64) -> SearchNode {
        let empties = !(own | other);
        SearchNode { own, other, odd: odd_quadrants(empties), empties: empties.count_ones(), moves: 0 }
    }

    /// The node after a disc on `square` that flips `flipped`.
    #[inline(always)]
    pub(super) fn after(&self, square: Square, flipped: u64) -> SearchNode {
        SearchNode {
            own: self.other & !flipped,
            other: self.own | flipped | square.bit(),
            odd: self.odd ^ QUADRANT[square.index()],
            empties: self.empties - 1,
            moves: 0,
        }
    }

    /// The node after a pass.
    #[inline(always)]
    pub(super) fn passed(&self) -> SearchNode {
        SearchNode { own: self.other, other: self.own, moves: 0, ..*self }
    }
}

/// A node with its incrementally updated pattern indices, for the part of the tree that uses the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternNode {
    pub(super) node: SearchNode,
    pub(super) indices: PatternIndices,
}

impl PatternNode {
    pub(super) fn new(own: u64, other: u64) -> PatternNode {
        PatternNode { node: SearchNode::new(own, other), indices: PatternIndices::new(own, other) }
    }

    /// The node after a generated move.
    #[inline(always)]
    pub(super) fn after(&self, mv: &ScoredMove) -> PatternNode {
        let flipped = self.node.other & !mv.after.own;
        PatternNode { node: mv.after, indices: self.indices.after(usize::from(mv.square), flipped) }
    }

    /// The node after a pass.
    #[inline(always)]
    pub(super) fn passed(&self) -> PatternNode {
        PatternNode { node: self.node.passed(), indices: self.indices.passed() }
    }
}

/// A move, the node it leads to, and its move-ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) after: SearchNode,
    pub(super) square: u8,
    pub(super) score: i32,
}

/// The quadrant of each square.
pub(super) static QUADRANT: [u64; 64] = quadrants();

/// The squares adjacent to each square.
pub(super) static NEIGHBOURS: [u64; 64] = neighbours();

/// The quadrants with an odd number of empty squares.
fn odd_quadrants(empties: u64) -> u64 {
    let mut odd = 0;
    for corner in [0, 7, 56, 63] {
        let quadrant = QUADRANT[corner];
        if (empties & quadrant).count_ones() % 2 == 1 {
            odd |= quadrant;
        }
    }
    odd
}

const fn quadrants() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let corner = 0x0f0f_0f0f_u64;
        all[square] = corner << (square % 8 / 4 * 4) << (square / 32 * 32);
        square += 1;
    }
    all
}

const fn neighbours() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1_u64 << square;
        let west = bit >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
        let east = bit << 1 & 0xfefe_fefe_fefe_fefe;
        let row = west | bit | east;
        all[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrants_cover_the_board_and_a_move_changes_the_parity_of_its_quadrant() {
        assert_eq!(QUADRANT[0] | QUADRANT[7] | QUADRANT[56] | QUADRANT[63], u64::MAX);
        assert_eq!(QUADRANT[27], QUADRANT[0]);
        assert_eq!(QUADRANT[36], QUADRANT[63]);
        assert_eq!(odd_quadrants(0b1), QUADRANT[0]);
        assert_eq!(odd_quadrants(1 << 60 | 1 << 3 | 1 << 2 | 1 << 61), 0);
        let empties = 0xff00_1234_5678_9abc;
        for (square, quadrant) in QUADRANT.into_iter().enumerate() {
            assert_eq!(odd_quadrants(empties) ^ quadrant, odd_quadrants(empties ^ 1 << square));
        }
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        assert_eq!(NEIGHBOURS[0], 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(NEIGHBOURS[63], 1 << 62 | 1 << 55 | 1 << 54);
        assert_eq!(NEIGHBOURS[27].count_ones(), 8);
        let are_neighbours = |a: usize, b: usize| NEIGHBOURS[a] >> b & 1;
        assert!((0..64).all(|a| (0..64).all(|b| are_neighbours(a, b) == are_neighbours(b, a))));
    }
}
