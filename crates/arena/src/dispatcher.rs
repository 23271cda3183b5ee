//! Hands out games to workers and writes results into the journal. A single writer gives the journal its order and
//! tracks which players are no longer paired.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use tesuji_search::CancelToken;

use crate::config::TournamentConfig;
use crate::counted::SprtRun;
use crate::journal::{JournalError, TournamentJournal};
use crate::journal_entry::FailureEntry;
use crate::runner::GameRun;
use crate::schedule::{EventSchedule, ScheduledGame};
use crate::tournament::{START_FAILURES, TournamentEvent};

/// How often cancellation is checked.
const POLL: Duration = Duration::from_millis(20);

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) event: usize,
    pub(crate) game: ScheduledGame,
}

/// Hands out games and records results.
pub(crate) struct Dispatcher<'a> {
    config: &'a TournamentConfig,
    schedules: &'a [EventSchedule],
    journal: &'a mut TournamentJournal,
    events: Vec<EventProgress>,
}

/// The progress of an event in this run.
struct EventProgress {
    /// Every game before this one was played, handed out or skipped.
    cursor: usize,
    /// Consecutive failures to start, by player.
    failures: HashMap<usize, usize>,
    barred: HashSet<usize>,
    sprt: Option<SprtRun>,
    /// There are no openings for further games.
    closed: bool,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(
        config: &'a TournamentConfig,
        schedules: &'a [EventSchedule],
        journal: &'a mut TournamentJournal,
    ) -> Dispatcher<'a> {
        let progress = |(index, event)| {
            let mut sprt = SprtRun::new(event);
            if let Some(sprt) = &mut sprt {
                sprt.advance(journal.games(index));
            }
            EventProgress { cursor: 0, failures: HashMap::new(), barred: HashSet::new(), sprt, closed: false }
        };
        let events = config.events.iter().enumerate().map(progress).collect();
        Dispatcher { config, schedules, journal, events }
    }

    pub(crate) fn done(&self) -> usize {
        (0..self.schedules.len()).map(|event| self.journal.games(event).len()).sum()
    }

    /// Games in all. A sequential test may end an event early.
    pub(crate) fn total(&self) -> usize {
        (0..self.schedules.len()).map(|event| self.size(event)).sum()
    }

    pub(crate) fn missing(&self) -> usize {
        (0..self.schedules.len()).map(|event| self.size(event) - self.journal.games(event).len()).sum()
    }

    fn size(&self, event: usize) -> usize {
        if self.decided(event) { self.journal.games(event).len() } else { self.schedules[event].games() }
    }

    fn decided(&self, event: usize) -> bool {
        self.events[event].sprt.as_ref().is_some_and(|sprt| sprt.test.end.is_some())
    }

    /// Hands out games and records results until nothing is left to do.
    pub(crate) fn run(
        &mut self,
        workers: usize,
        jobs: &Sender<Job>,
        results: &Receiver<(Job, GameRun)>,
        halt: &CancelToken,
        cancel: &CancelToken,
        report: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<(), JournalError> {
        let mut running = 0;
        loop {
            if cancel.is_cancelled() {
                halt.cancel();
                return Ok(());
            }
            while running < workers
                && let Some(job) = self.next()
            {
                if jobs.send(job).is_err() {
                    return Ok(());
                }
                running += 1;
            }
            if running == 0 {
                return Ok(());
            }
            match results.recv_timeout(POLL) {
                Ok((job, run)) => {
                    running -= 1;
                    self.record(job, run, report)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// The next game that can be played now.
    fn next(&mut self) -> Option<Job> {
        for event in 0..self.schedules.len() {
            if self.decided(event) || self.events[event].closed {
                continue;
            }
            let (schedule, results) = (&self.schedules[event], self.journal.results(event));
            let progress = &mut self.events[event];
            while progress.cursor < schedule.games() {
                // A Swiss round waits for its results; other events go on meanwhile.
                let Some(game) = schedule.game(progress.cursor, results) else { break };
                progress.cursor += 1;
                let barred = game.players.iter().any(|player| progress.barred.contains(player));
                if !barred && !results.contains_key(&game.number) {
                    return Some(Job { event, game });
                }
            }
        }
        None
    }

    /// Records what happened to a game.
    fn record(
        &mut self,
        job: Job,
        run: GameRun,
        report: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<(), JournalError> {
        let Job { event, game } = job;
        let name = |player: usize| {
            let entrant = self.config.events.get(event).and_then(|event| event.players.get(player));
            entrant.map(|entrant| entrant.name.clone()).unwrap_or_default()
        };
        match run {
            GameRun::Abandoned => {}
            GameRun::NoOpening(error) => {
                // Several workers may have asked for one.
                if !std::mem::replace(&mut self.events[event].closed, true) {
                    report(&TournamentEvent::Warning(format!("event {}: {error}", event + 1)));
                }
            }
            GameRun::Broken(message) => {
                let failure = FailureEntry { event, number: game.number, player: String::new(), message };
                report(&TournamentEvent::Failure(&failure));
                self.journal.add_failure(failure)?;
            }
            GameRun::Unplayed { player, message } => {
                let failure =
                    FailureEntry { event, number: game.number, player: name(player), message: message.clone() };
                report(&TournamentEvent::Failure(&failure));
                self.journal.add_failure(failure)?;
                let progress = &mut self.events[event];
                let failures = progress.failures.entry(player).or_default();
                *failures += 1;
                if *failures >= START_FAILURES && progress.barred.insert(player) {
                    report(&TournamentEvent::Barred { event, player: &name(player), message: &message });
                }
            }
            GameRun::Played(entry) => {
                let number = entry.number;
                tracing::info!(
                    event = event + 1,
                    number,
                    first = name(game.players[0]),
                    second = name(game.players[1]),
                    "game finished"
                );
                self.journal.add(*entry)?;
                let (done, total) = (self.done(), self.total());
                if let Some(entry) = self.journal.games(event).get(&number) {
                    report(&TournamentEvent::Game { game: entry, done, total });
                }
                let progress = &mut self.events[event];
                for player in game.players {
                    progress.failures.remove(&player);
                }
                if let Some(sprt) = progress.sprt.as_mut().filter(|sprt| sprt.test.end.is_none()) {
                    sprt.advance(self.journal.games(event));
                    if sprt.test.end.is_some() {
                        report(&TournamentEvent::Decided { event, test: &sprt.test });
                    }
                }
            }
        }
        Ok(())
    }
}
