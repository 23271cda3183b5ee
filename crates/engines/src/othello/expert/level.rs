//! How sure a search is of what it does not look at: levels of selectivity, as Othello players know them.

/// A level of selectivity: a branch is left out when a shallow search makes it as likely as this that the full one
/// would not matter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The least sure.
    pub const FASTEST: Level = Level(0);
    /// NoEval is left out.
    pub const EXACT: Level = Level(5);
    /// All of them, the least sure first.
    pub const ALL: [Level; 6] = [Level(0), Level(1), Level(2), Level(3), Level(4), Level(5)];

    /// The level of this number; a greater one is exact.
    pub(super) const fn of(number: u8) -> Level {
        Level(if number > 5 { 5 } else { number })
    }

    /// Its number, from 0.
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// How sure it is, in per cent.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self.0 as usize]
    }

    /// The level that is as sure as this or, if there is none, the next that is surer.
    pub fn as_sure_as(percent: u32) -> Level {
        Level::ALL.into_iter().find(|level| level.percent() >= percent).unwrap_or(Level::EXACT)
    }

    /// By how many standard deviations a shallow search must be clear of the window; none where nothing is left
    /// out.
    pub(super) const fn deviations(self) -> Option<f32> {
        match self.0 {
            0 => Some(1.1),
            1 => Some(1.5),
            2 => Some(2.0),
            3 => Some(2.6),
            4 => Some(3.3),
            _ => None,
        }
    }
}
