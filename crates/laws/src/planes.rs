//! Properties of the encoding for neural networks.

use tesuji_game::{DensePlanes, MoveList, Planes, SparsePlanes};

use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// Planes and labels stay within the encoding, no two legal moves share a label, and equal positions look the same.
///
/// `outside` says how many moves without a label a position may have besides a single compulsory one.
pub fn planes<G: Planes>(outside: usize) {
    let encoding = G::ENCODING;
    for_all(effort(), choices(), |choices| {
        playout(G::start(), &choices, |game, list, _| {
            let sparse = SparsePlanes::of(game);
            let mut dense = vec![0.0; encoding.planes * encoding.squares()];
            game.planes(&mut DensePlanes { numbers: &mut dense, squares: encoding.squares() });
            let mut expected = vec![0.0; dense.len()];
            for &(plane, square) in &sparse.squares {
                hold!(usize::from(square) < encoding.squares(), "square {square} of {game:?}");
                expected[usize::from(plane) * encoding.squares() + usize::from(square)] = 1.0;
            }
            for &plane in &sparse.filled {
                expected[usize::from(plane) * encoding.squares()..][..encoding.squares()].fill(1.0);
            }
            hold!(dense == expected, "dense and sparse planes differ in {game:?}");
            let mut labels: Vec<usize> = list.each().filter_map(|mv| game.label(mv)).collect();
            let missing = list.len() - labels.len();
            hold!(list.len() == 1 || missing <= outside, "{missing} moves without a label in {game:?}");
            hold!(labels.iter().all(|&label| label < encoding.labels()), "a label out of range in {game:?}");
            labels.sort_unstable();
            hold!(labels.windows(2).all(|pair| pair[0] != pair[1]), "two moves with one label in {game:?}");
            Ok(())
        })
    });
}
