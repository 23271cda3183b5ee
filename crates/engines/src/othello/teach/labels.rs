//! Positions with labels, gathered as a game goes.

use tesuji_game::{Game, Side};
use tesuji_othello::Othello;

use super::Board;

/// Hundredths in a disc.
const DISC: i32 = 100;

/// A lesson in the making.
#[derive(Default)]
pub(super) struct Labels(pub(super) Vec<(Board, i16)>);

impl Labels {
    /// Adds a position and its score for the mover, in discs. Where nobody has a choice there is nothing to learn.
    pub(super) fn add(&mut self, game: &Othello, score: i32) {
        if tesuji_othello::mobility(game.own(), game.other()) != 0 {
            // No score is beyond 64 discs.
            self.0.push(((game.own(), game.other()), (score * DISC) as i16));
        }
    }
}

/// How many squares are empty.
pub(super) fn empties(game: &Othello) -> u32 {
    game.empties().count_ones()
}

/// A score of black's, seen by the mover.
pub(super) fn seen(game: &Othello, black: i32) -> i32 {
    if game.mover() == Side::First { black } else { -black }
}
