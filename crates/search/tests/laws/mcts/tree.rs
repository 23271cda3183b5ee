//! What is counted: nothing is lost between threads, kept when the game goes on, and never more than allowed.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{MctsOptions, NodeId, Tree};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Trax, Unlimited};

use super::{playouts, puct, random, settings, think, uct};

/// A position is visited as often as its moves and its own judgement.
fn conserved<M: tesuji_game::Move>(tree: &Tree<M>) {
    for place in tree.node_ids() {
        let tried: u64 = tree.moves(place).map(|branch| u64::from(branch.visits)).sum();
        assert_eq!(u64::from(tree.visits(place)), tried + u64::from(tree.evaluations(place)), "{place:?}");
    }
}

/// Besides, it is visited no more often than the moves that lead to it, as long as none was thrown away.
fn all_conserved<M: tesuji_game::Move>(tree: &Tree<M>) {
    conserved(tree);
    let mut reached: HashMap<NodeId, u64> = HashMap::new();
    for place in tree.node_ids() {
        for branch in tree.moves(place) {
            assert!((0.0..=1.0).contains(&branch.rate), "{branch:?}");
            if let Some(child) = branch.child {
                *reached.entry(child).or_default() += u64::from(branch.visits);
            }
        }
    }
    for (place, visits) in reached {
        assert!(u64::from(tree.visits(place)) <= visits || tree.root() == Some(place), "{place:?}");
    }
}

fn visits_are_conserved<G: Game>(nodes: u64) {
    for threads in 1..=3 {
        for plies in [0, 11] {
            let settings =
                MctsOptions { threads, seed: plies as u64, prove_children: plies > 0, ..settings() };
            let record = random::<G>(plies, 5);
            let mut engine = uct::<G>(settings);
            let (_, report) = think(&mut engine, &record, &playouts(nodes));
            let tree = engine.tree();
            let root = tree.root().expect("a tree was grown");
            all_conserved(tree);
            assert_eq!(u64::from(tree.visits(root)), report.nodes);
            assert!(report.nodes == nodes || tree.proof(root).is_some(), "{} play-outs", report.nodes);

            let mut engine = puct::<G>(settings);
            let (_, report) = think(&mut engine, &record, &playouts(nodes));
            let tree = engine.tree();
            let root = tree.root().expect("a tree was grown");
            all_conserved(tree);
            assert_eq!(u64::from(tree.visits(root)), report.nodes + 1, "the root was judged before");
            assert!(report.nodes == nodes || tree.proof(root).is_some(), "{} play-outs", report.nodes);
        }
    }
}

#[test]
fn visits_are_conserved_in_every_game_and_with_any_threads() {
    visits_are_conserved::<Othello>(3000);
    visits_are_conserved::<Ostle>(2000);
    visits_are_conserved::<Trax<Unlimited>>(500);
    visits_are_conserved::<Trax<EightByEight>>(500);
    visits_are_conserved::<Shogi>(500);
}

/// All that is told of what the root leads to, positions numbered in the order they are met.
fn told<M: tesuji_game::Move>(tree: &Tree<M>, from: NodeId) -> Vec<String> {
    let mut numbers = HashMap::from([(from, 0)]);
    let (mut order, mut at) = (vec![from], 0);
    let mut lines = Vec::new();
    while let Some(&place) = order.get(at) {
        at += 1;
        lines.push(format!("{} {} {:?}", tree.visits(place), tree.evaluations(place), tree.proof(place)));
        for branch in tree.moves(place) {
            let child = branch.child.map(|child| {
                let next = numbers.len();
                *numbers.entry(child).or_insert_with(|| {
                    order.push(child);
                    next
                })
            });
            let (visits, rate, prior) = (branch.visits, branch.rate, branch.prior);
            lines.push(format!("  {:?} {visits} {rate} {prior} {:?} {child:?}", branch.mv, branch.proof));
        }
    }
    lines
}

fn whole<M: tesuji_game::Move>(tree: &Tree<M>) -> Vec<String> {
    told(tree, tree.root().expect("a tree was grown"))
}

fn the_same_seed_grows_the_same_tree<G: Game>(nodes: u64) {
    let record = random::<G>(6, 1);
    let grow = |seed| {
        let settings = MctsOptions { seed, ..settings() };
        let (mut by_chance, mut by_judgement) = (uct::<G>(settings), puct::<G>(settings));
        let first = think(&mut by_chance, &record, &playouts(nodes));
        let second = think(&mut by_judgement, &record, &playouts(nodes));
        let trees = (whole(by_chance.tree()), whole(by_judgement.tree()));
        // Having forgotten everything is as good as new.
        by_chance.forget();
        assert_eq!(think(&mut by_chance, &record, &playouts(nodes)).0, first.0);
        assert_eq!(whole(by_chance.tree()), trees.0);
        (first.0, second.0, trees)
    };
    let (one, again, other) = (grow(1), grow(1), grow(2));
    assert!(one == again, "two trees from one seed");
    assert!(one.2.0 != other.2.0, "one tree from two seeds");
    assert!(one.2.1 == other.2.1, "judgement has nothing to do with chance");
}

#[test]
fn the_same_seed_grows_the_same_tree_in_every_game() {
    the_same_seed_grows_the_same_tree::<Othello>(2000);
    the_same_seed_grows_the_same_tree::<Ostle>(1000);
    the_same_seed_grows_the_same_tree::<Trax<Unlimited>>(300);
    the_same_seed_grows_the_same_tree::<Shogi>(300);
}

/// Plays the move chosen and the reply most looked at; the position that stands then, in the tree.
fn go_on<G: Game>(record: &mut Record<G>, tree: &Tree<G::Move>, choice: Choice<G::Move>) -> Option<NodeId> {
    let Choice::Move { mv, .. } = choice else { return None };
    let root = tree.root()?;
    let after = tree.moves(root).find(|branch| branch.mv == mv)?.child?;
    let reply = tree.moves(after).max_by_key(|branch| branch.visits)?;
    record.push(mv).expect("what is chosen is legal");
    record.push(reply.mv).expect("what is in the tree is legal");
    reply.child
}

fn what_is_known_is_kept<G: Game>(nodes: u64, memory_mib: usize) {
    let settings = MctsOptions { memory_mib, ..settings() };
    let raised = CancelToken::new();
    raised.cancel();
    let mut record = random::<G>(4, 9);
    let mut engine = uct::<G>(settings);
    let choice = think(&mut engine, &record, &playouts(nodes)).0;
    let place = go_on(&mut record, engine.tree(), choice).expect("so many play-outs reach two plies far");
    let before = told(engine.tree(), place);
    engine.think(&record, &Limits::default(), &raised, &mut |_| {});
    // The root is looked at for moves that end the game; nothing else may have changed.
    let proofs = |lines: Vec<String>| {
        lines.into_iter().map(|line| line.replace("Some(win in 1)", "None")).collect::<Vec<_>>()
    };
    assert_eq!(proofs(whole(engine.tree())), proofs(before));

    let mut record = random::<G>(4, 9);
    let mut engine = puct::<G>(settings);
    let choice = think(&mut engine, &record, &playouts(nodes)).0;
    let place = go_on(&mut record, engine.tree(), choice).expect("so many play-outs reach two plies far");
    let before = told(engine.tree(), place);
    engine.think(&record, &Limits::default(), &raised, &mut |_| {});
    assert_eq!(proofs(whole(engine.tree())), proofs(before));
    conserved(engine.tree());
}

#[test]
fn what_is_known_is_kept_when_the_game_goes_on() {
    what_is_known_is_kept::<Othello>(4000, 16);
    what_is_known_is_kept::<Shogi>(2000, 16);
    what_is_known_is_kept::<Trax<Unlimited>>(2000, 16);
}

#[test]
fn what_is_known_is_kept_when_the_rest_is_thrown_away() {
    what_is_known_is_kept::<Othello>(8000, 1);
    what_is_known_is_kept::<Trax<Unlimited>>(3000, 1);
}

fn memory_is_never_exceeded<G: Game>(nodes: u64) {
    let settings = MctsOptions { memory_mib: 1, threads: 2, ..settings() };
    let (mut by_chance, mut by_judgement) = (uct::<G>(settings), puct::<G>(settings));
    let mut record = random::<G>(4, 2);
    let mut fullest = 0;
    for _ in 0..6 {
        if record.ending().is_some() {
            break;
        }
        let (_, report) = think(&mut by_judgement, &record, &playouts(nodes));
        fullest = fullest.max(report.hashfull.unwrap_or(0));
        let (choice, report) = think(&mut by_chance, &record, &playouts(nodes));
        fullest = fullest.max(report.hashfull.unwrap_or(0));
        for tree in [by_chance.tree(), by_judgement.tree()] {
            assert!(tree.bytes() <= 1 << 20, "{} bytes", tree.bytes());
            conserved(tree);
        }
        let Choice::Move { mv, .. } = choice else { panic!("the game goes on: {choice:?}") };
        record.push(mv).expect("what is chosen is legal");
    }
    assert_eq!(fullest, 1000, "so many play-outs should have filled the memory");
}

#[test]
fn memory_is_never_exceeded_in_any_game() {
    memory_is_never_exceeded::<Othello>(10_000);
    memory_is_never_exceeded::<Ostle>(6000);
    memory_is_never_exceeded::<Trax<Unlimited>>(2500);
    memory_is_never_exceeded::<Shogi>(1500);
}

fn a_stop_at_any_moment_gives_a_legal_move<G: Game>(stops: usize) {
    let mut rng = Rng::new(3);
    let mut list = G::Moves::default();
    for round in 0..stops {
        let record = random::<G>(rng.below(30), round as u64);
        let settings = MctsOptions { threads: 1 + round % 2, memory_mib: 4, ..settings() };
        let (mut by_chance, mut by_judgement) = (uct::<G>(settings), puct::<G>(settings));
        let engines: [&mut dyn Engine<G>; 2] = [&mut by_chance, &mut by_judgement];
        for engine in engines {
            let stop = CancelToken::new();
            let patience = if round == 0 { 0 } else { rng.below(100_000) };
            let choice = std::thread::scope(|scope| {
                scope.spawn(|| {
                    (0..patience).for_each(|_| std::hint::spin_loop());
                    stop.cancel();
                });
                engine.think(&record, &Limits::default(), &stop, &mut |_| {})
            });
            record.now().clone().moves(&mut list);
            assert!(matches!(choice, Choice::Move { mv, .. } if list.has(mv)), "{choice:?}");
        }
        conserved(by_chance.tree());
        conserved(by_judgement.tree());
    }
}

#[test]
fn a_stop_at_any_moment_gives_a_legal_move_in_every_game() {
    a_stop_at_any_moment_gives_a_legal_move::<Othello>(60);
    a_stop_at_any_moment_gives_a_legal_move::<Ostle>(60);
    a_stop_at_any_moment_gives_a_legal_move::<Trax<Unlimited>>(40);
    a_stop_at_any_moment_gives_a_legal_move::<Shogi>(40);
}
