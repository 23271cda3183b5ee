//! The ten kinds of squares that a board of eight by eight has up to symmetry.

/// One number for each kind of square, as they stand in the corner between a1 and d4:
///
/// ```text
/// 0 1 2 3     corner  C  A  B
///   4 5 6             X
///     7 8
///       9
/// ```
pub(super) type Kinds = [i16; 10];

/// The numbers spread over the board, a1 first.
pub(super) const fn spread(kinds: Kinds) -> [i16; 64] {
    const FIRST: [usize; 4] = [0, 4, 7, 9];
    let mut board = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (fold(square % 8), fold(square / 8));
        let (near, far) = if column < row { (column, row) } else { (row, column) };
        board[square] = kinds[FIRST[near] + far - near];
        square += 1;
    }
    board
}

/// How far a line is from the nearer edge.
const fn fold(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

/// Calls `visit` with the number of each square in a set.
#[inline]
pub(super) fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_spread_alike_over_all_corners() {
        let board = spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(board[..8], [0, 1, 2, 3, 3, 2, 1, 0]);
        assert_eq!(board[8..16], [1, 4, 5, 6, 6, 5, 4, 1]);
        assert_eq!(board[24..32], [3, 6, 8, 9, 9, 8, 6, 3]);
        assert!((0..64).all(|square| board[square] == board[63 - square]));
        assert!((0..64).all(|square| board[square] == board[square % 8 * 8 + square / 8]));
    }
}
