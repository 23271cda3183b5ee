//! Running a tournament: workers take the next game of the schedule, one writer puts results into the journal,
//! and whatever stops it, what was written stays and the rest can be played later.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tesuji_search::Stop;

use crate::agenda::Agenda;
use crate::config::Config;
use crate::counted::{Prefix, Test};
use crate::ledger::{Ledger, LedgerError};
use crate::line::{FailureLine, GameLine};
use crate::schedule::Fixture;
use crate::stage::{Board, Sitting, Stage, StageError};

/// A player that did not start so often in a row is not paired any more.
pub const START_FAILURES: usize = 3;

/// How soon a stop is noticed.
const GLANCE: Duration = Duration::from_millis(20);

/// Sets up the event of a number; whoever knows the games gives one to the tournament.
pub type Stages<'a> = &'a dyn Fn(&Config, usize) -> Result<Box<dyn Stage>, StageError>;

/// Why a tournament cannot be set up or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An event cannot be set up.
    #[error("event {number} ({game}): {error}")]
    Stage {
        /// Which one, from 1.
        number: usize,
        /// Its game.
        game: String,
        /// Why.
        error: Box<StageError>,
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

/// News from a running tournament.
#[derive(Debug)]
pub enum News<'a> {
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
    stages: Vec<Box<dyn Stage>>,
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
            let wrong = |error| TournamentError::Stage {
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
    pub fn stages(&self) -> &[Box<dyn Stage>] {
        &self.stages
    }

    /// Plays what is missing, on a machine with so many cores, telling `watch`. After `stop` is raised no
    /// further move is asked for, and games under way are forgotten.
    pub fn run(
        &mut self,
        cores: usize,
        stop: &Stop,
        watch: &mut dyn FnMut(&News<'_>),
    ) -> Result<Finish, TournamentError> {
        let Tournament { config, stages, agendas, ledger } = self;
        let (workers, warning) = config.workers(cores);
        if ledger.torn() {
            watch(&News::Warning("the last line of the journal was cut short and is dropped".to_owned()));
        }
        if let Some(warning) = warning {
            watch(&News::Warning(warning));
        }
        let mut desk = Desk::new(config, agendas, ledger);
        watch(&News::Began { done: desk.done(), total: desk.total(), workers });
        let halt = Stop::new();
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
            halt.raise();
            drop(give);
            ended
        })?;
        let missing = desk.missing();
        Ok(match missing {
            0 => Finish::Complete,
            missing if stop.raised() => Finish::Interrupted(missing),
            missing => Finish::Incomplete(missing),
        })
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
struct Job {
    event: usize,
    fixture: Fixture,
}

/// Plays jobs until there are no more.
fn work(stages: &[Box<dyn Stage>], jobs: &Mutex<Receiver<Job>>, back: &Sender<(Job, Sitting)>, halt: &Stop) {
    let mut tables: HashMap<usize, Box<dyn Board + '_>> = HashMap::new();
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let (Ok(job), false) = (job, halt.raised()) else { return };
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
                Sitting::Broken("the arena itself panicked; this is a defect worth reporting".to_owned())
            }
        };
        if back.send((job, sitting)).is_err() {
            return;
        }
    }
}

/// Whoever hands out games and writes down results.
struct Desk<'a> {
    config: &'a Config,
    agendas: &'a [Agenda],
    ledger: &'a mut Ledger,
    events: Vec<Progress>,
}

/// Where an event stands in this run.
struct Progress {
    /// Every game before this was played, or handed out, or given up.
    cursor: usize,
    /// How often each player has failed to start, in a row.
    failures: HashMap<usize, usize>,
    barred: HashSet<usize>,
    prefix: Option<Prefix>,
    /// There is no opening for its games.
    closed: bool,
}

impl<'a> Desk<'a> {
    fn new(config: &'a Config, agendas: &'a [Agenda], ledger: &'a mut Ledger) -> Desk<'a> {
        let progress = |(index, event)| {
            let mut prefix = Prefix::new(event);
            if let Some(prefix) = &mut prefix {
                prefix.advance(ledger.games(index));
            }
            Progress { cursor: 0, failures: HashMap::new(), barred: HashSet::new(), prefix, closed: false }
        };
        let events = config.events.iter().enumerate().map(progress).collect();
        Desk { config, agendas, ledger, events }
    }

    fn done(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.ledger.games(event).len()).sum()
    }

    /// Games in all, as far as can be told: a test may end an event at any time.
    fn total(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.size(event)).sum()
    }

    fn missing(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.size(event) - self.ledger.games(event).len()).sum()
    }

    fn size(&self, event: usize) -> usize {
        if self.decided(event) { self.ledger.games(event).len() } else { self.agendas[event].games() }
    }

    fn decided(&self, event: usize) -> bool {
        self.events[event].prefix.as_ref().is_some_and(|prefix| prefix.test.end.is_some())
    }

    /// Hands out games and takes results until nothing is left to do.
    fn conduct(
        &mut self,
        workers: usize,
        give: &Sender<Job>,
        results: &Receiver<(Job, Sitting)>,
        halt: &Stop,
        stop: &Stop,
        watch: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LedgerError> {
        let mut running = 0;
        loop {
            if stop.raised() {
                halt.raise();
                return Ok(());
            }
            while running < workers
                && let Some(job) = self.next()
            {
                if give.send(job).is_err() {
                    return Ok(());
                }
                running += 1;
            }
            if running == 0 {
                return Ok(());
            }
            match results.recv_timeout(GLANCE) {
                Ok((job, sitting)) => {
                    running -= 1;
                    self.take(job, sitting, watch)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// The next game that can be played now.
    fn next(&mut self) -> Option<Job> {
        for event in 0..self.agendas.len() {
            if self.decided(event) || self.events[event].closed {
                continue;
            }
            let (agenda, results) = (&self.agendas[event], self.ledger.results(event));
            let progress = &mut self.events[event];
            while progress.cursor < agenda.games() {
                // A round of a Swiss that is not complete: other events may go on meanwhile.
                let Some(fixture) = agenda.game(progress.cursor, results) else { break };
                progress.cursor += 1;
                let barred = fixture.players.iter().any(|player| progress.barred.contains(player));
                if !barred && !results.contains_key(&fixture.number) {
                    return Some(Job { event, fixture });
                }
            }
        }
        None
    }

    /// Writes down how a game went.
    fn take(
        &mut self,
        job: Job,
        sitting: Sitting,
        watch: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LedgerError> {
        let Job { event, fixture } = job;
        let name = |player: usize| {
            let entrant = self.config.events.get(event).and_then(|event| event.players.get(player));
            entrant.map(|entrant| entrant.name.clone()).unwrap_or_default()
        };
        match sitting {
            Sitting::Abandoned => {}
            Sitting::NoOpening(error) => {
                self.events[event].closed = true;
                watch(&News::Warning(format!("event {}: {error}", event + 1)));
            }
            Sitting::Broken(message) => {
                let failure = FailureLine { event, number: fixture.number, player: String::new(), message };
                watch(&News::Failure(&failure));
                self.ledger.fail(failure)?;
            }
            Sitting::Unplayed { player, message } => {
                let failure = FailureLine {
                    event,
                    number: fixture.number,
                    player: name(player),
                    message: message.clone(),
                };
                watch(&News::Failure(&failure));
                self.ledger.fail(failure)?;
                let progress = &mut self.events[event];
                let failures = progress.failures.entry(player).or_default();
                *failures += 1;
                if *failures >= START_FAILURES && progress.barred.insert(player) {
                    watch(&News::Barred { event, player: &name(player), message: &message });
                }
            }
            Sitting::Played(game) => {
                let number = game.number;
                self.ledger.add(*game)?;
                let (done, total) = (self.done(), self.total());
                if let Some(game) = self.ledger.games(event).get(&number) {
                    watch(&News::Game { game, done, total });
                }
                let progress = &mut self.events[event];
                for player in fixture.players {
                    progress.failures.remove(&player);
                }
                if let Some(prefix) = progress.prefix.as_mut().filter(|prefix| prefix.test.end.is_none()) {
                    prefix.advance(self.ledger.games(event));
                    if prefix.test.end.is_some() {
                        watch(&News::Decided { event, test: &prefix.test });
                    }
                }
            }
        }
        Ok(())
    }
}
