//! One way down a tree and back: the position and path in step with it, results and proofs carried up.

use std::sync::atomic::Ordering::Relaxed;

use tesuji_game::{Game, Move, MoveList, Outcome, Path, Record};

use super::Tree;
use super::node::{Edge, POINT};
use crate::Value;

/// Points of a draw.
pub(super) const HALF: u32 = POINT / 2;

/// Points for the mover of a finished game.
#[inline]
pub(super) fn points(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Win => POINT,
        Outcome::Draw => HALF,
        Outcome::Loss => 0,
    }
}

/// Points for the mover of a position of which this is proven.
pub(super) fn points_of(proof: Value) -> u32 {
    match proof.get() {
        1.. => POINT,
        0 => HALF,
        _ => 0,
    }
}

/// A move on the way, and the node it was chosen at.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
}

/// Someone going down and up a tree. Each thread has its own.
pub(super) struct Walk<'a, G: Game> {
    pub(super) tree: &'a Tree<G::Move>,
    /// Nobody else is in the tree.
    pub(super) alone: bool,
    start: &'a G,
    /// Where it stands.
    pub(super) game: G,
    pub(super) path: Path<G>,
    pub(super) steps: Vec<Step>,
    /// The most steps it ever took.
    pub(super) deepest: usize,
}

impl<'a, G: Game> Walk<'a, G> {
    pub(super) fn new(tree: &'a Tree<G::Move>, record: &'a Record<G>, alone: bool) -> Walk<'a, G> {
        Walk {
            tree,
            alone,
            start: record.now(),
            game: record.now().clone(),
            path: record.path().clone(),
            steps: Vec::with_capacity(64),
            deepest: 0,
        }
    }

    /// Back to the root.
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

    /// Goes one step on by the `index`-th move of `node`, counting the visit. Tells how often it has been
    /// taken and what the path alone makes of it: points for the mover at its end, since positions that came
    /// up before are no property of the position.
    #[inline]
    pub(super) fn enter(&mut self, node: u32, index: usize) -> (&'a Edge, u32, Option<u32>) {
        let tree = self.tree;
        let at = tree.node(node);
        let step = Step { node, edge: at.first() + index as u32 };
        let edge = &tree.arena.edges(at)[index];
        at.enter(self.alone);
        let visits = edge.enter(self.alone);
        self.steps.push(step);
        self.deepest = self.deepest.max(self.steps.len());
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
            None => HALF,
        })
    }

    /// The verdict of rules that look at the whole game and not at the position, such as a limit of moves.
    pub(super) fn verdict(&self) -> Option<u32> {
        if !G::RECURS {
            return None;
        }
        let ending = self.game.ending(&self.path)?;
        Some(points(Outcome::of(ending.winner, self.game.mover())))
    }

    /// Carries a result up: `points` for the mover where the way ended. Who has a draw in hand and looks for
    /// more never has less than that draw, whatever the other moves brought.
    #[inline]
    pub(super) fn credit(tree: &Tree<G::Move>, steps: &[Step], mut points: u32, alone: bool) {
        for step in steps.iter().rev() {
            points = POINT - points;
            tree.arena.edge(step.edge).credit(points, alone);
            if tree.node(step.node).has_half() {
                points = points.max(HALF);
            }
        }
    }

    /// Takes the visits back of a way that came to nothing.
    pub(super) fn take_back(tree: &Tree<G::Move>, steps: &[Step]) {
        for step in steps {
            tree.node(step.node).leave();
            tree.arena.edge(step.edge).leave();
        }
    }

    /// Carries a proof of the last move up as far as it decides anything (MCTS-Solver). A win decides at
    /// once; anything else when nothing is left open.
    pub(super) fn prove(tree: &Tree<G::Move>, steps: &[Step]) {
        for (at, step) in steps.iter().enumerate().rev() {
            if settle(tree, step.node).is_none() {
                return;
            }
            if let (Some(value), Some(above)) = (tree.node(step.node).proof(), at.checked_sub(1)) {
                tree.arena.edge(steps[above].edge).prove(value.back());
            }
        }
    }
}

/// Decides a node by its moves if they decide it.
pub(super) fn settle<M: Move>(tree: &Tree<M>, node: u32) -> Option<Value> {
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
        node.prove_half();
    }
    None
}

/// Looks at every move of a node for one that ends the game, so that a win in one is never overlooked.
pub(super) fn look_ahead<G: Game>(tree: &Tree<G::Move>, node: u32, game: &mut G, list: &mut G::Moves) {
    let mut ended = false;
    for edge in tree.edges(node).iter().filter(|edge| edge.proof().is_none()) {
        let undo = game.play(G::Move::from_bits(edge.mv.load(Relaxed)));
        // Asking for moves first is quick in every game; the outcome may have to look for one.
        game.moves(list);
        if let (true, Some(outcome)) = (list.is_empty(), game.outcome()) {
            edge.prove(Value::over(outcome).back());
            ended = true;
        }
        game.undo(undo);
    }
    if ended {
        settle(tree, node);
    }
}
