//! Perft with AVX2. The positions before the last ply are collected and then counted four at a time, one per lane.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_max_epu32, _mm256_or_si256,
    _mm256_setzero_si256,
};

use super::super::position_buffer::PositionBuffer;
use super::each::{mobility_each, ones_each, united_each};
use super::{RAYS, Runs, all, filled_down, lanes, mobility, store};

/// Perft.
///
/// # Safety
/// From code not compiled for these features: only where the machine has them, as [`Avx2`](super::Avx2) proves.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn leaves(own: u64, other: u64, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => one_ply(own, other),
        _ => {
            let mut waiting = Waiting { two: PositionBuffer::new(), one: PositionBuffer::new() };
            walk(own, other, depth, &mut waiting) + waiting.two_plies() + waiting.one.count_by_lanes()
        }
    }
}

/// One ply down: without a move, either the pass or the finished game is the one leaf.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_ply(own: u64, other: u64) -> u64 {
    u64::from(mobility(own, other).count_ones()).max(1)
}

/// The leaves two or more plies down, apart from those under the positions left waiting.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn walk(own: u64, other: u64, depth: u32, waiting: &mut Waiting) -> u64 {
    let mut count = 0;
    if depth <= 3 && waiting.two.is_nearly_full() {
        count += waiting.two_plies();
    }
    if depth == 2 {
        waiting.two.push_four(&Four { own: all(own), other: all(other), count: 1 });
        return count;
    }
    let node = PerftNode::new(own, other);
    let mut squares = node.squares;
    if squares == 0 {
        let passed = mobility(other, own) != 0;
        return count + if passed { walk(other, own, depth - 1, waiting) } else { 1 };
    }
    while squares != 0 {
        let four = Four::after(&node, &mut squares);
        if depth == 3 {
            waiting.two.push_four(&four);
            continue;
        }
        let (mut owns, mut others) = ([0; 4], [0; 4]);
        store(four.own, &mut owns);
        store(four.other, &mut others);
        for (&own, &other) in owns.iter().zip(&others).take(four.count) {
            count += walk(own, other, depth - 1, waiting);
        }
    }
    count
}

/// A position, its runs and its moves.
#[derive(Clone, Copy)]
struct PerftNode {
    own: u64,
    other: u64,
    squares: u64,
    runs: Runs,
}

impl PerftNode {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(own: u64, other: u64) -> PerftNode {
        let runs = Runs::of(own, other);
        PerftNode { own, other, squares: runs.ends() & !(own | other), runs }
    }
}

/// Positions two plies and one ply above the leaves.
struct Waiting {
    two: PositionBuffer,
    one: PositionBuffer,
}

impl Waiting {
    /// Plays all moves of the positions that wait two plies above the leaves. The leaves found meanwhile are
    /// those of positions without moves and of a full store below.
    ///
    /// The moves of many positions are found before any is played: a wrong guess of how many there are is
    /// the main cost here, and cheapest when the right number is long known.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn two_plies(&mut self) -> u64 {
        let mut count = 0;
        let mut nodes = [PerftNode::new(0, 0); 16];
        let positions = std::mem::take(&mut self.two.count);
        let chunks = self.two.own[..positions].chunks(nodes.len());
        for (owns, others) in chunks.zip(self.two.other.chunks(nodes.len())) {
            let nodes = &mut nodes[..owns.len()];
            for (node, (&own, &other)) in nodes.iter_mut().zip(owns.iter().zip(others)) {
                *node = PerftNode::new(own, other);
            }
            for node in &*nodes {
                if self.one.is_nearly_full() {
                    count += self.one.count_by_lanes();
                }
                let mut squares = node.squares;
                if squares == 0 {
                    count += one_ply(node.other, node.own);
                }
                while squares != 0 {
                    self.one.push_four(&Four::after(node, &mut squares));
                }
            }
        }
        count
    }
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
    fn after(node: &PerftNode, squares: &mut u64) -> Four {
        let PerftNode { own, other, runs, .. } = *node;
        let count = (squares.count_ones() as usize).min(4);
        let changed = united_each([
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
            changed_by_lowest(squares, runs),
        ]);
        Four { own: _mm256_andnot_si256(changed, all(other)), other: _mm256_or_si256(changed, all(own)), count }
    }
}

/// Takes the lowest move out of `squares`: its disc and those it turns, spread over the lanes.
///
/// Every run that a move touches flips: runs end at an own disc by construction.
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

impl PositionBuffer {
    /// Unused lanes are written too; the next four overwrite them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn push_four(&mut self, four: &Four) {
        let free = self.count..;
        let room = (self.own[free.clone()].first_chunk_mut(), self.other[free].first_chunk_mut());
        let (Some(own), Some(other)) = room else {
            debug_assert!(false, "the buffer is full");
            return;
        };
        store(four.own, own);
        store(four.other, other);
        self.count += four.count;
    }

    /// Counts the moves of all collected positions, at least one each, and clears the buffer.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn count_by_lanes(&mut self) -> u64 {
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
