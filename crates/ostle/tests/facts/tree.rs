//! The game tree from the start, suicides and the ko included.

use tesuji_game::{Game, perft};
use tesuji_ostle::Ostle;

use crate::reference::Reference;

/// Leaves after 1, 2, … plies: our own count, by the fast rules and by the slow ones.
const LEAVES: [u64; 6] = [24, 569, 11_997, 189_102, 2_865_125, 42_653_705];

#[test]
fn leaves_of_the_start() {
    let found: Vec<u64> = (1..=6).map(|depth| Ostle::start().leaves(depth)).collect();
    assert_eq!(found, LEAVES);
}

#[test]
fn leaves_by_the_letter() {
    let found: Vec<u64> = (1..=5).map(|depth| perft::walk(&mut Reference::start(), depth)).collect();
    assert_eq!(found, LEAVES[..5]);
}
