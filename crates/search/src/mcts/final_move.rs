//! Final move selection, and the principal variations of a tree.

use tesuji_game::Move;

use super::node::{NONE, PENDING, TreeEdge};
use super::{SearchTree, WinRateScale};
use crate::{Bound, Proven, PvLine, Rng, Value};

/// The longest principal variation.
const MAX_PV: usize = 64;

/// The rank of a move; greater is better. Shortest wins first, longest losses last, the others by visit count, except
/// that a proven draw is better than a win rate below a half.
type Rank = (u8, u64, u64, u16);

/// The edge indices of a node, best first.
pub(super) fn ranked<M: Move>(tree: &SearchTree<M>, node: u32) -> Vec<usize> {
    let edges = tree.edges(node);
    let draw = edges.iter().any(|edge| edge.proof() == Some(Value::DRAW));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_cached_key(|&index| std::cmp::Reverse(rank(&edges[index], draw)));
    order
}

fn rank(edge: &TreeEdge, draw: bool) -> Rank {
    let (visits, rate) = (u64::from(edge.visits()), edge.rate());
    let prior = (edge.prior() * f32::from(u16::MAX)) as u16;
    match edge.proof().and_then(Value::proven) {
        Some(Proven::Win(plies)) => (3, u64::from(u16::MAX - plies), 0, prior),
        Some(Proven::Loss(plies)) => (0, u64::from(plies), 0, prior),
        None if draw && edge.proof().is_none() && rate < 0.5 => (1, visits, edge.sum(), prior),
        None => (2, visits, edge.sum(), prior),
    }
}

/// The lead of the first move over the second in visits; `None` for a single move.
pub(super) fn lead<M: Move>(tree: &SearchTree<M>) -> Option<u64> {
    let order = ranked(tree, tree.root);
    let edges = tree.edges(tree.root);
    let [first, second, ..] = order[..] else { return None };
    Some(u64::from(edges[first].visits()).saturating_sub(u64::from(edges[second].visits())))
}

/// Whether a move with many visits has a better win rate than the first move, so that more time may change the choice.
pub(super) fn is_unstable<M: Move>(tree: &SearchTree<M>) -> bool {
    let edges = tree.edges(tree.root);
    let Some(first) = ranked(tree, tree.root).first().map(|&first| &edges[first]) else { return false };
    edges.iter().any(|edge| edge.visits() >= first.visits() / 4 && edge.rate() > first.rate())
}

/// A move sampled by visit count (temperature 1), without proven losses.
pub(super) fn sampled<M: Move>(tree: &SearchTree<M>, rng: &mut Rng) -> Option<usize> {
    let lost = |edge: &TreeEdge| matches!(edge.proof().and_then(Value::proven), Some(Proven::Loss(_)));
    let weights = || tree.edges(tree.root).iter().map(|edge| if lost(edge) { 0 } else { edge.visits() as usize });
    let all: usize = weights().sum();
    if all == 0 {
        return None;
    }
    let mut left = rng.below(all);
    for (index, weight) in weights().enumerate() {
        if left < weight {
            return Some(index);
        }
        left -= weight;
    }
    None
}

/// The visit counts of the root as the target of a policy: a proven win has them all, a proven loss none beside better
/// moves.
pub(super) fn visits<M: Move>(tree: &SearchTree<M>) -> Vec<(M, u32)> {
    let Some(best) = ranked(tree, tree.root).first().map(|&best| &tree.edges(tree.root)[best]) else {
        return Vec::new();
    };
    let mv = |edge: &TreeEdge| M::from_bits(edge.mv.load(std::sync::atomic::Ordering::Relaxed));
    let result = |edge: &TreeEdge| edge.proof().and_then(Value::proven);
    if result(best).is_some() || best.visits() == 0 {
        return vec![(mv(best), tree.node(tree.root).visits().max(1))];
    }
    let open = tree.edges(tree.root).iter().filter(|edge| edge.visits() > 0 && result(edge).is_none());
    open.map(|edge| (mv(edge), edge.visits())).collect()
}

/// The principal variation that starts with this root move.
pub(super) fn principal_variation<M: Move>(tree: &SearchTree<M>, index: usize) -> Vec<M> {
    let (mut node, mut index) = (tree.root, index);
    let (mut moves, mut seen) = (Vec::new(), Vec::new());
    loop {
        let edge = &tree.edges(node)[index];
        moves.push(M::from_bits(edge.mv.load(std::sync::atomic::Ordering::Relaxed)));
        seen.push(node);
        node = edge.child();
        // Shared nodes may form a cycle.
        if node >= PENDING || moves.len() == MAX_PV || seen.contains(&node) {
            return moves;
        }
        let Some(&best) = ranked(tree, node).first() else { return moves };
        let edge = &tree.edges(node)[best];
        if edge.visits() == 0 && edge.proof().is_none() {
            return moves;
        }
        index = best;
    }
}

/// The principal variations of the best `count` root moves.
pub(super) fn lines<M: Move>(tree: &SearchTree<M>, scale: WinRateScale, count: usize) -> Vec<PvLine<M>> {
    if tree.root == NONE {
        return Vec::new();
    }
    ranked(tree, tree.root).into_iter().take(count.max(1)).map(|index| line(tree, scale, index)).collect()
}

fn line<M: Move>(tree: &SearchTree<M>, scale: WinRateScale, index: usize) -> PvLine<M> {
    let edge = &tree.edges(tree.root)[index];
    let moves = principal_variation(tree, index);
    let Some(proof) = edge.proof() else {
        let rate = edge.rate();
        return PvLine {
            value: scale.value(rate),
            bound: Bound::Exact,
            moves,
            rate: Some(rate),
            prior: None,
            solved: false,
        };
    };
    // Shorter wins of either side may have been missed.
    let bound = match proof.proven() {
        Some(Proven::Win(2..)) => Bound::Lower,
        Some(Proven::Loss(2..)) => Bound::Upper,
        _ => Bound::Exact,
    };
    PvLine { value: proof, bound, moves, rate: Some(scale.rate(proof)), prior: None, solved: true }
}
