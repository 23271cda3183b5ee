//! The midgame search: fail-soft null-window search (NWS) with the pattern evaluation, to a depth or to the end of the
//! game, with Multi-ProbCut, enhanced transposition cut-offs and YBWC split points.

use tesuji_othello::Square;

use super::hash::{HashData, HashUpdate, NO_MOVE};
use super::iterate::SearchDraft;
use super::kernel::Kernel;
use super::last4::{NO_SCORE, final_score};
use super::move_ordering::{CORNERS, generate, score_by_evaluation, select_best};
use super::node::PatternNode;
use super::probcut::probcut;
use super::split::{MIN_SPLIT_DEPTH, SplitCandidate};
use super::thread::SearchThread;

/// With this many empties or more the evaluation orders the moves. From 12 on it would save a tenth of the nodes more,
/// but take longer.
pub(super) const EVAL_EMPTIES: u32 = 14;

/// Up to this depth nodes are not stored in the transposition table.
const SHALLOW_DEPTH: u32 = 2;

/// From this depth on the children are probed for a transposition cut-off before any is searched.
const ETC_DEPTH: u32 = 14;

/// Static move order of the shallow search: corners first, their neighbours last.
const STATIC_ORDER: [u64; 3] = [CORNERS, !CORNERS & !CORNER_NEIGHBOURS, CORNER_NEIGHBOURS];
const CORNER_NEIGHBOURS: u64 = 0x42c3_0000_0000_c342;

impl<K: Kernel> SearchThread<'_, K> {
    /// Null-window search to a depth.
    #[inline(always)]
    pub(super) fn nws(&mut self, position: &PatternNode, depth: u32, alpha: i32) -> i32 {
        let empties = position.node.empties;
        if depth >= empties {
            if empties < EVAL_EMPTIES {
                self.nws_endgame(position.node, alpha)
            } else {
                self.kernel.nws_midgame(self, position, empties, alpha)
            }
        } else if depth <= SHALLOW_DEPTH {
            self.kernel.shallow_search(self, position, depth, alpha, alpha + 1)
        } else {
            self.kernel.nws_midgame(self, position, depth, alpha)
        }
    }
}

/// Null-window search `depth` plies deep; to the end of the game if `depth` is the number of empties.
#[inline(always)]
pub(super) fn nws_midgame<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    position: &PatternNode,
    depth: u32,
    alpha: i32,
) -> i32 {
    search.nodes += 1;
    if search.should_stop() {
        return alpha;
    }
    let node = position.node;
    if depth == node.empties
        && let Some(bound) = search.stability_cutoff(&node, alpha)
    {
        return bound;
    }

    // Pass or end of the game.
    let (own, other) = (node.own, node.other);
    let kernel = search.kernel;
    let moves = search.legal_moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return final_score(own, other);
        }
        return -kernel.nws_midgame(search, &position.passed(), depth, -alpha - 1);
    }

    // Transposition cut-off.
    let bucket = search.tt.bucket(own, other);
    let data = search.tt.probe(bucket, own, other).unwrap_or(HashData::EMPTY);
    let draft = SearchDraft { depth: depth as u8, selectivity: search.selectivity };
    if let Some(score) = data.cutoff(draft, alpha) {
        return score;
    }

    // A move that wins all discs, or an enhanced transposition cut-off.
    let nodes_before = search.nodes;
    let base = search.moves.len();
    let found = generate(search, &node, moves).or_else(|| enhanced_transposition_cutoff(search, base, draft, alpha));
    let (mut best, mut best_move) = found.unwrap_or((NO_SCORE, NO_MOVE));
    if best <= alpha {
        if let Some(score) = probcut(search, position, depth, alpha) {
            search.moves.truncate(base);
            return score;
        }

        // Moves, the best first.
        score_by_evaluation(search, base, &data, position, depth);
        let end = search.moves.len();
        for at in base..end {
            let mv = select_best(&mut search.moves[at..]);
            // Young brothers wait: only moves after the first may be searched in parallel.
            let may_split = depth >= MIN_SPLIT_DEPTH && at > base && at + 1 < end && search.split_pool.is_some();
            if may_split {
                let left = at + 1..end;
                search.push_split_candidate(SplitCandidate {
                    position: *position,
                    depth,
                    alpha,
                    left,
                    best,
                    best_move,
                    split: None,
                });
            }
            let score = -search.nws(&position.after(&mv), depth - 1, -alpha - 1);
            if may_split && let Some(found) = search.pop_split_candidate(score, mv.square) {
                (best, best_move) = found;
                break;
            }
            if score > best {
                (best, best_move) = (score, mv.square);
                if best > alpha {
                    break;
                }
            }
        }
    }
    search.moves.truncate(base);

    if !search.stopped {
        let nodes = search.nodes - nodes_before;
        let update = HashUpdate { alpha, score: best, mv: best_move, draft, nodes };
        search.tt.store(bucket, (own, other), &update);
    }
    best
}

/// Enhanced transposition cut-off (ETC): a generated move to a node whose stored upper bound refutes it.
#[inline(always)]
fn enhanced_transposition_cutoff<K: Kernel>(
    search: &SearchThread<'_, K>,
    base: usize,
    draft: SearchDraft,
    alpha: i32,
) -> Option<(i32, u8)> {
    if u32::from(draft.depth) < ETC_DEPTH {
        return None;
    }
    // All cache misses at once instead of one after the other.
    for mv in &search.moves[base..] {
        search.tt.prefetch(mv.after.own, mv.after.other);
    }
    let child = SearchDraft { depth: draft.depth - 1, selectivity: draft.selectivity };
    search.moves[base..].iter().find_map(|mv| {
        let (own, other) = (mv.after.own, mv.after.other);
        let data = search.tt.probe(search.tt.bucket(own, other), own, other)?;
        let bound = -i32::from(data.upper);
        (data.draft.covers(child) && bound > alpha).then_some((bound, mv.square))
    })
}

/// Alpha-beta search a few plies deep, without transposition table and move lists. Fail-soft within `alpha` and `beta`.
#[inline(always)]
pub(super) fn shallow_search<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    position: &PatternNode,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    search.nodes += 1;
    let node = &position.node;
    if depth == 0 {
        return search.evaluate(position);
    }
    let kernel = search.kernel;
    let mut moves = kernel.mobility(node.own, node.other);
    if moves == 0 {
        if kernel.mobility(node.other, node.own) == 0 {
            return final_score(node.own, node.other);
        }
        return -kernel.shallow_search(search, &position.passed(), depth, -beta, -alpha);
    }
    let mut best = NO_SCORE;
    for squares in STATIC_ORDER {
        let mut set = moves & squares;
        moves &= !squares;
        while let Some(square) = Square::lowest(set) {
            set &= set - 1;
            let flipped = kernel.flips(node.own, node.other, square);
            let after = PatternNode {
                node: node.after(square, flipped),
                indices: position.indices.after(square.index(), flipped),
            };
            let score = if depth == 1 {
                search.nodes += 1;
                if after.node.own == 0 { 64 } else { -search.evaluate(&after) }
            } else {
                -kernel.shallow_search(search, &after, depth - 1, -beta, -alpha.max(best))
            };
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
            }
        }
    }
    best
}
