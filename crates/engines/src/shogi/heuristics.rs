//! Search heuristics of shogi: ordering, quiescence, reductions, pruning, mates.

use std::ops::RangeInclusive;
use std::sync::Arc;

use tesuji_game::{Claims, Game, Outcome, Path};
use tesuji_search::{Eval, Heuristics, NodeContext, SearchSetup, Value};
use tesuji_shogi::{Move, Rules, Shogi, Undo};

use super::leaf_mate::LeafMates;
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
    /// Mate searches at the leaves of a tree search.
    leaf_mates: Option<Arc<LeafMates>>,
}

impl ShogiHeuristics {
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

/// The margin of futility pruning in the quiescence search.
const QSEARCH_MARGIN: i32 = 250;

/// The margin of reverse futility pruning per ply.
const REVERSE_FUTILITY_MARGIN: i32 = 180;

/// The margin of razoring, and its part per ply.
const RAZORING_MARGIN: i32 = 150;
const RAZORING_MARGIN_PER_PLY: i32 = 200;

impl<E: Eval<Shogi>> Heuristics<Shogi, E> for ShogiHeuristics {
    const NEEDS_STATIC_EVAL: bool = true;
    const SEES_WINS_IN_ONE: bool = true;

    fn prepare(&mut self, path: &Path<Shogi>) -> SearchSetup {
        let clear_stored = self.rules != path.rules;
        if clear_stored {
            self.rules = path.rules.clone();
        }
        self.draw_in = self.rules.move_limit.map(|limit| limit.saturating_sub(path.plies()) as u32);
        self.near_repetition = path.most_often() >= 3;
        SearchSetup { clear_stored, draw_in: self.draw_in }
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
        let plies = (logarithm(node.depth) * logarithm(node.move_count) + 100) / 256;
        plies.saturating_sub(u32::from(node.is_pv))
    }

    fn null_move(&self, game: &mut Shogi, node: &NodeContext) -> Option<(Undo, u32)> {
        let above = node.static_eval.map_or(-1, |value| i32::from(value.get()) - i32::from(node.beta.get()));
        if node.depth < 3 || above < 0 || self.sees_limit(node) || game.in_check() {
            return None;
        }
        Some((game.pass(), 2 + node.depth / 5 + (above / 300).min(2) as u32))
    }

    fn qsearch_moves(&self, game: &mut Shogi, node: &NodeContext, out: &mut Vec<Move>) -> bool {
        if game.in_check() {
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
        (game.in_check() && game.count() == 0).then_some(Outcome::Loss)
    }

    fn known_result(&self, game: &mut Shogi, node: &NodeContext) -> Option<Value> {
        if game.claim(&self.rules) {
            return Some(Value::win(1));
        }
        if !mate::is_likely(game) || game.in_check() {
            return None;
        }
        if mate::in_one(game).is_some() {
            return Some(Value::win(1));
        }
        if let Some(mates) = &self.leaf_mates {
            let plies = mates.plies(game, &self.rules)?;
            return self.mate_counts(node, plies.into()).then(|| Value::win(plies));
        }
        // PV nodes need a line, which the search finds.
        let tested = MATE_IN_THREE_DEPTHS.contains(&node.depth) && !node.is_pv && node.alpha < Value::win(3);
        (tested && self.mate_counts(node, 3) && mate::in_three(game).is_some()).then(|| Value::win(3))
    }

    fn reverse_futility(&self, game: &Shogi, node: &NodeContext) -> bool {
        self.can_prune(node)
            && node.static_eval.is_some_and(|value| {
                i32::from(value.get()) - REVERSE_FUTILITY_MARGIN * node.depth as i32 >= i32::from(node.beta.get())
            })
            && !game.in_check()
    }

    fn razoring(&self, game: &Shogi, node: &NodeContext) -> bool {
        node.depth <= 2
            && self.can_prune(node)
            && node.static_eval.is_some_and(|value| {
                i32::from(value.get()) + RAZORING_MARGIN + RAZORING_MARGIN_PER_PLY * node.depth as i32
                    <= i32::from(node.alpha.get())
            })
            && !game.in_check()
    }
}

/// Eight times the logarithm of a number to base 2, rounded down.
fn logarithm(number: u32) -> u32 {
    u128::from(number.clamp(1, 1000)).pow(8).ilog2()
}
