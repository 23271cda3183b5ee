//! A tournament in units for workers on many machines. A unit is a pair of games: the same opening with the sides
//! swapped. Units are numbered through all events; put together they make the journal of one machine.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tesuji_search::CancelToken;

use crate::config::TournamentConfig;
use crate::counted::SprtRun;
use crate::journal_entry::{GameEntry, JournalLine};
use crate::runner::{GameRun, GameWorker};
use crate::schedule::{EventSchedule, Results, ScheduledGame};

/// Games of a unit.
const PAIR: usize = 2;

/// The units of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentUnits {
    config: TournamentConfig,
    /// The units of each event.
    events: Vec<Range<u32>>,
}

/// What happened to a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitRun {
    /// Its games were played: their lines of the journal.
    Played(String),
    /// The run was cancelled.
    Abandoned,
    /// It could not be played.
    Failed(String),
}

/// What the referee of a tournament decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitRuling {
    /// A sequential test has ended: these units are not needed.
    Cancel(Range<u32>),
    /// A Swiss round is paired: the games of these units.
    Release(Vec<(u32, Vec<ScheduledGame>)>),
}

impl TournamentUnits {
    /// The units of a tournament.
    pub fn new(config: TournamentConfig) -> TournamentUnits {
        let mut next = 0;
        let units = |event| {
            let units = EventSchedule::new(event).games().div_ceil(PAIR) as u32;
            let range = next..next + units;
            next = range.end;
            range
        };
        let events = config.events.iter().map(units).collect();
        TournamentUnits { config, events }
    }

    /// The number of units.
    pub fn total(&self) -> u32 {
        self.events.last().map_or(0, |last| last.end)
    }

    /// The event of a unit.
    pub fn event(&self, unit: u32) -> Option<usize> {
        self.events.iter().position(|units| units.contains(&unit))
    }

    /// The units whose games are not known before others have ended.
    pub fn waiting(&self) -> Vec<Range<u32>> {
        let waiting = |(units, event): (&Range<u32>, _)| {
            let (schedule, none) = (EventSchedule::new(event), Results::new());
            let first = units.clone().find(|&unit| games(units, &schedule, unit, &none).is_none())?;
            Some(first..units.end)
        };
        self.events.iter().zip(&self.config.events).filter_map(waiting).collect()
    }

    /// The games of a unit that is not waiting.
    pub fn games(&self, unit: u32) -> Option<Vec<ScheduledGame>> {
        let event = self.event(unit)?;
        games(&self.events[event], &EventSchedule::new(&self.config.events[event]), unit, &Results::new())
    }

    /// Whether results decide what is played.
    pub fn is_refereed(&self) -> bool {
        self.config.events.iter().any(|event| event.sprt.is_some()) || !self.waiting().is_empty()
    }

    /// The referee, before any result.
    pub fn referee(&self) -> TournamentReferee {
        let schedules: Vec<EventSchedule> = self.config.events.iter().map(EventSchedule::new).collect();
        let sprts = self.config.events.iter().map(SprtRun::new).collect();
        let waiting = self.waiting();
        let released = self.events.iter().map(|units| {
            waiting.iter().find(|waiting| units.contains(&waiting.start)).map_or(units.end, |waiting| waiting.start)
        });
        TournamentReferee {
            released: released.collect(),
            games: vec![BTreeMap::new(); self.events.len()],
            results: vec![Results::new(); self.events.len()],
            missing: (0..self.total()).collect(),
            units: self.clone(),
            schedules,
            sprts,
        }
    }

    /// The games of all units in the order of a machine that plays one at a time: event by event, each until its test
    /// ended. Games are `(line, entry)`.
    ///
    /// # Errors
    /// A result is damaged, or belongs elsewhere.
    pub fn in_order(
        &self,
        results: &mut dyn Iterator<Item = Result<(u32, Vec<u8>), String>>,
    ) -> Result<Vec<(String, GameEntry)>, String> {
        let mut lines = vec![BTreeMap::new(); self.events.len()];
        let mut entries = vec![BTreeMap::new(); self.events.len()];
        for result in results {
            let (unit, bytes) = result?;
            let event = self.event(unit).ok_or_else(|| format!("there is no unit {unit}"))?;
            for (line, entry) in read(unit, &bytes)? {
                lines[event].insert(entry.number, line);
                entries[event].insert(entry.number, entry);
            }
        }
        let mut all = Vec::new();
        for ((event, lines), entries) in self.config.events.iter().zip(lines).zip(entries) {
            let mut sprt = SprtRun::new(event);
            if let Some(sprt) = &mut sprt {
                sprt.advance(&entries);
            }
            let end = sprt.and_then(|sprt| sprt.test.end).unwrap_or(usize::MAX);
            let played = lines.into_values().zip(entries.into_values());
            all.extend(played.take_while(|(_, entry)| entry.number < end));
        }
        Ok(all)
    }
}

fn games(units: &Range<u32>, schedule: &EventSchedule, unit: u32, results: &Results) -> Option<Vec<ScheduledGame>> {
    let first = (unit - units.start) as usize * PAIR;
    (first..(first + PAIR).min(schedule.games())).map(|number| schedule.game(number, results)).collect()
}

/// Reads the result of a unit: the lines of its games.
fn read(unit: u32, bytes: &[u8]) -> Result<Vec<(String, GameEntry)>, String> {
    let wrong = |what: &dyn std::fmt::Display| format!("the result of unit {unit} is damaged: {what}");
    let text = std::str::from_utf8(bytes).map_err(|error| wrong(&error))?;
    let game = |line: &str| match JournalLine::parse(line).map_err(|error| wrong(&error))? {
        JournalLine::Game(entry) => Ok((line.to_owned(), *entry)),
        _ => Err(wrong(&"no game")),
    };
    text.lines().map(game).collect()
}

/// Plays the games of a unit.
pub fn play_unit(worker: &mut dyn GameWorker, games: &[ScheduledGame], cancel: &CancelToken) -> UnitRun {
    let mut lines = Vec::new();
    for game in games {
        match worker.play(game, cancel) {
            GameRun::Played(entry) => lines.push(JournalLine::Game(entry).print()),
            GameRun::Abandoned => return UnitRun::Abandoned,
            GameRun::NoOpening(error) => return UnitRun::Failed(error.to_string()),
            GameRun::Unplayed { message, .. } | GameRun::Broken(message) => return UnitRun::Failed(message),
        }
    }
    UnitRun::Played(lines.join("\n"))
}

/// Follows the results of a tournament: ends sequential tests and pairs Swiss rounds. Its rulings follow from the results
/// alone, so another referee may take over at any time.
#[derive(Debug)]
pub struct TournamentReferee {
    units: TournamentUnits,
    schedules: Vec<EventSchedule>,
    sprts: Vec<Option<SprtRun>>,
    games: Vec<BTreeMap<usize, GameEntry>>,
    results: Vec<Results>,
    /// The first unit of each event that has not been released.
    released: Vec<u32>,
    /// Units without a result.
    missing: BTreeSet<u32>,
}

impl TournamentReferee {
    /// Up to `most` units whose results would be new, the first ones first.
    pub fn missing(&self, most: usize) -> Vec<u32> {
        self.missing.iter().copied().take(most).collect()
    }

    /// Takes the result of a unit.
    ///
    /// # Errors
    /// It is damaged.
    pub fn take(&mut self, unit: u32, bytes: &[u8]) -> Result<(), String> {
        let event = self.units.event(unit).ok_or_else(|| format!("there is no unit {unit}"))?;
        if self.missing.remove(&unit) {
            for (_, entry) in read(unit, bytes)? {
                self.results[event].insert(entry.number, entry.result);
                if self.sprts[event].is_some() {
                    self.games[event].insert(entry.number, entry);
                }
            }
        }
        Ok(())
    }

    /// Decides on the results so far.
    pub fn rule(&mut self) -> Vec<UnitRuling> {
        let mut rulings = Vec::new();
        for (event, units) in self.units.events.iter().enumerate() {
            if let Some(sprt) = self.sprts[event].as_mut().filter(|sprt| sprt.test.end.is_none()) {
                sprt.advance(&self.games[event]);
                if let Some(end) = sprt.test.end {
                    let rest = units.start + end.div_ceil(PAIR) as u32..units.end;
                    self.missing.retain(|unit| !rest.contains(unit));
                    rulings.push(UnitRuling::Cancel(rest));
                }
            }
            let mut round = Vec::new();
            while self.released[event] < units.end
                && let Some(games) = games(units, &self.schedules[event], self.released[event], &self.results[event])
            {
                round.push((self.released[event], games));
                self.released[event] += 1;
            }
            if !round.is_empty() {
                rulings.push(UnitRuling::Release(round));
            }
        }
        rulings
    }
}
