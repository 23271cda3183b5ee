//! What is proven: by the side of brute force, and never by a repetition.

use std::collections::HashSet;

use tesuji_game::{Game, MoveList, Outcome, Record, Side};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions, Tree};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, Value};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Trax, Unlimited};

use super::{brute, chosen, playouts, puct, random, settings, think, uct};

fn outcome(value: Value) -> Outcome {
    match value.get() {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

#[test]
fn the_last_six_squares_of_othello_are_proven_as_brute_force_solves_them() {
    let mut seen = HashSet::new();
    let mut tried = 0;
    for seed in 0..150 {
        let record = random::<Othello>(54 + seed as usize % 5, seed);
        if record.now().empties().count_ones() > 6 {
            continue;
        }
        let (mut by_chance, mut by_judgement) = (uct::<Othello>(settings()), puct::<Othello>(settings()));
        let mut game = *record.now();
        let truth = brute(&mut game, 20).expect("twenty plies end any game");
        let single = game.count() == 1;
        // A single move is played at once when there is a limit, so there is none.
        let limits = if single { Limits::default() } else { playouts(200_000) };
        let engines: [&mut dyn Engine<Othello>; 2] = [&mut by_chance, &mut by_judgement];
        for engine in engines {
            let (choice, report) = think(engine, &record, &limits);
            let value = report.lines[0].value;
            assert!(value.is_proven() || value == Value::DRAW, "{value} in {game:?}");
            assert_eq!(outcome(value), truth, "{game:?}");
            let undo = game.play(chosen(choice));
            assert_eq!(brute(&mut game, 20).map(|outcome| -outcome), Some(truth), "{choice:?} in {game:?}");
            game.undo(undo);
            seen.insert(truth);
            tried += 1;
        }
        for tree in [by_chance.tree(), by_judgement.tree()] {
            assert_eq!(tree.root().and_then(|root| tree.proof(root)).map(outcome), Some(truth));
            every_proof_holds(tree, &game);
        }
    }
    assert!(tried > 100 && seen.len() == 3, "{tried} positions with the results {seen:?}");
}

/// Compares every move of the root that is proven.
fn every_proof_holds(tree: &Tree<tesuji_othello::Move>, game: &Othello) {
    let root = tree.root().expect("a tree was grown");
    for branch in tree.moves(root) {
        if let Some(value) = branch.proof {
            let mut after = *game;
            after.play(branch.mv);
            assert_eq!(
                brute(&mut after, 20).map(|truth| -truth),
                Some(outcome(value)),
                "{branch:?} {game:?}"
            );
        }
    }
}

/// Whatever is proven within a few plies is so; a win in one is always played, and a loss in one never while
/// there is something else.
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
        let settings = MctsOptions { prove_children: seed % 2 == 0, ..settings() };
        for nodes in [1, nodes] {
            let (mut by_chance, mut by_judgement) = (uct::<G>(settings), puct::<G>(settings));
            let engines: [&mut dyn Engine<G>; 2] = [&mut by_chance, &mut by_judgement];
            for engine in engines {
                let (choice, report) = think(engine, &record, &playouts(nodes));
                let played = chosen(choice);
                let result = results.iter().find(|&&(mv, _)| mv == played).and_then(|&(_, result)| result);
                assert_eq!(result == Some(Outcome::Win), winning, "{played:?} in {game:?}");
                assert!(losing || result != Some(Outcome::Loss), "{played:?} in {game:?}");
                let truth = |plies| brute(&mut game.clone(), u32::from(plies));
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

/// A game of two places. The first player must go from 0 to 1; there the second either goes back, which
/// nobody ever gets out of, or to 2, where the first has won.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Circle(u8);

impl Game for Circle {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();

    const NAME: &'static str = "circle";

    fn start() -> Circle {
        Circle(0)
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
    let start = Record::new(Circle::start());
    let mut later = start.clone();
    later.push(1).expect("the only move");
    let unlimited = Limits { nodes: Some(300), lines: 2, ..Limits::default() };
    let (mut by_chance, mut by_judgement) = (uct::<Circle>(settings()), puct::<Circle>(settings()));
    let engines: [&mut dyn Engine<Circle>; 2] = [&mut by_chance, &mut by_judgement];
    for engine in engines {
        let (choice, report) = think(engine, &later, &unlimited);
        assert_eq!(chosen(choice), 0, "who goes back does not lose");
        assert!((report.lines[0].rate.expect("counted") - 0.5).abs() < 0.01, "{report:?}");
        assert_eq!(report.lines[1].value, Value::loss(1));
        // The same tree from elsewhere: going back was a draw because of where the game had been.
        let (choice, _) = think(engine, &start, &unlimited);
        assert_eq!(chosen(choice), 1);
    }
    for tree in [by_chance.tree(), by_judgement.tree()] {
        assert!(tree.node_ids().all(|place| tree.proof(place).is_none()), "{tree:?}");
    }
}

/// Judges nothing, but knows a mate when it sees one, and claims at the start.
struct Sighted {
    claims: bool,
}

impl PolicyValue<Ostle> for Sighted {
    fn evaluate(&self, _: &mut [LeafPosition<Ostle>]) {}

    fn known_result(&self, game: &mut Ostle) -> Option<Proven> {
        if self.claims {
            return Some(Proven::Win(0));
        }
        game.checkmate().then_some(Proven::Win(1))
    }
}

#[test]
fn a_mate_seen_at_a_leaf_is_a_proof() {
    let mut seen = 0;
    for seed in 0..60 {
        let record = random::<Ostle>(40, seed);
        let mut engine: Puct<Ostle, _> =
            Puct::new(Sighted { claims: false }, settings(), PuctOptions::default());
        think(&mut engine, &record, &playouts(300));
        let tree = engine.tree();
        for branch in tree.moves(tree.root().expect("a tree was grown")) {
            let mut after = *record.now();
            after.play(branch.mv);
            let mate = after.checkmate();
            assert_eq!(branch.proof == Some(Value::loss(2)), mate && branch.visits > 0, "{branch:?}");
            seen += u32::from(mate && branch.visits > 0);
        }
    }
    assert!(seen > 10, "{seen} mates were seen");
    let mut engine: Puct<Ostle, _> = Puct::new(Sighted { claims: true }, settings(), PuctOptions::default());
    let choice = engine.think(&random(3, 1), &playouts(10), &CancelToken::new(), &mut |_| {});
    assert_eq!(choice, Choice::Claim);
}
