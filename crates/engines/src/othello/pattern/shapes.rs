//! The patterns that positions are judged by: fifteen shapes of squares, laid on the board in every way the
//! symmetries of the board allow.

/// Patterns on the board: every shape in all its places.
pub(super) const INSTANCES: usize = 62;
/// Shapes that other programs have, too: the first ones.
pub(super) const PLAIN: usize = 12;
/// Their patterns.
pub(super) const PLAIN_INSTANCES: usize = 46;
/// Patterns, rounded up to whole vectors.
pub(super) const LANES: usize = 64;

/// A shape: the squares it covers where it is defined, a1 as 0.
pub(super) struct Shape {
    pub(super) squares: &'static [u8],
    /// The first lane that holds one of its places.
    pub(super) first: usize,
    /// In how many places it lies.
    pub(super) places: usize,
}

/// All shapes, in the order of their lanes.
pub(super) static SHAPES: [Shape; 15] = {
    let shapes: [&[u8]; 15] = [
        &[0, 1, 2, 8, 9, 10, 16, 17, 18],    // a corner, 3 by 3
        &[0, 1, 2, 3, 4, 8, 16, 24, 32, 9],  // a corner with both edges, and the square before it
        &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],    // an edge and the squares before its corners
        &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13], // the middle of an edge, two deep, and its corners
        &[8, 9, 10, 11, 12, 13, 14, 15],     // the second row
        &[16, 17, 18, 19, 20, 21, 22, 23],   // the third
        &[24, 25, 26, 27, 28, 29, 30, 31],   // the fourth
        &[0, 9, 18, 27, 36, 45, 54, 63],     // the long diagonal
        &[8, 17, 26, 35, 44, 53, 62],        // and the shorter ones
        &[16, 25, 34, 43, 52, 61],
        &[24, 33, 42, 51, 60],
        &[32, 41, 50, 59],
        &[0, 1, 8, 9, 10, 17, 18, 27, 36, 45], // the long diagonal without its end, and around its corner
        &[10, 13, 18, 19, 20, 21, 26, 27, 28, 29], // half of the middle, and the squares before it
        &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],    // a corner, 5 by 2
    ];
    let mut all = [const { Shape { squares: &[], first: 0, places: 0 } }; 15];
    let (mut at, mut first) = (0, 0);
    while at < shapes.len() {
        let places = places(shapes[at]);
        all[at] = Shape { squares: shapes[at], first, places };
        first += places;
        at += 1;
    }
    assert!(first == INSTANCES && all[PLAIN].first == PLAIN_INSTANCES);
    all
};

/// Where a square comes to lie by one of the eight symmetries of the board.
pub(super) const fn image(square: u8, symmetry: usize) -> u8 {
    let (mut column, mut row) = (square % 8, square / 8);
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    row * 8 + column
}

/// The set of squares that a shape covers by a symmetry.
pub(super) const fn cover(squares: &[u8], symmetry: usize) -> u64 {
    let (mut set, mut at) = (0, 0);
    while at < squares.len() {
        set |= 1 << image(squares[at], symmetry);
        at += 1;
    }
    set
}

/// Whether a symmetry lays the shape where no earlier one did.
const fn is_new(squares: &[u8], symmetry: usize) -> bool {
    let mut earlier = 0;
    while earlier < symmetry {
        if cover(squares, earlier) == cover(squares, symmetry) {
            return false;
        }
        earlier += 1;
    }
    true
}

const fn places(squares: &[u8]) -> usize {
    let (mut count, mut symmetry) = (0, 0);
    while symmetry < 8 {
        count += is_new(squares, symmetry) as usize;
        symmetry += 1;
    }
    count
}

/// What a disc of the mover on a square adds to the number of each pattern: a power of three, or nothing.
pub(super) static DISC: [[i16; LANES]; 64] = {
    let mut all = [[0; LANES]; 64];
    let mut at = 0;
    while at < SHAPES.len() {
        let shape = &SHAPES[at];
        let (mut lane, mut symmetry) = (shape.first, 0);
        while symmetry < 8 {
            if is_new(shape.squares, symmetry) {
                let (mut place, mut power) = (0, 1_i16);
                while place < shape.squares.len() {
                    all[image(shape.squares[place], symmetry) as usize][lane] = power;
                    power = power.wrapping_mul(3);
                    place += 1;
                }
                lane += 1;
            }
            symmetry += 1;
        }
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_covers_as_many_squares_as_its_shape() {
        for shape in &SHAPES {
            for lane in shape.first..shape.first + shape.places {
                let squares: Vec<i16> =
                    DISC.iter().map(|lanes| lanes[lane]).filter(|&power| power != 0).collect();
                assert_eq!(squares.len(), shape.squares.len());
                let sum: i32 = squares.iter().map(|&power| i32::from(power)).sum();
                assert_eq!(sum, (3_i32.pow(shape.squares.len() as u32) - 1) / 2);
            }
        }
        for lanes in &DISC {
            assert!(lanes[INSTANCES..].iter().all(|&power| power == 0));
        }
    }

    #[test]
    fn no_two_lanes_of_a_shape_cover_the_same_squares() {
        let covered = |lane: usize| (0..64).filter(|&square| DISC[square][lane] != 0).collect::<Vec<_>>();
        for shape in &SHAPES {
            for lane in shape.first..shape.first + shape.places {
                assert!((shape.first..lane).all(|other| covered(other) != covered(lane)));
            }
        }
    }
}
