//! UCT: Monte-Carlo tree search with random playouts, UCB1 selection and MCTS-Solver.

use std::time::Instant;

use tesuji_game::{Game, MoveList, Record};

use super::control::SearchControl;
use super::descent::{Descent, points_of, prove_children};
use super::math::ln_of_count;
use super::node::{PENDING, POINT, TreeEdge};
use super::playout::{Playout, pair, playout};
use super::think::TreeSearch;
use super::{MctsOptions, SearchTree};
use crate::{CancelToken, Choice, Engine, Eval, Limits, NoEval, Rng, SearchReport, Value};

/// Pairs of playouts between two clock checks.
const PAIRS_PER_CHECK: usize = 8;

/// New nodes are checked for moves that end the game from this many plies before the earliest end of a playout. In some
/// games such moves are everywhere, in others only at the very end.
const NEAR_END: usize = 4;

/// Options of UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctOptions {
    /// The exploration constant of UCB1.
    pub explore: f32,
    /// The visit of an edge at which its child is expanded.
    pub expand_at: u32,
    /// The longest playout. A longer one is scored by the evaluation, or as a draw without one.
    pub plies: u32,
}

impl Default for UctOptions {
    fn default() -> UctOptions {
        UctOptions { explore: 0.35, expand_at: 2, plies: 256 }
    }
}

/// A UCT engine.
#[derive(Debug)]
pub struct Uct<G: Game, E = NoEval> {
    search: TreeSearch<G>,
    eval: E,
    options: UctOptions,
}

impl<G: Game> Uct<G> {
    /// An engine without an evaluation.
    pub fn new(mcts: MctsOptions, options: UctOptions) -> Uct<G> {
        Uct::with_eval(NoEval, mcts, options)
    }
}

impl<G: Game, E: Eval<G>> Uct<G, E> {
    /// An engine that scores unfinished playouts by an evaluation.
    pub fn with_eval(eval: E, mcts: MctsOptions, options: UctOptions) -> Uct<G, E> {
        Uct { search: TreeSearch::new(mcts), eval, options }
    }

    /// The tree of the last search.
    pub fn tree(&self) -> &SearchTree<G::Move> {
        &self.search.tree
    }
}

impl<G: Game, E: Eval<G>> Engine<G> for Uct<G, E> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let (eval, uct) = (&self.eval, &self.options);
        let create_root = |tree: &SearchTree<G::Move>, game: &G, list: &G::Moves| {
            tree.add(game.key(), list.len(), None, list.each().map(|mv| (mv, 0.0)))
        };
        self.search.think(record, limits, stop, watch, create_root, |tree, options, rng| {
            let mut worker = UctWorker {
                descents: [(); 2].map(|()| Descent::new(tree, record, options.threads <= 1)),
                eval,
                options,
                uct,
                lists: Default::default(),
                rng: Rng::new(rng.draw()),
                earliest_end: usize::MAX,
            };
            move |control: &SearchControl<'_>| worker.run(control)
        })
    }

    fn forget(&mut self) {
        self.search.clear();
    }

    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        self.search.visits.clone()
    }
}

/// One thread of UCT. It makes two descents at a time, so that their playouts can be interleaved; the virtual loss of
/// the first directs the second elsewhere.
struct UctWorker<'a, G: Game, E> {
    descents: [Descent<'a, G>; 2],
    eval: &'a E,
    options: &'a MctsOptions,
    uct: &'a UctOptions,
    lists: [G::Moves; 2],
    rng: Rng,
    /// The earliest end of a playout, in plies from the root.
    earliest_end: usize,
}

/// The end of a descent.
#[derive(Clone, Copy)]
enum UctLeaf {
    /// A playout decides.
    Playout,
    /// Points for the side to move, without a proof.
    Known(u32),
    /// Points for the side to move; the last edge is proven.
    Proven(u32),
}

impl<G: Game, E: Eval<G>> UctWorker<'_, G, E> {
    /// Some pairs of playouts.
    fn run(&mut self, control: &SearchControl<'_>) {
        let mut since = Instant::now();
        for _ in 0..PAIRS_PER_CHECK {
            if !control.claim() {
                break;
            }
            let first = self.descend(0);
            let second = control.claim().then(|| self.descend(1));
            if let (UctLeaf::Playout, Some(UctLeaf::Playout)) = (first, second) {
                let [one, two] = &mut self.descents;
                let games = [&mut one.game, &mut two.game];
                let [one, two] = pair(games, &mut self.lists, &mut self.rng, self.uct.plies);
                for (which, played) in [one, two].into_iter().enumerate() {
                    let end = self.score_playout(which, played);
                    self.finish(which, end, control);
                }
                continue;
            }
            for (which, end) in [Some(first), second].into_iter().enumerate() {
                let Some(mut end) = end else { continue };
                if let UctLeaf::Playout = end {
                    let (game, list) = (&mut self.descents[which].game, &mut self.lists[which]);
                    let played = playout(game, list, &mut self.rng, self.uct.plies);
                    end = self.score_playout(which, played);
                }
                self.finish(which, end, control);
            }
        }
        self.descents.iter().for_each(|descent| control.update_seldepth(descent.max_depth));
        control.is_over(&mut since);
    }

    /// Selection and expansion: one descent to a leaf.
    fn descend(&mut self, which: usize) -> UctLeaf {
        self.descents[which].begin();
        let tree = self.descents[which].tree;
        let mut node = tree.root;
        let mut expanded = false;
        loop {
            let index = self.select(tree, node);
            let (edge, visits, repetition) = self.descents[which].descend(node, index);
            if let Some(points) = repetition {
                return UctLeaf::Known(points);
            }
            if let Some(proof) = edge.proof() {
                return UctLeaf::Known(POINT - points_of(proof));
            }
            let mut child = edge.child();
            if child >= PENDING && visits >= self.uct.expand_at && !expanded {
                child = self.expand(which);
                if child < PENDING {
                    edge.link(child);
                    expanded = true;
                }
            }
            if child >= PENDING {
                let descent = &self.descents[which];
                let Some(points) = descent.path_result() else { return UctLeaf::Playout };
                return if descent.game.outcome().is_some() {
                    self.game_over(which, points)
                } else {
                    UctLeaf::Known(points)
                };
            }
            if let Some(proof) = tree.node(child).proof() {
                edge.prove(proof.to_parent());
                return UctLeaf::Proven(points_of(proof));
            }
            node = child;
        }
    }

    /// Backup of a descent.
    #[inline]
    fn finish(&self, which: usize, end: UctLeaf, control: &SearchControl<'_>) {
        let Descent { tree, ref steps, alone, .. } = self.descents[which];
        if let UctLeaf::Known(points) | UctLeaf::Proven(points) = end {
            Descent::<G>::backup(tree, steps, points, alone);
        }
        if let UctLeaf::Proven(_) = end {
            Descent::<G>::backup_proof(tree, steps);
            if tree.node(tree.root).proof().is_some() {
                control.stop();
            }
        }
        control.complete();
    }

    /// Selection: unvisited moves first, then by UCB1. Proven moves are skipped.
    #[inline]
    fn select(&mut self, tree: &SearchTree<G::Move>, node: u32) -> usize {
        let at = tree.node(node);
        let edges = tree.pool.edges(at);
        let visits = at.visits();
        if (visits as usize) < edges.len() {
            let start = self.rng.below(edges.len());
            let unvisited = |edge: &TreeEdge| edge.visits() == 0 && edge.proof().is_none();
            if let Some(after) = edges[start..].iter().position(unvisited) {
                return start + after;
            }
            if let Some(before) = edges[..start].iter().position(unvisited) {
                return before;
            }
        }
        let weight = self.uct.explore * self.uct.explore * ln_of_count(visits.max(1));
        let (mut best, mut index) = (f32::NEG_INFINITY, 0);
        for (at, edge) in edges.iter().enumerate() {
            // An unvisited move was returned above, unless another thread changed the counts.
            let share = 1.0 / edge.visits().max(1) as f32;
            let rate = edge.sum() as i64 as f32 * (share / POINT as f32);
            let score = rate + (weight * share).sqrt();
            if score > best && edge.proof().is_none() {
                (best, index) = (score, at);
            }
        }
        index
    }

    /// Expansion: finds or adds the node of the current position; `PENDING` if the game is over or the memory full.
    fn expand(&mut self, which: usize) -> u32 {
        let (descent, list) = (&mut self.descents[which], &mut self.lists[which]);
        let key = descent.game.key();
        if let Some(node) = descent.tree.find(key) {
            return node;
        }
        descent.game.moves(list);
        if list.is_empty() {
            return PENDING;
        }
        let edges = list.each().map(|mv| (mv, 0.0));
        let Some(node) = descent.tree.add(key, list.len(), None, edges) else { return PENDING };
        if self.options.prove_children && descent.steps.len() + NEAR_END >= self.earliest_end {
            prove_children(descent.tree, node, &mut descent.game, list);
        }
        node
    }

    /// The result of a playout.
    #[inline]
    fn score_playout(&mut self, which: usize, played: Playout) -> UctLeaf {
        if played.points.is_some() {
            let plies = self.descents[which].steps.len() + played.plies as usize;
            self.earliest_end = self.earliest_end.min(plies);
        }
        match played {
            Playout { plies: 0, points: Some(points) } => self.game_over(which, points),
            Playout { points: Some(points), .. } => UctLeaf::Known(points),
            Playout { plies, points: None } => {
                let game = &self.descents[which].game;
                let rate = self.options.scale.rate(self.eval.value(game, &self.eval.begin(game)));
                let points = (rate * f64::from(POINT)) as u32;
                UctLeaf::Known(if plies.is_multiple_of(2) { points } else { POINT - points })
            }
        }
    }

    /// Proves the last edge of a descent at whose end the game is over.
    fn game_over(&self, which: usize, points: u32) -> UctLeaf {
        let value = match points {
            0 => Value::loss(0),
            POINT => Value::win(0),
            _ => Value::DRAW,
        };
        let Descent { tree, ref steps, .. } = self.descents[which];
        if let Some(step) = steps.last() {
            tree.pool.edge(step.edge).prove(value.to_parent());
        }
        UctLeaf::Proven(points)
    }
}
