//! One descent of the tree: selection path, repetition stack, backup of results and proofs.

use std::sync::atomic::Ordering::Relaxed;

use tesuji_game::{Game, Move, MoveList, Outcome, Path, Record};

use super::SearchTree;
use super::node::{POINT, TreeEdge};
use crate::Value;

/// The points of a draw.
pub(super) const DRAW_POINTS: u32 = POINT / 2;

/// The points of a finished game for the side to move.
#[inline]
pub(super) fn points(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Win => POINT,
        Outcome::Draw => DRAW_POINTS,
        Outcome::Loss => 0,
    }
}

/// The points of a proven value for the side to move.
pub(super) fn points_of(proof: Value) -> u32 {
    match proof.get() {
        1.. => POINT,
        0 => DRAW_POINTS,
        _ => 0,
    }
}

/// A selected edge and its node.
#[derive(Clone, Copy)]
pub(super) struct SelectedEdge {
    pub(super) node: u32,
    pub(super) edge: u32,
}

/// A descent from the root. Each thread has its own.
pub(super) struct Descent<'a, G: Game> {
    pub(super) tree: &'a SearchTree<G::Move>,
    /// Whether this is the only thread.
    pub(super) alone: bool,
    start: &'a G,
    /// The current position.
    pub(super) game: G,
    path: Path<G>,
    pub(super) steps: Vec<SelectedEdge>,
    /// The longest descent so far.
    pub(super) max_depth: usize,
}

impl<'a, G: Game> Descent<'a, G> {
    pub(super) fn new(tree: &'a SearchTree<G::Move>, record: &'a Record<G>, alone: bool) -> Descent<'a, G> {
        Descent {
            tree,
            alone,
            start: record.now(),
            game: record.now().clone(),
            path: record.path().clone(),
            steps: Vec::with_capacity(64),
            max_depth: 0,
        }
    }

    /// Returns to the root.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.game = self.start.clone();
        if G::RECURS {
            for _ in 0..self.steps.len() {
                self.path.pop();
            }
        }
        self.steps.clear();
    }

    /// Plays the `index`-th move of `node` and adds a virtual loss. Returns the edge, its visit count and, if the new
    /// position is a repetition, the points for its side to move. A repetition depends on the path, not on the
    /// position.
    #[inline]
    pub(super) fn descend(&mut self, node: u32, index: usize) -> (&'a TreeEdge, u32, Option<u32>) {
        let tree = self.tree;
        let at = tree.node(node);
        let step = SelectedEdge { node, edge: at.first() + index as u32 };
        let edge = &tree.pool.edges(at)[index];
        at.add_visit(self.alone);
        let visits = edge.add_virtual_loss(self.alone);
        self.steps.push(step);
        self.max_depth = self.max_depth.max(self.steps.len());
        self.game.play(G::Move::from_bits(edge.mv.load(Relaxed)));
        (edge, visits, self.repetition())
    }

    #[inline]
    fn repetition(&mut self) -> Option<u32> {
        if !G::RECURS {
            return None;
        }
        self.path.push(&self.game);
        self.path.repetition().map(|repetition| match repetition.checker {
            Some(side) if side == self.game.mover() => 0,
            Some(_) => POINT,
            None => DRAW_POINTS,
        })
    }

    /// The result of rules that depend on the whole game, such as a move limit.
    pub(super) fn path_result(&self) -> Option<u32> {
        if !G::RECURS {
            return None;
        }
        let ending = self.game.ending(&self.path)?;
        Some(points(Outcome::of(ending.winner, self.game.mover())))
    }

    /// Backup: adds a result along the path; `points` are for the side to move at the leaf. A node with a proven draw
    /// is worth at least the draw.
    #[inline]
    pub(super) fn backup(tree: &SearchTree<G::Move>, steps: &[SelectedEdge], mut points: u32, alone: bool) {
        for step in steps.iter().rev() {
            points = POINT - points;
            tree.pool.edge(step.edge).add_result(points, alone);
            if tree.node(step.node).has_draw() {
                points = points.max(DRAW_POINTS);
            }
        }
    }

    /// Removes the virtual losses of an abandoned descent.
    pub(super) fn remove_virtual_losses(tree: &SearchTree<G::Move>, steps: &[SelectedEdge]) {
        for step in steps {
            tree.node(step.node).remove_visit();
            tree.pool.edge(step.edge).remove_virtual_loss();
        }
    }

    /// MCTS-Solver: propagates the proof of the last edge. A winning move proves its node at once, any other result only
    /// when all moves are proven.
    pub(super) fn backup_proof(tree: &SearchTree<G::Move>, steps: &[SelectedEdge]) {
        for (at, step) in steps.iter().enumerate().rev() {
            if prove_node(tree, step.node).is_none() {
                return;
            }
            if let (Some(value), Some(above)) = (tree.node(step.node).proof(), at.checked_sub(1)) {
                tree.pool.edge(steps[above].edge).prove(value.to_parent());
            }
        }
    }
}

/// Proves a node from the proofs of its moves, if they suffice.
fn prove_node<M: Move>(tree: &SearchTree<M>, node: u32) -> Option<Value> {
    let mut best = Value::LEAST;
    let mut open = false;
    for edge in tree.edges(node) {
        match edge.proof() {
            Some(value) => best = best.max(value),
            None => open = true,
        }
    }
    let node = tree.node(node);
    if !open || best > Value::DRAW {
        node.prove(best);
        return Some(best);
    }
    if best == Value::DRAW {
        node.prove_draw_at_least();
    }
    None
}

/// Proves every move of a node that ends the game, so that a win in one is never missed.
pub(super) fn prove_children<G: Game>(tree: &SearchTree<G::Move>, node: u32, game: &mut G, list: &mut G::Moves) {
    let mut ended = false;
    for edge in tree.edges(node).iter().filter(|edge| edge.proof().is_none()) {
        let undo = game.play(G::Move::from_bits(edge.mv.load(Relaxed)));
        // Move generation is fast in every game; `outcome` may need it as well.
        game.moves(list);
        if let (true, Some(outcome)) = (list.is_empty(), game.outcome()) {
            edge.prove(Value::over(outcome).to_parent());
            ended = true;
        }
        game.undo(undo);
    }
    if ended {
        prove_node(tree, node);
    }
}
