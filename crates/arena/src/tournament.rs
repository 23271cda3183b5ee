//! Running a tournament: worker threads play scheduled games, the dispatcher writes results into the journal. What was
//! written survives any interruption, and the rest can be played later.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use tesuji_search::CancelToken;

use crate::config::TournamentConfig;
use crate::counted::SprtState;
use crate::dispatcher::{Dispatcher, Job};
use crate::journal::{JournalError, TournamentJournal};
use crate::journal_entry::{FailureEntry, GameEntry};
use crate::runner::{EventError, EventRunner, GameRun, GameWorker};
use crate::schedule::EventSchedule;

/// A player that fails to start this often in a row is no longer paired.
pub const START_FAILURES: usize = 3;

/// Why a tournament cannot be set up or resumed.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An event cannot be set up.
    #[error("event {number} ({game}): {error}")]
    Event {
        /// Its number, from 1.
        number: usize,
        /// Its game.
        game: String,
        /// The reason.
        error: Box<EventError>,
    },
    /// The files of the tournament do not allow it.
    #[error(transparent)]
    Journal(Box<JournalError>),
}

impl TournamentError {
    /// The event of this number, from 0, cannot be set up.
    pub fn event(config: &TournamentConfig, index: usize, error: EventError) -> TournamentError {
        let game = config.events.get(index).map(|event| event.game.clone()).unwrap_or_default();
        TournamentError::Event { number: index + 1, game, error: Box::new(error) }
    }
}

impl From<JournalError> for TournamentError {
    fn from(error: JournalError) -> TournamentError {
        TournamentError::Journal(Box::new(error))
    }
}

/// An event of a running tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// The run starts.
    Began {
        /// Games played before.
        done: usize,
        /// Games in all.
        total: usize,
        /// Games at a time.
        workers: usize,
    },
    /// A game has ended and is in the journal.
    Game {
        /// The game.
        game: &'a GameEntry,
        /// Games played so far.
        done: usize,
        /// Games in all.
        total: usize,
    },
    /// A player did not start.
    Failure(&'a FailureEntry),
    /// A player is no longer paired.
    Barred {
        /// The number of the event, from 0.
        event: usize,
        /// The player.
        player: &'a str,
        /// Its last error message.
        message: &'a str,
    },
    /// A sequential test has ended.
    Decided {
        /// The number of the event, from 0.
        event: usize,
        /// The test.
        test: &'a SprtState,
    },
    /// A warning for the user.
    Warning(String),
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Every game was played.
    Complete,
    /// The run was cancelled; this many games are missing.
    Interrupted(usize),
    /// This many games could not be played.
    Incomplete(usize),
}

/// A tournament with its games.
pub struct Tournament {
    config: TournamentConfig,
    runners: Vec<Box<dyn EventRunner>>,
    schedules: Vec<EventSchedule>,
    journal: TournamentJournal,
}

impl Tournament {
    /// A tournament that is not stored. `runners` are those of the events of `config`, in order.
    pub fn in_memory(config: TournamentConfig, runners: Vec<Box<dyn EventRunner>>) -> Tournament {
        let journal = TournamentJournal::in_memory(&config);
        Tournament::new(config, runners, journal)
    }

    /// Starts a tournament in a folder, which must not hold another.
    pub fn create(
        folder: &Path,
        config: TournamentConfig,
        runners: Vec<Box<dyn EventRunner>>,
    ) -> Result<Tournament, TournamentError> {
        let journal = TournamentJournal::create(folder, &config, facts(&config, &runners))?;
        Ok(Tournament::new(config, runners, journal))
    }

    /// Resumes the tournament of a folder, whose configuration [`TournamentJournal::config`] reads.
    pub fn open(
        folder: &Path,
        config: TournamentConfig,
        runners: Vec<Box<dyn EventRunner>>,
    ) -> Result<Tournament, TournamentError> {
        let journal = TournamentJournal::open(folder, &config, facts(&config, &runners))?;
        Ok(Tournament::new(config, runners, journal))
    }

    /// Writes the journal of a tournament whose games were played elsewhere, into a new folder. The games are those of
    /// [`TournamentUnits::in_order`](crate::TournamentUnits::in_order).
    pub fn assemble(
        folder: &Path,
        config: TournamentConfig,
        runners: Vec<Box<dyn EventRunner>>,
        games: Vec<(String, GameEntry)>,
    ) -> Result<Tournament, TournamentError> {
        let mut tournament = Tournament::create(folder, config, runners)?;
        for (line, game) in games {
            tournament.journal.add_line(&line, game)?;
        }
        Ok(tournament)
    }

    fn new(config: TournamentConfig, runners: Vec<Box<dyn EventRunner>>, journal: TournamentJournal) -> Tournament {
        let schedules = config.events.iter().map(EventSchedule::new).collect();
        Tournament { config, runners, schedules, journal }
    }

    /// The configuration.
    pub fn config(&self) -> &TournamentConfig {
        &self.config
    }

    /// The games so far.
    pub fn journal(&self) -> &TournamentJournal {
        &self.journal
    }

    /// The runners of the events, in order.
    pub fn runners(&self) -> &[Box<dyn EventRunner>] {
        &self.runners
    }

    /// Plays the missing games on a machine with `cores` cores and reports events. Once `cancel` is cancelled no
    /// further move is requested, and games under way are dropped.
    pub fn run(
        &mut self,
        cores: usize,
        cancel: &CancelToken,
        report: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<Finish, TournamentError> {
        let Tournament { config, runners, schedules, journal } = self;
        let (workers, warning) = config.workers(cores);
        if journal.torn() {
            report(&TournamentEvent::Warning("the last line of the journal was incomplete and is dropped".to_owned()));
        }
        if let Some(warning) = warning {
            report(&TournamentEvent::Warning(warning));
        }
        let mut dispatcher = Dispatcher::new(config, schedules, journal);
        report(&TournamentEvent::Began { done: dispatcher.done(), total: dispatcher.total(), workers });
        let halt = CancelToken::new();
        let (jobs, queue) = channel::<Job>();
        let (back, results) = channel();
        let queue = Mutex::new(queue);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (back, queue, halt, runners) = (back.clone(), &queue, &halt, &*runners);
                scope.spawn(move || work(runners, queue, &back, halt));
            }
            drop(back);
            let ended = dispatcher.run(workers, &jobs, &results, &halt, cancel, report);
            halt.cancel();
            drop(jobs);
            ended
        })?;
        let missing = dispatcher.missing();
        Ok(match missing {
            0 => Finish::Complete,
            missing if cancel.is_cancelled() => Finish::Interrupted(missing),
            missing => Finish::Incomplete(missing),
        })
    }
}

/// Everything that the games depend on, by name.
pub fn facts(config: &TournamentConfig, runners: &[Box<dyn EventRunner>]) -> Vec<(String, String)> {
    let mut facts = vec![("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())];
    facts.extend(config.facts());
    for (index, runner) in runners.iter().enumerate() {
        let own = runner.facts().into_iter();
        facts.extend(own.map(|(key, value)| (format!("event {}, {key}", index + 1), value)));
    }
    facts
}

/// Plays jobs until there are no more.
fn work(
    runners: &[Box<dyn EventRunner>],
    queue: &Mutex<Receiver<Job>>,
    back: &Sender<(Job, GameRun)>,
    halt: &CancelToken,
) {
    let mut workers: HashMap<usize, Box<dyn GameWorker + '_>> = HashMap::new();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let (Ok(job), false) = (job, halt.is_cancelled()) else { return };
        let Some(runner) = runners.get(job.event) else { return };
        let mut worker = workers.remove(&job.event).unwrap_or_else(|| runner.worker());
        let run = catch_unwind(AssertUnwindSafe(|| {
            let run = worker.play(&job.game, halt);
            (worker, run)
        }));
        let run = match run {
            Ok((worker, run)) => {
                workers.insert(job.event, worker);
                run
            }
            Err(_) => GameRun::Broken("the arena itself panicked; this is a defect worth reporting".to_owned()),
        };
        if back.send((job, run)).is_err() {
            return;
        }
    }
}
