//! Zobrist keys. The random numbers are added, not xored, so that a hand of three pawns counts the number of a pawn
//! three times.

use tesuji_game::Side;

use crate::Square;

/// The number for white to move.
pub(crate) const WHITE_TO_MOVE: u64 = random(0);

/// The number of a piece, by its code, on a square.
#[inline(always)]
pub(crate) fn piece(code: u8, number: usize) -> u64 {
    PIECES[usize::from(code & 31)][number]
}

/// The number of each piece in hand.
#[inline(always)]
pub(crate) fn held(side: Side, kind: u8) -> u64 {
    HELD[side.index()][usize::from(kind & 7)]
}

static PIECES: [[u64; Square::INDICES]; 32] = {
    let mut numbers = [[0; Square::INDICES]; 32];
    let mut at = 0;
    while at < 32 * Square::INDICES {
        numbers[at / Square::INDICES][at % Square::INDICES] = random(100 + at as u64);
        at += 1;
    }
    numbers
};

static HELD: [[u64; 8]; 2] = {
    let mut numbers = [[0; 8]; 2];
    let mut at = 0;
    while at < 16 {
        numbers[at / 8][at % 8] = random(10 + at as u64);
        at += 1;
    }
    numbers
};

/// The `n`-th number of the SplitMix64 sequence.
const fn random(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
