//! Search heuristics of shogi: ordering, quiescence, reductions, pruning, mates.

use std::ops::RangeInclusive;
use std::sync::Arc;

use tesuji_game::{Claims, Game, Outcome, Path};
use tesuji_search::{Eval, Heuristics, NodeContext, SearchSetup, Value};
use tesuji_shogi::{Move, Moves, Rules, Shogi, Undo};

use super::leaf_mate::LeafMates;
use super::mate::moved_and_captured;
use super::parameters::Parameters;
use super::see::{gains_at_least, is_good, loses_more_than};
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
    /// Whether leaves of a tree search are tested, which say nothing about their position.
    in_tree: bool,
    /// Mate searches at the leaves of a tree search.
    leaf_mates: Option<Arc<LeafMates>>,
    pub(super) parameters: Parameters,
}

impl ShogiHeuristics {
    /// For a tree search, with a mate search of so many nodes wherever a result is looked for; 0 for none.
    pub(super) fn in_tree(nodes: u64) -> ShogiHeuristics {
        let leaf_mates = (nodes > 0).then(|| Arc::new(LeafMates::new(nodes)));
        ShogiHeuristics { leaf_mates, in_tree: true, ..ShogiHeuristics::default() }
    }

    /// Whether a mate in this many plies holds despite repetition and move limit.
    fn mate_counts(&self, node: &NodeContext, plies: u32) -> bool {
        !self.near_repetition && self.draw_in.is_none_or(|limit| node.ply + plies <= limit)
    }

    /// Whether the search reaches the move limit, where static evaluations no longer matter.
    fn sees_limit(&self, node: &NodeContext) -> bool {
        self.draw_in.is_some_and(|limit| node.ply + node.depth >= limit)
    }

    /// Whether pruning by the static evaluation is allowed: without proven bounds.
    fn can_prune(&self, node: &NodeContext) -> bool {
        !node.in_check && !node.alpha.is_proven() && !node.beta.is_proven() && !self.sees_limit(node)
    }

    /// Late move reduction in 1024ths of a ply, before the history and the kind of node are considered.
    fn base_reduction(&self, node: &NodeContext) -> i32 {
        logarithm(node.depth) * logarithm(node.move_count + 1) * self.parameters.lmr_factor / 256
            + self.parameters.lmr_base
            + if node.improving { 0 } else { self.parameters.lmr_not_improving }
    }
}

/// The depths at which a node is tested for a mate in three. Nearer the leaves the test costs more than it saves (twice
/// the time at depths 1 and 2), farther away the search finds it anyway.
const MATE_IN_THREE_DEPTHS: RangeInclusive<u32> = 3..=4;

/// The greatest depth at which moves are pruned by SEE.
const SEE_DEPTH: i32 = 10;

/// Sixteen times the logarithm to base 2, rounded down.
static LOGARITHMS: [i16; 256] = {
    let mut table = [0; 256];
    let mut number = 1;
    while number < 256 {
        table[number] = (number as u128).pow(16).ilog2() as i16;
        number += 1;
    }
    table
};

fn logarithm(number: u32) -> i32 {
    i32::from(LOGARITHMS[number.min(255) as usize])
}

fn centipawns(value: Value) -> i32 {
    i32::from(value.get())
}

impl<E: Eval<Shogi>> Heuristics<Shogi, E> for ShogiHeuristics {
    const NEEDS_STATIC_EVAL: bool = true;
    const SEES_WINS_IN_ONE: bool = true;
    const STAGED: bool = true;

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

    fn is_legal(&self, game: &Shogi, mv: Move) -> bool {
        game.is_legal(mv)
    }

    fn early_stand_pat(&self) -> bool {
        true
    }

    fn qsearch_tt(&self) -> bool {
        true
    }

    fn iir_depth(&self) -> u32 {
        self.parameters.iir_plies as u32
    }

    fn singular_depth(&self) -> u32 {
        self.parameters.singular_plies as u32
    }

    fn singular_margin(&self, node: &NodeContext) -> i32 {
        self.parameters.singular * node.depth as i32
    }

    /// The piece, as it stands after the move, and where it goes.
    fn continuation_key(&self, game: &Shogi, mv: Move) -> u32 {
        let (kind, _) = moved_and_captured(game, mv);
        let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
        (standing as u32) << 7 | mv.to().index() as u32
    }

    /// The piece, where it goes, whether it promotes, and the piece it takes.
    fn capture_key(&self, game: &Shogi, mv: Move) -> u32 {
        let (kind, captured) = moved_and_captured(game, mv);
        let captured = captured.map_or(0, |kind| kind as u32);
        u32::from(mv.promotes()) << 15 | captured << 11 | (kind as u32) << 7 | mv.to().index() as u32
    }

    /// The pawns of both sides.
    fn correction_key(&self, game: &Shogi) -> Option<u64> {
        Some(game.pawn_key())
    }

    fn tactical_moves(&self, game: &mut Shogi, out: &mut Moves) {
        game.tactical_moves(out);
    }

    fn quiet_moves(&self, game: &mut Shogi, out: &mut Moves) {
        game.quiet_moves(out);
    }

    fn is_tactical(&self, game: &Shogi, mv: Move) -> bool {
        order::is_tactical(game, mv)
    }

    fn score_tactical(&self, game: &Shogi, mv: Move) -> i32 {
        order::score_tactical(game, mv)
    }

    fn is_good_tactical(&self, game: &Shogi, mv: Move, _: i32) -> bool {
        let (kind, captured) = moved_and_captured(game, mv);
        is_good(game, mv, kind, captured)
    }

    fn quiet_scorer(&self, game: &Shogi) -> impl Fn(Move) -> (u32, i32) {
        order::quiet_scorer(
            game,
            [self.parameters.check_bonus, self.parameters.near_king_bonus, self.parameters.idle_drop_bonus],
        )
    }

    fn gains(&self, game: &Shogi, mv: Move, gain: i32) -> bool {
        gains_at_least(game, mv, gain)
    }

    fn probcut_captures(&self, node: &NodeContext) -> Option<(Value, u32)> {
        let bound =
            Value::estimate(centipawns(node.beta) + self.parameters.probcut - if node.improving { 60 } else { 0 });
        let refuted = node.tt_depth.is_some_and(|depth| depth + 3 >= node.depth)
            && node.tt_value.is_some_and(|value| value < bound);
        (node.depth >= 5 && self.can_prune(node) && !refuted).then(|| (bound, node.depth - 4))
    }

    fn skip_quiets(&self, node: &NodeContext) -> bool {
        let depth = node.depth as i32;
        !self.sees_limit(node)
            && node.move_count as i32
                >= (self.parameters.late_moves + depth * depth) / if node.improving { 1 } else { 2 }
    }

    fn prune_move(&self, game: &Shogi, mv: Move, node: &NodeContext) -> bool {
        if node.alpha.is_proven() || self.sees_limit(node) {
            return false;
        }
        let depth = node.depth as i32;
        let mut reduced = depth - 1 - self.base_reduction(node) / 1024;
        let below_alpha =
            |more: i32| node.static_eval.is_some_and(|value| centipawns(value) + more <= centipawns(node.alpha));
        if node.is_tactical || order::gives_direct_check(game, mv) {
            let margin = self.parameters.futility_capture_base
                + self.parameters.futility_capture_depth * reduced.max(0)
                + order::gain(game, mv)
                + node.history / 8;
            if node.is_tactical
                && !node.is_pv
                && reduced < 7
                && below_alpha(margin)
                && !order::gives_direct_check(game, mv)
            {
                return true;
            }
            return depth <= SEE_DEPTH && loses_more_than(game, mv, self.parameters.see_capture * depth);
        }
        // History pruning
        if node.history < -self.parameters.history_pruning * depth {
            return true;
        }
        // Futility pruning
        reduced += node.history / self.parameters.history_depth;
        let left = reduced.max(0);
        if !node.is_pv
            && left < 12
            && below_alpha(self.parameters.futility_base + self.parameters.futility_depth * left)
        {
            return true;
        }
        // SEE pruning
        left <= SEE_DEPTH && loses_more_than(game, mv, self.parameters.see_quiet * left * left)
    }

    fn score_move(&self, game: &Shogi, mv: Move) -> i32 {
        order::score_move(game, mv)
    }

    fn late_move_reduction(&self, after: &Shogi, _: Move, node: &NodeContext) -> u32 {
        if node.depth < 2 || node.move_count < 1 || self.sees_limit(node) {
            return 0;
        }
        let mut parts = self.base_reduction(node);
        let mut add = |holds: bool, part: i32| parts += if holds { part } else { 0 };
        add(node.is_pv, -self.parameters.lmr_pv);
        add(node.is_cut, self.parameters.lmr_cut);
        add(node.tt_is_tactical, self.parameters.lmr_tt_tactical);
        add(node.child_cutoffs > 3, self.parameters.lmr_cutoffs);
        add(node.is_tactical, -self.parameters.lmr_tactical);
        add(after.in_check(), -self.parameters.lmr_check);
        parts -= node.history * 1024 / self.parameters.lmr_history;
        (parts / 1024).clamp(0, node.depth as i32 - 2) as u32
    }

    fn research_depth(&self, node: &NodeContext, depth: u32, value: Value) -> i32 {
        let above = centipawns(value) - centipawns(node.alpha);
        i32::from(above > self.parameters.deeper) - i32::from(above < depth as i32)
    }

    fn null_move(&self, game: &mut Shogi, node: &NodeContext) -> Option<(Undo, u32)> {
        let above = node.static_eval.map_or(-1, |value| centipawns(value) - centipawns(node.beta));
        if node.depth < 3 || above < 0 || self.sees_limit(node) || node.in_check {
            return None;
        }
        let reduction = self.parameters.null_base
            + node.depth as i32 / self.parameters.null_depth
            + (above / self.parameters.null_eval).min(4);
        Some((game.pass(), reduction as u32))
    }

    /// Captures that cannot reach alpha, small promotions, and what loses material.
    fn qsearch_prunes(&self, game: &Shogi, mv: Move, node: &NodeContext) -> bool {
        let gain = order::gain(game, mv);
        if !node.in_check {
            let missing = node.static_eval.map_or(0, |value| centipawns(node.alpha) - centipawns(value));
            if gain < (missing - self.parameters.qsearch_margin).max(100) || order::is_pointless_move(game, mv) {
                return true;
            }
        }
        let (kind, captured) = moved_and_captured(game, mv);
        !is_good(game, mv, kind, captured)
    }

    /// A side that is not in check has a legal move, except in compositions, which inner nodes handle.
    fn terminal_outcome(&self, game: &mut Shogi) -> Option<Outcome> {
        (game.in_check() && game.is_mated()).then_some(Outcome::Loss)
    }

    fn known_result(&self, game: &mut Shogi, node: &NodeContext) -> Option<Value> {
        if game.claim(&self.rules) {
            return Some(Value::win(1));
        }
        if node.qs_ply >= self.parameters.qsearch_mate_plies as u32 || node.in_check || !mate::is_likely(game) {
            return None;
        }
        // A leaf of another search does not say whether the mover is in check.
        if self.in_tree && game.in_check() {
            return None;
        }
        // What an earlier visit has tested is not tested again.
        let tested = node.tt_depth.unwrap_or(0);
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
        let plies = node.depth as i32 - i32::from(node.improving);
        node.depth <= self.parameters.reverse_futility_plies as u32
            && self.can_prune(node)
            && node.static_eval.is_some_and(|value| {
                centipawns(value) - self.parameters.reverse_futility * plies >= centipawns(node.beta)
            })
    }

    fn razoring(&self, _: &Shogi, node: &NodeContext) -> bool {
        let margin = self.parameters.razoring_base + self.parameters.razoring_depth * (node.depth * node.depth) as i32;
        node.depth <= 4
            && self.can_prune(node)
            && node.static_eval.is_some_and(|value| centipawns(value) + margin <= centipawns(node.alpha))
    }
}
