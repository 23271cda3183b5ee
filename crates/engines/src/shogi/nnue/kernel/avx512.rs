//! Kernels with AVX-512 and VNNI: sixteen units to a register, and four products in one instruction.
// Intrinsics and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{__m512i, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi32};
use std::arch::x86_64::{_mm512_setzero_si512, _mm512_store_si512};

use super::{Layers, Quad, Row, Units, portable};

/// Proof that this machine has AVX-512 with BW, VL and VNNI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof, if the instructions are available.
    pub(super) fn detect() -> Option<Avx512> {
        let available = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        available.then_some(Avx512(()))
    }

    #[inline]
    pub(super) fn update<const N: usize>(self, from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
        // SAFETY: an `Avx512` exists only where the instructions are available.
        unsafe { update(from, added, removed, to) }
    }

    #[inline]
    pub(super) fn output<const N: usize>(self, own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
        // SAFETY: an `Avx512` exists only where the instructions are available.
        unsafe { output(own, other, layers) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn update<const N: usize>(from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
    portable::update(from, added, removed, to);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn output<const N: usize>(own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
    let inputs = portable::activate(own, other, layers.activation);
    let first = portable::clip(&hidden(&inputs.0[..2 * N], &layers.weights1, &layers.bias1));
    portable::last(&portable::clip(&hidden(&first, &layers.weights2, &layers.bias2)), layers)
}

/// Two chains of sums for each half of the units, because an instruction waits for the one before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn hidden(inputs: &[u8], weights: &[Quad], bias: &Units) -> Units {
    let mut low = [load(&bias.0[..16]), _mm512_setzero_si512()];
    let mut high = [load(&bias.0[16..]), _mm512_setzero_si512()];
    for (x, quads) in inputs.as_chunks::<8>().0.iter().zip(weights.as_chunks::<2>().0) {
        for (chain, quad) in quads.iter().enumerate() {
            let x = [x[4 * chain], x[4 * chain + 1], x[4 * chain + 2], x[4 * chain + 3]];
            let x = _mm512_set1_epi32(i32::from_le_bytes(x));
            let quad = quad.0.as_flattened();
            low[chain] = _mm512_dpbusd_epi32(low[chain], x, load(&quad[..64]));
            high[chain] = _mm512_dpbusd_epi32(high[chain], x, load(&quad[64..]));
        }
    }
    let mut out = Units([0; 32]);
    let (first, second) = out.0.split_at_mut(16);
    for (to, [a, b]) in [(first, low), (second, high)] {
        // SAFETY: sixteen numbers of four bytes, aligned to 64 bytes in a `Units`.
        unsafe { _mm512_store_si512(to.as_mut_ptr().cast(), _mm512_add_epi32(a, b)) }
    }
    out
}

/// Loads 64 bytes that are aligned to 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn load<T>(from: &[T]) -> __m512i {
    assert!(size_of_val(from) == 64 && from.as_ptr().addr().is_multiple_of(64));
    // SAFETY: 64 aligned bytes, as was just checked.
    unsafe { _mm512_load_si512(from.as_ptr().cast()) }
}
