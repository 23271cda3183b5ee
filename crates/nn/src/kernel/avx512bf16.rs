//! Products of pairs in bfloat16 with AVX-512 BF16.
// Intrinsics and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256bh, __m256i, __m512, __m512bh, __m512i, _MM_HINT_T1, _mm_prefetch, _mm256_store_si256, _mm512_cvtneps_pbh,
    _mm512_dpbf16_ps, _mm512_load_si512, _mm512_set1_epi32,
};
use std::mem::transmute;

use super::Avx512;
use super::pairs::{HalfBlock, PairBlock, PairKernel, Pairs};

/// Proof that this machine has AVX-512F and AVX-512 BF16. With it, code for any machine may call the kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512Bf16(Avx512);

impl Avx512Bf16 {
    /// The proof, if the instructions are available and enabled.
    #[inline]
    pub(crate) fn detect() -> Option<Avx512Bf16> {
        Avx512::detect().filter(|_| is_x86_feature_detected!("avx512bf16")).map(Avx512Bf16)
    }
}

// SAFETY, for every block below: an `Avx512Bf16` exists only where both sets of instructions are available, a
// `HalfBlock` is 32 bytes aligned to 32, a `PairBlock` is 64 bytes aligned to 64, and vectors of integers and of
// bfloat16 are the same bits.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Pairs for Avx512Bf16 {
    type Single = Avx512;
    type P = __m512bh;

    #[inline(always)]
    fn single(self) -> Avx512 {
        self.0
    }

    #[inline(always)]
    fn splat(self, pair: u32) -> __m512bh {
        unsafe { transmute::<__m512i, __m512bh>(_mm512_set1_epi32(pair.cast_signed())) }
    }

    #[inline(always)]
    fn load(self, block: &PairBlock) -> __m512bh {
        unsafe { transmute::<__m512i, __m512bh>(_mm512_load_si512(block.0.as_ptr().cast())) }
    }

    #[inline(always)]
    fn dot(self, a: __m512bh, b: __m512bh, c: __m512) -> __m512 {
        unsafe { _mm512_dpbf16_ps(c, a, b) }
    }

    #[inline(always)]
    fn narrow(self, v: __m512, half: &mut HalfBlock) {
        let rounded = unsafe { transmute::<__m256bh, __m256i>(_mm512_cvtneps_pbh(v)) };
        unsafe { _mm256_store_si256(half.0.as_mut_ptr().cast(), rounded) }
    }

    #[inline(always)]
    fn prefetch(self, block: &PairBlock) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(block.0.as_ptr().cast()) }
    }

    #[inline]
    fn run<K: PairKernel>(self, kernel: K) {
        #[target_feature(enable = "avx512f,avx512bf16")]
        fn compiled<K: PairKernel>(pairs: Avx512Bf16, kernel: K) {
            kernel.run(pairs);
        }
        unsafe { compiled(self, kernel) }
    }
}
