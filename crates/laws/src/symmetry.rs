//! Properties of symmetries.

use std::collections::BTreeSet;

use tesuji_game::{MoveList, Symmetric};

use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// Symmetries commute with play, map legal moves to legal moves, keep the tree and share one canonical key.
pub fn symmetry<G: Symmetric>() {
    for_all(effort() / 2 + 1, choices(), |choices| {
        playout(G::start(), &choices, |game, list, chosen| {
            let moves: Vec<G::Move> = list.each().collect();
            hold!(game.image(0) == *game, "symmetry 0 is not the identity: {game:?}");
            let canonical = game.canonical_key();
            for symmetry in 0..G::SYMMETRIES {
                let mut image = game.image(symmetry);
                let expected: BTreeSet<_> = moves.iter().map(|&mv| game.image_move(mv, symmetry)).collect();
                let mut list = G::Moves::default();
                image.moves(&mut list);
                let found: BTreeSet<_> = list.each().collect();
                hold!(expected == found, "symmetry {symmetry}: moves {found:?}, expected {expected:?} in {image:?}");
                hold!(image.canonical_key() == canonical, "symmetry {symmetry} changes the canonical key: {image:?}");
                hold!(image.outcome() == game.outcome(), "symmetry {symmetry} changes the outcome: {image:?}");
                if let Some(mv) = chosen {
                    let mut after = game.clone();
                    after.play(mv);
                    image.play(game.image_move(mv, symmetry));
                    hold!(image == after.image(symmetry), "symmetry {symmetry} does not commute with {mv:?}");
                    hold!(image.key() == after.image(symmetry).key(), "symmetry {symmetry}: keys of equals differ");
                }
            }
            Ok(())
        })
    });
}
