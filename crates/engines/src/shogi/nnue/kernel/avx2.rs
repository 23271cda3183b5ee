//! Kernels with AVX2: eight units to a register.
// Intrinsics and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_store_si256,
};

use super::{Layers, Quad, Row, Units, portable};

/// Registers for all units.
const REGISTERS: usize = 4;

/// Proof that this machine has AVX2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if the instructions are available.
    pub(super) fn detect() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    #[inline]
    pub(super) fn update<const N: usize>(self, from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
        // SAFETY: an `Avx2` exists only where the instructions are available.
        unsafe { update(from, added, removed, to) }
    }

    #[inline]
    pub(super) fn output<const N: usize>(self, own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
        // SAFETY: an `Avx2` exists only where the instructions are available.
        unsafe { output(own, other, layers) }
    }
}

#[target_feature(enable = "avx2")]
fn update<const N: usize>(from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
    portable::update(from, added, removed, to);
}

#[target_feature(enable = "avx2")]
fn output<const N: usize>(own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
    let inputs = portable::activate(own, other, layers.activation);
    let first = portable::clip(&hidden(&inputs.0[..2 * N], &layers.weights1, &layers.bias1));
    portable::last(&portable::clip(&hidden(&first, &layers.weights2, &layers.bias2)), layers)
}

/// Products of inputs up to 127 and weights do not overflow 16 bits in pairs.
#[inline]
#[target_feature(enable = "avx2")]
fn hidden(inputs: &[u8], weights: &[Quad], bias: &Units) -> Units {
    let ones = _mm256_set1_epi16(1);
    let mut sums: [__m256i; REGISTERS] = std::array::from_fn(|at| load(&bias.0[8 * at..][..8]));
    for (&x, quad) in inputs.as_chunks::<4>().0.iter().zip(weights) {
        let x = i32::from_le_bytes(x);
        if x == 0 {
            continue;
        }
        let x = _mm256_set1_epi32(x);
        let quad = quad.0.as_flattened();
        for (at, sum) in sums.iter_mut().enumerate() {
            let pairs = _mm256_maddubs_epi16(x, load(&quad[32 * at..][..32]));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
        }
    }
    let mut out = Units([0; 32]);
    for (at, sum) in sums.into_iter().enumerate() {
        let to = &mut out.0[8 * at..][..8];
        // SAFETY: eight numbers of four bytes, aligned to 32 bytes in a `Units`.
        unsafe { _mm256_store_si256(to.as_mut_ptr().cast(), sum) }
    }
    out
}

/// Loads 32 bytes that are aligned to 32.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T>(from: &[T]) -> __m256i {
    assert!(size_of_val(from) == 32 && from.as_ptr().addr().is_multiple_of(32));
    // SAFETY: 32 aligned bytes, as was just checked.
    unsafe { _mm256_load_si256(from.as_ptr().cast()) }
}
