//! The kernels with AVX2: four directions side by side for one position, or four positions side by side
//! in perft. `portable.rs` has the same functions.
// Intrinsics that touch memory and calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};

use tesuji_game::isa::{Isa, isa};

use super::rays::{INSIDE, RAYS, STEPS};
use crate::Square;

mod count;
mod each;

/// Proof that this machine has AVX2, BMI1, BMI2, LZCNT and POPCNT. With it, code for any machine may call the kernels.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if the instructions are available and enabled.
    #[inline]
    pub fn detect() -> Option<Avx2> {
        (isa() == Isa::Avx2).then_some(Avx2(()))
    }

    /// See [`flips`].
    #[inline]
    pub fn flips(self, own: u64, other: u64, square: Square) -> u64 {
        // SAFETY: `self` exists only where `isa` found these features.
        unsafe { flips(own, other, square) }
    }

    /// See [`mobility`].
    #[inline]
    pub fn mobility(self, own: u64, other: u64) -> u64 {
        // SAFETY: `self` exists only where `isa` found these features.
        unsafe { mobility(own, other) }
    }

    /// See [`leaves`].
    pub fn leaves(self, own: u64, other: u64, depth: u32) -> u64 {
        // SAFETY: `self` exists only where `isa` found these features.
        unsafe { leaves(own, other, depth) }
    }
}

pub use count::leaves;

/// The discs that a move to the empty `square` flips.
///
/// # Safety
/// From code not compiled for these features: only where the machine has them, as [`Avx2`] proves.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let (up, down) = (lanes(&rays.up), lanes(&rays.down));
    let (own, other) = (all(own), all(other));
    let zero = _mm256_setzero_si256();

    // Up the bits the first square that is not theirs is the lowest; if it is ours, all below it turn.
    let stops = _mm256_andnot_si256(other, up);
    let lowest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let bracket = _mm256_and_si256(lowest, own);
    let none = _mm256_cmpeq_epi64(bracket, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(bracket, all(u64::MAX)), none);
    let up = _mm256_and_si256(up, below);

    // Down the bits it is the highest, which a fill towards a1 isolates; all above it turn.
    let steps = lanes(&STEPS64);
    let filled = filled_down(_mm256_andnot_si256(other, down));
    let highest = _mm256_andnot_si256(_mm256_srlv_epi64(filled, steps), filled);
    let none = _mm256_cmpeq_epi64(_mm256_and_si256(highest, own), zero);
    let down = _mm256_andnot_si256(_mm256_or_si256(none, filled), down);

    united(_mm256_or_si256(up, down))
}

/// The legal moves of `own`.
///
/// # Safety
/// From code not compiled for these features: only where the machine has them, as [`Avx2`] proves.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn mobility(own: u64, other: u64) -> u64 {
    Runs::of(own, other).ends() & !(own | other)
}

const STEPS64: [u64; 4] = [STEPS[0] as u64, STEPS[1] as u64, STEPS[2] as u64, STEPS[3] as u64];
const STEPS64_TWICE: [u64; 4] = [STEPS64[0] * 2, STEPS64[1] * 2, STEPS64[2] * 2, STEPS64[3] * 2];

/// The opposing discs that stand in an unbroken run next to one of ours, by direction.
#[derive(Clone, Copy)]
struct Runs {
    /// Runs that begin above one of ours and go up the bits.
    up: __m256i,
    /// Runs that begin below one of ours and go down the bits.
    down: __m256i,
}

impl Runs {
    /// A run has at most six discs: one, two, and twice two more.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(own: u64, other: u64) -> Runs {
        let (own, other) = (all(own), _mm256_and_si256(all(other), lanes(&INSIDE)));
        let (steps, twice) = (lanes(&STEPS64), lanes(&STEPS64_TWICE));
        let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, steps));
        let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, steps));
        up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, steps)));
        down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, steps)));
        let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, steps));
        let pairs_down = _mm256_srlv_epi64(pairs_up, steps);
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
        }
        Runs { up, down }
    }

    /// The squares next to the runs, on the side away from ours; some hold discs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn ends(self) -> u64 {
        let steps = lanes(&STEPS64);
        united(_mm256_or_si256(_mm256_sllv_epi64(self.up, steps), _mm256_srlv_epi64(self.down, steps)))
    }
}

/// Each set and all that lies below it on the lines of its direction.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn filled_down(sets: __m256i) -> __m256i {
    let (steps, twice) = (lanes(&STEPS64), lanes(&STEPS64_TWICE));
    let sets = _mm256_or_si256(sets, _mm256_srlv_epi64(sets, steps));
    let sets = _mm256_or_si256(sets, _mm256_srlv_epi64(sets, twice));
    _mm256_or_si256(sets, _mm256_srlv_epi64(sets, _mm256_add_epi64(twice, twice)))
}

/// The same set in all four lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all(set: u64) -> __m256i {
    _mm256_set1_epi64x(set.cast_signed())
}

/// Four sets as lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(sets: &[u64; 4]) -> __m256i {
    // SAFETY: the array has 32 readable bytes, and an unaligned load needs no more.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(sets).cast()) }
}

/// Writes four lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn store(sets: __m256i, to: &mut [u64; 4]) {
    // SAFETY: the array is 32 writable bytes, and the unaligned store writes no more.
    unsafe { _mm256_storeu_si256(std::ptr::from_mut(to).cast(), sets) }
}

/// The union of the four lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn united(sets: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(sets), _mm256_extracti128_si256::<1>(sets));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))).cast_unsigned()
}
