//! Counting the tree with AVX2. The positions before the last ply are gathered first and then counted four
//! at a time, one in each lane.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_max_epu32,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi16, _mm256_srli_epi64,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

use super::{RAYS, Runs, all, filled_down, lanes, mobility, store};

/// The leaves of the game tree `depth` plies down.
///
/// # Safety
/// From code not compiled for these features: only where the machine has them, as [`Avx2`](super::Avx2) proves.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn leaves(own: u64, other: u64, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => one_ply(own, other),
        _ => {
            let mut gathered = Gathered::new();
            walk(own, other, depth, &mut gathered) + gathered.counted()
        }
    }
}

/// One ply down: without a move, either the pass or the finished game is the one leaf.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_ply(own: u64, other: u64) -> u64 {
    u64::from(mobility(own, other).count_ones()).max(1)
}

/// The leaves two or more plies down, apart from those under the positions that are gathered on the way.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn walk(own: u64, other: u64, depth: u32, gathered: &mut Gathered) -> u64 {
    let runs = Runs::of(own, other);
    let mut squares = runs.ends() & !(own | other);
    if squares == 0 {
        return match mobility(other, own) {
            0 => 1,
            _ if depth == 2 => one_ply(other, own),
            _ => walk(other, own, depth - 1, gathered),
        };
    }
    let mut count = 0;
    if depth == 2 && gathered.is_nearly_full() {
        count += gathered.counted();
    }
    while squares != 0 {
        let four = Four::after(own, other, runs, &mut squares);
        if depth == 2 {
            gathered.push(&four);
        } else {
            let (mut owns, mut others) = ([0; 4], [0; 4]);
            store(four.own, &mut owns);
            store(four.other, &mut others);
            for (&own, &other) in owns.iter().zip(&others).take(four.count) {
                count += walk(own, other, depth - 1, gathered);
            }
        }
    }
    count
}

/// The positions after up to four moves, one in each lane.
struct Four {
    own: __m256i,
    other: __m256i,
    count: usize,
}

impl Four {
    /// Takes the lowest four moves out of `squares` and plays them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn after(own: u64, other: u64, runs: Runs, squares: &mut u64) -> Four {
        let count = (squares.count_ones() as usize).min(4);
        let changed = united_each([
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
        ]);
        Four {
            own: _mm256_andnot_si256(changed, all(other)),
            other: _mm256_or_si256(changed, all(own)),
            count,
        }
    }
}

/// Takes the lowest move out of `squares`: its disc and those it turns, spread over the lanes.
///
/// All of a run that a move touches turns: what stands behind it was asked when the run was found.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn changed_by_lowest(squares: &mut u64, runs: Runs) -> __m256i {
    let rays = &RAYS[squares.trailing_zeros() as usize];
    *squares &= squares.wrapping_sub(1);
    let (up, down) = (lanes(&rays.up), lanes(&rays.down));
    // Up the bits, the run turns that lies below the lowest square that is in none.
    let stops = _mm256_andnot_si256(runs.down, up);
    let below = _mm256_andnot_si256(stops, _mm256_add_epi64(stops, all(u64::MAX)));
    let up = _mm256_and_si256(up, below);
    // Down the bits, the one above the highest such square.
    let stops = _mm256_andnot_si256(runs.up, down);
    let down = _mm256_andnot_si256(filled_down(stops), down);
    _mm256_or_si256(_mm256_or_si256(up, down), lanes(&rays.here))
}

/// The unions of four quartets, each in its lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn united_each([a, b, c, d]: [__m256i; 4]) -> __m256i {
    let ab = _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let cd = _mm256_or_si256(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    let low = _mm256_permute2x128_si256::<0x20>(ab, cd);
    let high = _mm256_permute2x128_si256::<0x31>(ab, cd);
    _mm256_or_si256(low, high)
}

/// How many positions are gathered before they are counted.
const ROOM: usize = 512;
/// The most that one position can add: its moves, and the unused lanes of the last four.
const MOST: usize = 64;

/// Positions whose moves are still to be counted.
struct Gathered {
    own: [u64; ROOM],
    other: [u64; ROOM],
    count: usize,
}

impl Gathered {
    fn new() -> Gathered {
        Gathered { own: [0; ROOM], other: [0; ROOM], count: 0 }
    }

    #[inline]
    fn is_nearly_full(&self) -> bool {
        self.count > ROOM - MOST
    }

    /// Unused lanes are written too; the next four overwrite them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn push(&mut self, four: &Four) {
        let free = self.count..;
        let room = (self.own[free.clone()].first_chunk_mut(), self.other[free].first_chunk_mut());
        if let (Some(own), Some(other)) = room {
            store(four.own, own);
            store(four.other, other);
            self.count += four.count;
        }
    }

    /// Counts the moves of all that was gathered, a position without any as one, and begins anew.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn counted(&mut self) -> u64 {
        let mut sums = _mm256_setzero_si256();
        let fours = self.count.div_ceil(4);
        // An empty board has no move and counts as one, which is taken off below.
        self.own[self.count..].iter_mut().take(3).for_each(|own| *own = 0);
        self.other[self.count..].iter_mut().take(3).for_each(|other| *other = 0);
        let chunks = self.own.as_chunks::<4>().0.iter().zip(self.other.as_chunks::<4>().0);
        for (own, other) in chunks.take(fours) {
            let squares = mobility_each(lanes(own), lanes(other));
            let least_one = _mm256_max_epu32(ones_each(squares), all(1));
            sums = _mm256_add_epi64(sums, least_one);
        }
        let mut lanes = [0; 4];
        store(sums, &mut lanes);
        let padding = fours * 4 - self.count;
        self.count = 0;
        lanes.iter().sum::<u64>() - padding as u64
    }
}

/// The mobility of four positions.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn mobility_each(own: __m256i, other: __m256i) -> __m256i {
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
fn ones_each(sets: __m256i) -> __m256i {
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(sets, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(sets), nibble));
    _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
}
