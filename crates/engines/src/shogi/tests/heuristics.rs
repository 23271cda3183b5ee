//! The hooks of the search heuristics keep their contracts.

use tesuji_game::{Claims, Game, MoveList, Record};
use tesuji_laws::hold;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::{CancelToken, Engine, Eval, Heuristics, Limits, NodeContext, Proven, Value};
use tesuji_shogi::{Move, PieceKind, Shogi};

use super::super::mate::{in_one, in_three, moved_and_captured};
use super::super::see::{is_even_trade, see};
use super::super::{Material, ShogiHeuristics};
use super::{parsed, positions};

fn heuristics() -> impl Heuristics<Shogi, Material> {
    ShogiHeuristics::default()
}

#[test]
fn in_check_there_is_no_stand_pat_and_every_evasion_is_searched() {
    positions(60, 200, 3, |game, list| {
        let mut out = vec![];
        let value = Material.value(game, &Material.begin(game));
        // Alpha is as far above the value as the margin: every capture that does not lose material counts.
        let alpha = i32::from(value.get()) + 250;
        let node = NodeContext { qs_ply: 1, ..leaf(game, value, alpha, alpha + 1) };
        let stands = heuristics().qsearch_moves(game, &node, &mut out);
        hold!(stands != game.in_check(), "stands {stands} in {game:?}");
        let mut sorted = out.clone();
        sorted.sort_unstable();
        sorted.dedup();
        hold!(sorted.len() == out.len(), "a move twice in {out:?} of {game:?}");
        hold!(out.iter().all(|&mv| list.has(mv)), "illegal moves in {out:?} of {game:?}");
        if stands {
            for &mv in &out {
                let taken = game.piece(mv.to()).is_some();
                hold!((taken || mv.promotes()) && !mv.is_drop(), "{mv} is quiet in {game:?}");
                let (kind, taken) = moved_and_captured(game, mv);
                let even = is_even_trade(game, mv, kind, taken);
                hold!(even || see(game, mv) >= 0, "{mv} loses in {game:?}");
            }
        } else {
            hold!(out.len() == list.len(), "{} of {} evasions in {game:?}", out.len(), list.len());
        }
        Ok(())
    });
}

fn leaf(game: &Shogi, value: Value, alpha: i32, beta: i32) -> NodeContext {
    NodeContext {
        in_check: game.in_check(),
        ply: 1,
        depth: 0,
        qs_ply: 0,
        is_pv: false,
        alpha: Value::estimate(alpha),
        beta: Value::estimate(beta),
        static_eval: Some(value),
        ..NodeContext::LEAF
    }
}

#[test]
fn above_beta_there_is_nothing_to_search() {
    positions(40, 120, 5, |game, _| {
        let value = Material.value(game, &Material.begin(game));
        let now = i32::from(value.get());
        let mut out = vec![];
        let stands = heuristics().qsearch_moves(game, &leaf(game, value, now - 1, now), &mut out);
        let mate = in_three(game);
        let quiet = out.is_empty() || out.first() == mate.as_ref();
        hold!(quiet || !stands, "{out:?} above the window in {game:?}");
        // With the window far above, only captures that reach it are searched.
        let stands = heuristics().qsearch_moves(game, &leaf(game, value, now + 9_000, now + 9_001), &mut out);
        let quiet = out.is_empty() || out.first() == mate.as_ref();
        hold!(quiet || !stands, "{out:?} cannot reach the window in {game:?}");
        Ok(())
    });
}

/// A null move is tried only out of check and above beta, and undo restores the position.
#[test]
fn a_null_move_is_safe_and_can_be_undone() {
    positions(60, 200, 3, |game, _| {
        let before = game.clone();
        let accumulator = Material.begin(game);
        let value = Material.value(game, &accumulator);
        let now = i32::from(value.get());
        let at = NodeContext { depth: 6, ..leaf(game, value, now - 1, now) };
        let shallow = NodeContext { depth: 2, ..at };
        let behind = leaf(game, value, now, now + 1);
        hold!(heuristics().null_move(game, &shallow).is_none(), "too shallow in {game:?}");
        hold!(heuristics().null_move(game, &NodeContext { depth: 6, ..behind }).is_none(), "from behind in {game:?}");
        let Some((undo, plies)) = heuristics().null_move(game, &at) else {
            hold!(before.in_check(), "not tried in {before:?}");
            return Ok(());
        };
        hold!(!before.in_check() && (2..6).contains(&plies), "by {plies} in {before:?}");
        hold!(game.mover() != before.mover() && !game.in_check(), "{before:?} became {game:?}");
        let mut next = Default::default();
        Material.advance_null(&accumulator, game, &mut next);
        hold!(next == Material.begin(game), "the accumulator is wrong in {game:?}");
        hold!(Material.value(game, &next) == -value, "{value} is seen otherwise in {game:?}");
        game.undo(undo);
        hold!(*game == before && game.key() == before.key(), "{before:?} became {game:?}");
        Ok(())
    });
}

#[test]
fn known_results_are_true() {
    positions(60, 240, 2, |game, _| {
        let before = game.clone();
        let at_leaf = heuristics().known_result(game, &NodeContext::LEAF);
        hold!(*game == before, "the test changes {before:?}");
        let inside = NodeContext { ply: 5, depth: 4, is_pv: false, ..NodeContext::LEAF };
        let in_tree = heuristics().known_result(game, &inside);
        hold!(*game == before, "the test changes {before:?}");
        let mate = in_tree.is_none_or(|value| value == Value::win(3) && in_three(game).is_some());
        hold!(in_tree == at_leaf || mate, "{in_tree:?} inside, {at_leaf:?} at a leaf in {game:?}");
        match at_leaf {
            Some(value) => hold!(
                value.proven() == Some(Proven::Win(1)) && (game.claim(&Default::default()) || in_one(game).is_some()),
                "{value} in {game:?}"
            ),
            None => hold!(!game.claim(&Default::default()), "no claim in {game:?}"),
        }
        Ok(())
    });
}

#[test]
fn a_declaration_is_a_win() {
    let entered = "1+R+R1K4/+B+B+P+P+P4/+P+P+P6/9/9/9/9/9/4k4 b 4G4S4N4L10P 1";
    assert_eq!(heuristics().known_result(&mut parsed(entered), &NodeContext::LEAF), Some(Value::win(1)));
    let outside = "1+R+R6/+B+B+P+P+P4/+P+P+P6/4K4/9/9/9/9/4k4 b 4G4S4N4L10P 1";
    assert_eq!(
        heuristics()
            .known_result(&mut parsed(outside), &NodeContext::LEAF)
            .filter(|_| in_one(&mut parsed(outside)).is_none()),
        None
    );
}

#[test]
fn pointless_moves_come_last() {
    positions(40, 200, 5, |game, list| {
        for mv in list.each().filter(|mv| !mv.promotes()) {
            let (Some(from), kind) = (mv.from(), mv.from().and_then(|from| game.piece(from))) else {
                continue;
            };
            let promotion = Move::board(from, mv.to(), true);
            let pointless = kind.is_some_and(|piece| {
                matches!(piece.kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) && list.has(promotion)
            });
            if pointless && game.piece(mv.to()).is_none() {
                let (here, there) = (heuristics().score_move(game, mv), heuristics().score_move(game, promotion));
                hold!(here < there, "{mv} before {promotion} in {game:?}");
                let least = list.each().map(|mv| heuristics().score_move(game, mv)).min();
                hold!(least == Some(here), "{mv} is not last in {game:?}");
            }
        }
        Ok(())
    });
}

/// The value at depth 1 is at most the best static evaluation after a move, because the opponent may stand pat. In check
/// there is no stand pat.
#[test]
fn quiescence_is_bounded_by_stand_pat() {
    positions(12, 120, 17, |game, list| {
        let mut most = Value::LEAST;
        for mv in list.each() {
            let mut after = game.clone();
            after.play(mv);
            if after.in_check() {
                return Ok(());
            }
            most = most.max(-Material.value(&after, &Material.begin(&after)));
        }
        let value = searched(game, 1);
        hold!(value.is_none_or(|value| value <= most), "{value:?} above {most} in {game:?}");
        Ok(())
    });
}

fn searched(game: &Shogi, depth: u32) -> Option<Value> {
    let options = AlphaBetaOptions { hash_mib: 1, ..AlphaBetaOptions::default() };
    let mut engine = AlphaBeta::new(Material, heuristics(), options);
    let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
    let mut value = None;
    engine.think(&Record::new(game.clone()), &limits, &CancelToken::new(), &mut |report| {
        value = report.lines.first().map(|line| line.value);
    });
    value
}
