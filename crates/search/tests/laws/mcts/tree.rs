//! Visit counts, determinism, tree reuse and the memory limit.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::mcts::{MctsOptions, NodeId, SearchTree};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Trax, Unlimited};

use super::{options, playouts, puct, random, think, uct};

/// The visits of a node are those of its moves plus its evaluations.
fn conserved<M: tesuji_game::Move>(tree: &SearchTree<M>) {
    for node in tree.node_ids() {
        let tried: u64 = tree.moves(node).map(|edge| u64::from(edge.visits)).sum();
        assert_eq!(u64::from(tree.visits(node)), tried + u64::from(tree.evaluations(node)), "{node:?}");
    }
}

/// A node also has at most as many visits as the edges to it, as long as no node was removed.
fn all_conserved<M: tesuji_game::Move>(tree: &SearchTree<M>) {
    conserved(tree);
    let mut reached: HashMap<NodeId, u64> = HashMap::new();
    for node in tree.node_ids() {
        for edge in tree.moves(node) {
            assert!((0.0..=1.0).contains(&edge.rate), "{edge:?}");
            if let Some(child) = edge.child {
                *reached.entry(child).or_default() += u64::from(edge.visits);
            }
        }
    }
    for (node, visits) in reached {
        assert!(u64::from(tree.visits(node)) <= visits || tree.root() == Some(node), "{node:?}");
    }
}

fn visits_are_conserved<G: Game>(nodes: u64) {
    for threads in 1..=3 {
        for plies in [0, 11] {
            let options = MctsOptions { threads, seed: plies as u64, prove_children: plies > 0, ..options() };
            let record = random::<G>(plies, 5);
            let mut engine = uct::<G>(options);
            let (_, report) = think(&mut engine, &record, &playouts(nodes));
            let tree = engine.tree();
            let root = tree.root().expect("a tree was grown");
            all_conserved(tree);
            assert_eq!(u64::from(tree.visits(root)), report.nodes);
            assert!(report.nodes == nodes || tree.proof(root).is_some(), "{} playouts", report.nodes);

            let mut engine = puct::<G>(options);
            let (_, report) = think(&mut engine, &record, &playouts(nodes));
            let tree = engine.tree();
            let root = tree.root().expect("a tree was grown");
            all_conserved(tree);
            assert_eq!(u64::from(tree.visits(root)), report.nodes + 1, "the root was judged before");
            assert!(report.nodes == nodes || tree.proof(root).is_some(), "{} playouts", report.nodes);
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

/// A text of the subtree of a node, with nodes numbered in breadth-first order.
fn dump<M: tesuji_game::Move>(tree: &SearchTree<M>, from: NodeId) -> Vec<String> {
    let mut numbers = HashMap::from([(from, 0)]);
    let (mut order, mut at) = (vec![from], 0);
    let mut lines = Vec::new();
    while let Some(&node) = order.get(at) {
        at += 1;
        lines.push(format!("{} {} {:?}", tree.visits(node), tree.evaluations(node), tree.proof(node)));
        for edge in tree.moves(node) {
            let child = edge.child.map(|child| {
                let next = numbers.len();
                *numbers.entry(child).or_insert_with(|| {
                    order.push(child);
                    next
                })
            });
            let (visits, rate, prior) = (edge.visits, edge.rate, edge.prior);
            lines.push(format!("  {:?} {visits} {rate} {prior} {:?} {child:?}", edge.mv, edge.proof));
        }
    }
    lines
}

fn dump_root<M: tesuji_game::Move>(tree: &SearchTree<M>) -> Vec<String> {
    dump(tree, tree.root().expect("a tree was grown"))
}

fn the_same_seed_grows_the_same_tree<G: Game>(nodes: u64) {
    let record = random::<G>(6, 1);
    let grow = |seed| {
        let options = MctsOptions { seed, ..options() };
        let (mut uct_engine, mut puct_engine) = (uct::<G>(options), puct::<G>(options));
        let first = think(&mut uct_engine, &record, &playouts(nodes));
        let second = think(&mut puct_engine, &record, &playouts(nodes));
        let trees = (dump_root(uct_engine.tree()), dump_root(puct_engine.tree()));
        // After `forget` the engine is as new.
        uct_engine.forget();
        assert_eq!(think(&mut uct_engine, &record, &playouts(nodes)).0, first.0);
        assert_eq!(dump_root(uct_engine.tree()), trees.0);
        (first.0, second.0, trees)
    };
    let (one, again, other) = (grow(1), grow(1), grow(2));
    assert!(one == again, "two trees from one seed");
    assert!(one.2.0 != other.2.0, "one tree from two seeds");
    assert!(one.2.1 == other.2.1, "PUCT does not depend on the seed");
}

#[test]
fn the_same_seed_grows_the_same_tree_in_every_game() {
    the_same_seed_grows_the_same_tree::<Othello>(2000);
    the_same_seed_grows_the_same_tree::<Ostle>(1000);
    the_same_seed_grows_the_same_tree::<Trax<Unlimited>>(300);
    the_same_seed_grows_the_same_tree::<Shogi>(300);
}

/// Plays the chosen move and the most visited reply; returns the node of the new position.
fn advance<G: Game>(record: &mut Record<G>, tree: &SearchTree<G::Move>, choice: Choice<G::Move>) -> Option<NodeId> {
    let Choice::Move { mv, .. } = choice else { return None };
    let root = tree.root()?;
    let after = tree.moves(root).find(|edge| edge.mv == mv)?.child?;
    let reply = tree.moves(after).max_by_key(|edge| edge.visits)?;
    record.push(mv).expect("what is chosen is legal");
    record.push(reply.mv).expect("what is in the tree is legal");
    reply.child
}

fn statistics_are_kept<G: Game>(nodes: u64, memory_mib: usize) {
    let options = MctsOptions { memory_mib, ..options() };
    let raised = CancelToken::new();
    raised.cancel();
    let mut record = random::<G>(4, 9);
    let mut engine = uct::<G>(options);
    let choice = think(&mut engine, &record, &playouts(nodes)).0;
    let node = advance(&mut record, engine.tree(), choice).expect("these playouts reach two plies");
    let before = dump(engine.tree(), node);
    engine.think(&record, &Limits::default(), &raised, &mut |_| {});
    // The new root is checked for moves that end the game; nothing else may have changed.
    let proofs =
        |lines: Vec<String>| lines.into_iter().map(|line| line.replace("Some(win in 1)", "None")).collect::<Vec<_>>();
    assert_eq!(proofs(dump_root(engine.tree())), proofs(before));

    let mut record = random::<G>(4, 9);
    let mut engine = puct::<G>(options);
    let choice = think(&mut engine, &record, &playouts(nodes)).0;
    let node = advance(&mut record, engine.tree(), choice).expect("these playouts reach two plies");
    let before = dump(engine.tree(), node);
    engine.think(&record, &Limits::default(), &raised, &mut |_| {});
    assert_eq!(proofs(dump_root(engine.tree())), proofs(before));
    conserved(engine.tree());
}

#[test]
fn statistics_are_kept_when_the_game_goes_on() {
    statistics_are_kept::<Othello>(4000, 16);
    statistics_are_kept::<Shogi>(2000, 16);
    statistics_are_kept::<Trax<Unlimited>>(2000, 16);
}

#[test]
fn statistics_are_kept_when_garbage_is_collected() {
    statistics_are_kept::<Othello>(8000, 1);
    statistics_are_kept::<Trax<Unlimited>>(3000, 1);
}

fn memory_is_never_exceeded<G: Game>(nodes: u64) {
    let options = MctsOptions { memory_mib: 1, threads: 2, ..options() };
    let (mut uct_engine, mut puct_engine) = (uct::<G>(options), puct::<G>(options));
    let mut record = random::<G>(4, 2);
    let mut fullest = 0;
    for _ in 0..6 {
        if record.ending().is_some() {
            break;
        }
        let (_, report) = think(&mut puct_engine, &record, &playouts(nodes));
        fullest = fullest.max(report.hashfull.unwrap_or(0));
        let (choice, report) = think(&mut uct_engine, &record, &playouts(nodes));
        fullest = fullest.max(report.hashfull.unwrap_or(0));
        for tree in [uct_engine.tree(), puct_engine.tree()] {
            assert!(tree.bytes() <= 1 << 20, "{} bytes", tree.bytes());
            conserved(tree);
        }
        let Choice::Move { mv, .. } = choice else { panic!("the game goes on: {choice:?}") };
        record.push(mv).expect("what is chosen is legal");
    }
    assert_eq!(fullest, 1000, "these playouts fill the memory");
}

#[test]
fn memory_is_never_exceeded_in_any_game() {
    memory_is_never_exceeded::<Othello>(10_000);
    memory_is_never_exceeded::<Ostle>(6000);
    memory_is_never_exceeded::<Trax<Unlimited>>(2500);
    memory_is_never_exceeded::<Shogi>(1500);
}

fn a_cancelled_search_has_a_legal_move<G: Game>(stops: usize) {
    let mut rng = Rng::new(3);
    let mut list = G::Moves::default();
    for round in 0..stops {
        let record = random::<G>(rng.below(30), round as u64);
        let options = MctsOptions { threads: 1 + round % 2, memory_mib: 4, ..options() };
        let (mut uct_engine, mut puct_engine) = (uct::<G>(options), puct::<G>(options));
        let engines: [&mut dyn Engine<G>; 2] = [&mut uct_engine, &mut puct_engine];
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
        conserved(uct_engine.tree());
        conserved(puct_engine.tree());
    }
}

#[test]
fn a_cancelled_search_has_a_legal_move_in_every_game() {
    a_cancelled_search_has_a_legal_move::<Othello>(60);
    a_cancelled_search_has_a_legal_move::<Ostle>(60);
    a_cancelled_search_has_a_legal_move::<Trax<Unlimited>>(40);
    a_cancelled_search_has_a_legal_move::<Shogi>(40);
}
