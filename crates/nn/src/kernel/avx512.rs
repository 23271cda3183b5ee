//! Vectors with AVX-512: a block is one register.
// Intrinsics and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512, _CMP_GT_OQ, _MM_HINT_T1, _mm_prefetch, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps, _mm512_load_ps,
    _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_store_ps,
    _mm512_sub_ps,
};

use super::{Block, Kernel, Simd};

/// Proof that this machine has AVX-512F. With it, code for any machine may call the kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof, if the instructions are available and enabled.
    #[inline]
    pub(crate) fn detect() -> Option<Avx512> {
        is_x86_feature_detected!("avx512f").then_some(Avx512(()))
    }
}

// SAFETY, for every block below: an `Avx512` exists only where AVX-512F is available, and a `Block` is 16 floats
// aligned to 64 bytes.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Simd for Avx512 {
    type V = __m512;
    // 28 accumulators, two columns of the right matrix and one element of the left one: 31 of 32 registers.
    const ROWS: usize = 14;
    const COLUMNS: usize = 2;
    const TRANSPOSED_ROWS: usize = 8;

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        unsafe { _mm512_set1_ps(x) }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> __m512 {
        unsafe { _mm512_load_ps(block.0.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: __m512, block: &mut Block) {
        unsafe { _mm512_store_ps(block.0.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn fma(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    fn if_positive(self, x: __m512, a: __m512) -> __m512 {
        unsafe { _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, _mm512_setzero_ps()), a) }
    }

    #[inline(always)]
    fn prefetch(self, block: &Block) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(block.0.as_ptr().cast()) }
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f")]
        fn compiled<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        unsafe { compiled(self, kernel) }
    }
}
