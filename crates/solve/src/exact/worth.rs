//! What finished games are worth.

use tesuji_game::{Game, Margin, Outcome};

/// The worth of finished games, as whole numbers seen by the mover: more is better, 0 is a draw, and what is
/// worth so much to one side is worth as much less to the other. Within ±2³⁰.
pub trait Worth<G: Game> {
    /// The worth of a game that is over.
    fn over(&self, game: &G) -> i32;
}

/// Win 1, draw 0, loss −1.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByOutcome;

impl<G: Game> Worth<G> for ByOutcome {
    fn over(&self, game: &G) -> i32 {
        match game.outcome() {
            Some(Outcome::Win) => 1,
            Some(Outcome::Loss) => -1,
            Some(Outcome::Draw) | None => 0,
        }
    }
}

/// The margin.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByMargin;

impl<G: Margin> Worth<G> for ByMargin {
    fn over(&self, game: &G) -> i32 {
        game.margin().unwrap_or(0)
    }
}
