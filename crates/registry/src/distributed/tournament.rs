//! Matches and tournaments in units of a pair of games.

use std::collections::HashMap;
use std::path::Path;

use tesuji_arena::{
    EventRunner, GameWorker, ScheduledGame, TournamentConfig, TournamentReferee, TournamentUnits, UnitRuling, UnitRun,
    facts, play_unit,
};

use super::{CollectedJob, Ruling, UnitFeed, UnitJob, UnitReferee, UnitResults};
use crate::{Competition, Error, Registry};

struct TournamentJob {
    config: TournamentConfig,
    runners: Vec<Box<dyn EventRunner>>,
    units: TournamentUnits,
    registry: Registry,
}

pub(super) fn open(registry: &Registry, config: &str) -> Result<Box<dyn UnitJob>, Error> {
    let config = TournamentConfig::parse(config).map_err(Error::invalid)?;
    let runners = registry.event_runners(&config).map_err(Error::invalid)?;
    let units = TournamentUnits::new(config.clone());
    Ok(Box::new(TournamentJob { config, runners, units, registry: registry.clone() }))
}

impl UnitJob for TournamentJob {
    fn identity(&self) -> String {
        let facts = facts(&self.config, &self.runners).into_iter();
        facts.map(|(key, value)| format!("{key} = {value}\n")).collect()
    }

    fn units(&self) -> u32 {
        self.units.total()
    }

    fn waiting(&self) -> Vec<std::ops::Range<u32>> {
        self.units.waiting()
    }

    fn work(&self, feed: &mut dyn UnitFeed) -> Result<(), Error> {
        let mut workers: HashMap<usize, Box<dyn GameWorker + '_>> = HashMap::new();
        while let Some(unit) = feed.next() {
            let unknown = || Error::failed(format!("unit {} is not in the schedule", unit.number));
            let games: Vec<ScheduledGame> = match &unit.payload {
                Some(payload) => serde_json::from_str(payload).map_err(Error::failed)?,
                None => self.units.games(unit.number).ok_or_else(unknown)?,
            };
            let event = self.units.event(unit.number).ok_or_else(unknown)?;
            let runner = self.runners.get(event).ok_or_else(unknown)?;
            let worker = workers.entry(event).or_insert_with(|| runner.worker());
            match play_unit(worker.as_mut(), &games, &unit.cancel) {
                UnitRun::Played(lines) => feed.done(lines.into_bytes()),
                UnitRun::Abandoned => {}
                UnitRun::Failed(message) => return Err(Error::failed(message)),
            }
        }
        Ok(())
    }

    fn referee(&self) -> Option<Box<dyn UnitReferee>> {
        self.units.is_refereed().then(|| Box::new(self.units.referee()) as Box<dyn UnitReferee>)
    }

    fn collect(&self, out: &Path, results: UnitResults<'_>) -> Result<CollectedJob, Error> {
        let mut results = results.map(|result| result.map_err(|error| error.to_string()));
        let games = self.units.in_order(&mut results).map_err(Error::failed)?;
        let competition = Competition::assemble(&self.registry, self.config.clone(), out, games)?;
        Ok(CollectedJob::Tournament {
            standings: competition.standings(),
            files: competition.write_files(&self.registry)?,
        })
    }
}

impl UnitReferee for TournamentReferee {
    fn missing(&self, most: usize) -> Vec<u32> {
        TournamentReferee::missing(self, most)
    }

    fn take(&mut self, unit: u32, result: &[u8]) -> Result<(), Error> {
        TournamentReferee::take(self, unit, result).map_err(Error::failed)
    }

    fn rule(&mut self) -> Vec<Ruling> {
        let payload = |(unit, games): (u32, Vec<ScheduledGame>)| {
            // Numbers alone: serialisation cannot fail.
            (unit, serde_json::to_string(&games).unwrap_or_default())
        };
        let ruling = |ruling| match ruling {
            UnitRuling::Cancel(units) => Ruling::Cancel(units),
            UnitRuling::Release(units) => Ruling::Release(units.into_iter().map(payload).collect()),
        };
        TournamentReferee::rule(self).into_iter().map(ruling).collect()
    }
}
