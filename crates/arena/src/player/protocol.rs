//! The protocols a player's program may speak, by the names a spec uses.

use tesuji_engines::SpecError;

/// A protocol. Which of them a game has, the caller knows: nothing here names a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// USI, of shogi engines.
    Usi,
    /// The Go text protocol, version 2, as Othello programs speak it.
    Gtp,
    /// NBoard, version 2, of Othello engines.
    NBoard,
    /// The contest protocol of Trax programs.
    Trax,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 4] = [Protocol::Usi, Protocol::Gtp, Protocol::NBoard, Protocol::Trax];

    /// The name in a spec.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Usi => "usi",
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
            Protocol::Trax => "trax",
        }
    }

    /// The one of `known` that is called so.
    pub(super) fn of_name(name: &str, known: &[Protocol]) -> Result<Protocol, SpecError> {
        known.iter().copied().find(|protocol| protocol.name() == name).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|protocol| protocol.name()).collect();
            SpecError::unknown("protocol of this game", name, &names)
        })
    }
}
