//! The division of boards among shares: bands of consecutive indices, dealt out in turn.

use std::ops::Range;

/// The division of the boards of every class into shares of almost equal size.
///
/// A band has a power of two of consecutive indices. Band `b` belongs to share `b % shares`, so every share has boards
/// of every region of the index, and the bands of all shares in turn are the class again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    shares: u32,
    band_bits: u32,
    /// 2³² divided by the number of shares, rounded up: a product and a shift replace the division.
    reciprocal: u64,
}

/// The largest number of shares.
pub const MOST_SHARES: usize = 1 << 12;

impl Partition {
    /// A division among `shares` shares, 1 to [`MOST_SHARES`], by bands of 2^`band_bits` indices.
    pub fn new(shares: usize, band_bits: u32) -> Partition {
        let shares = shares.clamp(1, MOST_SHARES) as u32;
        Partition { shares, band_bits: band_bits.min(24), reciprocal: (1u64 << 32).div_ceil(u64::from(shares)) }
    }

    /// The number of shares.
    pub fn shares(&self) -> usize {
        self.shares as usize
    }

    /// Indices per band, as a power of two.
    pub fn band_bits(&self) -> u32 {
        self.band_bits
    }

    /// The share that an index belongs to, and its place in the part of the class that the share holds.
    #[inline(always)]
    pub fn place(&self, index: u32) -> (usize, u32) {
        let band = index >> self.band_bits;
        // Exact for fewer than 2²⁰ bands: the error of the reciprocal stays below one part.
        let turn = if band < 1 << 20 { ((u64::from(band) * self.reciprocal) >> 32) as u32 } else { band / self.shares };
        ((band - turn * self.shares) as usize, turn << self.band_bits | index & self.mask())
    }

    /// The index at a place of a share; it may be beyond the end of the class.
    #[inline(always)]
    pub fn index(&self, share: usize, place: u32) -> u32 {
        let band = (place >> self.band_bits) * self.shares + share as u32;
        band << self.band_bits | place & self.mask()
    }

    /// The number of bands of a class of this size.
    pub fn bands(&self, size: u32) -> u32 {
        size.div_ceil(1 << self.band_bits)
    }

    /// The indices of a band.
    pub fn span(&self, band: u32, size: u32) -> Range<u32> {
        let start = band << self.band_bits;
        start..start.saturating_add(1 << self.band_bits).min(size)
    }

    /// The places that every share provides for a class of this size: the same for all, so some stay unused.
    pub fn places(&self, size: u32) -> u32 {
        self.bands(size).div_ceil(self.shares) << self.band_bits
    }

    #[inline(always)]
    fn mask(&self) -> u32 {
        (1 << self.band_bits) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_one_place_in_one_share() {
        for (shares, bits, size) in [(1, 3, 100), (2, 0, 17), (3, 4, 1000), (5, 6, 64), (7, 2, 999)] {
            let partition = Partition::new(shares, bits);
            let mut seen = vec![vec![false; partition.places(size) as usize]; shares];
            for index in 0..size {
                let (share, place) = partition.place(index);
                assert!(!std::mem::replace(&mut seen[share][place as usize], true), "{index}");
                assert_eq!(partition.index(share, place), index);
                assert!(partition.span(index >> bits, size).contains(&index));
            }
        }
    }

    #[test]
    fn the_reciprocal_divides_exactly() {
        for shares in [1, 2, 3, 5, 6, 7, 11, 64, 1000, 4095, MOST_SHARES] {
            let partition = Partition::new(shares, 2);
            let bands = (0..5000).chain((1 << 20) - 50..(1 << 20) + 50).chain((1 << 30) - 9..1 << 30);
            for band in bands {
                let (share, place) = partition.place(band << 2 | 3);
                assert_eq!((share, place), ((band as usize) % shares, band / shares as u32 * 4 + 3), "{band} {shares}");
            }
        }
    }
}
