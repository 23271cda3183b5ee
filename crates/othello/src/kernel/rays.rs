//! The eight rays from every square, in two quartets: those that run up the bits and those that run down.

/// How far one step of each ray goes: east, south-west, south and south-east, or back.
pub(super) const STEPS: [u32; 4] = [1, 7, 8, 9];

/// The discs that can lie inside a line of each direction: between two others, so never on the edge that the
/// line crosses.
pub(super) const INSIDE: [u64; 4] =
    [0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e, 0xffff_ffff_ffff_ffff, 0x7e7e_7e7e_7e7e_7e7e];

/// The rays from one square, in the order of [`STEPS`].
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Rays {
    /// Towards h8.
    pub(super) up: [u64; 4],
    /// Towards a1.
    pub(super) down: [u64; 4],
    /// The square itself, in the first lane.
    pub(super) here: [u64; 4],
}

/// By the number of the square; one more entry, all empty, for the 64 that counting the trailing zeros of
/// nothing gives.
pub(super) static RAYS: [Rays; 65] = rays();

const fn rays() -> [Rays; 65] {
    let mut all = [Rays { up: [0; 4], down: [0; 4], here: [0; 4] }; 65];
    let directions: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (columns, rows) = directions[direction];
            all[square].up[direction] = ray(square as i32, columns, rows);
            all[square].down[direction] = ray(square as i32, -columns, -rows);
            direction += 1;
        }
        all[square].here[0] = 1 << square;
        square += 1;
    }
    all
}

const fn ray(square: i32, columns: i32, rows: i32) -> u64 {
    let (mut column, mut row) = (square % 8 + columns, square / 8 + rows);
    let mut set = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        set |= 1 << (row * 8 + column);
        column += columns;
        row += rows;
    }
    set
}
