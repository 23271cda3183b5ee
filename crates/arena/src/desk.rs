//! Whoever hands out games and writes down results: one writer, so that the journal has an order, and one
//! place that knows who is not to be paired any more.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use tesuji_search::CancelToken;

use crate::agenda::Agenda;
use crate::config::Config;
use crate::counted::Prefix;
use crate::ledger::{Ledger, LedgerError};
use crate::line::FailureLine;
use crate::schedule::Fixture;
use crate::stage::GameRun;
use crate::tournament::{START_FAILURES, TournamentEvent};

/// How soon a stop is noticed.
const GLANCE: Duration = Duration::from_millis(20);

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) event: usize,
    pub(crate) fixture: Fixture,
}

/// Whoever hands out games and writes down results.
pub(crate) struct Dispatcher<'a> {
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

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(config: &'a Config, agendas: &'a [Agenda], ledger: &'a mut Ledger) -> Dispatcher<'a> {
        let progress = |(index, event)| {
            let mut prefix = Prefix::new(event);
            if let Some(prefix) = &mut prefix {
                prefix.advance(ledger.games(index));
            }
            Progress { cursor: 0, failures: HashMap::new(), barred: HashSet::new(), prefix, closed: false }
        };
        let events = config.events.iter().enumerate().map(progress).collect();
        Dispatcher { config, agendas, ledger, events }
    }

    pub(crate) fn done(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.ledger.games(event).len()).sum()
    }

    /// Games in all, as far as can be told: a test may end an event at any time.
    pub(crate) fn total(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.size(event)).sum()
    }

    pub(crate) fn missing(&self) -> usize {
        (0..self.agendas.len()).map(|event| self.size(event) - self.ledger.games(event).len()).sum()
    }

    fn size(&self, event: usize) -> usize {
        if self.decided(event) { self.ledger.games(event).len() } else { self.agendas[event].games() }
    }

    fn decided(&self, event: usize) -> bool {
        self.events[event].prefix.as_ref().is_some_and(|prefix| prefix.test.end.is_some())
    }

    /// Hands out games and takes results until nothing is left to do.
    pub(crate) fn conduct(
        &mut self,
        workers: usize,
        give: &Sender<Job>,
        results: &Receiver<(Job, GameRun)>,
        halt: &CancelToken,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<(), LedgerError> {
        let mut running = 0;
        loop {
            if stop.is_cancelled() {
                halt.cancel();
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
        sitting: GameRun,
        watch: &mut dyn FnMut(&TournamentEvent<'_>),
    ) -> Result<(), LedgerError> {
        let Job { event, fixture } = job;
        let name = |player: usize| {
            let entrant = self.config.events.get(event).and_then(|event| event.players.get(player));
            entrant.map(|entrant| entrant.name.clone()).unwrap_or_default()
        };
        match sitting {
            GameRun::Abandoned => {}
            GameRun::NoOpening(error) => {
                self.events[event].closed = true;
                watch(&TournamentEvent::Warning(format!("event {}: {error}", event + 1)));
            }
            GameRun::Broken(message) => {
                let failure = FailureLine { event, number: fixture.number, player: String::new(), message };
                watch(&TournamentEvent::Failure(&failure));
                self.ledger.fail(failure)?;
            }
            GameRun::Unplayed { player, message } => {
                let failure = FailureLine {
                    event,
                    number: fixture.number,
                    player: name(player),
                    message: message.clone(),
                };
                watch(&TournamentEvent::Failure(&failure));
                self.ledger.fail(failure)?;
                let progress = &mut self.events[event];
                let failures = progress.failures.entry(player).or_default();
                *failures += 1;
                if *failures >= START_FAILURES && progress.barred.insert(player) {
                    watch(&TournamentEvent::Barred { event, player: &name(player), message: &message });
                }
            }
            GameRun::Played(game) => {
                let number = game.number;
                self.ledger.add(*game)?;
                let (done, total) = (self.done(), self.total());
                if let Some(game) = self.ledger.games(event).get(&number) {
                    watch(&TournamentEvent::Game { game, done, total });
                }
                let progress = &mut self.events[event];
                for player in fixture.players {
                    progress.failures.remove(&player);
                }
                if let Some(prefix) = progress.prefix.as_mut().filter(|prefix| prefix.test.end.is_none()) {
                    prefix.advance(self.ledger.games(event));
                    if prefix.test.end.is_some() {
                        watch(&TournamentEvent::Decided { event, test: &prefix.test });
                    }
                }
            }
        }
        Ok(())
    }
}
