//! Proven results are true: with a transposition table, with every heuristic, with two threads.

use tesuji_game::{Game, MoveList, Outcome, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Choice, Eval, Heuristics, NoEval, NoHeuristics, NodeContext, ProbCut, Proven, Value};
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

use crate::minimax::{Scrambled, engine, records, search, to_depth, value};

const FINE: Scrambled = Scrambled { values: 2001 };

/// Whether the side to move can force a win within `plies`, by the rules alone.
pub(crate) fn wins<G: Game>(game: &mut G, plies: u32) -> bool {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return game.outcome() == Some(Outcome::Win);
    }
    plies > 0 && list.each().any(|mv| after(game, mv, |game| loses(game, plies - 1)))
}

/// Whether the side to move loses by force within `plies`.
pub(crate) fn loses<G: Game>(game: &mut G, plies: u32) -> bool {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return game.outcome() == Some(Outcome::Loss);
    }
    plies > 0 && list.each().all(|mv| after(game, mv, |game| wins(game, plies - 1)))
}

fn after<G: Game>(game: &mut G, mv: G::Move, ask: impl Fn(&mut G) -> bool) -> bool {
    let undo = game.play(mv);
    let answer = ask(game);
    game.undo(undo);
    answer
}

/// Searches the positions and checks proven values. A full-width search must also find every result that the rules prove
/// within its depth, at its true distance. Returns the number of wins and losses.
fn claims<G: Game, E: Eval<G> + Copy, H: Heuristics<G, E> + Copy>(
    records: impl Iterator<Item = Record<G>>,
    (eval, heuristics): (E, H),
    depth: u32,
    full_width: bool,
) -> (usize, usize) {
    let mut proven = (0, 0);
    // The engines are kept from game to game: old TT entries must do no harm.
    let mut engines = [engine(eval, heuristics, 1, 1), engine(eval, heuristics, 1, 2)];
    for record in records {
        let mut game = record.now().clone();
        for engine in &mut engines {
            let claimed = value(&search(engine, &record, &to_depth(depth)).0);
            match claimed.proven() {
                Some(Proven::Win(plies)) => {
                    proven.0 += 1;
                    assert!(wins(&mut game, plies.into()), "{claimed} is false: {game:?}");
                    assert!(!full_width || plies < 2 || !wins(&mut game, u32::from(plies) - 2));
                }
                Some(Proven::Loss(plies)) => {
                    proven.1 += 1;
                    assert!(loses(&mut game, plies.into()), "{claimed} is false: {game:?}");
                    assert!(!full_width || plies < 2 || !loses(&mut game, u32::from(plies) - 2));
                }
                None if full_width => {
                    assert!(!wins(&mut game, depth) && !loses(&mut game, depth), "{claimed}: {game:?}");
                }
                None => {}
            }
            // Only a full-width search must find the result again a move later.
            if claimed.is_proven() && full_width {
                replay(engine, &record, claimed, depth);
            }
        }
    }
    proven
}

/// Plays a proven win or loss to its end; the engine plays both sides.
fn replay<G: Game, E: Eval<G>, H: Heuristics<G, E>>(
    engine: &mut tesuji_search::alphabeta::AlphaBeta<E, H>,
    record: &Record<G>,
    claimed: Value,
    depth: u32,
) {
    let mut record = record.clone();
    let mover = record.now().mover();
    let (winner, plies) = match claimed.proven() {
        Some(Proven::Win(plies)) => (mover, plies),
        Some(Proven::Loss(plies)) => (!mover, plies),
        None => return,
    };
    for left in (1..=plies).rev() {
        if record.ending().is_some() {
            break;
        }
        let (_, choice) = search(engine, &record, &to_depth(depth.max(left.into())));
        let Choice::Move { mv, .. } = choice else { panic!("{choice:?}") };
        record.push(mv).expect("the move chosen is legal");
    }
    let ending = record.ending().map(|ending| ending.winner);
    assert_eq!(ending, Some(Some(winner)), "{claimed} came to {:?}", record.now());
}

#[test]
fn proven_results_are_true_and_complete() {
    let (wins, losses) = claims(records(Othello::start(), 50..59, 80), (NoEval, NoHeuristics), 6, true);
    assert!(wins > 20 && losses > 20, "{wins} {losses}");
    let (wins, losses) = claims(records(Ostle::start(), 6..16, 4000), (FINE, NoHeuristics), 3, true);
    assert!(wins > 10, "{wins} {losses}");
    let (wins, _) = claims(records(Trax::<Unlimited>::start(), 2..9, 60), (NoEval, NoHeuristics), 2, true);
    assert!(wins > 10, "{wins}");
    let (wins, losses) = claims(records(Shogi::start(), 60..200, 40), (FINE, NoHeuristics), 2, true);
    assert!(wins > 1, "{wins} {losses}");
}

/// Every hook at once, as aggressive as possible: forward pruning may miss a result, but must not prove a false one.
#[derive(Clone, Copy)]
struct AggressivePruning;

impl<E: Eval<Othello>> Heuristics<Othello, E> for AggressivePruning {
    const NEEDS_STATIC_EVAL: bool = true;
    const STAGED: bool = true;

    fn qsearch_tt(&self) -> bool {
        true
    }

    fn iir_depth(&self) -> u32 {
        2
    }

    fn singular_depth(&self) -> u32 {
        3
    }

    fn singular_margin(&self, node: &NodeContext) -> i32 {
        20 * node.depth as i32
    }

    fn correction_key(&self, game: &Othello) -> Option<u64> {
        Some(game.own() & 0xff00_0000_0000_00ff)
    }

    fn prune_move(&self, _: &Othello, mv: Move, node: &NodeContext) -> bool {
        assert!(node.move_count > 0 && node.ply > 0, "the first move is always searched");
        node.move_count > 1 + node.depth && mv.square().is_some() && !node.improving && node.history <= 0
    }

    fn score_move(&self, game: &Othello, mv: Move) -> i32 {
        mv.square().map_or(0, |square| game.own().wrapping_mul(square.bit()) as i32 % 20_000)
    }

    fn extension(&self, after: &Othello, _: Move, _: &NodeContext) -> u32 {
        u32::from(after.must_pass())
    }

    fn late_move_reduction(&self, _: &Othello, _: Move, node: &NodeContext) -> u32 {
        u32::from(node.move_count > 1) + u32::from(node.move_count > 3)
    }

    fn null_move(&self, game: &mut Othello, node: &NodeContext) -> Option<(Othello, u32)> {
        assert!(!node.beta.is_proven() && node.ply > 0, "a null move proves nothing");
        if node.static_eval? < Value::estimate(-500) || game.is_over() {
            return None;
        }
        let before = *game;
        *game = Othello::new(game.other(), game.own(), !before.mover())?;
        Some((before, 1))
    }

    fn qsearch_moves(&self, game: &mut Othello, _: &NodeContext, out: &mut Vec<Move>) -> bool {
        let mut list = tesuji_othello::Moves::default();
        game.moves(&mut list);
        let corners = 0x8100_0000_0000_0081;
        out.extend(list.each().filter(|mv| mv.square().is_none_or(|square| square.bit() & corners != 0)));
        !list.pass
    }

    fn probcut(&self, _: &Othello, node: &NodeContext) -> Option<ProbCut> {
        let shifted = |value: Value, by: i32| Value::estimate(i32::from(value.get()) + by);
        (node.depth >= 3).then(|| ProbCut {
            depth: node.depth - 2,
            fail_high: shifted(node.beta, 300),
            fail_low: shifted(node.alpha, -300),
        })
    }
}

#[test]
fn no_hook_proves_a_false_result() {
    let (wins, losses) = claims(records(Othello::start(), 50..57, 1000), (FINE, AggressivePruning), 9, false);
    assert!(wins > 20 && losses > 20, "{wins} {losses}");
    let (wins, losses) = claims(records(Othello::start(), 50..57, 1000), (NoEval, AggressivePruning), 9, false);
    assert!(wins > 20 && losses > 20, "{wins} {losses}");
}

/// A known result is not searched.
#[test]
fn a_known_result_ends_the_search() {
    #[derive(Clone, Copy)]
    struct KnownLoss;
    impl<E: Eval<Othello>> Heuristics<Othello, E> for KnownLoss {
        fn known_result(&self, _: &mut Othello, _: &NodeContext) -> Option<Value> {
            Some(Value::loss(4))
        }
    }
    let record = Record::new(Othello::start());
    let (report, _) = search(&mut engine(FINE, KnownLoss, 1, 1), &record, &to_depth(9));
    assert_eq!((value(&report), report.depth), (Value::win(5), 1), "nothing deeper can be found");
}
