//! Move generation and ordering: by mobility, corner stability and parity in the endgame, by the evaluation above.

use tesuji_othello::Square;

use super::super::pattern::{DISC, MobilityPair};
use super::super::square_weights::symmetric;
use super::endgame::LOCAL_CACHE_EMPTIES;
use super::hash::HashData;
use super::kernel::Kernel;
use super::node::{PatternNode, ScoredMove, SearchNode};
use super::thread::SearchThread;

/// The corners. A reply to a corner counts twice.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Endgame: the penalty of a reply of the opponent.
const REPLY: i32 = 1 << 14;
/// Endgame: the bonus of a stable disc at a corner.
const CORNER_STABILITY: i32 = 1 << 11;
/// Endgame: the bonus of a move into an odd quadrant.
const PARITY: i32 = 1 << 9;
/// With the evaluation: the penalty of a reply, in 128ths of a disc.
const EVAL_REPLY: i32 = 384;
/// With the evaluation: the bonus of a move into an odd quadrant, if the search goes to the end.
const EVAL_PARITY: i32 = 256;
/// The moves of the transposition table come first.
const HASH_MOVE: i32 = 1 << 30;
const SECOND_HASH_MOVE: i32 = 1 << 29;
/// Less than any score.
const TAKEN: i32 = i32::MIN;

/// Endgame: the static score of a square.
static SQUARE_SCORE: [i16; 64] = symmetric([18, 4, 16, 12, 2, 6, 8, 14, 10, 0]);

/// Pushes the moves onto the move stack. Stops at a move that captures all discs, and returns it with its score.
#[inline(always)]
pub(super) fn generate<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    node: &SearchNode,
    mut moves: u64,
) -> Option<(i32, u8)> {
    while let Some(square) = Square::lowest(moves) {
        moves &= moves - 1;
        let after = node.after(square, search.kernel.flips(node.own, node.other, square));
        let index = square.index() as u8;
        search.moves.push(ScoredMove { after, square: index, score: 0 });
        if after.own == 0 {
            return Some((64, index));
        }
    }
    None
}

/// Scores the moves from `base` on by the opponent's mobility, corner stability, parity and square.
#[inline(always)]
pub(super) fn score_by_mobility<K: Kernel>(search: &mut SearchThread<'_, K>, base: usize, data: &HashData) {
    let kernel = search.kernel;
    for mv in &mut search.moves[base..] {
        let after = &mut mv.after;
        if after.empties > LOCAL_CACHE_EMPTIES {
            search.tt.prefetch(after.own, after.other);
        }
        let (own, other) = (after.other, after.own);
        let replies = kernel.mobility(other, own);
        after.moves = replies;
        let weight = replies.count_ones() + (replies & CORNERS).count_ones();
        let bit = 1_u64 << (mv.square & 63);
        let odd = i32::from(after.odd & bit == 0);
        mv.score = 16 * i32::from(SQUARE_SCORE[usize::from(mv.square & 63)]) + PARITY * odd - REPLY * weight as i32
            + CORNER_STABILITY * corner_stability(own).count_ones() as i32;
        if mv.square == data.moves[0] {
            mv.score = HASH_MOVE;
        } else if mv.square == data.moves[1] {
            mv.score = SECOND_HASH_MOVE;
        }
    }
}

/// Scores the moves from `base` on by a shallow search, the opponent's mobility and parity.
#[inline(always)]
pub(super) fn score_by_evaluation<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    base: usize,
    data: &HashData,
    position: &PatternNode,
    depth: u32,
) {
    let kernel = search.kernel;
    let sort_depth = sort_depth(depth, position.node.empties);
    for at in base..search.moves.len() {
        let mv = search.moves[at];
        let score = if mv.square == data.moves[0] {
            HASH_MOVE
        } else if mv.square == data.moves[1] {
            SECOND_HASH_MOVE
        } else {
            let after = position.after(&mv);
            let replies = kernel.mobility(mv.after.own, mv.after.other);
            let value = if sort_depth == 0 {
                let mobility = MobilityPair { own: replies, other: kernel.mobility(after.node.other, after.node.own) };
                -search.eval.sum(&after.indices, after.node.empties, mobility)
            } else {
                -DISC * kernel.shallow_search(search, &after, sort_depth, -64, 64)
            };
            search.moves[at].after.moves = replies;
            let odd = i32::from(depth == position.node.empties && after.node.odd & 1_u64 << (mv.square & 63) == 0);
            value + EVAL_PARITY * odd - EVAL_REPLY * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
        };
        search.moves[at].score = score;
    }
}

/// The depth of the shallow searches that order the moves.
const fn sort_depth(depth: u32, empties: u32) -> u32 {
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

/// Corners and the discs beside them on the edges: the stable discs that are cheapest to find.
#[inline(always)]
fn corner_stability(own: u64) -> u64 {
    let corners = own & CORNERS;
    let west = corners & 0x0101_0101_0101_0101;
    let east = corners & 0x8080_8080_8080_8080;
    corners | own & (west << 1 | east >> 1 | corners << 8 | corners >> 8)
}

/// Swaps the best move to the front.
#[inline(always)]
pub(super) fn select_best(moves: &mut [ScoredMove]) -> ScoredMove {
    moves.swap(0, best_index(moves));
    moves[0]
}

/// Takes the best move; it is not taken again.
#[inline(always)]
pub(super) fn take_best(moves: &mut [ScoredMove]) -> ScoredMove {
    let mv = &mut moves[best_index(moves)];
    let taken = *mv;
    mv.score = TAKEN;
    taken
}

#[inline(always)]
fn best_index(moves: &[ScoredMove]) -> usize {
    let mut best = 0;
    for at in 1..moves.len() {
        if moves[at].score > moves[best].score {
            best = at;
        }
    }
    best
}
