//! What both engines do before and after a tree is grown: find the root, choose the move.

use std::sync::atomic::Ordering::Relaxed;

use tesuji_game::{Game, Move, MoveList, Record};

use super::node::NONE;
use super::{Settings, Tree, choose};
use crate::{Choice, Rng};

/// Memory above which what cannot be reached any more is thrown away, in thousandths.
const TIDY_ABOVE: u32 = 500;

/// Makes the position at the end of `record` the root if the tree knows it, with all that is known of it.
pub(super) fn root_at<G: Game>(tree: &mut Tree<G::Move>, record: &Record<G>, list: &G::Moves) -> bool {
    let known = tree.find(record.now().key()).filter(|&node| {
        // A different position may have the same key, once in a lifetime; its moves are others. An equal one
        // may list the same moves in another order, when it came about in another way.
        let mut moves = tree.edges(node).iter().map(|edge| G::Move::from_bits(edge.mv.load(Relaxed)));
        moves.len() == list.len() && moves.all(|mv| list.has(mv))
    });
    tree.root = known.unwrap_or(NONE);
    if tree.full() > TIDY_ABOVE {
        tree.collect();
    }
    known.is_some()
}

/// The decision, once the tree is grown.
pub(super) fn choice<G: Game>(
    tree: &Tree<G::Move>,
    record: &Record<G>,
    settings: &Settings,
    rng: &mut Rng,
) -> Choice<G::Move> {
    let Some(&best) = choose::ranked(tree, tree.root).first() else { return Choice::Over };
    let edge = &tree.edges(tree.root)[best];
    let won = edge.proof().is_some_and(|proof| settings.scale.rate(proof) == 1.0);
    let rate = edge.proof().map_or(edge.rate(), |proof| settings.scale.rate(proof));
    if edge.visits() + u32::from(edge.proof().is_some()) > 0 && rate < settings.resign_below {
        return Choice::Resign;
    }
    let sampled =
        if record.plies().len() < settings.sampled_plies && !won { choose::sampled(tree, rng) } else { None };
    let line = choose::expected(tree, sampled.unwrap_or(best));
    match line[..] {
        [mv, ref rest @ ..] => Choice::Move { mv, reply: rest.first().copied() },
        [] => Choice::Over,
    }
}
