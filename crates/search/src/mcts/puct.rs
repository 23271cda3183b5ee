//! PUCT: Monte-Carlo tree search with the priors and values of an evaluator, called in batches (AlphaZero).

use std::ops::Range;
use std::time::Instant;

use tesuji_game::{Game, MoveList, Record};

use super::control::SearchControl;
use super::descent::{Descent, SelectedEdge, points_of, prove_children};
use super::math::{exp, ln};
use super::node::{NONE, PENDING, POINT, TreeEdge};
use super::noise::dirichlet;
use super::policy::{LeafPosition, PolicyValue};
use super::think::TreeSearch;
use super::{MctsOptions, SearchTree};
use crate::{CancelToken, Choice, Engine, Limits, Proven, SearchReport, Value};

/// Options of PUCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuctOptions {
    /// The exploration constant in a small tree.
    pub c_init: f32,
    /// The visit count at which the exploration constant begins to grow.
    pub c_base: f32,
    /// First-play urgency (FPU): how far the value of an unvisited move lies below that of its parent, once the whole
    /// policy mass is visited.
    pub fpu_reduction: f32,
    /// The same at the root.
    pub fpu_reduction_root: f32,
    /// Policy temperature; above 1 the priors are flatter.
    pub temperature: f32,
    /// The largest batch of each thread.
    pub batch: usize,
    /// The share of Dirichlet noise in the priors of the root, for self-play; 0 for none.
    pub noise: f32,
    /// The parameter of the Dirichlet distribution, times the number of moves: the share of a move is about as random
    /// in every position.
    pub noise_total: f32,
}

impl Default for PuctOptions {
    fn default() -> PuctOptions {
        PuctOptions {
            c_init: 1.44,
            c_base: 28288.0,
            fpu_reduction: 0.27,
            fpu_reduction_root: 0.0,
            temperature: 1.74,
            batch: 16,
            noise: 0.0,
            noise_total: 10.0,
        }
    }
}

/// A PUCT engine.
#[derive(Debug)]
pub struct Puct<G: Game, P> {
    search: TreeSearch<G>,
    policy: P,
    options: PuctOptions,
}

impl<G: Game, P: PolicyValue<G>> Puct<G, P> {
    /// An engine with this evaluator.
    pub fn new(policy: P, mcts: MctsOptions, options: PuctOptions) -> Puct<G, P> {
        Puct { search: TreeSearch::new(mcts), policy, options }
    }

    /// The tree of the last search.
    pub fn tree(&self) -> &SearchTree<G::Move> {
        &self.search.tree
    }

    /// New noise for the moves of the root; none without noise.
    fn root_noise(&mut self, root: &G) -> Vec<f32> {
        if self.options.noise <= 0.0 {
            return Vec::new();
        }
        let moves = root.clone().count() as usize;
        let alpha = f64::from(self.options.noise_total) / moves.max(1) as f64;
        dirichlet(moves, alpha.max(1e-3), &mut self.search.rng)
    }
}

impl<G: Game, P: PolicyValue<G>> Engine<G> for Puct<G, P> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        self.search.visits.clear();
        if record.ending().is_some() {
            return Choice::Over;
        }
        if self.policy.prepare(record.path()).clear_stored {
            self.search.tree.clear();
        }
        if self.policy.known_result(&mut record.now().clone()) == Some(Proven::Win(0)) {
            return Choice::Claim;
        }
        let noise = self.root_noise(record.now());
        let (policy, puct, noise) = (&self.policy, &self.options, &noise[..]);
        let create_root = |tree: &SearchTree<G::Move>, game: &G, list: &G::Moves| {
            let mut batch = [LeafPosition::new(game.clone(), list)];
            policy.evaluate(&mut batch);
            let [leaf] = batch;
            expand(tree, game.key(), &leaf, puct.temperature)
        };
        self.search.think(record, limits, stop, watch, create_root, |tree, options, _| {
            let mut worker = PuctWorker {
                descent: Descent::new(tree, record, options.threads <= 1),
                policy,
                options,
                puct,
                noise,
                list: G::Moves::default(),
                batch: Vec::new(),
                pending: Vec::new(),
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

/// One thread of PUCT.
struct PuctWorker<'a, G: Game, P> {
    descent: Descent<'a, G>,
    policy: &'a P,
    options: &'a MctsOptions,
    puct: &'a PuctOptions,
    /// Of the moves of the root; empty without noise.
    noise: &'a [f32],
    list: G::Moves,
    /// Leaves, kept from batch to batch for their memory; the first `pending.len()` are in use.
    batch: Vec<LeafPosition<G>>,
    /// The path to each leaf in use.
    pending: Vec<Vec<SelectedEdge>>,
}

/// The end of a descent.
enum PuctLeaf {
    /// Points for the side to move, without a proof.
    Known(u32),
    /// Points for the side to move; the last edge is proven.
    Proven(u32),
    /// A new leaf in the batch.
    InBatch,
    /// A leaf that is already in a batch.
    Collision,
}

impl<G: Game, P: PolicyValue<G>> PuctWorker<'_, G, P> {
    /// One batch: gathers leaves, evaluates them, and backs up the results. Leaves that are left when the search is
    /// over are abandoned.
    fn run(&mut self, control: &SearchControl<'_>) {
        let mut since = Instant::now();
        self.gather(control);
        let (count, most) = (self.pending.len(), self.policy.most_at_once().max(1));
        let mut done = 0;
        while !control.is_over(&mut since) && done < count {
            let part = done..count.min(done.saturating_add(most));
            self.policy.evaluate(&mut self.batch[part.clone()]);
            self.complete(part.clone(), control);
            done = part.end;
        }
        self.abandon(done, control);
        control.update_seldepth(self.descent.max_depth);
    }

    /// Adds evaluated leaves to the tree and backs up their values.
    fn complete(&mut self, part: Range<usize>, control: &SearchControl<'_>) {
        let tree = self.descent.tree;
        for (leaf, steps) in self.batch[part.clone()].iter_mut().zip(&self.pending[part]) {
            let Some(edge) = steps.last().map(|step| tree.pool.edge(step.edge)) else { continue };
            let child = expand(tree, leaf.game.key(), leaf, self.puct.temperature);
            if let (Some(child), true) = (child, self.options.prove_children) {
                prove_children(tree, child, &mut leaf.game, &mut self.list);
            }
            edge.link(child.unwrap_or(NONE));
            match child.and_then(|child| tree.node(child).proof()) {
                Some(proof) => {
                    edge.prove(proof.to_parent());
                    Descent::<G>::backup(tree, steps, points_of(proof), self.descent.alone);
                    Descent::<G>::backup_proof(tree, steps);
                }
                None => {
                    let points = (clamp_rate(leaf.value) * POINT as f32) as u32;
                    Descent::<G>::backup(tree, steps, points, self.descent.alone);
                }
            }
            control.complete();
        }
    }

    fn gather(&mut self, control: &SearchControl<'_>) {
        let tree = self.descent.tree;
        // In a small tree, a large batch would select its leaves blindly.
        let visits = tree.node(tree.root).visits() as usize;
        let most = self.puct.batch.clamp(1, 1 + visits / 4);
        let mut collisions = 0;
        while self.pending.len() < most && collisions <= most / 4 && control.claim() {
            match self.select_leaf() {
                PuctLeaf::Known(points) => {
                    Descent::<G>::backup(tree, &self.descent.steps, points, self.descent.alone);
                    control.complete();
                }
                PuctLeaf::Proven(points) => {
                    Descent::<G>::backup(tree, &self.descent.steps, points, self.descent.alone);
                    Descent::<G>::backup_proof(tree, &self.descent.steps);
                    control.complete();
                    if tree.node(tree.root).proof().is_some() {
                        control.stop();
                    }
                }
                PuctLeaf::InBatch => {}
                PuctLeaf::Collision => {
                    Descent::<G>::remove_virtual_losses(tree, &self.descent.steps);
                    control.unclaim();
                    collisions += 1;
                    if self.pending.is_empty() {
                        std::thread::yield_now();
                    }
                }
            }
        }
    }

    /// Abandons the pending leaves from this one on, and forgets those before it.
    fn abandon(&mut self, done: usize, control: &SearchControl<'_>) {
        let tree = self.descent.tree;
        for steps in self.pending.drain(..).skip(done) {
            if let Some(step) = steps.last() {
                tree.pool.edge(step.edge).link(NONE);
            }
            Descent::<G>::remove_virtual_losses(tree, &steps);
            control.unclaim();
        }
    }

    /// Selection: one descent to a leaf.
    fn select_leaf(&mut self) -> PuctLeaf {
        self.descent.begin();
        let tree = self.descent.tree;
        let mut node = tree.root;
        loop {
            let index = self.select(node);
            let (edge, _, repetition) = self.descent.descend(node, index);
            if let Some(points) = repetition {
                return PuctLeaf::Known(points);
            }
            if let Some(proof) = edge.proof() {
                return PuctLeaf::Known(POINT - points_of(proof));
            }
            let mut child = edge.child();
            if child == NONE {
                match tree.find(self.descent.game.key()) {
                    Some(known) => {
                        edge.link(known);
                        child = known;
                    }
                    None => return self.add_leaf(edge),
                }
            }
            if child == PENDING {
                return PuctLeaf::Collision;
            }
            if let Some(proof) = tree.node(child).proof() {
                edge.prove(proof.to_parent());
                return PuctLeaf::Proven(points_of(proof));
            }
            node = child;
        }
    }

    /// Adds the current position to the batch, unless its result is known.
    fn add_leaf(&mut self, edge: &TreeEdge) -> PuctLeaf {
        let path_result = self.descent.path_result();
        let game = &mut self.descent.game;
        game.moves(&mut self.list);
        let over = if self.list.is_empty() { game.outcome().map(Value::over) } else { None };
        if let (None, Some(points)) = (over, path_result) {
            return PuctLeaf::Known(points);
        }
        let known = over.or_else(|| self.policy.known_result(game).map(value_of));
        if let Some(value) = known {
            edge.prove(value.to_parent());
            return PuctLeaf::Proven(points_of(value));
        }
        if !edge.reserve() {
            return PuctLeaf::Collision;
        }
        let at = self.pending.len();
        match self.batch.get_mut(at) {
            Some(leaf) => {
                leaf.game.clone_from(game);
                leaf.moves.clear();
                leaf.moves.extend(self.list.each());
                leaf.policy.clear();
                leaf.policy.resize(leaf.moves.len(), 0.0);
                leaf.value = 0.5;
            }
            None => self.batch.push(LeafPosition::new(game.clone(), &self.list)),
        }
        self.pending.push(self.descent.steps.clone());
        PuctLeaf::InBatch
    }

    /// Selection: the largest sum of win rate and exploration bonus (PUCT). Proven moves are skipped.
    fn select(&self, node: u32) -> usize {
        let tree = self.descent.tree;
        let at = tree.node(node);
        let edges = tree.pool.edges(at);
        let visits = at.visits().max(1) as f32;
        let PuctOptions { c_init, c_base, .. } = *self.puct;
        let weight = (ln(f64::from((1.0 + visits + c_base) / c_base)) as f32 + c_init) * visits.sqrt();
        let (mut points, mut visited_policy) = (at.evaluated(), 0.0);
        for edge in edges.iter().filter(|edge| edge.visits() > 0) {
            points += edge.sum() as i64 as f32 / POINT as f32;
            visited_policy += edge.prior();
        }
        let reduction = if node == tree.root { self.puct.fpu_reduction_root } else { self.puct.fpu_reduction };
        let fpu = (points / visits - reduction * visited_policy.sqrt()).max(0.0);
        let (mut best, mut index) = (f32::NEG_INFINITY, 0);
        let noise = if node == tree.root { self.noise } else { &[] };
        for (at, edge) in edges.iter().enumerate() {
            if edge.proof().is_some() {
                continue;
            }
            let visits = edge.visits() as f32;
            let rate = if visits == 0.0 { fpu } else { edge.sum() as i64 as f32 / (visits * POINT as f32) };
            let prior = match noise.get(at) {
                Some(noise) => edge.prior() + self.puct.noise * (noise - edge.prior()),
                None => edge.prior(),
            };
            let score = rate + weight * prior / (1.0 + visits);
            if score > best {
                (best, index) = (score, at);
            }
        }
        index
    }
}

fn value_of(proven: Proven) -> Value {
    match proven {
        Proven::Win(plies) => Value::win(plies),
        Proven::Loss(plies) => Value::loss(plies),
    }
}

/// A valid win rate, whatever the evaluator returns.
fn clamp_rate(value: f32) -> f32 {
    if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) }
}

/// Expansion: adds an evaluated leaf to the tree; the softmax of its logits gives the priors.
fn expand<G: Game>(tree: &SearchTree<G::Move>, key: u64, leaf: &LeafPosition<G>, temperature: f32) -> Option<u32> {
    let most = leaf.policy.iter().copied().filter(|logit| logit.is_finite()).fold(f32::MIN, f32::max);
    let temperature = temperature.max(1e-3);
    let weight = |logit: f32| {
        if logit.is_finite() { exp(f64::from((logit - most) / temperature)) as f32 } else { 0.0 }
    };
    let sum: f32 = leaf.policy.iter().map(|&logit| weight(logit)).sum();
    let even = 1.0 / leaf.moves.len() as f32;
    let policy = leaf.policy.iter().copied().chain(std::iter::repeat(f32::NAN));
    let priors = policy.map(|logit| if sum > 0.0 { weight(logit) / sum } else { even });
    let edges = leaf.moves.iter().copied().zip(priors);
    tree.add(key, leaf.moves.len(), Some(clamp_rate(leaf.value)), edges)
}
