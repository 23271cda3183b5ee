//! One thread of PUCT at work: leaves gathered, judged in one batch, and their results carried up.

use tesuji_game::{Game, MoveList};

use super::node::{Edge, NONE, PENDING, POINT};
use super::number::{exp, ln};
use super::pace::Pace;
use super::provider::{Leaf, PolicyValue};
use super::walk::{Step, Walk, look_ahead, points_of};
use super::{Settings, Tree, Urgency};
use crate::{Proven, Value};

/// It gathers leaves, has them judged together, and carries the results up.
pub(super) struct Hand<'a, G: Game, P> {
    pub(super) walk: Walk<'a, G>,
    pub(super) provider: &'a P,
    pub(super) settings: &'a Settings,
    pub(super) urgency: &'a Urgency,
    pub(super) list: G::Moves,
    /// Leaves, kept from batch to batch for their memory; the first `waiting.len()` are in use.
    pub(super) batch: Vec<Leaf<G>>,
    /// The way to each leaf in use.
    pub(super) waiting: Vec<Vec<Step>>,
}

/// How a way down ended.
enum End {
    /// With a result that needed no judgement: points for the mover there.
    Known(u32),
    /// With a proof of the last move.
    Proven(u32),
    /// At a leaf that now waits to be judged.
    Leaf,
    /// At a leaf that waits already.
    Taken,
}

impl<G: Game, P: PolicyValue<G>> Hand<'_, G, P> {
    /// Gathers a batch, has it judged, and carries the results up.
    pub(super) fn bout(&mut self, pace: &Pace<'_>) {
        self.gather(pace);
        let count = self.waiting.len();
        if count == 0 || pace.over() {
            return self.abandon(pace);
        }
        self.provider.judge(&mut self.batch[..count]);
        let tree = self.walk.tree;
        for (leaf, steps) in self.batch.iter_mut().zip(self.waiting.drain(..)) {
            let Some(edge) = steps.last().map(|step| tree.arena.edge(step.edge)) else { continue };
            let child = add(tree, leaf.game.key(), leaf, self.urgency.temperature);
            if let (Some(child), true) = (child, self.settings.look_ahead) {
                look_ahead(tree, child, &mut leaf.game, &mut self.list);
            }
            edge.link(child.unwrap_or(NONE));
            match child.and_then(|child| tree.node(child).proof()) {
                Some(proof) => {
                    edge.prove(proof.back());
                    Walk::<G>::credit(tree, &steps, points_of(proof), self.walk.alone);
                    Walk::<G>::prove(tree, &steps);
                }
                None => {
                    let points = (share(leaf.value) * POINT as f32) as u32;
                    Walk::<G>::credit(tree, &steps, points, self.walk.alone);
                }
            }
            pace.count();
        }
        pace.reached(self.walk.deepest);
    }

    fn gather(&mut self, pace: &Pace<'_>) {
        let tree = self.walk.tree;
        // While the tree is small, a large batch would go to moves that were chosen blindly.
        let known = tree.node(tree.root).visits() as usize;
        let most = self.urgency.batch.clamp(1, 1 + known / 4);
        let mut taken = 0;
        while self.waiting.len() < most && taken <= most / 4 && pace.claim() {
            match self.descend() {
                End::Known(points) => {
                    Walk::<G>::credit(tree, &self.walk.steps, points, self.walk.alone);
                    pace.count();
                }
                End::Proven(points) => {
                    Walk::<G>::credit(tree, &self.walk.steps, points, self.walk.alone);
                    Walk::<G>::prove(tree, &self.walk.steps);
                    pace.count();
                    if tree.node(tree.root).proof().is_some() {
                        pace.halt();
                    }
                }
                End::Leaf => {}
                End::Taken => {
                    Walk::<G>::take_back(tree, &self.walk.steps);
                    pace.unclaim();
                    taken += 1;
                    if self.waiting.is_empty() {
                        std::thread::yield_now();
                    }
                }
            }
        }
    }

    /// Gives up what waits to be judged.
    fn abandon(&mut self, pace: &Pace<'_>) {
        let tree = self.walk.tree;
        for steps in self.waiting.drain(..) {
            if let Some(step) = steps.last() {
                tree.arena.edge(step.edge).link(NONE);
            }
            Walk::<G>::take_back(tree, &steps);
            pace.unclaim();
        }
        pace.reached(self.walk.deepest);
    }

    fn descend(&mut self) -> End {
        self.walk.begin();
        let tree = self.walk.tree;
        let mut node = tree.root;
        loop {
            let index = self.select(node);
            let (edge, _, recurred) = self.walk.enter(node, index);
            if let Some(points) = recurred {
                return End::Known(points);
            }
            if let Some(proof) = edge.proof() {
                return End::Known(POINT - points_of(proof));
            }
            let mut child = edge.child();
            if child == NONE {
                match tree.find(self.walk.game.key()) {
                    Some(known) => {
                        edge.link(known);
                        child = known;
                    }
                    None => return self.leaf(edge),
                }
            }
            if child == PENDING {
                return End::Taken;
            }
            if let Some(proof) = tree.node(child).proof() {
                edge.prove(proof.back());
                return End::Proven(points_of(proof));
            }
            node = child;
        }
    }

    /// What to do where the tree ends: nothing if the game is decided there, or else have it judged.
    fn leaf(&mut self, edge: &Edge) -> End {
        let path_verdict = self.walk.verdict();
        let game = &mut self.walk.game;
        game.moves(&mut self.list);
        let over = if self.list.is_empty() { game.outcome().map(Value::over) } else { None };
        if let (None, Some(points)) = (over, path_verdict) {
            return End::Known(points);
        }
        let told = over.or_else(|| self.provider.verdict(game).map(value_of));
        if let Some(value) = told {
            edge.prove(value.back());
            return End::Proven(points_of(value));
        }
        if !edge.reserve() {
            return End::Taken;
        }
        let at = self.waiting.len();
        match self.batch.get_mut(at) {
            Some(leaf) => {
                leaf.game.clone_from(game);
                leaf.moves.clear();
                leaf.moves.extend(self.list.each());
                leaf.policy.clear();
                leaf.policy.resize(leaf.moves.len(), 0.0);
                leaf.value = 0.5;
            }
            None => self.batch.push(Leaf::new(game.clone(), &self.list)),
        }
        self.waiting.push(self.walk.steps.clone());
        End::Leaf
    }

    /// The move with the largest sum of worth and urgency; nothing is to be learned of a proven one.
    fn select(&self, node: u32) -> usize {
        let tree = self.walk.tree;
        let at = tree.node(node);
        let edges = tree.arena.edges(at);
        let visits = at.visits().max(1) as f32;
        let Urgency { c_init, c_base, .. } = *self.urgency;
        let weight = (ln(f64::from((1.0 + visits + c_base) / c_base)) as f32 + c_init) * visits.sqrt();
        let (mut points, mut tried) = (at.judged(), 0.0);
        for edge in edges.iter().filter(|edge| edge.visits() > 0) {
            points += edge.sum() as i64 as f32 / POINT as f32;
            tried += edge.prior();
        }
        let reduction =
            if node == tree.root { self.urgency.fpu_reduction_root } else { self.urgency.fpu_reduction };
        let untried = (points / visits - reduction * tried.sqrt()).max(0.0);
        let (mut best, mut index) = (f32::NEG_INFINITY, 0);
        for (at, edge) in edges.iter().enumerate() {
            if edge.proof().is_some() {
                continue;
            }
            let visits = edge.visits() as f32;
            let worth =
                if visits == 0.0 { untried } else { edge.sum() as i64 as f32 / (visits * POINT as f32) };
            let score = worth + weight * edge.prior() / (1.0 + visits);
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

/// A share as it should be, whatever the provider says.
fn share(value: f32) -> f32 {
    if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) }
}

/// Puts a judged position into the tree; its logits become shares.
pub(super) fn add<G: Game>(tree: &Tree<G::Move>, key: u64, leaf: &Leaf<G>, temperature: f32) -> Option<u32> {
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
    tree.add(key, leaf.moves.len(), Some(share(leaf.value)), edges)
}
