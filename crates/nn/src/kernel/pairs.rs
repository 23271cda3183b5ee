//! Matrix products in bfloat16 with sums in single precision, two terms at a time.

use super::{Block, LANES, Simd};

/// Sixteen numbers in bfloat16, as eight pairs; the first of a pair is the lower half.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct HalfBlock(pub(crate) [u32; LANES / 2]);

/// Sixteen pairs in bfloat16: two rows of sixteen columns, interleaved.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct PairBlock(pub(crate) [u32; LANES]);

/// An instruction set with products of pairs in bfloat16.
pub(crate) trait Pairs: Copy + Send + Sync {
    /// Its single precision.
    type Single: Simd;
    /// A vector of [`LANES`] pairs.
    type P: Copy;

    fn single(self) -> Self::Single;
    fn splat(self, pair: u32) -> Self::P;
    fn load(self, block: &PairBlock) -> Self::P;
    /// `a.0 · b.0 + a.1 · b.1 + c`.
    fn dot(self, a: Self::P, b: Self::P, c: <Self::Single as Simd>::V) -> <Self::Single as Simd>::V;
    /// Rounds to bfloat16.
    fn narrow(self, v: <Self::Single as Simd>::V, half: &mut HalfBlock);
    /// Brings a block that will be needed soon into the level-2 cache.
    fn prefetch(self, block: &PairBlock);
    /// Runs a kernel compiled for this instruction set.
    fn run<K: PairKernel>(self, kernel: K);
}

/// A loop over pairs, as [`Kernel`](super::Kernel) is one over vectors.
pub(crate) trait PairKernel {
    fn run<P: Pairs>(self, pairs: P);
}

/// Columns of a tile of the product, in blocks.
pub(super) const COLUMNS: usize = 2;

/// The product with one panel of [`COLUMNS`] blocks.
pub(super) struct PairGemm<'a> {
    pub(super) left: &'a [HalfBlock],
    /// Blocks of a row of the left matrix.
    pub(super) inputs: usize,
    pub(super) right: &'a [PairBlock],
    /// The panel that is needed next.
    pub(super) next: &'a [PairBlock],
    pub(super) rows: usize,
    pub(super) result: &'a mut [Block],
}

impl PairKernel for PairGemm<'_> {
    #[inline(always)]
    fn run<P: Pairs>(mut self, pairs: P) {
        let most = P::Single::ROWS;
        let panels = self.rows.div_ceil(most);
        let mut row = 0;
        for panel in 0..panels {
            let count = (self.rows - row).div_ceil(panels - panel);
            macro_rules! tiles {
                ($($rows:literal)*) => {
                    match count {
                        $($rows if $rows <= most => self.tile::<P, $rows>(pairs, row),)*
                        _ => unreachable!("a tile has 1 to ROWS rows"),
                    }
                };
            }
            tiles!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
            row += count;
        }
    }
}

impl PairGemm<'_> {
    #[inline(always)]
    fn tile<P: Pairs, const R: usize>(&mut self, pairs: P, first: usize) {
        let simd = pairs.single();
        let right = self.right.as_chunks::<COLUMNS>().0.as_chunks::<{ LANES / 2 }>().0;
        let next = if first == 0 { self.next.as_chunks::<COLUMNS>().0.as_chunks::<{ LANES / 2 }>().0 } else { &[] };
        let mut left: [&[HalfBlock]; R] = [&[]; R];
        for (r, row) in left.iter_mut().enumerate() {
            *row = &self.left[(first + r) * self.inputs..][..right.len()];
        }
        let mut sums = [[simd.splat(0.0); COLUMNS]; R];
        for (k, right) in right.iter().enumerate() {
            let next = next.get(k);
            for pair in 0..LANES / 2 {
                if let Some(next) = next {
                    for n in 0..COLUMNS {
                        pairs.prefetch(&next[pair][n]);
                    }
                }
                let mut columns = [pairs.splat(0); COLUMNS];
                for n in 0..COLUMNS {
                    columns[n] = pairs.load(&right[pair][n]);
                }
                for r in 0..R {
                    let x = pairs.splat(left[r][k].0[pair]);
                    for n in 0..COLUMNS {
                        sums[r][n] = pairs.dot(x, columns[n], sums[r][n]);
                    }
                }
            }
        }
        for r in 0..R {
            let row = &mut self.result[(first + r) * COLUMNS..][..COLUMNS];
            for n in 0..COLUMNS {
                simd.store(sums[r][n], &mut row[n]);
            }
        }
    }
}

/// The definition, for comparison.
#[cfg(test)]
pub(crate) mod portable {
    use super::*;
    use crate::half::{from_bf16, to_bf16};
    use crate::kernel::Portable;

    /// Pairs without any instruction for them.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct PortablePairs;

    fn both(pair: u32) -> (f32, f32) {
        (from_bf16(pair as u16), from_bf16((pair >> 16) as u16))
    }

    impl Pairs for PortablePairs {
        type Single = Portable;
        type P = [u32; LANES];

        fn single(self) -> Portable {
            Portable
        }

        fn splat(self, pair: u32) -> [u32; LANES] {
            [pair; LANES]
        }

        fn load(self, block: &PairBlock) -> [u32; LANES] {
            block.0
        }

        fn dot(self, a: [u32; LANES], b: [u32; LANES], c: [f32; LANES]) -> [f32; LANES] {
            std::array::from_fn(|lane| {
                let ((a0, a1), (b0, b1)) = (both(a[lane]), both(b[lane]));
                c[lane] + a0 * b0 + a1 * b1
            })
        }

        fn narrow(self, v: [f32; LANES], half: &mut HalfBlock) {
            for (pair, v) in half.0.iter_mut().zip(v.as_chunks::<2>().0) {
                *pair = u32::from(to_bf16(v[0])) | u32::from(to_bf16(v[1])) << 16;
            }
        }

        fn prefetch(self, _: &PairBlock) {}

        fn run<K: PairKernel>(self, kernel: K) {
            kernel.run(self);
        }
    }
}
