//! What a shogi engine adds to alpha-beta: order, quiescence, reductions, cuts, mates.

use std::ops::RangeInclusive;

use tesuji_game::{Claims, Game, Outcome, Path};
use tesuji_search::{Heuristics, NodeContext, Probe, Terms, Value};
use tesuji_shogi::{Move, Rules, Shogi, Undo};

use super::{Material, mate, order};

/// The craft of shogi.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tactics {
    /// Which declarations win, and when the game is drawn.
    rules: Rules,
    /// The plies from the root within which every mate counts; none when there is no limit in sight.
    left: Option<u32>,
    /// Whether a mate may run through a position that has stood so often that it ends the game.
    worn: bool,
}

impl Tactics {
    /// Whether a mate this many plies away is mate whatever happened before.
    fn counts(&self, at: &NodeContext, plies: u32) -> bool {
        !self.worn && self.left.is_none_or(|left| at.ply + plies <= left)
    }

    /// Whether the search sees as far as the limit of moves: what looks good need not matter any more.
    fn sees_limit(&self, at: &NodeContext) -> bool {
        self.left.is_some_and(|left| at.ply + at.depth >= left)
    }
}

/// The depths at which a mate in three is looked for before anything else is tried. Nearer the leaves the
/// test costs more than it saves (twice the time at depths 1 and 2), farther off the search finds it anyway.
const NEAR: RangeInclusive<u32> = 3..=4;

/// What a quiet position may change by without a capture.
const MARGIN: i32 = 250;

impl Heuristics<Shogi, Material> for Tactics {
    const STATIC: bool = true;

    fn prepare(&mut self, path: &Path<Shogi>) -> Terms {
        let changed = self.rules != path.rules;
        if changed {
            self.rules = path.rules.clone();
        }
        self.left = self.rules.move_limit.map(|limit| limit.saturating_sub(path.plies()) as u32);
        self.worn = path.most_often() >= 3;
        Terms { changed, left: self.left }
    }

    fn hint(&self, game: &Shogi, mv: Move) -> i32 {
        order::promise(game, mv)
    }

    fn extend(&self, after: &Shogi, _: Move, at: &NodeContext) -> u32 {
        u32::from(at.depth <= 4 && at.ply < 32 && after.in_check())
    }

    fn reduce(&self, after: &Shogi, _: Move, at: &NodeContext) -> u32 {
        if at.depth < 3 || at.tried < 3 || self.sees_limit(at) || after.in_check() {
            return 0;
        }
        let plies = (logarithm(at.depth) * logarithm(at.tried) + 100) / 256;
        plies.saturating_sub(u32::from(at.open))
    }

    fn null(&self, game: &mut Shogi, at: &NodeContext) -> Option<(Undo, u32)> {
        let above = at.value.map_or(-1, |value| i32::from(value.get()) - i32::from(at.beta.get()));
        if at.depth < 3 || above < 0 || self.sees_limit(at) || game.in_check() {
            return None;
        }
        Some((game.pass(), 2 + at.depth / 5 + (above / 300).min(2) as u32))
    }

    fn noisy(&self, game: &mut Shogi, out: &mut Vec<Move>) -> bool {
        let checked = game.in_check();
        if checked {
            order::evasions(game, out);
        } else {
            order::winning(game, 0, out);
        }
        !checked
    }

    fn restless(&self, game: &mut Shogi, at: &NodeContext, out: &mut Vec<Move>) -> bool {
        if game.in_check() {
            order::evasions(game, out);
            return false;
        }
        if at.beyond == 0
            && at.open
            && at.beta < Value::win(3)
            && mate::is_likely(game)
            && let Some(mv) = mate::in_three(game)
        {
            // The search replays it: every reply runs into a mate at once.
            out.clear();
            out.push(mv);
            return true;
        }
        let Some(value) = at.value.filter(|&value| value < at.beta) else { return true };
        let missing = i32::from(at.alpha.get()) - i32::from(value.get()) - MARGIN;
        order::winning(game, missing, out);
        true
    }

    /// A mover who is not in check has a move, but in compositions, where nodes inside the tree see to it.
    fn over(&self, game: &mut Shogi) -> Option<Outcome> {
        (game.in_check() && game.count() == 0).then_some(Outcome::Loss)
    }

    fn verdict(&self, game: &mut Shogi, at: &NodeContext) -> Option<Value> {
        if game.claim(&self.rules) {
            return Some(Value::win(1));
        }
        if !mate::is_likely(game) || game.in_check() {
            return None;
        }
        if mate::in_one(game).is_some() {
            return Some(Value::win(1));
        }
        // Open nodes tell a line, and find it by themselves.
        let asked = NEAR.contains(&at.depth) && !at.open && at.alpha < Value::win(3);
        (asked && self.counts(at, 3) && mate::in_three(game).is_some()).then(|| Value::win(3))
    }

    fn probe(&self, game: &Shogi, at: &NodeContext) -> Option<Probe> {
        if at.depth > 4 || at.open || at.alpha.is_proven() || at.beta.is_proven() || self.sees_limit(at) {
            return None;
        }
        let (value, depth) = (i32::from(at.value?.get()), at.depth as i32);
        let (alpha, beta) = (i32::from(at.alpha.get()), i32::from(at.beta.get()));
        // So far above that standing still is enough, or so far below that only captures could help.
        let probe = |high, low| Some(Probe { depth: 0, high, low });
        if value - 180 * depth >= beta && !game.in_check() {
            probe(at.beta, Value::LEAST)
        } else if depth <= 2 && value + 150 + 200 * depth <= alpha && !game.in_check() {
            probe(Value::MOST, at.alpha)
        } else {
            None
        }
    }
}

/// Eight times the logarithm of a number to base 2, rounded down.
fn logarithm(number: u32) -> u32 {
    u128::from(number.clamp(1, 1000)).pow(8).ilog2()
}
