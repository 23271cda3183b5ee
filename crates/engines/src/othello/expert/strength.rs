//! Levels of play, from 1 to 60: how far to look ahead, from how many empty squares on to play without fault, and how
//! surely to do both.

use super::level::Level;
use super::table::Reach;

/// A level of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Strength(u32);

impl Strength {
    /// The strongest: every position is solved, however long it takes.
    pub const MOST: u32 = 60;
    /// So many squares before the end is solved, who wins is asked: the shorter question takes about as long there.
    pub(super) const SOONER: u32 = 2;

    /// The level of this number, from 1 to [`Strength::MOST`]; nearest to it otherwise.
    pub fn new(number: u32) -> Strength {
        Strength(number.clamp(1, Strength::MOST))
    }

    /// From how many empty squares on every move is perfect.
    pub(super) fn exact(self) -> u32 {
        match self.0 {
            number @ 0..=10 => 2 * number,
            Strength::MOST => 60,
            number => 20 + (number - 10).div_ceil(3),
        }
    }

    /// How surely it looks ahead, above level 10: with so little to look at as at the first of these levels, what is
    /// left out is soon missed.
    fn surely(self) -> Level {
        Level::of(match self.0 {
            ..=14 => 2,
            15..=18 => 1,
            _ => 0,
        })
    }

    /// What to look for with so many empty squares.
    ///
    /// A level looks ahead as many plies as its number. Up to 10 it does so without leaving anything out, and plays
    /// perfectly from twice as many empty squares on. Above, branches are left out by shallow searches, the more freely
    /// the deeper it looks; the end is solved from 20 empty squares on and one more for every third level, and before
    /// that searched to the end less and less surely, a level of selectivity for every two squares. Who wins is certain
    /// [`Strength::SOONER`].
    pub(super) fn wanted(self, empties: u32) -> Reach {
        let (number, exact) = (self.0, self.exact());
        if number <= 10 {
            let depth = if empties <= exact { empties } else { number };
            return Reach { depth: depth as u8, level: Level::EXACT };
        }
        let beyond = empties.saturating_sub(exact).div_ceil(2);
        let depth = number.min(empties);
        match Level::EXACT.number().checked_sub(beyond as u8) {
            Some(level) => Reach { depth: empties as u8, level: Level::of(level) },
            None => Reach { depth: depth as u8, level: self.surely() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_never_wants_less() {
        for empties in 1..=60 {
            for number in 1..Strength::MOST {
                let (low, high) = (Strength(number).wanted(empties), Strength(number + 1).wanted(empties));
                assert!(high.depth >= low.depth, "{number} with {empties}: {low:?} {high:?}");
            }
            assert_eq!(Strength(60).wanted(empties), Reach::whole(empties));
        }
    }

    #[test]
    fn low_levels_look_as_far_as_their_number_and_solve_twice_as_far() {
        assert_eq!(Strength(6).wanted(30), Reach { depth: 6, level: Level::EXACT });
        assert_eq!(Strength(6).wanted(13).depth, 6);
        assert_eq!(Strength(6).wanted(12), Reach::whole(12));
        assert_eq!(Strength(21).wanted(24), Reach::whole(24));
        assert_eq!(Strength(21).wanted(26), Reach { depth: 26, level: Level::of(4) });
        assert_eq!(Strength(21).wanted(40), Reach { depth: 21, level: Level::FASTEST });
    }
}
