//! The hooks of the search heuristics keep their contracts.

use tesuji_game::{Claims, Game, MoveList, Record};
use tesuji_laws::hold;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::{CancelToken, Engine, Eval, Heuristics, Limits, NodeContext, Proven, Value};
use tesuji_shogi::{Move, Moves, PieceKind, Shogi};

use super::super::mate::{in_one, in_three, moved_and_captured};
use super::super::order::{gain, gives_direct_check, is_pointless_move, quiet_scorer};
use super::super::see::{is_even_trade, see};
use super::super::{Material, ShogiHeuristics};
use super::{parsed, positions};

fn heuristics() -> impl Heuristics<Shogi, Material> {
    ShogiHeuristics::default()
}

/// Whether the quiescence search leaves out a move, with alpha so far above the static evaluation.
fn is_pruned(game: &Shogi, mv: Move, missing: i32) -> bool {
    let value = Value::estimate(0);
    let node = NodeContext { qs_ply: 1, ..leaf(game, value, missing, missing + 1) };
    heuristics().qsearch_prunes(game, mv, &node)
}

#[test]
fn the_quiescence_search_tries_what_can_gain_and_loses_nothing() {
    positions(60, 200, 3, |game, list| {
        let tactical: Vec<Move> = list.each().filter(|&mv| heuristics().is_tactical(game, mv)).collect();
        for mv in tactical {
            let (kind, taken) = moved_and_captured(game, mv);
            let good = is_even_trade(game, mv, kind, taken) || see(game, mv) >= 0;
            hold!(good || is_pruned(game, mv, 0), "{mv} loses in {game:?}");
            // Out of check alpha may be as far above the static evaluation as the gain and a margin.
            let hopeless = is_pruned(game, mv, gain(game, mv) + 1000);
            hold!(hopeless || game.in_check(), "{mv} cannot reach alpha in {game:?}");
            let promises = good && taken.is_some() && !is_pointless_move(game, mv);
            hold!(!promises || !is_pruned(game, mv, gain(game, mv)), "{mv} is left out in {game:?}");
        }
        Ok(())
    });
}

/// The two lists of the staged move picker are the legal moves.
#[test]
fn the_stages_hold_every_move_once() {
    positions(60, 200, 3, |game, list| {
        if game.in_check() {
            return Ok(());
        }
        let (mut tactical, mut quiet) = (Moves::default(), Moves::default());
        heuristics().tactical_moves(game, &mut tactical);
        heuristics().quiet_moves(game, &mut quiet);
        hold!(tactical.each().all(|mv| heuristics().is_tactical(game, mv)), "a quiet move in {tactical:?} of {game:?}");
        let mut both: Vec<Move> = tactical.each().chain(quiet.each()).collect();
        let mut all: Vec<Move> = list.each().collect();
        both.sort_unstable();
        all.sort_unstable();
        hold!(both == all, "{both:?} of {game:?}");
        Ok(())
    });
}

/// The squares from which pieces give check are those from which they attack the king.
#[test]
fn quiet_checks_are_known_in_advance() {
    positions(60, 200, 3, |game, list| {
        let bonuses = [10_000, 1, 0];
        for mv in list.each().filter(|&mv| !heuristics().is_tactical(game, mv)) {
            let direct = gives_direct_check(game, mv);
            let (key, score) = quiet_scorer(game, bonuses)(mv);
            hold!(key == heuristics().continuation_key(game, mv), "{mv} in {game:?}");
            let seen = score >= 9_000;
            hold!(direct == seen || is_pointless_move(game, mv), "{mv}: {direct} and {seen} in {game:?}");
        }
        Ok(())
    });
}

/// Keys of the histories fit their tables.
#[test]
fn history_keys_are_small() {
    positions(40, 200, 3, |game, list| {
        for mv in list.each() {
            hold!(heuristics().continuation_key(game, mv) < 1 << 11, "{mv} in {game:?}");
            hold!(heuristics().capture_key(game, mv) < 1 << 16, "{mv} in {game:?}");
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
