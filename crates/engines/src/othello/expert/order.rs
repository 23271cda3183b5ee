//! Ordering the moves of one position.

use super::super::pattern::{DISC, Freedom};
use super::super::square::spread;
use super::kernel::Kernel;
use super::spot::Spot;
use super::table::Known;
use super::tree::Step;
use super::walk::{GROVE, Walk};

/// The corners, where an answer counts twice.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// What one answer less is worth.
const ANSWER: i32 = 1 << 14;
/// What a stable disc at a corner is worth.
const ANCHORED: i32 = 1 << 11;
/// What it is worth to move into an odd quadrant.
const ODD: i32 = 1 << 9;
/// What one answer less is worth beside a judgement, in 128ths of a disc.
const REPLY: i32 = 384;
/// What it is worth to move into an odd quadrant beside a judgement, if the search goes to the end.
const SEAT: i32 = 256;
/// The moves that were best before come first.
const FIRST: i32 = 1 << 30;
const SECOND: i32 = 1 << 29;
/// Less than any rank.
const TAKEN: i32 = i32::MIN;

/// What a square is worth by itself.
static SQUARE: [i16; 64] = spread([18, 4, 16, 12, 2, 6, 8, 14, 10, 0]);

/// Ranks the moves listed from `base` on.
#[inline(always)]
pub(super) fn ranked<K: Kernel>(walk: &mut Walk<'_, K>, base: usize, known: &Known) {
    let kernel = walk.kernel;
    for step in &mut walk.steps[base..] {
        let after = &mut step.after;
        if after.empties > GROVE {
            walk.table.prefetch(after.own, after.other);
        }
        let (own, other) = (after.other, after.own);
        let answers = kernel.mobility(other, own);
        after.moves = answers;
        let weight = answers.count_ones() + (answers & CORNERS).count_ones();
        let bit = 1_u64 << (step.square & 63);
        let odd = i32::from(after.odd & bit == 0);
        step.rank = 16 * i32::from(SQUARE[usize::from(step.square & 63)]) + ODD * odd
            - ANSWER * weight as i32
            + ANCHORED * anchored(own).count_ones() as i32;
        if step.square == known.moves[0] {
            step.rank = FIRST;
        } else if step.square == known.moves[1] {
            step.rank = SECOND;
        }
    }
}

/// Ranks the moves listed from `base` on by how the evaluation judges what they lead to.
#[inline(always)]
pub(super) fn judged<K: Kernel>(walk: &mut Walk<'_, K>, base: usize, known: &Known, spot: &Spot, depth: u32) {
    let kernel = walk.kernel;
    let plies = plies(depth, spot.node.empties);
    for at in base..walk.steps.len() {
        let step = walk.steps[at];
        let rank = if step.square == known.moves[0] {
            FIRST
        } else if step.square == known.moves[1] {
            SECOND
        } else {
            let after = spot.after(&step);
            let answers = kernel.mobility(step.after.own, step.after.other);
            let worth = if plies == 0 {
                let freedom =
                    Freedom { own: answers, other: kernel.mobility(after.node.other, after.node.own) };
                -walk.eval.sum(&after.numbers, after.node.empties, freedom)
            } else {
                -DISC * kernel.glance(walk, &after, plies, -64, 64)
            };
            walk.steps[at].after.moves = answers;
            let odd =
                i32::from(depth == spot.node.empties && after.node.odd & 1_u64 << (step.square & 63) == 0);
            worth + SEAT * odd - REPLY * (answers.count_ones() + (answers & CORNERS).count_ones()) as i32
        };
        walk.steps[at].rank = rank;
    }
}

/// How many plies to look ahead to rank moves.
const fn plies(depth: u32, empties: u32) -> u32 {
    if depth == empties {
        match depth {
            0..=19 => 0,
            20..=27 => 1,
            _ => 2,
        }
    } else {
        match depth {
            0..=8 => 0,
            9..=14 => 1,
            _ => 2,
        }
    }
}

/// Corners and the discs next to them along the edges: the cheapest stable ones.
#[inline(always)]
fn anchored(own: u64) -> u64 {
    let corners = own & CORNERS;
    let west = corners & 0x0101_0101_0101_0101;
    let east = corners & 0x8080_8080_8080_8080;
    corners | own & (west << 1 | east >> 1 | corners << 8 | corners >> 8)
}

/// Brings the most promising of these to the front.
#[inline(always)]
pub(super) fn pick(steps: &mut [Step]) -> Step {
    steps.swap(0, foremost(steps));
    steps[0]
}

/// The most promising of these, which is not taken again.
#[inline(always)]
pub(super) fn take(steps: &mut [Step]) -> Step {
    let step = &mut steps[foremost(steps)];
    let taken = *step;
    step.rank = TAKEN;
    taken
}

/// Where the most promising of these stands.
#[inline(always)]
fn foremost(steps: &[Step]) -> usize {
    let mut best = 0;
    for at in 1..steps.len() {
        if steps[at].rank > steps[best].rank {
            best = at;
        }
    }
    best
}
