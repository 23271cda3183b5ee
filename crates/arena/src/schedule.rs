//! Who plays whom, with which colours, from which opening: pure functions of the plan, nothing about order is
//! ever stored. Swiss rounds depend on results and live in [`crate::swiss`].

use std::fmt;

/// The shape of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Everybody against everybody; with two players it is a match.
    #[default]
    RoundRobin,
    /// The first so many players against all others.
    Gauntlet {
        /// How many run it.
        seeds: usize,
    },
    /// So many rounds among players with like scores.
    Swiss {
        /// How many.
        rounds: usize,
    },
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::RoundRobin => "round-robin",
            Kind::Gauntlet { .. } => "gauntlet",
            Kind::Swiss { .. } => "swiss",
        })
    }
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fixture {
    /// Its number within the event, from 0: even numbers begin a pair of games.
    pub number: usize,
    /// Of the round it belongs to, from 0.
    pub round: usize,
    /// Who moves first and who second, as numbers of players.
    pub players: [usize; 2],
    /// The number of the opening.
    pub opening: usize,
}

/// The plan of an event whose games are known beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The rounds that make one cycle: in each, who meets whom.
    cycle: Vec<Vec<[usize; 2]>>,
    meetings: usize,
    pairs: usize,
}

impl Plan {
    /// Everybody, or everybody with the seeds, `pairs` times: each time from another opening, and with both
    /// colours. `None` for Swiss, which no plan can foresee.
    pub fn new(kind: Kind, players: usize, pairs: usize) -> Option<Plan> {
        let cycle = match kind {
            Kind::RoundRobin => circle(players),
            Kind::Gauntlet { seeds } => gauntlet(seeds.min(players), players),
            Kind::Swiss { .. } => return None,
        };
        let meetings = cycle.iter().map(Vec::len).sum();
        Some(Plan { cycle, meetings, pairs })
    }

    /// How many games.
    pub fn games(&self) -> usize {
        2 * self.meetings * self.pairs
    }

    /// The game of this number.
    pub fn game(&self, number: usize) -> Option<Fixture> {
        let pair = number / 2;
        let cycle = pair.checked_div(self.meetings).filter(|&cycle| cycle < self.pairs)?;
        let mut within = pair % self.meetings;
        for (round, meetings) in self.cycle.iter().enumerate() {
            if let Some(&[one, two]) = meetings.get(within) {
                // Whoever begins the first game of a pair changes from cycle to cycle, so that an odd game
                // left over by an interruption favours nobody for long.
                let turned = (number + cycle) % 2 == 1;
                let players = if turned { [two, one] } else { [one, two] };
                return Some(Fixture {
                    number,
                    round: cycle * self.cycle.len() + round,
                    players,
                    opening: cycle,
                });
            }
            within -= meetings.len();
        }
        None
    }
}

/// The circle method: the last player stays, the others walk round; with an odd number somebody sits out.
pub(crate) fn circle(players: usize) -> Vec<Vec<[usize; 2]>> {
    let seats = players + players % 2;
    (0..seats.saturating_sub(1))
        .map(|round| {
            let at = |seat: usize| if seat == 0 { seats - 1 } else { (round + seat) % (seats - 1) };
            (0..seats / 2)
                .map(|table| [at(table), at(seats - 1 - table)])
                // The one who stays would otherwise always begin.
                .map(|[one, two]| if round % 2 == 0 { [two, one] } else { [one, two] })
                .filter(|meeting| meeting.iter().all(|&player| player < players))
                .collect()
        })
        .collect()
}

fn gauntlet(seeds: usize, players: usize) -> Vec<Vec<[usize; 2]>> {
    (seeds..players).map(|other| (0..seeds).map(|seed| [seed, other]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_seats_everybody_once_a_round() {
        for players in 2..12 {
            let rounds = circle(players);
            assert_eq!(rounds.len(), players - 1 + players % 2);
            for round in &rounds {
                let mut seated: Vec<usize> = round.iter().flatten().copied().collect();
                seated.sort_unstable();
                seated.dedup();
                assert_eq!(seated.len(), players - players % 2, "{players} players");
            }
        }
        assert!(circle(0).iter().flatten().next().is_none() && circle(1).iter().flatten().next().is_none());
    }
}
