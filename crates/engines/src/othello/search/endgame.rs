//! The endgame solver: fail-soft null-window search (NWS) to the end of the game without the evaluation.
//!
//! | empties | move order | memory |
//! |---|---|---|
//! | 0–4 | parity ([`last4`](super::last4)) | none |
//! | 5–7 | parity | local cache |
//! | 8–11 | mobility, corner stability, parity | local cache |
//! | 12–13 | the same, hash moves first | transposition table |
//!
//! With more empties [`midgame`](super::midgame) orders the moves by the evaluation.

use tesuji_othello::Square;

use super::hash::{HashData, HashUpdate, NO_MOVE};
use super::iterate::SearchDraft;
use super::kernel::Kernel;
use super::last4::{NO_SCORE, final_score, last4};
use super::local_cache::LocalCache;
use super::move_ordering::{generate, score_by_mobility, take_best};
use super::node::SearchNode;
use super::thread::SearchThread;

/// Up to this many empties moves are ordered by parity alone, without a move list.
const PARITY_EMPTIES: u32 = 7;

/// Up to this many empties only the local cache is used: a probe of the large table would take as long as a good part
/// of the search.
pub(super) const LOCAL_CACHE_EMPTIES: u32 = 11;

/// With fewer empties a search ends so soon that it does not poll the stop condition.
const POLL_EMPTIES: u32 = 10;

impl<K: Kernel> SearchThread<'_, K> {
    /// Null-window search to the end of the game: whether the score is above `alpha`, as a fail-soft bound.
    #[inline(always)]
    pub(super) fn nws_endgame(&mut self, node: SearchNode, alpha: i32) -> i32 {
        const ABOVE: u32 = PARITY_EMPTIES + 1;
        match node.empties {
            0..=4 => last4(self, node, alpha),
            5..=PARITY_EMPTIES => self.kernel.nws_parity(self, node, alpha),
            ABOVE..=LOCAL_CACHE_EMPTIES => self.kernel.nws_ordered::<false>(self, node, alpha),
            _ => self.kernel.nws_ordered::<true>(self, node, alpha),
        }
    }
}

/// Null-window search with 5 to 7 empties: moves into odd quadrants first.
#[inline(always)]
pub(super) fn nws_parity<K: Kernel>(search: &mut SearchThread<'_, K>, node: SearchNode, alpha: i32) -> i32 {
    search.nodes += 1;
    if let Some(bound) = search.stability_cutoff(&node, alpha) {
        return bound;
    }
    let SearchNode { own, other, odd, empties, .. } = node;
    let slot = LocalCache::slot(own, other);
    if let Some(score) = search.local_cache.cutoff(slot, own, other, alpha) {
        return score;
    }
    let kernel = search.kernel;
    let moves = search.legal_moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return final_score(own, other);
        }
        return -kernel.nws_parity(search, node.passed(), -alpha - 1);
    }
    let mut best = NO_SCORE;
    'moves: for mut set in [moves & odd, moves & !odd] {
        while let Some(square) = Square::lowest(set) {
            set &= set - 1;
            let after = node.after(square, kernel.flips(own, other, square));
            let score = if empties == 5 {
                -kernel.solve4(search, after, -alpha - 1)
            } else {
                -kernel.nws_parity(search, after, -alpha - 1)
            };
            best = best.max(score);
            if best > alpha {
                break 'moves;
            }
        }
    }
    search.local_cache.store(slot, own, other, alpha, best);
    best
}

/// Null-window search with ordered moves. `TT` selects the transposition table (12 empties and more) instead of the
/// local cache (8 to 11).
#[inline(always)]
pub(super) fn nws_ordered<const TT: bool, K: Kernel>(
    search: &mut SearchThread<'_, K>,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    search.nodes += 1;
    if (TT || node.empties >= POLL_EMPTIES) && search.should_stop() {
        return alpha;
    }
    if let Some(bound) = search.stability_cutoff(&node, alpha) {
        return bound;
    }

    // Transposition cut-off.
    let SearchNode { own, other, empties, .. } = node;
    let (bucket, slot) = (search.tt.bucket(own, other), LocalCache::slot(own, other));
    let draft = SearchDraft::exact(empties);
    let mut data = HashData::EMPTY;
    let known = if TT {
        data = search.tt.probe(bucket, own, other).unwrap_or(data);
        data.cutoff(draft, alpha)
    } else {
        search.local_cache.cutoff(slot, own, other, alpha)
    };
    if let Some(score) = known {
        return score;
    }

    // Pass or end of the game.
    let kernel = search.kernel;
    let moves = search.legal_moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return final_score(own, other);
        }
        return -kernel.nws_ordered::<TT>(search, node.passed(), -alpha - 1);
    }

    // Moves, the best first.
    let nodes_before = search.nodes;
    let base = search.moves.len();
    let (mut best, mut best_move) = (NO_SCORE, NO_MOVE);
    if let Some(wipe_out) = generate(search, &node, moves) {
        (best, best_move) = wipe_out;
    } else {
        score_by_mobility(search, base, &data);
        for _ in base..search.moves.len() {
            let mv = take_best(&mut search.moves[base..]);
            let score = -search.nws_endgame(mv.after, -alpha - 1);
            if score > best {
                (best, best_move) = (score, mv.square);
                if best > alpha {
                    break;
                }
            }
        }
    }
    search.moves.truncate(base);

    if search.stopped {
        return best;
    }
    if TT {
        let nodes = search.nodes - nodes_before;
        let update = HashUpdate { alpha, score: best, mv: best_move, draft, nodes };
        search.tt.store(bucket, (own, other), &update);
    } else {
        search.local_cache.store(slot, own, other, alpha, best);
    }
    best
}
