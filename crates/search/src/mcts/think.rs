//! The loop that UCT and PUCT share: find or create the root, run the workers, choose the move.

use std::sync::atomic::Ordering::Relaxed;

use tesuji_game::{Game, Move, MoveList, Record};

use super::control::SearchControl;
use super::descent::prove_children;
use super::node::NONE;
use super::{MctsOptions, SearchTree, final_move};
use crate::{CancelToken, Choice, Limits, Rng, SearchReport};

/// Fill of the tree above which unreachable nodes are removed, in thousandths.
const COLLECT_ABOVE: u32 = 500;

/// The state of a tree search, kept from move to move.
#[derive(Debug)]
pub(super) struct TreeSearch<G: Game> {
    pub(super) tree: SearchTree<G::Move>,
    pub(super) options: MctsOptions,
    pub(super) rng: Rng,
    /// The visit counts of the last search.
    pub(super) visits: Vec<(G::Move, u32)>,
}

impl<G: Game> TreeSearch<G> {
    pub(super) fn new(options: MctsOptions) -> TreeSearch<G> {
        let (tree, rng) = (SearchTree::new(options.memory_mib), Rng::new(options.seed));
        TreeSearch { tree, options, rng, visits: Vec::new() }
    }

    /// Removes the tree and restarts the random numbers.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.visits.clear();
        self.rng = Rng::new(self.options.seed);
    }

    /// Searches the end of `record`. `create_root` adds a root that is not in the tree
    /// yet; `worker` makes the worker of one thread.
    pub(super) fn think<'s, W: FnMut(&SearchControl<'_>) + Send>(
        &'s mut self,
        record: &'s Record<G>,
        limits: &Limits,
        cancel: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
        create_root: impl FnOnce(&SearchTree<G::Move>, &G, &G::Moves) -> Option<u32>,
        mut worker: impl FnMut(&'s SearchTree<G::Move>, &'s MctsOptions, &mut Rng) -> W,
    ) -> Choice<G::Move> {
        self.visits.clear();
        let Some(mut list) = legal_moves(record) else { return Choice::Over };
        let TreeSearch { tree, options, rng, visits } = self;
        let mut game = record.now().clone();
        let control = SearchControl::new(limits, cancel, options.threads <= 1, list.len() == 1);
        if !reuse_root(tree, record, &list) {
            match create_root(tree, &game, &list) {
                Some(root) => tree.root = root,
                // The memory limit is too small for so many moves: play any.
                None => {
                    return list.each().next().map_or(Choice::Over, |mv| Choice::Move { mv, reply: None });
                }
            }
        }
        prove_children(tree, tree.root, &mut game, &mut list);
        let (tree, options): (&SearchTree<G::Move>, &MctsOptions) = (tree, options);
        let workers = (0..options.threads.max(1)).map(|_| worker(tree, options, rng)).collect();
        control.run(tree, options, workers, watch);
        watch(&control.report(tree, options));
        control.record_lag();
        *visits = final_move::visits(tree);
        choose(tree, record, options, rng)
    }
}

/// The legal moves at the end of a record; `None` if the game is over.
fn legal_moves<G: Game>(record: &Record<G>) -> Option<G::Moves> {
    let mut list = G::Moves::default();
    record.now().clone().moves(&mut list);
    (record.ending().is_none() && !list.is_empty()).then_some(list)
}

/// Makes the end of `record` the root if it is in the tree, with all its statistics.
fn reuse_root<G: Game>(tree: &mut SearchTree<G::Move>, record: &Record<G>, list: &G::Moves) -> bool {
    let known = tree.find(record.now().key()).filter(|&node| {
        // Comparing the moves detects key collisions. Their order may differ between paths.
        let mut moves = tree.edges(node).iter().map(|edge| G::Move::from_bits(edge.mv.load(Relaxed)));
        moves.len() == list.len() && moves.all(|mv| list.has(mv))
    });
    tree.root = known.unwrap_or(NONE);
    if tree.hashfull() > COLLECT_ABOVE {
        tree.collect_garbage();
    }
    known.is_some()
}

/// The final choice: the best move, a sampled one in the opening, or resignation.
fn choose<G: Game>(
    tree: &SearchTree<G::Move>,
    record: &Record<G>,
    options: &MctsOptions,
    rng: &mut Rng,
) -> Choice<G::Move> {
    let Some(&best) = final_move::ranked(tree, tree.root).first() else { return Choice::Over };
    let edge = &tree.edges(tree.root)[best];
    let won = edge.proof().is_some_and(|proof| options.scale.rate(proof) == 1.0);
    let rate = edge.proof().map_or(edge.rate(), |proof| options.scale.rate(proof));
    if edge.visits() + u32::from(edge.proof().is_some()) > 0 && rate < options.resign_below {
        return Choice::Resign;
    }
    let samples = record.plies().len() < options.sampled_plies && !won;
    let sampled = if samples { final_move::sampled(tree, rng) } else { None };
    let pv = final_move::principal_variation(tree, sampled.unwrap_or(best));
    match pv[..] {
        [mv, ref rest @ ..] => Choice::Move { mv, reply: rest.first().copied() },
        [] => Choice::Over,
    }
}
