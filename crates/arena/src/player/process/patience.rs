//! How long a program is waited for when no clock of the game says so.

use std::time::Duration;

/// How long each kind of waiting may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From the start to the end of its introduction.
    pub start: Duration,
    /// Until it is ready for a new game: this is when weights and books are loaded.
    pub game: Duration,
    /// Until it has done what it was told and proves that it still listens.
    pub ping: Duration,
    /// For a move, where the game has no clock.
    pub answer: Duration,
    /// From `quit` to the kill.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(10),
            game: Duration::from_secs(60),
            ping: Duration::from_secs(60),
            answer: Duration::from_secs(600),
            quit: Duration::from_secs(2),
        }
    }
}
