//! The graph of the game from the start, level by level.

use std::collections::HashSet;

use tesuji_game::Game;
use tesuji_ostle::Ostle;

/// Nodes first reached after 0, 1, 2, … plies, as published.
///
/// A node is a board up to symmetry together with the board its ko forbids to recreate, up to symmetry. On a
/// symmetric board a forbidden move and its images are thereby one. Positions with a checkmate are nodes and
/// go on; finished games are none.
const NODES: [usize; 9] = [1, 9, 102, 954, 6_329, 33_052, 147_620, 556_811, 1_863_530];

fn node(position: Ostle) -> (u64, u64) {
    let previous = position.ko().map_or(0, |ko| {
        let mut before = position.without_ko();
        before.play(ko);
        before.canonical_code()
    });
    (position.canonical_code(), previous)
}

#[test]
fn nodes_by_plies_from_the_start() {
    let mut seen = HashSet::from([node(Ostle::start())]);
    let mut level = vec![Ostle::start()];
    let mut counts = vec![1];
    while counts.len() < NODES.len() {
        let mut next_level = Vec::new();
        for position in level {
            position.successors(|_, next, _| {
                if !next.is_over() && seen.insert(node(next)) {
                    next_level.push(next);
                }
            });
        }
        counts.push(next_level.len());
        level = next_level;
    }
    assert_eq!(counts, NODES);
}
