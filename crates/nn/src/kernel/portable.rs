//! Vectors for any machine: arrays that the compiler vectorises as well as the target allows.

use super::{Block, Kernel, LANES, Simd};

/// The instruction set of the compilation target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Portable {
    #[inline(always)]
    fn zip(a: [f32; LANES], b: [f32; LANES], f: impl Fn(f32, f32) -> f32) -> [f32; LANES] {
        let mut result = a;
        for (x, y) in result.iter_mut().zip(b) {
            *x = f(*x, y);
        }
        result
    }
}

impl Simd for Portable {
    type V = [f32; LANES];
    const ROWS: usize = 3;
    const COLUMNS: usize = 1;
    const TRANSPOSED_ROWS: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Self::V {
        block.0
    }

    #[inline(always)]
    fn store(self, v: Self::V, block: &mut Block) {
        block.0 = v;
    }

    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Portable::zip(a, b, |x, y| x + y)
    }

    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Portable::zip(a, b, |x, y| x - y)
    }

    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Portable::zip(a, b, |x, y| x * y)
    }

    // `f32::mul_add` is a slow library call where the target has no such instruction.
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.add(self.mul(a, b), c)
    }

    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        Portable::zip(a, b, |x, y| if x > y { x } else { y })
    }

    #[inline(always)]
    fn if_positive(self, x: Self::V, a: Self::V) -> Self::V {
        Portable::zip(x, a, |x, a| if x > 0.0 { a } else { 0.0 })
    }

    #[inline(always)]
    fn prefetch(self, _: &Block) {}

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
