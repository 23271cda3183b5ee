//! Running a tournament: workers take the next game of the schedule, one writer puts results into the journal,
//! and whatever stops it, what was written stays and the rest can be played later.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use tesuji_search::CancelToken;

use crate::agenda::Agenda;
use crate::config::Config;
use crate::counted::Test;
use crate::desk::{Dispatcher, Job};
use crate::ledger::{Ledger, LedgerError};
use crate::line::{FailureLine, GameLine};
use crate::stage::{Board, EventError, EventRunner, GameRun};

/// A player that did not start so often in a row is not paired any more.
pub const START_FAILURES: usize = 3;

/// Sets up the event of a number; whoever knows the games gives one to the tournament.
pub type Stages<'a> = &'a dyn Fn(&Config, usize) -> Result<Box<dyn EventRunner>, EventError>;

/// Why a tournament cannot be set up or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An event cannot be set up.
    #[error("event {number} ({game}): {error}")]
    EventRunner {
        /// Which one, from 1.
        number: usize,
        /// Its game.
        game: String,
        /// Why.
        error: Box<EventError>,
    },
    /// Its files do not allow it.
    #[error(transparent)]
    Ledger(Box<LedgerError>),
}

impl From<LedgerError> for TournamentError {
    fn from(error: LedgerError) -> TournamentError {
        TournamentError::Ledger(Box::new(error))
    }
}

/// TournamentEvent from a running tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// It begins, or goes on.
    Began {
        /// Games that were there already.
        done: usize,
        /// Games in all.
        total: usize,
        /// Games at a time.
        workers: usize,
    },
    /// A game has ended and is in the journal.
    Game {
        /// The game.
        game: &'a GameLine,
        /// Games that are there.
        done: usize,
        /// Games in all.
        total: usize,
    },
    /// A player did not start.
    Failure(&'a FailureLine),
    /// A player is not paired any more.
    Barred {
        /// The number of the event, from 0.
        event: usize,
        /// Who.
        player: &'a str,
        /// What it said last.
        message: &'a str,
    },
    /// A sequential test has ended.
    Decided {
        /// The number of the event, from 0.
        event: usize,
        /// The test.
        test: &'a Test,
    },
    /// Something to know.
    Warning(String),
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Everything was played.
    Complete,
    /// Somebody stopped it; so many games are missing.
    Interrupted(usize),
    /// So many games could not be played.
    Incomplete(usize),
}

/// A tournament with its games.
pub struct Tournament {
    config: Config,
    stages: Vec<Box<dyn EventRunner>>,
    agendas: Vec<Agenda>,
    ledger: Ledger,
}

impl Tournament {
    /// A tournament that is written nowhere.
    pub fn in_memory(config: Config, stages: Stages<'_>) -> Result<Tournament, TournamentError> {
        let ledger = Ledger::in_memory(&config);
        Tournament::new(config, stages, |_, _| Ok(ledger))
    }

    /// Begins a tournament in a folder, which must not hold another.
    pub fn create(folder: &Path, config: Config, stages: Stages<'_>) -> Result<Tournament, TournamentError> {
        Tournament::new(config, stages, |config, facts| Ledger::create(folder, config, facts))
    }

    /// Goes on with the tournament of a folder.
    pub fn open(folder: &Path, stages: Stages<'_>) -> Result<Tournament, TournamentError> {
        let config = Ledger::config(folder)?;
        Tournament::new(config, stages, |config, facts| Ledger::open(folder, config, facts))
    }

    fn new(
        config: Config,
        stages: Stages<'_>,
        ledger: impl FnOnce(&Config, Vec<(String, String)>) -> Result<Ledger, LedgerError>,
    ) -> Result<Tournament, TournamentError> {
        let mut facts = vec![("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())];
        facts.extend(config.facts());
        let mut made = Vec::new();
        for (index, event) in config.events.iter().enumerate() {
            let wrong = |error| TournamentError::EventRunner {
                number: index + 1,
                game: event.game.clone(),
                error: Box::new(error),
            };
            let stage = stages(&config, index).map_err(wrong)?;
            let own = stage.facts().into_iter();
            facts.extend(own.map(|(key, value)| (format!("event {}, {key}", index + 1), value)));
            made.push(stage);
        }
        let ledger = ledger(&config, facts)?;
        let agendas = config.events.iter().map(Agenda::new).collect();
        Ok(Tournament { config, stages: made, agendas, ledger })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The games so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The events with their games.
    pub fn stages(&self) -> &[Box<dyn EventRunner>] {
        &self.stages
    }

    /// Plays what is missing, on a machine with so many cores, telling `watch`. After `stop` is raised no
    /// further move is asked for, and games under way are forgotten.
    pub fn run(
        &mut self,
        cores: usize,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<Finish, TournamentError> {
        let Tournament { config, stages, agendas, ledger } = self;
        let (workers, warning) = config.workers(cores);
        if ledger.torn() {
            watch(&TournamentEvent::Warning(
                "the last line of the journal was cut short and is dropped".to_owned(),
            ));
        }
        if let Some(warning) = warning {
            watch(&TournamentEvent::Warning(warning));
        }
        let mut desk = Dispatcher::new(config, agendas, ledger);
        watch(&TournamentEvent::Began { done: desk.done(), total: desk.total(), workers });
        let halt = CancelToken::new();
        let (give, take) = channel::<Job>();
        let (back, results) = channel();
        let take = Mutex::new(take);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (back, take, halt, stages) = (back.clone(), &take, &halt, &*stages);
                scope.spawn(move || work(stages, take, &back, halt));
            }
            drop(back);
            let ended = desk.conduct(workers, &give, &results, &halt, stop, watch);
            halt.cancel();
            drop(give);
            ended
        })?;
        let missing = desk.missing();
        Ok(match missing {
            0 => Finish::Complete,
            missing if stop.is_cancelled() => Finish::Interrupted(missing),
            missing => Finish::Incomplete(missing),
        })
    }
}

/// Plays jobs until there are no more.
fn work(
    stages: &[Box<dyn EventRunner>],
    jobs: &Mutex<Receiver<Job>>,
    back: &Sender<(Job, GameRun)>,
    halt: &CancelToken,
) {
    let mut tables: HashMap<usize, Box<dyn Board + '_>> = HashMap::new();
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let (Ok(job), false) = (job, halt.is_cancelled()) else { return };
        let Some(stage) = stages.get(job.event) else { return };
        let mut table = tables.remove(&job.event).unwrap_or_else(|| stage.table());
        let sitting = catch_unwind(AssertUnwindSafe(|| {
            let sitting = table.play(&job.fixture, halt);
            (table, sitting)
        }));
        let sitting = match sitting {
            Ok((table, sitting)) => {
                tables.insert(job.event, table);
                sitting
            }
            Err(_) => {
                GameRun::Broken("the arena itself panicked; this is a defect worth reporting".to_owned())
            }
        };
        if back.send((job, sitting)).is_err() {
            return;
        }
    }
}
