//! Four positions side by side, one in each lane.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_setr_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi16, _mm256_srli_epi64, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi64,
};

use super::all;

/// The unions of four quartets, each in its lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn united_each([a, b, c, d]: [__m256i; 4]) -> __m256i {
    let ab = _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let cd = _mm256_or_si256(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    let low = _mm256_permute2x128_si256::<0x20>(ab, cd);
    let high = _mm256_permute2x128_si256::<0x31>(ab, cd);
    _mm256_or_si256(low, high)
}

/// The mobility of four positions.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn mobility_each(own: __m256i, other: __m256i) -> __m256i {
    let inner = _mm256_and_si256(other, all(0x7e7e_7e7e_7e7e_7e7e));
    // Eastward a carry runs through the opposing discs by itself.
    let beside = _mm256_and_si256(inner, _mm256_slli_epi64::<1>(own));
    let east = _mm256_add_epi64(inner, beside);
    let west = ends_down::<1, 2>(own, inner, _mm256_and_si256(inner, _mm256_srli_epi64::<1>(inner)));
    let reached = _mm256_or_si256(
        _mm256_or_si256(_mm256_or_si256(east, west), ends::<7, 14>(own, inner)),
        _mm256_or_si256(ends::<8, 16>(own, other), ends::<9, 18>(own, inner)),
    );
    _mm256_andnot_si256(_mm256_or_si256(own, other), reached)
}

/// The squares behind runs of `between` that begin next to `own`, both ways along one direction.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ends<const STEP: i32, const TWICE: i32>(own: __m256i, between: __m256i) -> __m256i {
    let pairs = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(between));
    let mut up = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(own));
    up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(up)));
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs, _mm256_slli_epi64::<TWICE>(up)));
    }
    let down = ends_down::<STEP, TWICE>(own, between, _mm256_srli_epi64::<STEP>(pairs));
    _mm256_or_si256(_mm256_slli_epi64::<STEP>(up), down)
}

/// The same, only down the bits; `pairs` are the discs of `between` with another one above.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ends_down<const STEP: i32, const TWICE: i32>(own: __m256i, between: __m256i, pairs: __m256i) -> __m256i {
    let mut down = _mm256_and_si256(between, _mm256_srli_epi64::<STEP>(own));
    down = _mm256_or_si256(down, _mm256_and_si256(between, _mm256_srli_epi64::<STEP>(down)));
    for _ in 0..2 {
        down = _mm256_or_si256(down, _mm256_and_si256(pairs, _mm256_srli_epi64::<TWICE>(down)));
    }
    _mm256_srli_epi64::<STEP>(down)
}

/// How many bits each lane has: two nibbles at a time by table, then summed over the bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn ones_each(sets: __m256i) -> __m256i {
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(sets, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(sets), nibble));
    _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
}
