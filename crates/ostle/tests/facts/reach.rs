//! The graph of the game from the start, level by level: by the rules, and as the published search counts.

use std::collections::HashSet;

use tesuji_game::Game;
use tesuji_ostle::Ostle;

/// Positions up to symmetry, the ko included, first reached after 0, 1, 2, … plies. Our own count.
const POSITIONS: [usize; 9] = [1, 9, 99, 924, 6_295, 32_962, 147_402, 556_138, 1_860_609];

/// The published count, which differs in two ways. It plays forbidden moves too. And its nodes are pairs of a
/// board and the one before it, both up to symmetry, the latter only if some reply leads to it: so a reply
/// that makes a mirror image of the board before sets a node apart, although no rule forbids it.
const PUBLISHED: [usize; 8] = [1, 9, 102, 954, 6_329, 33_052, 147_620, 556_811];

/// How many nodes are new on each level, when `expand` puts out the nodes after one, with a position of each.
fn levels(depth: usize, first: u128, expand: impl Fn(Ostle, &mut dyn FnMut(u128, Ostle))) -> Vec<usize> {
    let mut seen = HashSet::from([first]);
    let (mut level, mut counts) = (vec![Ostle::start()], vec![1]);
    while counts.len() < depth {
        let mut reached = Vec::new();
        for position in level {
            expand(position, &mut |node, next| {
                if seen.insert(node) {
                    reached.push(next);
                }
            });
        }
        counts.push(reached.len());
        level = reached;
    }
    counts
}

#[test]
fn positions_by_plies_from_the_start() {
    let node = |position: Ostle| u128::from(position.canonical().0.key());
    let counts = levels(POSITIONS.len(), node(Ostle::start()), |position, reach| {
        position.successors(|_, next, _| {
            if !next.is_over() {
                reach(node(next), next);
            }
        });
    });
    assert_eq!(counts, POSITIONS);
}

#[test]
fn nodes_of_the_published_search() {
    let node = |board: u64, before: u64| u128::from(board) << 64 | u128::from(before);
    let start = node(Ostle::start().canonical_code(), 0);
    let counts = levels(PUBLISHED.len(), start, |position, reach| {
        let before = position.canonical_code();
        position.without_ko().successors(|_, next, _| {
            if next.is_over() {
                return;
            }
            let mut recreated = next.ko().is_some();
            if !recreated {
                next.successors(|_, reply, _| {
                    recreated |= reply.pieces() == position.pieces() && reply.canonical_code() == before;
                });
            }
            reach(node(next.canonical_code(), if recreated { before } else { 0 }), next);
        });
    });
    assert_eq!(counts, PUBLISHED);
}
