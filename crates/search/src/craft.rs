//! What a game's own engine adds to plain alpha-beta: policy as a type, each default free of cost.

use tesuji_game::{Game, Outcome, Path};

use crate::{Eval, Value};

/// The craft of one game in the tree. Every hook has a default that adds nothing and compiles away, so that
/// no search ever asks which game it plays.
pub trait Heuristics<G: Game, E: Eval<G>>: Send + Sync {
    /// Whether the hooks asked before a move is tried need [`NodeContext::value`]; it costs an evaluation at
    /// every node.
    const STATIC: bool = false;

    /// A search from the end of this path begins: the time to read the options of its game. What is told here
    /// holds for the whole search.
    #[inline]
    fn prepare(&mut self, path: &Path<G>) -> Terms {
        let _ = path;
        Terms::default()
    }

    /// How promising a move looks before it is tried: higher is tried earlier, behind the table's move. What
    /// the search has learned is added: up to ±[`HISTORY`](crate::HISTORY) by how often the move has cut, and
    /// [`KILLER`](crate::KILLER) for one that has just cut at the same height.
    #[inline]
    fn hint(&self, game: &G, mv: G::Move) -> i32 {
        let _ = (game, mv);
        0
    }

    /// Plies to look deeper behind a move that `after` has come from: a check, an attack, a single reply.
    #[inline]
    fn extend(&self, after: &G, mv: G::Move, situation: &NodeContext) -> u32 {
        let _ = (after, mv, situation);
        0
    }

    /// Plies to look less deep behind a late move; what fails high is looked at again in full.
    #[inline]
    fn reduce(&self, after: &G, mv: G::Move, situation: &NodeContext) -> u32 {
        let _ = (after, mv, situation);
        0
    }

    /// Plays a move of nothing where the game allows one and it is worth a try; the search looks so many
    /// plies less deep behind it. Never asked twice in a row, nor at the root; `undo` must take it back, and a
    /// game that is over must not be tried.
    #[inline]
    fn null(&self, game: &mut G, situation: &NodeContext) -> Option<(G::Undo, u32)> {
        let _ = (game, situation);
        None
    }

    /// The moves that must be looked at before a position may be judged, best first, written to `out`; none
    /// when it is quiet. With `true` the mover may also stand on the judgement as it is; with `false` these
    /// must be all the moves there are.
    #[inline]
    fn noisy(&self, game: &mut G, out: &mut Vec<G::Move>) -> bool {
        let _ = (game, out);
        true
    }

    /// [`Heuristics::noisy`] for a craft that wants to know where it is asked: [`NodeContext::value`] is the static
    /// value, [`NodeContext::beyond`] how long quiescence has lasted. One that stands above `beta` need not look
    /// for moves.
    #[inline]
    fn restless(&self, game: &mut G, situation: &NodeContext, out: &mut Vec<G::Move>) -> bool {
        let _ = situation;
        self.noisy(game, out)
    }

    /// How the game has ended at a leaf, if it has. A craft may know a cheaper test than the rules do.
    #[inline]
    fn over(&self, game: &mut G) -> Option<Outcome> {
        game.outcome()
    }

    /// A verdict that needs no search: a claim, a mate found by a test cheaper than a search. How dear a test
    /// may be depends on where it is asked; what it tells must not. The static value is not known yet.
    #[inline]
    fn verdict(&self, game: &mut G, situation: &NodeContext) -> Option<Value> {
        let _ = (game, situation);
        None
    }

    /// Whether to cut without a full search (ProbCut): the depth of the shallow search, and the window it
    /// has to leave for a cut above `beta` or below `alpha`. Tried in order.
    #[inline]
    fn probe(&self, game: &G, situation: &NodeContext) -> Option<Probe> {
        let _ = (game, situation);
        None
    }
}

/// Where in the tree a hook is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeContext {
    /// Plies from the root.
    pub ply: u32,
    /// Plies still to look ahead.
    pub depth: u32,
    /// Plies since there were none left: how long quiescence has lasted.
    pub beyond: u32,
    /// How many moves were tried before this one.
    pub tried: u32,
    /// Whether the window is open: a principal variation.
    pub open: bool,
    /// The lower bound.
    pub alpha: Value,
    /// The upper bound.
    pub beta: Value,
    /// The static value, where it was asked for.
    pub value: Option<Value>,
}

impl NodeContext {
    /// A leaf of its own, outside of any search: no plies to look ahead, every value possible.
    pub const LEAF: NodeContext = NodeContext {
        ply: 0,
        depth: 0,
        beyond: 0,
        tried: 0,
        open: true,
        alpha: Value::LEAST,
        beta: Value::MOST,
        value: None,
    };
}

/// What the options of a game mean for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Whether verdicts told in earlier searches hold no more, so that whatever they went into is forgotten.
    pub changed: bool,
    /// In how many plies the game is drawn for its length alone.
    pub left: Option<u32>,
}

/// A shallow search that may stand for a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Its depth.
    pub depth: u32,
    /// Cut high when it is at least this.
    pub high: Value,
    /// Cut low when it is at most this.
    pub low: Value,
}

/// No craft at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeuristics;

impl<G: Game, E: Eval<G>> Heuristics<G, E> for NoHeuristics {}
