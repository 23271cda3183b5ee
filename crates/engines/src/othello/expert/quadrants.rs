//! Regions of the board as a player sees them: the four quadrants, whose parity says who moves last there,
//! and the squares around a square.

/// The quadrant around each square.
pub(super) static QUADRANT: [u64; 64] = quadrants();

/// The squares next to each square.
pub(super) static AROUND: [u64; 64] = around();

/// The quadrants with an odd number of empty squares.
pub(super) fn odd(empties: u64) -> u64 {
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

const fn around() -> [u64; 64] {
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
    fn quadrants_cover_the_board_and_change_parity_together() {
        assert_eq!(QUADRANT[0] | QUADRANT[7] | QUADRANT[56] | QUADRANT[63], u64::MAX);
        assert_eq!(QUADRANT[27], QUADRANT[0]);
        assert_eq!(QUADRANT[36], QUADRANT[63]);
        assert_eq!(odd(0b1), QUADRANT[0]);
        assert_eq!(odd(1 << 60 | 1 << 3 | 1 << 2 | 1 << 61), 0);
        for (square, quadrant) in QUADRANT.into_iter().enumerate() {
            assert_eq!(odd(0xff00_1234_5678_9abc) ^ quadrant, odd(0xff00_1234_5678_9abc ^ 1 << square));
        }
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        assert_eq!(AROUND[0], 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(AROUND[63], 1 << 62 | 1 << 55 | 1 << 54);
        assert_eq!(AROUND[27].count_ones(), 8);
        assert!((0..64).all(|square| (0..64).all(|other| AROUND[square] >> other & 1 == AROUND[other] >> square & 1)));
    }
}
