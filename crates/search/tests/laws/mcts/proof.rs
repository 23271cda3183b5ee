//! Proofs of the MCTS-Solver, compared with brute force; a repetition proves nothing.

use std::collections::HashSet;

use tesuji_game::{Game, MoveList, Outcome, Record, Side};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions, SearchTree};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, Value};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Trax, Unlimited};

use super::{brute_force, chosen, options, playouts, puct, random, think, uct};

fn outcome(value: Value) -> Outcome {
    match value.get() {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

#[test]
fn othello_endgames_agree_with_brute_force() {
    let mut seen = HashSet::new();
    let mut tried = 0;
    for seed in 0..150 {
        let record = random::<Othello>(54 + seed as usize % 5, seed);
        if record.now().empties().count_ones() > 6 {
            continue;
        }
        let (mut uct_engine, mut puct_engine) = (uct::<Othello>(options()), puct::<Othello>(options()));
        let mut game = *record.now();
        let truth = brute_force(&mut game, 20).expect("twenty plies end any game");
        let single = game.count() == 1;
        // With a limit, a single move would be played at once.
        let limits = if single { Limits::default() } else { playouts(200_000) };
        let engines: [&mut dyn Engine<Othello>; 2] = [&mut uct_engine, &mut puct_engine];
        for engine in engines {
            let (choice, report) = think(engine, &record, &limits);
            let value = report.lines[0].value;
            assert!(value.is_proven() || value == Value::DRAW, "{value} in {game:?}");
            assert_eq!(outcome(value), truth, "{game:?}");
            let undo = game.play(chosen(choice));
            assert_eq!(brute_force(&mut game, 20).map(|outcome| -outcome), Some(truth), "{choice:?} in {game:?}");
            game.undo(undo);
            seen.insert(truth);
            tried += 1;
        }
        for tree in [uct_engine.tree(), puct_engine.tree()] {
            assert_eq!(tree.root().and_then(|root| tree.proof(root)).map(outcome), Some(truth));
            every_proof_holds(tree, &game);
        }
    }
    assert!(tried > 100 && seen.len() == 3, "{tried} positions with the results {seen:?}");
}

/// Compares every proven root move with brute force.
fn every_proof_holds(tree: &SearchTree<tesuji_othello::Move>, game: &Othello) {
    let root = tree.root().expect("a tree was grown");
    for edge in tree.moves(root) {
        if let Some(value) = edge.proof {
            let mut after = *game;
            after.play(edge.mv);
            assert_eq!(brute_force(&mut after, 20).map(|truth| -truth), Some(outcome(value)), "{edge:?} {game:?}");
        }
    }
}

/// Short proofs are true. A win in one is always played, and a loss in one never if there is an alternative.
fn short_proofs_hold<G: Game>(games: u64, plies: usize, nodes: u64, most: u16) {
    let (mut wins, mut claims) = (0, 0);
    let mut list = G::Moves::default();
    for seed in 0..games {
        let record = random::<G>(plies, seed);
        let mut game = record.now().clone();
        game.moves(&mut list);
        let mut result = |mv| {
            let undo = game.play(mv);
            let result = game.outcome().map(|outcome| -outcome);
            game.undo(undo);
            result
        };
        let results: Vec<_> = list.each().map(|mv| (mv, result(mv))).collect();
        let winning = results.iter().any(|&(_, result)| result == Some(Outcome::Win));
        let losing = results.iter().all(|&(_, result)| result == Some(Outcome::Loss));
        wins += u32::from(winning);
        let options = MctsOptions { prove_children: seed % 2 == 0, ..options() };
        for nodes in [1, nodes] {
            let (mut uct_engine, mut puct_engine) = (uct::<G>(options), puct::<G>(options));
            let engines: [&mut dyn Engine<G>; 2] = [&mut uct_engine, &mut puct_engine];
            for engine in engines {
                let (choice, report) = think(engine, &record, &playouts(nodes));
                let played = chosen(choice);
                let result = results.iter().find(|&&(mv, _)| mv == played).and_then(|&(_, result)| result);
                assert_eq!(result == Some(Outcome::Win), winning, "{played:?} in {game:?}");
                assert!(losing || result != Some(Outcome::Loss), "{played:?} in {game:?}");
                let truth = |plies| brute_force(&mut game.clone(), u32::from(plies));
                match report.lines[0].value.proven() {
                    Some(Proven::Win(plies)) if plies <= most => {
                        assert_eq!(truth(plies), Some(Outcome::Win), "win in {plies}: {game:?}");
                        claims += 1;
                    }
                    Some(Proven::Loss(plies)) if plies <= most => {
                        assert_eq!(truth(plies), Some(Outcome::Loss), "loss in {plies}: {game:?}");
                        claims += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wins > 0 && claims > wins, "{wins} wins in one and {claims} claims in {games} games");
}

#[test]
fn short_proofs_hold_in_every_game() {
    short_proofs_hold::<Othello>(60, 70, 2000, 6);
    short_proofs_hold::<Ostle>(120, 40, 2000, 4);
    short_proofs_hold::<Trax<Unlimited>>(60, 30, 300, 2);
    short_proofs_hold::<Trax<EightByEight>>(60, 30, 300, 2);
    short_proofs_hold::<Shogi>(60, 400, 200, 2);
}

/// A toy game with a cycle. The first player moves from 0 to 1; the second either back to 0, or to 2, where the first
/// has won.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Cycle(u8);

impl Game for Cycle {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();

    const NAME: &'static str = "cycle";

    fn start() -> Cycle {
        Cycle(0)
    }

    fn mover(&self) -> Side {
        if self.0 == 1 { Side::Second } else { Side::First }
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        *out = [vec![1], vec![0, 2], vec![]][usize::from(self.0)].clone();
    }

    fn play(&mut self, mv: u8) -> u8 {
        std::mem::replace(&mut self.0, mv)
    }

    fn undo(&mut self, undo: u8) {
        self.0 = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 2).then_some(Outcome::Win)
    }
}

#[test]
fn a_repetition_is_a_draw_on_its_path_and_proves_nothing() {
    let start = Record::new(Cycle::start());
    let mut later = start.clone();
    later.push(1).expect("the only move");
    let unlimited = Limits { nodes: Some(300), lines: 2, ..Limits::default() };
    let (mut uct_engine, mut puct_engine) = (uct::<Cycle>(options()), puct::<Cycle>(options()));
    let engines: [&mut dyn Engine<Cycle>; 2] = [&mut uct_engine, &mut puct_engine];
    for engine in engines {
        let (choice, report) = think(engine, &later, &unlimited);
        assert_eq!(chosen(choice), 0, "moving back does not lose");
        assert!((report.lines[0].rate.expect("counted") - 0.5).abs() < 0.01, "{report:?}");
        assert_eq!(report.lines[1].value, Value::loss(1));
        // The same tree from another root: moving back was a draw on the other path only.
        let (choice, _) = think(engine, &start, &unlimited);
        assert_eq!(chosen(choice), 1);
    }
    for tree in [uct_engine.tree(), puct_engine.tree()] {
        assert!(tree.node_ids().all(|place| tree.proof(place).is_none()), "{tree:?}");
    }
}

/// A uniform policy that knows mates in one, and may claim a win.
struct MatePolicy {
    claims: bool,
}

impl PolicyValue<Ostle> for MatePolicy {
    fn evaluate(&self, _: &mut [LeafPosition<Ostle>]) {}

    fn known_result(&self, game: &mut Ostle) -> Option<Proven> {
        if self.claims {
            return Some(Proven::Win(0));
        }
        game.checkmate().then_some(Proven::Win(1))
    }
}

#[test]
fn a_known_mate_at_a_leaf_is_a_proof() {
    let mut seen = 0;
    for seed in 0..60 {
        let record = random::<Ostle>(40, seed);
        let mut engine: Puct<Ostle, _> = Puct::new(MatePolicy { claims: false }, options(), PuctOptions::default());
        think(&mut engine, &record, &playouts(300));
        let tree = engine.tree();
        for edge in tree.moves(tree.root().expect("a tree was grown")) {
            let mut after = *record.now();
            after.play(edge.mv);
            let mate = after.checkmate();
            assert_eq!(edge.proof == Some(Value::loss(2)), mate && edge.visits > 0, "{edge:?}");
            seen += u32::from(mate && edge.visits > 0);
        }
    }
    assert!(seen > 10, "{seen} mates were seen");
    let mut engine: Puct<Ostle, _> = Puct::new(MatePolicy { claims: true }, options(), PuctOptions::default());
    let choice = engine.think(&random(3, 1), &playouts(10), &CancelToken::new(), &mut |_| {});
    assert_eq!(choice, Choice::Claim);
}
