//! Random playouts.

use tesuji_game::{Game, MoveList, Outcome};

use super::descent::points;
use crate::Rng;

/// The end of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// Number of moves played.
    pub plies: u32,
    /// The result for the side that moved first in it, in 1/65,536 of a point; none when it was cut off.
    pub points: Option<u32>,
}

/// Plays uniformly random moves until the game is over or `most` plies are played. `list` is scratch space.
#[inline]
pub fn playout<G: Game>(game: &mut G, list: &mut G::Moves, rng: &mut Rng, most: u32) -> Playout {
    for plies in 0..most {
        if let Some(ended) = step(game, list, rng, plies) {
            return ended;
        }
    }
    last(game, list, most)
}

/// Two interleaved playouts. Their instructions overlap; on small boards this is a third faster than one after the other.
pub(super) fn pair<G: Game>(games: [&mut G; 2], lists: &mut [G::Moves; 2], rng: &mut Rng, most: u32) -> [Playout; 2] {
    let ([one, two], [one_list, two_list]) = (games, lists);
    for plies in 0..most {
        if let Some(first) = step(one, one_list, rng, plies) {
            return [first, rest(two, two_list, rng, plies, most)];
        }
        if let Some(second) = step(two, two_list, rng, plies) {
            return [rest(one, one_list, rng, plies + 1, most), second];
        }
    }
    [last(one, one_list, most), last(two, two_list, most)]
}

/// The rest of a playout, from this ply on.
fn rest<G: Game>(game: &mut G, list: &mut G::Moves, rng: &mut Rng, from: u32, most: u32) -> Playout {
    (from..most).find_map(|plies| step(game, list, rng, plies)).unwrap_or_else(|| last(game, list, most))
}

/// One move, or the end of the playout.
#[inline(always)]
fn step<G: Game>(game: &mut G, list: &mut G::Moves, rng: &mut Rng, plies: u32) -> Option<Playout> {
    game.moves(list);
    let count = list.len();
    if count == 0 {
        return Some(over(game, plies));
    }
    if let Some(mv) = list.each().nth(rng.below(count)) {
        game.play(mv);
    }
    None
}

/// The end of a playout at its length limit, where the game may be over as well.
fn last<G: Game>(game: &mut G, list: &mut G::Moves, most: u32) -> Playout {
    game.moves(list);
    if list.is_empty() { over(game, most) } else { Playout { plies: most, points: None } }
}

fn over<G: Game>(game: &G, plies: u32) -> Playout {
    let seen = |outcome: Outcome| if plies.is_multiple_of(2) { outcome } else { -outcome };
    Playout { plies, points: game.outcome().map(|outcome| points(seen(outcome))) }
}
