//! From statistics to a decision: the order of moves, the line expected, the report.

use tesuji_game::Move;

use super::node::{Edge, NONE, PENDING};
use super::{Scale, Tree};
use crate::{Bound, Line, Proven, Rng, Value};

/// The longest line told.
const LONGEST: usize = 64;

/// How good a move looks; greater is better. Wins first, the nearest of all; losses last, the farthest of
/// all; between them by visits, except that a draw in hand is better than what promises less.
type Rank = (u8, u64, u64, u16);

/// The moves of a node, best first, as indices.
pub(super) fn ranked<M: Move>(tree: &Tree<M>, node: u32) -> Vec<usize> {
    let edges = tree.edges(node);
    let draw = edges.iter().any(|edge| edge.proof() == Some(Value::DRAW));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(rank(&edges[index], draw)));
    order
}

fn rank(edge: &Edge, draw: bool) -> Rank {
    let (visits, rate) = (u64::from(edge.visits()), edge.rate());
    let prior = (edge.prior() * f32::from(u16::MAX)) as u16;
    match edge.proof().and_then(Value::proven) {
        Some(Proven::Win(plies)) => (3, u64::from(u16::MAX - plies), 0, prior),
        Some(Proven::Loss(plies)) => (0, u64::from(plies), 0, prior),
        None if draw && edge.proof().is_none() && rate < 0.5 => (1, visits, edge.sum(), prior),
        None => (2, visits, edge.sum(), prior),
    }
}

/// How far the first move is ahead of the second in visits; none when there is nothing left to compare.
pub(super) fn lead<M: Move>(tree: &Tree<M>) -> Option<u64> {
    let order = ranked(tree, tree.root);
    let edges = tree.edges(tree.root);
    let [first, second, ..] = order[..] else { return None };
    Some(u64::from(edges[first].visits()).saturating_sub(u64::from(edges[second].visits())))
}

/// Whether some other move that was tried a good deal promises more than the first: a little more time may
/// change the decision.
pub(super) fn wavering<M: Move>(tree: &Tree<M>) -> bool {
    let edges = tree.edges(tree.root);
    let Some(first) = ranked(tree, tree.root).first().map(|&first| &edges[first]) else { return false };
    edges.iter().any(|edge| edge.visits() >= first.visits() / 4 && edge.rate() > first.rate())
}

/// A move by the share of its visits, of those that do not lose for certain.
pub(super) fn sampled<M: Move>(tree: &Tree<M>, rng: &mut Rng) -> Option<usize> {
    let lost = |edge: &Edge| matches!(edge.proof().and_then(Value::proven), Some(Proven::Loss(_)));
    let weights =
        || tree.edges(tree.root).iter().map(|edge| if lost(edge) { 0 } else { edge.visits() as usize });
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

/// The moves expected from a move of the root on, that one included.
pub(super) fn expected<M: Move>(tree: &Tree<M>, index: usize) -> Vec<M> {
    let (mut node, mut index) = (tree.root, index);
    let (mut moves, mut seen) = (Vec::new(), Vec::new());
    loop {
        let edge = &tree.edges(node)[index];
        moves.push(M::from_bits(edge.mv.load(std::sync::atomic::Ordering::Relaxed)));
        seen.push(node);
        node = edge.child();
        // Shared positions may lead back to where the line has been.
        if node >= PENDING || moves.len() == LONGEST || seen.contains(&node) {
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

/// The best `count` moves of the root as lines.
pub(super) fn lines<M: Move>(tree: &Tree<M>, scale: Scale, count: usize) -> Vec<Line<M>> {
    if tree.root == NONE {
        return Vec::new();
    }
    ranked(tree, tree.root).into_iter().take(count.max(1)).map(|index| line(tree, scale, index)).collect()
}

fn line<M: Move>(tree: &Tree<M>, scale: Scale, index: usize) -> Line<M> {
    let edge = &tree.edges(tree.root)[index];
    let moves = expected(tree, index);
    let Some(proof) = edge.proof() else {
        let rate = edge.rate();
        return Line { value: scale.value(rate), bound: Bound::Exact, moves, rate: Some(rate) };
    };
    // Not every shorter way was looked at: the win may come sooner, for either side.
    let bound = match proof.proven() {
        Some(Proven::Win(2..)) => Bound::Lower,
        Some(Proven::Loss(2..)) => Bound::Upper,
        _ => Bound::Exact,
    };
    Line { value: proof, bound, moves, rate: Some(scale.rate(proof)) }
}
