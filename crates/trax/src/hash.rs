//! A translation-invariant hash: a shift of the whole board multiplies the sum of all tiles by a known factor.
//!
//! Tile `t` at column `x` and row `y` adds `h(t) * A^x * B^y` modulo the prime `2^61 - 1`; dividing the sum by
//! `A^x0 * B^y0`, with `(x0, y0)` the corner of the box, makes it the same wherever the tiles lie. In a field
//! two boards of one box meet with the chance of a root of their difference: about side / 2^61.

use crate::edges::{Edges, NUMBER};

const PRIME: u64 = (1 << 61) - 1;
const A: u64 = 0x0e4d_0c3b_8a75_f169;
const B: u64 = 0x1b27_95de_6c80_34f7;
const TILE: [u64; 6] = [
    0x1243_f6a8_885a_308d,
    0x0313_198a_2e03_7073,
    0x04a4_0938_2229_9f31,
    0x0082_efa9_8ec4_e6c8,
    0x1528_21e6_38d0_1377,
    0x0be5_466c_f34e_90c6,
];

/// Powers near zero are looked up, the others are computed.
const NEAR: i32 = 64;

/// `h(t) * A^x` by tile and column, so that a tile costs one multiplication. Two rows are never used: any
/// three bits are a row.
static TILE_POWERS: [[u64; 2 * NEAR as usize]; 8] = {
    let mut table = [[0; 2 * NEAR as usize]; 8];
    let mut tile = 0;
    while tile < 6 {
        table[tile] = powers(A, TILE[tile]);
        tile += 1;
    }
    table
};
static A_POWERS: [u64; 2 * NEAR as usize] = powers(A, 1);
static B_POWERS: [u64; 2 * NEAR as usize] = powers(B, 1);

#[inline]
const fn mul(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

#[inline]
const fn pow(base: u64, exponent: i32) -> u64 {
    // Of an element of the group of order PRIME - 1, so a negative exponent may be counted from its end.
    let mut exponent = if exponent < 0 { PRIME - 1 - exponent.unsigned_abs() as u64 } else { exponent as u64 };
    let (mut base, mut power) = (base, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = mul(power, base);
        }
        base = mul(base, base);
        exponent >>= 1;
    }
    power
}

#[inline]
const fn powers(base: u64, factor: u64) -> [u64; 2 * NEAR as usize] {
    let mut table = [0; 2 * NEAR as usize];
    let mut power = mul(factor, pow(base, -NEAR));
    let mut at = 0;
    while at < table.len() {
        table[at] = power;
        power = mul(power, base);
        at += 1;
    }
    table
}

/// `A^x * B^y`.
#[inline]
pub(crate) fn place(x: i32, y: i32) -> u64 {
    match (A_POWERS.get((x + NEAR) as usize), B_POWERS.get((y + NEAR) as usize)) {
        (Some(&a), Some(&b)) => mul(a, b),
        _ => far(x, y),
    }
}

#[cold]
fn far(x: i32, y: i32) -> u64 {
    mul(pow(A, x), pow(B, y))
}

/// The sum with one more tile, at this place.
#[inline]
pub(crate) fn add(sum: u64, tile: Edges, x: i32, y: i32) -> u64 {
    let number = usize::from(NUMBER[usize::from(tile)] & 7);
    let value = match (TILE_POWERS[number].get((x + NEAR) as usize), B_POWERS.get((y + NEAR) as usize)) {
        (Some(&a), Some(&b)) => mul(a, b),
        _ => mul(TILE_POWERS[number][NEAR as usize], far(x, y)),
    };
    let sum = sum + value;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The sum as it would be with the place `(x, y)` at the origin.
#[inline]
pub(crate) fn shift(sum: u64, x: i32, y: i32) -> u64 {
    mul(sum, place(-x, -y))
}

/// Spreads a value over all 64 bits; a bijection.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let value = (value ^ (value >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value ^ (value >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::TILES;

    #[test]
    fn near_and_far_powers_agree() {
        for x in [-NEAR, -1, 0, 1, NEAR - 1] {
            for y in [-NEAR, -7, 0, 7, NEAR - 1] {
                assert_eq!(place(x, y), far(x, y), "{x} {y}");
            }
        }
        assert_eq!(mul(place(16_383, -16_383), place(-16_383, 16_383)), 1);
        assert_eq!(mul(place(-NEAR - 1, NEAR), place(1, 0)), place(-NEAR, NEAR));
    }

    #[test]
    fn a_shift_of_the_board_is_divided_out() {
        let tiles = [(0, 0, 0), (1, 0, 3), (1, 1, 2), (-1, 0, 5)];
        let sum = |dx: i32, dy: i32| tiles.iter().fold(0, |sum, &(x, y, tile)| add(sum, TILES[tile], x + dx, y + dy));
        for (dx, dy) in [(3, -5), (100, 2), (-9000, 9000)] {
            assert_ne!(sum(0, 0), sum(dx, dy));
            assert_eq!(sum(0, 0), shift(sum(dx, dy), dx, dy), "{dx} {dy}");
        }
    }
}
