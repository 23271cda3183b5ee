//! Game-specific heuristics of the alpha-beta search.
//!
//! Every hook is one known technique with its usual name. Each has a default that does nothing and compiles away.

use tesuji_game::{Game, Move, Outcome, Path};

use crate::{Eval, Value};

/// Heuristics of one game for the alpha-beta search.
pub trait Heuristics<G: Game, E: Eval<G>>: Send + Sync {
    /// Whether the pruning hooks need [`NodeContext::static_eval`]. It costs one evaluation per node.
    const NEEDS_STATIC_EVAL: bool = false;

    /// Whether [`Heuristics::known_result`] sees nearly every win in one ply, so that a tree search need not try all
    /// moves of a new node for it.
    const SEES_WINS_IN_ONE: bool = false;

    /// Called once before a search from the end of `path`. Reads the rule options of the game.
    #[inline]
    fn prepare(&mut self, path: &Path<G>) -> SearchSetup {
        let _ = path;
        SearchSetup::default()
    }

    /// Whether moves are generated, scored and picked in stages: the move of the transposition table, good captures,
    /// quiet moves, the other captures. Quiet moves are then ordered by a history of their own and by continuation
    /// history (how often a move caused a beta cutoff after the last moves of both sides), captures by capture history.
    /// Without, all moves are generated and scored at once.
    const STAGED: bool = false;

    /// From this depth on, moves are ordered by the static evaluation of the positions they lead to.
    const EVAL_ORDERING_DEPTH: u32 = u32::MAX;

    /// The move-ordering score of one unit of the static evaluation.
    #[inline]
    fn eval_ordering_scale(&self) -> i32 {
        1
    }

    /// A threat (a check): a move by which the opponent would win at once if the mover did not answer it. Called after
    /// [`Heuristics::known_result`] and stored in [`NodeContext::threat`].
    #[inline]
    fn threat(&self, game: &mut G, node: &NodeContext) -> Option<G::Move> {
        let _ = (game, node);
        None
    }

    /// Whether the mover is in check, so that the static evaluation says little.
    #[inline]
    fn in_check(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Move generation. May leave out moves that do not answer [`NodeContext::threat`]; without any, the mover loses in
    /// two plies.
    #[inline]
    fn moves(&self, game: &mut G, node: &NodeContext, out: &mut G::Moves) {
        let _ = node;
        game.moves(out);
    }

    /// Whether the move of the transposition table is legal, where this is cheaper than generating all moves: then it is
    /// searched before the others are generated. The move may come from another position with the same key.
    #[inline]
    fn is_legal(&self, game: &G, mv: G::Move) -> bool {
        let _ = (game, mv);
        false
    }

    /// The key of a move in history and killer tables: the same for what players would call the same move in similar
    /// positions.
    #[inline]
    fn history_key(&self, game: &G, mv: G::Move) -> u32 {
        let _ = game;
        mv.to_bits()
    }

    /// The key of a move in the continuation history, below 2048: usually the piece and where it goes.
    #[inline]
    fn continuation_key(&self, game: &G, mv: G::Move) -> u32 {
        let _ = game;
        mv.to_bits()
    }

    /// Replaces `out` by the captures and whatever else changes the balance at once, out of check.
    #[inline]
    fn tactical_moves(&self, game: &mut G, out: &mut G::Moves) {
        let _ = game;
        *out = G::Moves::default();
    }

    /// Replaces `out` by the moves that are not tactical, out of check.
    #[inline]
    fn quiet_moves(&self, game: &mut G, out: &mut G::Moves) {
        game.moves(out);
    }

    /// Whether a move is one of [`Heuristics::tactical_moves`].
    #[inline]
    fn is_tactical(&self, game: &G, mv: G::Move) -> bool {
        let _ = (game, mv);
        false
    }

    /// The key of a tactical move in the capture history, below 65,536: the piece, where it goes, and what it takes.
    #[inline]
    fn capture_key(&self, game: &G, mv: G::Move) -> u32 {
        let _ = game;
        mv.to_bits()
    }

    /// The move-ordering score of a tactical move; the search adds the capture history.
    #[inline]
    fn score_tactical(&self, game: &G, mv: G::Move) -> i32 {
        let _ = (game, mv);
        0
    }

    /// Whether a tactical move with this score is searched before the quiet moves.
    #[inline]
    fn is_good_tactical(&self, game: &G, mv: G::Move, score: i32) -> bool {
        let _ = (game, mv, score);
        true
    }

    /// What gives the continuation key and the move-ordering score of a quiet move in this position; the search adds the
    /// histories.
    #[inline]
    fn quiet_scorer(&self, game: &G) -> impl Fn(G::Move) -> (u32, i32) {
        |mv| (self.continuation_key(game, mv), 0)
    }

    /// Late move pruning where moves are picked in stages: whether the remaining quiet moves are left out. Asked before
    /// every move but the first, unless the best move so far loses by force.
    #[inline]
    fn skip_quiets(&self, node: &NodeContext) -> bool {
        let _ = node;
        false
    }

    /// ProbCut by captures, where moves are picked in stages: the bound above beta that a tactical move has to reach,
    /// and the depth of the search that confirms it. Not called in PV nodes and in check.
    #[inline]
    fn probcut_captures(&self, node: &NodeContext) -> Option<(Value, u32)> {
        let _ = node;
        None
    }

    /// Whether a tactical move gains at least `gain` by the exchange on its target square.
    #[inline]
    fn gains(&self, game: &G, mv: G::Move, gain: i32) -> bool {
        let _ = (game, mv, gain);
        true
    }

    /// Whether a tactical move is left out of the quiescence search. Asked when its turn comes.
    #[inline]
    fn qsearch_prunes(&self, game: &G, mv: G::Move, node: &NodeContext) -> bool {
        let _ = (game, mv, node);
        false
    }

    /// The key of a feature of the position, such as its pawns, by which the search corrects the static evaluation:
    /// it learns by how much positions with that feature are evaluated wrongly (correction history).
    #[inline]
    fn correction_key(&self, game: &G) -> Option<u64> {
        let _ = game;
        None
    }

    /// Whether the quiescence search stands pat, and other nodes try reverse futility pruning, before they ask for a known
    /// result: out of check the mover has a legal move, and a win in one would only raise a value that is at least beta
    /// already. Reverse futility pruning is not verified by a quiescence search then.
    #[inline]
    fn early_stand_pat(&self) -> bool {
        false
    }

    /// Whether the quiescence search uses the transposition table.
    #[inline]
    fn qsearch_tt(&self) -> bool {
        false
    }

    /// From this depth on, a node without a move in the transposition table is searched one ply less deep (internal
    /// iterative reduction, IIR).
    #[inline]
    fn iir_depth(&self) -> u32 {
        u32::MAX
    }

    /// From this depth on, the move of the transposition table is extended when all others fail low against its value
    /// less [`Heuristics::singular_margin`] (singular extension).
    #[inline]
    fn singular_depth(&self) -> u32 {
        u32::MAX
    }

    /// By how much the move of the transposition table must be better than all others to be singular.
    #[inline]
    fn singular_margin(&self, node: &NodeContext) -> i32 {
        let _ = node;
        0
    }

    /// Pruning of single moves before they are played: late move pruning, futility, history and SEE pruning. Called for
    /// every move but the first at inner nodes, unless the best move so far loses by force.
    #[inline]
    fn prune_move(&self, game: &G, mv: G::Move, node: &NodeContext) -> bool {
        let _ = (game, mv, node);
        false
    }

    /// Move-ordering score: higher is searched earlier, after the move of the transposition table. The search adds
    /// the history score, up to ±[`HISTORY`](crate::HISTORY), and [`KILLER`](crate::KILLER) for a killer move.
    #[inline]
    fn score_move(&self, game: &G, mv: G::Move) -> i32 {
        let _ = (game, mv);
        0
    }

    /// Extension: plies added behind `mv`, which led to `after` (a check, a single reply). At most 2 are used.
    #[inline]
    fn extension(&self, after: &G, mv: G::Move, node: &NodeContext) -> u32 {
        let _ = (after, mv, node);
        0
    }

    /// Late move reduction (LMR): plies by which a late move is searched less deep. A reduced search that fails high
    /// is repeated at full depth.
    #[inline]
    fn late_move_reduction(&self, after: &G, mv: G::Move, node: &NodeContext) -> u32 {
        let _ = (after, mv, node);
        0
    }

    /// By how many plies the search is deeper (or less deep) that repeats a reduced search which has failed high with
    /// `value`.
    #[inline]
    fn research_depth(&self, node: &NodeContext, depth: u32, value: Value) -> i32 {
        let _ = (node, depth, value);
        0
    }

    /// Null move: plays it and returns its undo and the depth reduction, or `None` where it is not worth trying.
    ///
    /// Not called at the root, in PV nodes or directly after another null move. Must not be played in a finished game.
    #[inline]
    fn null_move(&self, game: &mut G, node: &NodeContext) -> Option<(G::Undo, u32)> {
        let _ = (game, node);
        None
    }

    /// Reverse futility pruning: whether the static evaluation is so far above beta that a quiescence search which
    /// confirms beta replaces the full search. Not called in PV nodes.
    #[inline]
    fn reverse_futility(&self, game: &G, node: &NodeContext) -> bool {
        let _ = (game, node);
        false
    }

    /// Razoring: whether the static evaluation is so far below alpha that a quiescence search which confirms alpha
    /// replaces the full search. Not called in PV nodes.
    #[inline]
    fn razoring(&self, game: &G, node: &NodeContext) -> bool {
        let _ = (game, node);
        false
    }

    /// ProbCut: a shallow search and the bounds at which its value replaces the full search. Not called in PV nodes.
    #[inline]
    fn probcut(&self, game: &G, node: &NodeContext) -> Option<ProbCut> {
        let _ = (game, node);
        None
    }

    /// Moves of the quiescence search, best first, written to `out` (empty on entry). Returns whether the mover may
    /// stand pat. Without standing pat, `out` must hold every legal move, or every one that answers the threat.
    ///
    /// [`NodeContext::static_eval`] is set unless there is a threat. Above beta there is no need to generate moves.
    #[inline]
    fn qsearch_moves(&self, game: &mut G, node: &NodeContext, out: &mut Vec<G::Move>) -> bool {
        let _ = (game, node, out);
        true
    }

    /// Whether and how the game has ended at a leaf. A game may know a cheaper test than [`Game::outcome`].
    #[inline]
    fn terminal_outcome(&self, game: &mut G) -> Option<Outcome> {
        game.outcome()
    }

    /// A result known without search: a claim, a mate found by a cheap test. The effort may depend on the node, the
    /// result may not. The static evaluation is not known yet.
    #[inline]
    fn known_result(&self, game: &mut G, node: &NodeContext) -> Option<Value> {
        let _ = (game, node);
        None
    }
}

/// The node at which a hook is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeContext {
    /// Plies from the root.
    pub ply: u32,
    /// Remaining depth in plies.
    pub depth: u32,
    /// Plies since the quiescence search began.
    pub qs_ply: u32,
    /// Number of moves before this one, pruned ones included.
    pub move_count: u32,
    /// The history score of the move: twice that of a quiet move plus its continuation history, or the capture history.
    pub history: i32,
    /// Whether the move is tactical; see [`Heuristics::is_tactical`].
    pub is_tactical: bool,
    /// Whether the move of the transposition table is tactical.
    pub tt_is_tactical: bool,
    /// The value in the transposition table, if there is an entry.
    pub tt_value: Option<Value>,
    /// How many nodes one ply deeper were cut off at once since the parent was entered.
    pub child_cutoffs: u32,
    /// Whether the mover is in check; see [`Heuristics::in_check`].
    pub in_check: bool,
    /// Whether the static evaluation is better than at the mover's last turn.
    pub improving: bool,
    /// Whether a beta cutoff is expected: a child, searched with a null window, of a node where none is.
    pub is_cut: bool,
    /// Whether this is a PV node (an open window).
    pub is_pv: bool,
    /// The lower bound of the window.
    pub alpha: Value,
    /// The upper bound of the window.
    pub beta: Value,
    /// The static evaluation, where it was computed.
    pub static_eval: Option<Value>,
    /// The depth of the entry in the transposition table, if there is one.
    pub tt_depth: Option<u32>,
    /// The bits of the threat that the mover must answer; see [`Heuristics::threat`].
    pub threat: Option<u32>,
}

impl NodeContext {
    /// A leaf outside of any search: depth 0 and the full window.
    pub const LEAF: NodeContext = NodeContext::new(0, 0, true, Value::LEAST, Value::MOST);

    /// A node before any of its moves was searched.
    #[inline]
    pub(crate) const fn new(ply: u32, depth: u32, is_pv: bool, alpha: Value, beta: Value) -> NodeContext {
        NodeContext {
            ply,
            depth,
            qs_ply: 0,
            move_count: 0,
            history: 0,
            is_tactical: false,
            tt_is_tactical: false,
            tt_value: None,
            child_cutoffs: 0,
            in_check: false,
            improving: false,
            is_cut: false,
            is_pv,
            alpha,
            beta,
            static_eval: None,
            tt_depth: None,
            threat: None,
        }
    }
}

/// What the rule options of a game mean for one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchSetup {
    /// Whether known results of earlier searches no longer hold, so that stored results must be cleared.
    pub clear_stored: bool,
    /// Plies until the game is drawn by its length.
    pub draw_in: Option<u32>,
}

/// The shallow search of ProbCut. The upper bound is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbCut {
    /// Its depth.
    pub depth: u32,
    /// Fail high (return beta) when its value is at least this.
    pub fail_high: Value,
    /// Fail low (return alpha) when its value is at most this.
    pub fail_low: Value,
}

/// No heuristics: plain alpha-beta.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeuristics;

impl<G: Game, E: Eval<G>> Heuristics<G, E> for NoHeuristics {}
