//! What everybody above the search sees: something that plays.

use tesuji_game::{Game, Record};

use crate::{CancelToken, Limits, Report};

/// A player of one game.
pub trait Engine<G: Game>: Send {
    /// Chooses for the side to move at the end of `record`, within `limits`, telling `watch` what completed
    /// iterations have found. Ends soon after `stop` is raised, with the best it has.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Choice<G::Move>;

    /// A new game begins: nothing learned from the last one is to matter.
    fn forget(&mut self) {}
}

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice<M> {
    /// Plays.
    Move {
        /// The move.
        mv: M,
        /// The reply expected.
        reply: Option<M>,
    },
    /// Claims the win.
    Claim,
    /// Gives up.
    Resign,
    /// The game is over: nothing can be played.
    Over,
}
