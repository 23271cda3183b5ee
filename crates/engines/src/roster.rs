//! What every shipped game can be played by.

use tesuji_game::Game;
use tesuji_search::Engine;

use crate::{Spec, SpecError};

/// A game with engines. Implemented once per game, in its folder.
pub trait Roster: Game {
    /// The evaluations of the game, by the names a spec may use, the default first.
    const EVALUATIONS: &'static [&'static str];

    /// The spec that plays when nobody asks for another.
    const DEFAULT: &'static str;

    /// The engine of a spec, or why there is none. `human` and `process` are not engines of this room.
    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Self>>, SpecError>;

    /// The static value of a position by one of the evaluations, seen by the mover: for `show --eval`.
    fn judge(evaluation: &str, game: &Self) -> Result<tesuji_search::Value, SpecError>;
}

/// A setting an engine understands, for help texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What it does, and its default.
    pub about: &'static str,
}
