//! Playing a game out by chance, as fast as the game can.

use tesuji_game::{Game, MoveList};

use super::walk::points;
use crate::Rng;

/// How a play-out ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// How many moves were made.
    pub plies: u32,
    /// The result for whoever moved first in it, in 65,536ths of a point; none when it was cut off.
    pub points: Option<u32>,
}

/// Plays uniformly random moves in `game` until it is over or `most` plies were made. `list` is scratch.
#[inline]
pub fn playout<G: Game>(game: &mut G, list: &mut G::Moves, rng: &mut Rng, most: u32) -> Playout {
    for plies in 0..=most {
        game.moves(list);
        let count = list.len();
        if count == 0 {
            let points = game
                .outcome()
                .map(|outcome| points(if plies.is_multiple_of(2) { outcome } else { -outcome }));
            return Playout { plies, points };
        }
        if plies == most {
            break;
        }
        if let Some(mv) = list.each().nth(rng.below(count)) {
            game.play(mv);
        }
    }
    Playout { plies: most, points: None }
}
