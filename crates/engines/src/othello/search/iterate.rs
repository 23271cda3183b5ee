//! How deep and how selectively to search: selectivity levels, levels of play, and the schedule of iterations.

use super::solver::Goal;

/// A selectivity level: how sure Multi-ProbCut must be to cut a branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Selectivity(u8);

impl Selectivity {
    /// The most selective level.
    pub const FASTEST: Selectivity = Selectivity(0);
    /// No selectivity: full width.
    pub const EXACT: Selectivity = Selectivity(5);
    /// All levels, the most selective first.
    pub const ALL: [Selectivity; 6] =
        [Selectivity(0), Selectivity(1), Selectivity(2), Selectivity(3), Selectivity(4), Selectivity(5)];

    /// The level with this index; from 5 on it is exact.
    pub(super) const fn from_index(index: u8) -> Selectivity {
        Selectivity(if index > 5 { 5 } else { index })
    }

    /// The index of the level, from 0.
    pub(super) const fn index(self) -> u8 {
        self.0
    }

    /// The probability that a cut is right, in per cent.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self.0 as usize]
    }

    /// The most selective level with at least this probability.
    pub fn at_least(percent: u32) -> Selectivity {
        let found = Selectivity::ALL.into_iter().find(|level| level.percent() >= percent);
        found.unwrap_or(Selectivity::EXACT)
    }

    /// By how many standard deviations a shallow search must be outside the window; none if nothing is cut.
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

/// The depth and selectivity of a search. The order is by depth, then by selectivity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SearchDraft {
    /// Plies; the number of empties means to the end of the game.
    pub(super) depth: u8,
    pub(super) selectivity: Selectivity,
}

impl SearchDraft {
    /// To the end of a game with this many empties, without selectivity.
    pub(super) fn exact(empties: u32) -> SearchDraft {
        SearchDraft { depth: empties as u8, selectivity: Selectivity::EXACT }
    }

    /// Whether a bound of this draft is good enough for another.
    #[inline(always)]
    pub(super) fn covers(self, other: SearchDraft) -> bool {
        self.depth >= other.depth && self.selectivity >= other.selectivity
    }
}

/// A level of play, from 1 to 60.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Strength(u32);

impl Strength {
    /// The highest level: every position is solved, however long it takes.
    pub const MAX: u32 = 60;
    /// The outcome is solved this many empties before the score: both take about the same time.
    pub(super) const WLD_LEAD: u32 = 2;

    /// The level with this number, clamped to 1..=[`Strength::MAX`].
    pub fn new(number: u32) -> Strength {
        Strength(number.clamp(1, Strength::MAX))
    }

    /// From how many empties on every move is perfect.
    pub(super) fn exact_empties(self) -> u32 {
        match self.0 {
            number @ 0..=10 => 2 * number,
            Strength::MAX => 60,
            number => 20 + (number - 10).div_ceil(3),
        }
    }

    /// The selectivity of the midgame above level 10. The lowest of these levels search so little that bold cuts would
    /// cost strength.
    fn midgame_selectivity(self) -> Selectivity {
        Selectivity::from_index(match self.0 {
            ..=14 => 2,
            15..=18 => 1,
            _ => 0,
        })
    }

    /// The depth and selectivity with this many empties.
    ///
    /// The depth is the number of the level. Up to level 10 the search is full width and solves from twice as many
    /// empties on. Above, it is selective, the more so the deeper; it solves from 20 empties on and one more for every
    /// third level. Before that it searches to the end with selectivity, one level more for every two empties. The
    /// outcome is certain [`Strength::WLD_LEAD`] empties earlier.
    pub(super) fn draft(self, empties: u32) -> SearchDraft {
        let (number, exact) = (self.0, self.exact_empties());
        if number <= 10 {
            let depth = if empties <= exact { empties } else { number };
            return SearchDraft { depth: depth as u8, selectivity: Selectivity::EXACT };
        }
        let beyond = empties.saturating_sub(exact).div_ceil(2);
        let depth = number.min(empties);
        match Selectivity::EXACT.index().checked_sub(beyond as u8) {
            Some(index) => SearchDraft { depth: empties as u8, selectivity: Selectivity::from_index(index) },
            None => SearchDraft { depth: depth as u8, selectivity: self.midgame_selectivity() },
        }
    }

    /// The depth and selectivity with this many empties.
    pub fn depth_and_selectivity(self, empties: u32) -> (u32, Selectivity) {
        let SearchDraft { depth, selectivity } = self.draft(empties);
        (u32::from(depth), selectivity)
    }
}

/// With fewer empties a position is solved in one iteration.
const ONE_ITERATION_EMPTIES: u32 = 13;
/// Iterations to a depth end this many plies before the end of the game; the next goes to the end.
const END_GAP: u32 = 8;

/// The schedule of iterative deepening up to `target`: deeper by `step` plies (one or two), then to the end of the game
/// with less and less selectivity. Each iteration fills the transposition table for the next.
pub(super) fn iterations(empties: u32, target: SearchDraft, step: usize) -> Vec<SearchDraft> {
    let depth = u32::from(target.depth);
    let first = |last: u32| if step == 1 { 1 } else { 2 - last % 2 };
    if depth < empties {
        let depths = (first(depth)..=depth).step_by(step);
        return depths.map(|depth| SearchDraft { depth: depth as u8, ..target }).collect();
    }
    if empties < ONE_ITERATION_EMPTIES {
        return vec![SearchDraft { depth: empties as u8, ..target }];
    }
    let depths = (first(empties)..=empties - END_GAP).step_by(step);
    let depths = depths.map(|depth| SearchDraft { depth: depth as u8, selectivity: Selectivity::FASTEST });
    let levels = solving_levels(empties).iter().filter(|&&level| level < target.selectivity);
    let levels = levels.chain([&target.selectivity]);
    depths.chain(levels.map(|&selectivity| SearchDraft { depth: empties as u8, selectivity })).collect()
}

/// One iteration of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EngineIteration {
    pub(super) draft: SearchDraft,
    pub(super) goal: Goal,
}

/// When an engine solves the outcome (WLD).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WldTiming {
    /// Never.
    Never,
    /// Before the score, because the time may run out.
    BeforeScore,
    /// Instead of the score.
    InsteadOfScore,
}

/// The schedule of an engine: the iterations up to `target` and those that solve the outcome.
pub(super) fn engine_iterations(empties: u32, target: SearchDraft, wld: WldTiming) -> Vec<EngineIteration> {
    let scored = |draft| EngineIteration { draft, goal: Goal::Score };
    let mut all: Vec<EngineIteration> = iterations(empties, target, 1).into_iter().map(scored).collect();
    let outcome = EngineIteration { draft: SearchDraft::exact(empties), goal: Goal::Outcome };
    let exact = target == outcome.draft;
    match wld {
        WldTiming::BeforeScore if exact && empties >= ONE_ITERATION_EMPTIES => {
            all.insert(all.len() - 1, outcome);
        }
        WldTiming::InsteadOfScore if !exact => {
            let levels = solving_levels(empties).iter().filter(|&&level| {
                level < Selectivity::EXACT && (u32::from(target.depth) < empties || level > target.selectivity)
            });
            all.extend(levels.map(|&selectivity| EngineIteration {
                draft: SearchDraft { selectivity, ..outcome.draft },
                ..outcome
            }));
            all.push(outcome);
        }
        _ => {}
    }
    all
}

/// The selectivity levels of the iterations to the end of the game.
fn solving_levels(empties: u32) -> &'static [Selectivity] {
    const ALL: [Selectivity; 6] = Selectivity::ALL;
    const ONE: [Selectivity; 1] = [ALL[0]];
    const TWO: [Selectivity; 2] = [ALL[0], ALL[2]];
    match empties {
        0..=17 => &ONE,
        18..=21 => &TWO,
        _ => &ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_never_searches_less() {
        for empties in 1..=60 {
            for number in 1..Strength::MAX {
                let (low, high) = (Strength(number).draft(empties), Strength(number + 1).draft(empties));
                assert!(high.depth >= low.depth, "{number} with {empties}: {low:?} {high:?}");
            }
            assert_eq!(Strength(60).draft(empties), SearchDraft::exact(empties));
        }
    }

    #[test]
    fn low_levels_search_to_their_number_and_solve_from_twice_as_many_empties() {
        assert_eq!(Strength(6).draft(30), SearchDraft { depth: 6, selectivity: Selectivity::EXACT });
        assert_eq!(Strength(6).draft(13).depth, 6);
        assert_eq!(Strength(6).draft(12), SearchDraft::exact(12));
        assert_eq!(Strength(21).draft(24), SearchDraft::exact(24));
        assert_eq!(Strength(21).draft(26), SearchDraft { depth: 26, selectivity: Selectivity(4) });
        assert_eq!(Strength(21).draft(40), SearchDraft { depth: 21, selectivity: Selectivity::FASTEST });
    }

    #[test]
    fn the_outcome_is_solved_last_or_just_before_the_score() {
        for empties in 1..=60 {
            let exact = SearchDraft::exact(empties);
            let outcome = EngineIteration { draft: exact, goal: Goal::Outcome };
            let solved_at =
                |target, wld| engine_iterations(empties, target, wld).iter().position(|&one| one == outcome);
            for depth in 1..empties {
                let target = SearchDraft { depth: depth as u8, selectivity: Selectivity::EXACT };
                let all = engine_iterations(empties, target, WldTiming::InsteadOfScore);
                assert_eq!(all.last(), Some(&outcome));
                let scored = EngineIteration { draft: target, goal: Goal::Score };
                assert!(all.contains(&scored), "{empties} {depth} {all:?}");
                assert_eq!(solved_at(target, WldTiming::Never), None);
                assert_eq!(solved_at(target, WldTiming::BeforeScore), None);
            }
            let all = engine_iterations(empties, exact, WldTiming::BeforeScore);
            assert_eq!(all.last(), Some(&EngineIteration { draft: exact, goal: Goal::Score }));
            let before = (empties >= ONE_ITERATION_EMPTIES).then(|| all.len() - 2);
            assert_eq!(solved_at(exact, WldTiming::BeforeScore), before);
            assert_eq!(solved_at(exact, WldTiming::InsteadOfScore), None);
        }
    }

    #[test]
    fn the_last_iteration_is_the_target() {
        for empties in 0..=60 {
            for depth in 1..=empties {
                for selectivity in Selectivity::ALL {
                    let target = SearchDraft { depth: depth as u8, selectivity };
                    for step in [1, 2] {
                        let all = iterations(empties, target, step);
                        assert_eq!(all.last(), Some(&target), "{empties}");
                        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{empties} {all:?}");
                    }
                }
            }
        }
    }
}
