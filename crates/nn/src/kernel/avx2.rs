//! Vectors with AVX2 and FMA: a block is two registers.
// Intrinsics and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _MM_HINT_T1, _mm_prefetch, _mm256_add_ps, _mm256_and_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
    _mm256_load_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_store_ps, _mm256_sub_ps,
};

use super::{Block, Kernel, Simd};

/// Proof that this machine has AVX2 and FMA. With it, code for any machine may call the kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if the instructions are available and enabled.
    #[inline]
    pub(crate) fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }
}

// SAFETY, for every block below: an `Avx2` exists only where AVX2 and FMA are available, and a `Block` is 16 floats
// aligned to 64 bytes, so that its second half is aligned, too.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Simd for Avx2 {
    type V = [__m256; 2];
    // Twelve accumulators, one block of the right matrix and one element of the left one: 15 of 16 registers.
    const ROWS: usize = 6;
    const COLUMNS: usize = 1;
    const TRANSPOSED_ROWS: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { [_mm256_set1_ps(x); 2] }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Self::V {
        unsafe { [_mm256_load_ps(block.0.as_ptr()), _mm256_load_ps(block.0.as_ptr().add(8))] }
    }

    #[inline(always)]
    fn store(self, v: Self::V, block: &mut Block) {
        unsafe {
            _mm256_store_ps(block.0.as_mut_ptr(), v[0]);
            _mm256_store_ps(block.0.as_mut_ptr().add(8), v[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { [_mm256_fmadd_ps(a[0], b[0], c[0]), _mm256_fmadd_ps(a[1], b[1], c[1])] }
    }

    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn if_positive(self, x: Self::V, a: Self::V) -> Self::V {
        unsafe {
            let zero = _mm256_setzero_ps();
            [
                _mm256_and_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(x[0], zero), a[0]),
                _mm256_and_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(x[1], zero), a[1]),
            ]
        }
    }

    #[inline(always)]
    fn prefetch(self, block: &Block) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(block.0.as_ptr().cast()) }
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        unsafe { compiled(self, kernel) }
    }
}
