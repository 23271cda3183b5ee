//! Kernels of the older traditions in plain 64-bit arithmetic, for comparison: a flip function for each square, flips by
//! shifts in eight directions, and mobility by carries along all lines.

use tesuji_othello::Square;

/// The squares from `square` to the edge in steps of `(columns, rows)`.
const fn ray(square: usize, columns: i32, rows: i32) -> u64 {
    let (mut column, mut row) = (square as i32 % 8 + columns, square as i32 / 8 + rows);
    let mut set = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        set |= 1 << (row * 8 + column);
        column += columns;
        row += rows;
    }
    set
}

/// The discs that a move to the empty square number `SQUARE` flips.
///
/// The rays are constants, so rays too short to hold a bracketed disc vanish and no table is read. Up the bits, adding one
/// to the ray with everything beside it filled carries through the opposing discs to the first other square. Down the
/// bits, counting the leading zeros finds it.
fn flips_of_square<const SQUARE: usize>(own: u64, other: u64) -> u64 {
    up(const { ray(SQUARE, 1, 0) }, own, other)
        | up(const { ray(SQUARE, -1, 1) }, own, other)
        | up(const { ray(SQUARE, 0, 1) }, own, other)
        | up(const { ray(SQUARE, 1, 1) }, own, other)
        | down(const { ray(SQUARE, -1, 0) }, own, other)
        | down(const { ray(SQUARE, 1, -1) }, own, other)
        | down(const { ray(SQUARE, 0, -1) }, own, other)
        | down(const { ray(SQUARE, -1, -1) }, own, other)
}

#[inline(always)]
fn up(ray: u64, own: u64, other: u64) -> u64 {
    if ray.count_ones() < 2 {
        return 0;
    }
    let bracket = (other | !ray).wrapping_add(1) & ray & own;
    bracket.wrapping_sub(u64::from(bracket != 0)) & ray
}

#[inline(always)]
fn down(ray: u64, own: u64, other: u64) -> u64 {
    if ray.count_ones() < 2 {
        return 0;
    }
    let stops = ray & !other;
    let bracket = (1 << 63) >> (stops | 1).leading_zeros() & stops & own;
    (bracket << 1).wrapping_neg() & ray
}

macro_rules! by_square {
    ($($square:literal)*) => { [$(flips_of_square::<$square>),*] };
}

static BY_SQUARE: [fn(u64, u64) -> u64; 64] = by_square!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
);

/// Flips by a function for each square, called through a table.
#[inline]
pub(crate) fn flips_by_square(own: u64, other: u64, square: Square) -> u64 {
    BY_SQUARE[square.index()](own, other)
}

/// The discs that can lie between two others on a row or a diagonal.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Flips by shift propagation: in each direction the run of opposing discs grows by one step at a time, and counts if an
/// own disc stands behind it.
#[inline]
pub(crate) fn flips_by_shifts(own: u64, other: u64, square: Square) -> u64 {
    let (here, inner) = (square.bit(), other & INNER);
    run::<1, true>(here, own, inner)
        | run::<7, true>(here, own, inner)
        | run::<8, true>(here, own, other)
        | run::<9, true>(here, own, inner)
        | run::<1, false>(here, own, inner)
        | run::<7, false>(here, own, inner)
        | run::<8, false>(here, own, other)
        | run::<9, false>(here, own, inner)
}

#[inline(always)]
fn run<const STEP: u32, const UP: bool>(here: u64, own: u64, other: u64) -> u64 {
    let step = |set: u64| if UP { set << STEP } else { set >> STEP };
    let mut run = step(here) & other;
    for _ in 0..5 {
        run |= step(run) & other;
    }
    run & u64::from(step(run) & own != 0).wrapping_neg()
}

/// Mobility by carries: on a line, with `p1` the own discs one step on and `o` the opposing discs, `p1 + o` carries
/// through every run of `o` that begins behind an own disc, and `!(p1 | o) & (p1 + o)` keeps the squares where the
/// carries come out.
///
/// ```text
/// own    . X . . .     p1      . . X . .
/// o      . . O O .     p1 + o  . . . . 1
/// ```
///
/// Columns become rows by transposing the board, diagonals by rotating each column by its number. Two short diagonals
/// share a row then; their ends are edge squares, which no run contains, so no carry crosses from one to the other. The
/// other way along a line is the same on the board with all bits reversed.
#[inline]
pub(crate) fn mobility_by_carries(own: u64, other: u64) -> u64 {
    let rows = along_lines(own, other & INNER);
    let columns = transpose(along_lines(transpose(own), transpose(other) & INNER));
    let diagonal = INNER & 0x00ff_ffff_ffff_ff00 & other;
    let falling = rise(along_lines(fall(own), fall(diagonal)));
    let rising = fall(along_lines(rise(own), rise(diagonal)));
    (rows | columns | falling | rising) & !(own | other)
}

/// Both ways along the rows.
#[inline(always)]
fn along_lines(own: u64, inner: u64) -> u64 {
    carried(own, inner) | carried(own.reverse_bits(), inner.reverse_bits()).reverse_bits()
}

#[inline(always)]
fn carried(own: u64, inner: u64) -> u64 {
    let p1 = own << 1;
    !(p1 | inner) & p1.wrapping_add(inner)
}

/// Exchanges rows and columns.
#[inline(always)]
fn transpose(mut board: u64) -> u64 {
    for (shift, mask) in [(28, 0x0f0f_0f0f_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)] {
        let change = mask & (board ^ board << shift);
        board ^= change ^ change >> shift;
    }
    board
}

/// Moves the square in row `r` and column `c` to row `r - c`, modulo 8: diagonals that fall to the right become rows.
#[inline(always)]
fn fall(mut board: u64) -> u64 {
    for (shift, mask) in [(8, 0xaaaa_aaaa_aaaa_aaaa), (16, 0xcccc_cccc_cccc_cccc), (32, 0xf0f0_f0f0_f0f0_f0f0)] {
        board ^= mask & (board ^ board.rotate_right(shift));
    }
    board
}

/// Moves the square in row `r` and column `c` to row `r + c`, modulo 8: the other diagonals become rows.
#[inline(always)]
fn rise(mut board: u64) -> u64 {
    for (shift, mask) in [(8, 0xaaaa_aaaa_aaaa_aaaa), (16, 0xcccc_cccc_cccc_cccc), (32, 0xf0f0_f0f0_f0f0_f0f0)] {
        board ^= mask & (board ^ board.rotate_left(shift));
    }
    board
}
