//! Distances from the start, compared with a plain search over full positions.

use std::collections::HashMap;

use tesuji_game::{NO_MOVE, PerfectIndex};
use tesuji_solve::reachability::{self, DistanceMap, DistanceStatistics, search};
use tesuji_solve::retrograde::{CheckpointDir, Control};
use tesuji_task::CancelToken;

use super::checkpoints::Scratch;
use super::small::{Cells, Small};
use super::toy::{Listed, Toy};

/// Nodes by depth; `expand` returns the successors of a node.
fn levels<N: Copy + Eq + std::hash::Hash, P: Copy>(start: (N, P), expand: impl Fn(P) -> Vec<(N, P)>) -> Depths<N> {
    let mut depths = HashMap::from([(start.0, 0)]);
    let (mut level, mut counts) = (vec![start.1], Vec::new());
    while !level.is_empty() {
        counts.push(level.len() as u64);
        let mut next = Vec::new();
        for (node, position) in level.into_iter().flat_map(&expand) {
            if let std::collections::hash_map::Entry::Vacant(entry) = depths.entry(node) {
                entry.insert(counts.len() as u8);
                next.push(position);
            }
        }
        level = next;
    }
    (depths, counts)
}

fn statistics<G: PerfectIndex>(game: &G, distances: &DistanceMap, threads: usize) -> DistanceStatistics {
    reachability::statistics(game, distances, threads, &CancelToken::new()).expect("not cancelled")
}

fn canonical<T: Toy>(toy: &T, board: T::Board) -> T::Board {
    (0..toy.symmetries()).map(|symmetry| toy.image(board, symmetry)).min().expect("an image")
}

/// A board and the forbidden move, the least of all images.
fn position<T: Toy>(toy: &T, board: T::Board, forbidden: u8) -> (T::Board, u8) {
    let image = |symmetry: u8| {
        let mv = if forbidden == NO_MOVE { forbidden } else { toy.image_move(forbidden, symmetry) };
        (toy.image(board, symmetry), mv)
    };
    (0..toy.symmetries()).map(image).min().expect("an image")
}

/// Depths of positions, and the number at each depth.
type Depths<N> = (HashMap<N, u8>, Vec<u64>);

fn by_the_rules<T: Toy>(toy: &T, start: T::Board) -> Depths<(T::Board, u8)> {
    levels((position(toy, start, NO_MOVE), (start, NO_MOVE)), |(board, forbidden)| {
        let mut found = Vec::new();
        for (_, result) in toy.moves(board).into_iter().filter(|&(mv, _)| mv != forbidden) {
            if let Ok(next) = result {
                let reply = toy.reply(board, next);
                found.push((position(toy, next, reply), (next, reply)));
            }
        }
        found
    })
}

fn as_published<T: Toy>(toy: &T, start: T::Board) -> Vec<u64> {
    let node = |board: T::Board, before: Option<T::Board>| (canonical(toy, board), before);
    let (_, counts) = levels((node(start, None), start), |board| {
        let (mut found, before) = (Vec::new(), canonical(toy, board));
        for next in toy.moves(board).into_iter().filter_map(|(_, result)| result.ok()) {
            let reversible = toy.reply(board, next) != NO_MOVE;
            found.push((node(next, reversible.then_some(before)), next));
        }
        found
    });
    counts
}

fn agrees<const W: usize, const H: usize, const MOST: usize>(start: Cells) -> (DistanceStatistics, DistanceMap) {
    let game = Listed::new(Small::<W, H, MOST>);
    let run = |threads: usize| {
        search(&game, start, threads, None, &CancelToken::new(), &mut |_, _| Control::Continue)
            .expect("memory")
            .expect("nobody said stop")
    };
    let reached = run(2);
    let (depths, counts) = by_the_rules(&game.toy, start);
    let found = statistics(&game, &reached, 2);
    assert_eq!(found.positions, counts);
    assert_eq!(found.published, as_published(&game.toy, start));
    for (&(board, forbidden), &depth) in &depths {
        assert_eq!(reached.depth(&game, board, forbidden), Some(depth), "{board:?} {forbidden}");
    }
    // Unreachable positions have no depth.
    let mut unreached = 0;
    for board in game.toy.boards() {
        let forbidden = game.toy.moves(board).into_iter().filter_map(|(mv, result)| {
            let next = result.ok()?;
            (game.toy.reply(board, next) != NO_MOVE).then_some(mv)
        });
        for forbidden in forbidden.chain([NO_MOVE]) {
            let depth = depths.get(&position(&game.toy, board, forbidden)).copied();
            assert_eq!(reached.depth(&game, board, forbidden), depth, "{board:?} {forbidden}");
            unreached += usize::from(depth.is_none());
        }
    }
    assert!(unreached > 0, "everything is reached: too easy");
    let farthest = reached.farthest(&game, 2, &CancelToken::new()).expect("not cancelled");
    assert_eq!(Some(&(farthest.len() as u64)), counts.last());
    for far in &farthest {
        let board = game.unrank(far.class, far.index).expect("a board");
        let depth = depths.get(&position(&game.toy, board, far.forbidden));
        assert_eq!((depth, usize::from(far.plies)), (Some(&far.plies), counts.len() - 1), "{far:?}");
    }
    assert_eq!(run(1).farthest(&game, 1, &CancelToken::new()), Some(farthest));
    assert_eq!(statistics(&game, &run(1), 1), found);
    let boards: u64 =
        game.stages().iter().flat_map(|stage| stage.iter()).map(|&class| u64::from(game.size(class)) - 1).sum();
    assert_eq!(found.boards.iter().sum::<u64>() + found.unreached, boards);
    (found, reached)
}

#[test]
fn distances_are_those_of_a_plain_search() {
    let (found, _) = agrees::<3, 3, 2>([2, 2, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0]);
    assert_ne!(found.positions, found.published, "the two ways to count differ");
    // A symmetric start.
    agrees::<3, 3, 3>([2, 2, 2, 0, 3, 0, 1, 1, 1, 0, 0, 0]);
    agrees::<4, 3, 2>([2, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1, 1]);
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let game = Listed::new(Small::<3, 3, 2>);
    let start = [2, 2, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0];
    let right = search(&game, start, 1, None, &CancelToken::new(), &mut |_, _| Control::Continue).unwrap().unwrap();
    let scratch = Scratch::new("reach");
    let mut runs = 0;
    let found = loop {
        let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
        let mut calls = 0;
        let found = search(&game, start, 1 + runs % 2, Some(&mut checkpoints), &CancelToken::new(), &mut |_, _| {
            calls += 1;
            if calls == 2 { Control::Stop } else { Control::Continue }
        });
        runs += 1;
        if let Some(found) = found.unwrap() {
            break found;
        }
    };
    assert!(runs > 5, "{runs} runs");
    assert_eq!(statistics(&game, &found, 2), statistics(&game, &right, 2));
    // Another start begins anew.
    let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
    let other = [2, 0, 2, 0, 3, 0, 1, 0, 1, 0, 0, 0];
    let other = search(&game, other, 1, Some(&mut checkpoints), &CancelToken::new(), &mut |_, _| Control::Continue)
        .unwrap()
        .unwrap();
    assert_ne!(statistics(&game, &other, 1), statistics(&game, &right, 1));
}
