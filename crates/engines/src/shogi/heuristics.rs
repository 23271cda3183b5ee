//! Search heuristics of shogi: ordering, quiescence, reductions, pruning, mates.

use std::ops::RangeInclusive;
use std::sync::Arc;

use tesuji_game::{Claims, Game, Outcome, Path};
use tesuji_search::{Eval, Heuristics, NodeContext, SearchSetup, Value};
use tesuji_shogi::{Move, Rules, Shogi, Undo};

use super::leaf_mate::LeafMates;
use super::see::loses_more_than;
use super::{mate, order};

/// The search heuristics of shogi.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShogiHeuristics {
    /// The declaration rule and the move limit.
    rules: Rules,
    /// Plies from the root to the move limit.
    draw_in: Option<u32>,
    /// Whether a position has occurred three times, so that a mate could run through a fourth repetition.
    near_repetition: bool,
    /// Whether single moves are pruned and singular ones extended, with the histories that this needs.
    selective: bool,
    /// Mate searches at the leaves of a tree search.
    leaf_mates: Option<Arc<LeafMates>>,
}

impl ShogiHeuristics {
    /// With pruning of single moves, singular extension, continuation and correction history.
    pub(super) fn selective(selective: bool) -> ShogiHeuristics {
        ShogiHeuristics { selective, ..ShogiHeuristics::default() }
    }

    /// With a mate search of so many nodes wherever a result is looked for; 0 for none.
    pub(super) fn with_leaf_mates(nodes: u64) -> ShogiHeuristics {
        let leaf_mates = (nodes > 0).then(|| Arc::new(LeafMates::new(nodes)));
        ShogiHeuristics { leaf_mates, ..ShogiHeuristics::default() }
    }

    /// Whether a mate in this many plies holds despite repetition and move limit.
    fn mate_counts(&self, node: &NodeContext, plies: u32) -> bool {
        !self.near_repetition && self.draw_in.is_none_or(|limit| node.ply + plies <= limit)
    }

    /// Whether the search reaches the move limit, where static evaluations no longer matter.
    fn sees_limit(&self, node: &NodeContext) -> bool {
        self.draw_in.is_some_and(|limit| node.ply + node.depth >= limit)
    }

    /// Whether reverse futility pruning and razoring are allowed: near the leaves, without proven bounds.
    fn can_prune(&self, node: &NodeContext) -> bool {
        node.depth <= 4 && !node.alpha.is_proven() && !node.beta.is_proven() && !self.sees_limit(node)
    }
}

/// The depths at which a node is tested for a mate in three. Nearer the leaves the test costs more than it saves (twice
/// the time at depths 1 and 2), farther away the search finds it anyway.
const MATE_IN_THREE_DEPTHS: RangeInclusive<u32> = 3..=4;

/// The plies of the quiescence search in which mates in one are looked for.
const MATE_IN_ONE_QS_PLIES: u32 = 1;

/// The margin of futility pruning in the quiescence search.
const QSEARCH_MARGIN: i32 = 250;

/// The margin of reverse futility pruning per ply.
const REVERSE_FUTILITY_MARGIN: i32 = 180;

/// The margin of razoring, and its part per ply.
const RAZORING_MARGIN: i32 = 150;
const RAZORING_MARGIN_PER_PLY: i32 = 200;

/// The least depth of internal iterative reduction.
const IIR_DEPTH: u32 = 4;

/// The least depth of singular extension, and its margin per ply.
const SINGULAR_DEPTH: u32 = 7;
const SINGULAR_MARGIN: i32 = 3;

/// The greatest depth at which moves are pruned by SEE, and the losses per ply that captures and checks, and per squared
/// ply that quiet moves may have.
const SEE_DEPTH: i32 = 8;
const SEE_CAPTURE_MARGIN: i32 = 220;
const SEE_QUIET_MARGIN: i32 = 30;

/// Late move pruning: quiet moves that are searched at depth 0.
const LATE_MOVES: i32 = 4;

/// The greatest reduced depth of history pruning, and how bad a history score must be per ply.
const HISTORY_DEPTH: i32 = 4;
const HISTORY_MARGIN: i32 = 4000;

/// The history score that is worth a ply of late move reduction.
const HISTORY_PER_PLY: i32 = 9000;

/// The greatest reduced depth of futility pruning, its margin, and its part per ply.
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY_MARGIN: i32 = 150;
const FUTILITY_MARGIN_PER_PLY: i32 = 140;

impl<E: Eval<Shogi>> Heuristics<Shogi, E> for ShogiHeuristics {
    const NEEDS_STATIC_EVAL: bool = true;
    const SEES_WINS_IN_ONE: bool = true;

    fn continuation_history(&self) -> bool {
        self.selective
    }

    fn is_legal(&self, game: &Shogi, mv: Move) -> bool {
        self.selective && game.is_legal(mv)
    }

    fn early_stand_pat(&self) -> bool {
        self.selective
    }

    fn qsearch_tt(&self) -> bool {
        self.selective
    }

    fn iir_depth(&self) -> u32 {
        if self.selective { IIR_DEPTH } else { u32::MAX }
    }

    fn singular_depth(&self) -> u32 {
        if self.selective { SINGULAR_DEPTH } else { u32::MAX }
    }

    fn prepare(&mut self, path: &Path<Shogi>) -> SearchSetup {
        let clear_stored = self.rules != path.rules;
        if clear_stored {
            self.rules = path.rules.clone();
        }
        self.draw_in = self.rules.move_limit.map(|limit| limit.saturating_sub(path.plies()) as u32);
        self.near_repetition = path.most_often() >= 3;
        SearchSetup { clear_stored, draw_in: self.draw_in }
    }

    fn in_check(&self, game: &Shogi) -> bool {
        game.in_check()
    }

    /// The piece, whether it is dropped, and where it goes.
    fn continuation_key(&self, game: &Shogi, mv: Move) -> u32 {
        let kind = match (mv.dropped(), mv.from()) {
            (Some(kind), _) => return (kind as u32 & 7) << 7 | mv.to().index() as u32 | 1 << 11,
            (None, from) => from.and_then(|from| game.piece(from)).map_or(0, |piece| piece.kind as u32),
        };
        kind << 7 | mv.to().index() as u32
    }

    /// The pawns of both sides.
    fn correction_key(&self, game: &Shogi) -> Option<u64> {
        self.selective.then(|| game.pawn_key())
    }

    fn singular_margin(&self, node: &NodeContext) -> i32 {
        SINGULAR_MARGIN * node.depth as i32
    }

    fn prune_move(&self, game: &Shogi, mv: Move, node: &NodeContext) -> bool {
        if !self.selective || node.in_check || node.alpha.is_proven() || self.sees_limit(node) {
            return false;
        }
        let depth = node.depth as i32;
        let is_tactical = order::is_tactical(game, mv);
        if is_tactical || order::gives_direct_check(game, mv) {
            return depth <= SEE_DEPTH && loses_more_than(game, mv, SEE_CAPTURE_MARGIN * depth);
        }
        // Late move pruning
        if node.move_count as i32 >= (LATE_MOVES + depth * depth) / if node.improving { 1 } else { 2 } {
            return true;
        }
        let reduced = depth - base_reduction(node) as i32;
        // History pruning
        if reduced <= HISTORY_DEPTH && node.history < -HISTORY_MARGIN * depth {
            return true;
        }
        // Futility pruning
        let reduced = reduced.max(0);
        let hopeless = |value: Value| {
            i32::from(value.get()) + FUTILITY_MARGIN + FUTILITY_MARGIN_PER_PLY * reduced <= i32::from(node.alpha.get())
        };
        if !node.is_pv && reduced <= FUTILITY_DEPTH && node.static_eval.is_some_and(hopeless) {
            return true;
        }
        // SEE pruning
        reduced <= SEE_DEPTH && loses_more_than(game, mv, SEE_QUIET_MARGIN * reduced * reduced)
    }

    fn score_move(&self, game: &Shogi, mv: Move) -> i32 {
        order::score_move(game, mv)
    }

    fn extension(&self, after: &Shogi, _: Move, node: &NodeContext) -> u32 {
        u32::from(node.depth <= 4 && node.ply < 32 && after.in_check())
    }

    fn late_move_reduction(&self, after: &Shogi, _: Move, node: &NodeContext) -> u32 {
        if node.depth < 3 || node.move_count < 3 || self.sees_limit(node) || after.in_check() {
            return 0;
        }
        if !self.selective {
            return base_reduction(node).saturating_sub(u32::from(node.is_pv));
        }
        let plies = base_reduction(node) as i32 + i32::from(node.is_cut) + i32::from(!node.improving)
            - i32::from(node.is_pv)
            - node.history / HISTORY_PER_PLY;
        plies.max(0) as u32
    }

    fn null_move(&self, game: &mut Shogi, node: &NodeContext) -> Option<(Undo, u32)> {
        let above = node.static_eval.map_or(-1, |value| i32::from(value.get()) - i32::from(node.beta.get()));
        if node.depth < 3 || above < 0 || self.sees_limit(node) || node.in_check {
            return None;
        }
        Some((game.pass(), 2 + node.depth / 5 + (above / 300).min(2) as u32))
    }

    fn qsearch_moves(&self, game: &mut Shogi, node: &NodeContext, out: &mut Vec<Move>) -> bool {
        if node.in_check {
            order::evasions(game, out);
            return false;
        }
        if node.qs_ply == 0
            && node.is_pv
            && node.beta < Value::win(3)
            && mate::is_likely(game)
            && let Some(mv) = mate::in_three(game)
        {
            // The search verifies it: after every reply there is a mate in one.
            out.clear();
            out.push(mv);
            return true;
        }
        let Some(value) = node.static_eval.filter(|&value| value < node.beta) else { return true };
        let missing = i32::from(node.alpha.get()) - i32::from(value.get()) - QSEARCH_MARGIN;
        order::good_captures(game, missing, out);
        true
    }

    /// A side that is not in check has a legal move, except in compositions, which inner nodes handle.
    fn terminal_outcome(&self, game: &mut Shogi) -> Option<Outcome> {
        (game.in_check() && game.is_mated()).then_some(Outcome::Loss)
    }

    fn known_result(&self, game: &mut Shogi, node: &NodeContext) -> Option<Value> {
        if game.claim(&self.rules) {
            return Some(Value::win(1));
        }
        if (self.selective && node.qs_ply >= MATE_IN_ONE_QS_PLIES) || node.in_check || !mate::is_likely(game) {
            return None;
        }
        // A leaf of another search does not say whether the mover is in check.
        if !self.selective && game.in_check() {
            return None;
        }
        // What an earlier visit has tested is not tested again.
        let tested = node.tt_depth.filter(|_| self.selective).unwrap_or(0);
        if tested == 0 && mate::in_one(game).is_some() {
            return Some(Value::win(1));
        }
        if let Some(mates) = &self.leaf_mates {
            let plies = mates.plies(game, &self.rules)?;
            return self.mate_counts(node, plies.into()).then(|| Value::win(plies));
        }
        // PV nodes need a line, which the search finds.
        let is_tested = MATE_IN_THREE_DEPTHS.contains(&node.depth) && !node.is_pv && node.alpha < Value::win(3);
        if !is_tested || MATE_IN_THREE_DEPTHS.contains(&tested) || !self.mate_counts(node, 3) {
            return None;
        }
        mate::in_three(game).map(|_| Value::win(3))
    }

    fn reverse_futility(&self, _: &Shogi, node: &NodeContext) -> bool {
        self.can_prune(node)
            && node.static_eval.is_some_and(|value| {
                i32::from(value.get()) - REVERSE_FUTILITY_MARGIN * node.depth as i32 >= i32::from(node.beta.get())
            })
            && !node.in_check
    }

    fn razoring(&self, _: &Shogi, node: &NodeContext) -> bool {
        node.depth <= 2
            && self.can_prune(node)
            && node.static_eval.is_some_and(|value| {
                i32::from(value.get()) + RAZORING_MARGIN + RAZORING_MARGIN_PER_PLY * node.depth as i32
                    <= i32::from(node.alpha.get())
            })
            && !node.in_check
    }
}

/// Late move reduction before history and the kind of node are considered.
fn base_reduction(node: &NodeContext) -> u32 {
    (logarithm(node.depth) * logarithm(node.move_count) + 100) / 256
}

/// Eight times the logarithm of a number to base 2, rounded down.
fn logarithm(number: u32) -> u32 {
    u128::from(number.clamp(1, 1000)).pow(8).ilog2()
}
