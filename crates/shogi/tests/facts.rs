//! Perft of known positions: every number agreed on by several independent generators.

use tesuji_game::{Game, MoveList, Notation};
use tesuji_shogi::{Moves, Shogi};

/// `name | position | leaves at depth 1, 2, 3 …`
pub(crate) const FACTS: &str = include_str!("../testdata/perft.txt");

/// Deeper trees are for the benchmark.
const MOST: u64 = 30_000_000;

/// The facts: name, position and counts.
pub(crate) fn facts() -> impl Iterator<Item = (&'static str, Shogi, Vec<u64>)> {
    FACTS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, position, counts] = fields[..] else { panic!("not a fact: {line}") };
        let counts = counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
        (name, Shogi::parse(position).unwrap(), counts)
    })
}

#[test]
fn perft_agrees_with_the_world() {
    let mut checked = 0;
    for (name, mut position, counts) in facts() {
        for (&count, depth) in counts.iter().zip(1..).filter(|&(&count, _)| count <= MOST) {
            assert_eq!(position.leaves(depth), count, "{name} at depth {depth}");
            checked += 1;
        }
    }
    assert_eq!(checked, 64);
}

#[test]
fn the_longest_list_fits() {
    let (_, mut position, _) = facts().find(|(name, ..)| *name == "max_moves_593").unwrap();
    let mut list = Moves::default();
    position.moves(&mut list);
    assert_eq!(list.len(), 593);
    // Without the kings there are more moves than the rules of a game allow, and room for them.
    let mut bare = Shogi::parse("R8/4S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1").unwrap();
    bare.moves(&mut list);
    assert_eq!(list.len() as u64, bare.count());
    assert!((594..=Moves::MOST).contains(&list.len()), "{}", list.len());
}
