//! Search heuristics of Trax: a win in one needs no search, an attack must be answered, late moves are reduced.

use tesuji_game::{Game, Move as _};
use tesuji_search::{Eval, HISTORY, Heuristics, NodeContext, Value};
use tesuji_trax::{Move, Trax, Variant};

/// The heuristics of Trax. With a `LEARNED` evaluation, moves are ordered by the value of what they lead to.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraxHeuristics<const LEARNED: bool>;

/// Plies of the quiescence search in which attacks are answered.
const QS_PLIES: u32 = 6;
/// The first move that is reduced.
const LMR_FROM: u32 = 3;
/// Divides the product of the logarithms of depth and move number.
const LMR_DIVISOR: u32 = 160;
/// The deepest reverse futility pruning.
const RFP_DEPTH: u32 = 5;
/// Its margin per ply, in units of the evaluation.
const RFP_MARGIN: i32 = 60;
/// How many units of move ordering one unit of the evaluation counts.
const EVAL_SCALE: i32 = 16;
/// The range of a pseudo-random term. With a fixed order, play without an evaluation would follow an edge of the board
/// for ever.
const JITTER: i32 = HISTORY / 4;

impl<V: Variant, E: Eval<Trax<V>>, const LEARNED: bool> Heuristics<Trax<V>, E> for TraxHeuristics<LEARNED> {
    const SEES_WINS_IN_ONE: bool = true;
    const NEEDS_STATIC_EVAL: bool = LEARNED;
    const EVAL_ORDERING_DEPTH: u32 = if LEARNED { 2 } else { u32::MAX };

    #[inline]
    fn eval_ordering_scale(&self) -> i32 {
        EVAL_SCALE
    }

    #[inline]
    fn score_move(&self, game: &Trax<V>, mv: Move) -> i32 {
        jitter(game.tiles().len(), mv)
    }

    #[inline]
    fn history_key(&self, game: &Trax<V>, mv: Move) -> u32 {
        game.absolute(mv)
    }

    /// Only with a learned evaluation.
    #[inline]
    fn reverse_futility(&self, _: &Trax<V>, node: &NodeContext) -> bool {
        let Some(value) = node.static_eval.filter(|_| node.threat.is_none() && node.depth <= RFP_DEPTH) else {
            return false;
        };
        i32::from(value.get()) >= i32::from(node.beta.get()) + RFP_MARGIN * node.depth as i32
    }

    #[inline]
    fn known_result(&self, game: &mut Trax<V>, _: &NodeContext) -> Option<Value> {
        game.win_in_one(game.mover()).map(|_| Value::win(1))
    }

    #[inline]
    fn threat(&self, game: &mut Trax<V>, _: &NodeContext) -> Option<Move> {
        game.win_in_one(!game.mover())
    }

    #[inline]
    fn moves(&self, game: &mut Trax<V>, node: &NodeContext, out: &mut Vec<Move>) {
        match node.threat {
            Some(threat) => game.defences(Move::from_bits(threat), out),
            None => game.moves(out),
        }
    }

    /// Answers to an attack cost no depth.
    #[inline]
    fn extension(&self, _: &Trax<V>, _: Move, node: &NodeContext) -> u32 {
        u32::from(node.threat.is_some())
    }

    /// Answers to an attack and new attacks are not reduced.
    #[inline]
    fn late_move_reduction(&self, after: &Trax<V>, _: Move, node: &NodeContext) -> u32 {
        if node.depth < 2 || node.move_count < LMR_FROM || node.threat.is_some() || after.may_win_in_one(!after.mover())
        {
            return 0;
        }
        let log = |number: u32| LOG[number.min(63) as usize];
        let reduction = log(node.depth) * log(node.move_count) / (100 * LMR_DIVISOR);
        reduction.saturating_sub(u32::from(node.is_pv))
    }

    /// Attacks are answered; otherwise the evaluation stands.
    #[inline]
    fn qsearch_moves(&self, game: &mut Trax<V>, node: &NodeContext, out: &mut Vec<Move>) -> bool {
        match node.threat {
            Some(threat) if node.qs_ply < QS_PLIES => {
                game.defences(Move::from_bits(threat), out);
                false
            }
            _ => true,
        }
    }
}

/// A hundred times the natural logarithm.
const LOG: [u32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304, 309, 314,
    318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374, 376, 378, 381, 383,
    385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// A small pseudo-random number, the same on every machine.
#[inline]
fn jitter(tiles: usize, mv: Move) -> i32 {
    let mixed = (mv.to_bits() ^ (tiles as u32).wrapping_mul(0x85eb_ca6b)).wrapping_mul(0x9e37_79b1);
    ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 16) as i32 % JITTER
}
