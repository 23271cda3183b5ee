//! The schedule of an event: who plays whom, with which colours, from which opening. Pure functions of the
//! configuration, and for Swiss events of the results so far; no order of games is ever stored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_game::Side;

use crate::event_config::EventConfig;
use crate::journal_entry::RecordedResult;
use crate::swiss::{SwissRound, SwissTable};

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PairingSystem {
    /// Everyone meets everyone; with two players it is a match.
    #[default]
    RoundRobin,
    /// Players that are close in the list meet.
    Neighbours {
        /// How many places away the furthest opponent is.
        reach: usize,
    },
    /// The first players meet all others.
    Gauntlet {
        /// How many players run the gauntlet.
        seeds: usize,
    },
    /// Players with similar scores meet.
    Swiss {
        /// The number of rounds.
        rounds: usize,
    },
}

impl fmt::Display for PairingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PairingSystem::RoundRobin => "round-robin",
            PairingSystem::Neighbours { .. } => "neighbours",
            PairingSystem::Gauntlet { .. } => "gauntlet",
            PairingSystem::Swiss { .. } => "swiss",
        })
    }
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Its number within the event, from 0. Even numbers begin a pair of games.
    pub number: usize,
    /// The round it belongs to, from 0.
    pub round: usize,
    /// The numbers of the players that move first and second.
    pub players: [usize; 2],
    /// The number of the opening.
    pub opening: usize,
}

/// The schedule of an event whose pairings do not depend on results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedSchedule {
    /// The rounds of one cycle, each with its pairings.
    cycle: Vec<Vec<[usize; 2]>>,
    pairings: usize,
    pairs: usize,
}

impl FixedSchedule {
    /// Every pairing `pairs` times, each time from another opening and with both colours. `None` for Swiss.
    pub fn new(system: PairingSystem, players: usize, pairs: usize) -> Option<FixedSchedule> {
        let cycle = match system {
            PairingSystem::RoundRobin => circle(players),
            PairingSystem::Neighbours { reach } => neighbours(reach, players),
            PairingSystem::Gauntlet { seeds } => gauntlet(seeds.min(players), players),
            PairingSystem::Swiss { .. } => return None,
        };
        let pairings = cycle.iter().map(Vec::len).sum();
        Some(FixedSchedule { cycle, pairings, pairs })
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        2 * self.pairings * self.pairs
    }

    /// The game of this number.
    pub fn game(&self, number: usize) -> Option<ScheduledGame> {
        let pair = number / 2;
        let cycle = pair.checked_div(self.pairings).filter(|&cycle| cycle < self.pairs)?;
        let mut within = pair % self.pairings;
        for (round, pairings) in self.cycle.iter().enumerate() {
            if let Some(&[one, two]) = pairings.get(within) {
                // The player that begins a pair alternates between cycles, so an odd game left over by an
                // interruption has no lasting effect.
                let swapped = (number + cycle) % 2 == 1;
                let players = if swapped { [two, one] } else { [one, two] };
                let round = cycle * self.cycle.len() + round;
                return Some(ScheduledGame { number, round, players, opening: cycle });
            }
            within -= pairings.len();
        }
        None
    }
}

/// The circle method: the last player stays, the others rotate. With an odd number of players one has a bye.
pub(crate) fn circle(players: usize) -> Vec<Vec<[usize; 2]>> {
    let places = players + players % 2;
    (0..places.saturating_sub(1))
        .map(|round| {
            let at = |place: usize| if place == 0 { places - 1 } else { (round + place) % (places - 1) };
            (0..places / 2)
                .map(|place| [at(place), at(places - 1 - place)])
                // The player that stays would otherwise always begin.
                .map(|[one, two]| if round % 2 == 0 { [two, one] } else { [one, two] })
                .filter(|pairing| pairing.iter().all(|&player| player < players))
                .collect()
        })
        .collect()
}

/// A round for each distance in the list.
fn neighbours(reach: usize, players: usize) -> Vec<Vec<[usize; 2]>> {
    let round = |distance: usize| (distance..players).map(|other| [other - distance, other]).collect();
    (1..players.min(reach.saturating_add(1))).map(round).collect()
}

fn gauntlet(seeds: usize, players: usize) -> Vec<Vec<[usize; 2]>> {
    (seeds..players).map(|other| (0..seeds).map(|seed| [seed, other]).collect()).collect()
}

/// The results of an event so far, by the number of the game.
pub type Results = BTreeMap<usize, RecordedResult>;

/// The games of an event, given the results so far. The rounds of a Swiss are paired one by one, each a pure function
/// of those before it.
#[derive(Clone, Debug)]
pub struct EventSchedule {
    players: usize,
    pairs: usize,
    pairings: Pairings,
}

#[derive(Clone, Debug)]
enum Pairings {
    Fixed(FixedSchedule),
    Swiss { rounds: usize, known: RefCell<(SwissTable, Vec<SwissRound>)> },
}

impl EventSchedule {
    /// The games of this event.
    pub fn new(event: &EventConfig) -> EventSchedule {
        let (players, pairs, system) = (event.players.len(), event.pairs, event.pairing_system());
        let pairings = match FixedSchedule::new(system, players, pairs) {
            Some(schedule) => Pairings::Fixed(schedule),
            None => {
                let rounds = if let PairingSystem::Swiss { rounds } = system { rounds } else { 0 };
                Pairings::Swiss { rounds, known: RefCell::new((SwissTable::new(players), Vec::new())) }
            }
        };
        EventSchedule { players, pairs, pairings }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        match &self.pairings {
            Pairings::Fixed(schedule) => schedule.games(),
            Pairings::Swiss { rounds, .. } => rounds * self.round_size(),
        }
    }

    /// Games of a Swiss round.
    fn round_size(&self) -> usize {
        self.players / 2 * self.pairing_size()
    }

    /// Games of one pairing.
    fn pairing_size(&self) -> usize {
        2 * self.pairs
    }

    /// The game of this number; `None` when there is none, or when its pairing depends on missing results.
    pub fn game(&self, number: usize, results: &Results) -> Option<ScheduledGame> {
        match &self.pairings {
            Pairings::Fixed(schedule) => schedule.game(number),
            Pairings::Swiss { rounds, known } => {
                let round = number.checked_div(self.round_size()).filter(|round| round < rounds)?;
                let mut known = known.borrow_mut();
                while known.1.len() <= round {
                    let last = known.1.len();
                    if last > 0 {
                        self.close(last - 1, &mut known, results)?;
                    }
                    let next = known.0.pair();
                    known.1.push(next);
                }
                let within = number % self.round_size();
                let [one, two] = *known.1.get(round)?.pairings.get(within / self.pairing_size())?;
                let game = within % self.pairing_size();
                // The player higher in the table begins in even rounds.
                let players = if (game + round) % 2 == 1 { [two, one] } else { [one, two] };
                Some(ScheduledGame { number, round, players, opening: round * self.pairs + game / 2 })
            }
        }
    }

    /// The players that have a bye, round by round, as far as rounds are paired.
    pub fn byes(&self) -> Vec<usize> {
        match &self.pairings {
            Pairings::Fixed(_) => Vec::new(),
            Pairings::Swiss { known, .. } => known.borrow().1.iter().filter_map(|round| round.bye).collect(),
        }
    }

    /// Games that a bye counts for.
    pub fn bye_games(&self) -> usize {
        self.pairing_size()
    }

    /// Adds the results of a round to the table, if the round is complete.
    fn close(
        &self,
        round: usize,
        (table, rounds): &mut (SwissTable, Vec<SwissRound>),
        results: &Results,
    ) -> Option<()> {
        let begin = round * self.round_size();
        if (begin..begin + self.round_size()).any(|number| !results.contains_key(&number)) {
            return None;
        }
        let SwissRound { pairings, bye } = rounds.get(round)?.clone();
        for (index, players) in pairings.into_iter().enumerate() {
            let first = begin + index * self.pairing_size();
            let mut points = [0, 0];
            for number in first..first + self.pairing_size() {
                let result = results.get(&number)?;
                let swapped = (number + round) % 2 == 1;
                for side in Side::BOTH {
                    points[if swapped { 1 - side.index() } else { side.index() }] += result.half_points(side);
                }
            }
            table.add_pairing(players, points);
        }
        if let Some(player) = bye {
            table.add_bye(player, self.pairing_size() as u32);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_plays_once_per_round() {
        for players in 2..12 {
            let rounds = circle(players);
            assert_eq!(rounds.len(), players - 1 + players % 2);
            for round in &rounds {
                let mut paired: Vec<usize> = round.iter().flatten().copied().collect();
                paired.sort_unstable();
                paired.dedup();
                assert_eq!(paired.len(), players - players % 2, "{players} players");
            }
        }
        assert!(circle(0).iter().flatten().next().is_none() && circle(1).iter().flatten().next().is_none());
    }
}
