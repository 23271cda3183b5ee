//! The schedule of one event as it unfolds: which game comes next, given the results so far. For a Swiss the
//! rounds are found one by one, each a pure function of those before it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::event::Event;
use crate::line::Result;
use crate::schedule::{Fixture, Kind, Plan};
use crate::swiss::{Round, Table};

/// The results of an event so far, by the number of the game.
pub type Results = BTreeMap<usize, Result>;

/// The games of an event.
#[derive(Clone, Debug)]
pub struct Agenda {
    players: usize,
    pairs: usize,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Planned(Plan),
    Swiss { rounds: usize, known: RefCell<(Table, Vec<Round>)> },
}

impl Agenda {
    /// The games of this event.
    pub fn new(event: &Event) -> Agenda {
        let (players, pairs) = (event.players.len(), event.pairs);
        let shape = match (event.kind(), Plan::new(event.kind(), players, pairs)) {
            (_, Some(plan)) => Shape::Planned(plan),
            (Kind::Swiss { rounds }, None) => {
                Shape::Swiss { rounds, known: RefCell::new((Table::new(players), Vec::new())) }
            }
            // Nothing but a Swiss has no plan.
            (_, None) => Shape::Swiss { rounds: 0, known: RefCell::new((Table::new(players), Vec::new())) },
        };
        Agenda { players, pairs, shape }
    }

    /// How many games there will be.
    pub fn games(&self) -> usize {
        match &self.shape {
            Shape::Planned(plan) => plan.games(),
            Shape::Swiss { rounds, .. } => rounds * self.round_size(),
        }
    }

    /// Games of a Swiss round.
    fn round_size(&self) -> usize {
        self.players / 2 * self.meeting_size()
    }

    /// Games of two players who meet.
    fn meeting_size(&self) -> usize {
        2 * self.pairs
    }

    /// The game of this number; `None` when there is none, or when it hangs on results that are missing.
    pub fn game(&self, number: usize, results: &Results) -> Option<Fixture> {
        match &self.shape {
            Shape::Planned(plan) => plan.game(number),
            Shape::Swiss { rounds, known } => {
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
                let [one, two] = *known.1.get(round)?.meetings.get(within / self.meeting_size())?;
                let game = within % self.meeting_size();
                // Whoever is higher in the table begins in even rounds.
                let players = if (game + round) % 2 == 1 { [two, one] } else { [one, two] };
                Some(Fixture { number, round, players, opening: round * self.pairs + game / 2 })
            }
        }
    }

    /// Who sits out which round, as far as rounds are known.
    pub fn byes(&self) -> Vec<usize> {
        match &self.shape {
            Shape::Planned(_) => Vec::new(),
            Shape::Swiss { known, .. } => known.borrow().1.iter().filter_map(|round| round.bye).collect(),
        }
    }

    /// Games that a bye counts for.
    pub fn bye_games(&self) -> usize {
        self.meeting_size()
    }

    /// Counts the results of a round, if it is complete.
    fn close(
        &self,
        round: usize,
        (table, rounds): &mut (Table, Vec<Round>),
        results: &Results,
    ) -> Option<()> {
        let begin = round * self.round_size();
        if (begin..begin + self.round_size()).any(|number| !results.contains_key(&number)) {
            return None;
        }
        let Round { meetings, bye } = rounds.get(round)?.clone();
        for (index, players) in meetings.into_iter().enumerate() {
            let first = begin + index * self.meeting_size();
            let mut points = [0, 0];
            for number in first..first + self.meeting_size() {
                let result = results.get(&number)?;
                let turned = (number + round) % 2 == 1;
                for (seat, side) in tesuji_game::Side::BOTH.into_iter().enumerate() {
                    points[if turned { 1 - seat } else { seat }] += result.half_points(side);
                }
            }
            table.meeting(players, points);
        }
        if let Some(player) = bye {
            table.bye(player, self.meeting_size() as u32);
        }
        Some(())
    }
}
