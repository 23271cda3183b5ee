//! The threads of a worker: they take claimed units from a short local queue and hand over what became of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tesuji_registry::{Unit, UnitFeed, UnitJob};
use tesuji_task::CancelToken;

use crate::queue::{ClaimedUnit, UnitResult};

/// A unit by its job and number.
pub(crate) type UnitId = (i64, u32);

/// What became of a unit.
pub(crate) enum Outcome {
    Done(UnitResult),
    Failed { unit: UnitId, message: String },
    Abandoned(UnitId),
}

/// What the threads of a worker share.
pub(crate) struct Session {
    state: Mutex<State>,
    changed: Condvar,
    cancel: CancelToken,
}

#[derive(Default)]
struct State {
    jobs: HashMap<i64, Arc<dyn UnitJob>>,
    queue: VecDeque<ClaimedUnit>,
    running: HashMap<UnitId, CancelToken>,
    is_ended: bool,
}

impl Session {
    pub(crate) fn new() -> Session {
        Session { state: Mutex::default(), changed: Condvar::new(), cancel: CancelToken::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job whose units may be pushed.
    pub(crate) fn add_job(&self, id: i64, job: Arc<dyn UnitJob>) {
        self.state().jobs.insert(id, job);
    }

    pub(crate) fn job(&self, id: i64) -> Option<Arc<dyn UnitJob>> {
        self.state().jobs.get(&id).cloned()
    }

    /// Hands units to the threads.
    pub(crate) fn push(&self, units: Vec<ClaimedUnit>) {
        self.state().queue.extend(units);
        self.changed.notify_all();
    }

    /// Units that wait, and units that are being done.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.queue.len(), state.running.len())
    }

    /// Drops units that the worker does not hold any more. Returns those that wait or are being done.
    pub(crate) fn keep_only(&self, held: &HashSet<UnitId>) -> HashSet<UnitId> {
        let mut state = self.state();
        state.queue.retain(|unit| held.contains(&(unit.job, unit.number)));
        state.running.iter().filter(|(unit, _)| !held.contains(unit)).for_each(|(_, cancel)| cancel.cancel());
        let waiting = state.queue.iter().map(|unit| (unit.job, unit.number));
        waiting.chain(state.running.keys().copied()).collect()
    }

    /// Lets the threads end: what is being done is abandoned, what waits is dropped.
    pub(crate) fn end(&self) {
        self.cancel.cancel();
        self.state().is_ended = true;
        self.changed.notify_all();
    }

    /// The job of the next unit, once there is one; `None` at the end.
    fn next_job(&self) -> Option<(i64, Arc<dyn UnitJob>)> {
        let mut state = self.state();
        loop {
            if state.is_ended {
                return None;
            }
            if let Some(unit) = state.queue.front() {
                let id = unit.job;
                if let Some(job) = state.jobs.get(&id) {
                    return Some((id, Arc::clone(job)));
                }
                state.queue.pop_front();
                continue;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next unit, once there is one, if it is of this job.
    fn take(&self, job: i64) -> Option<Unit> {
        let mut state = self.state();
        loop {
            if state.is_ended || state.queue.front().is_some_and(|unit| unit.job != job) {
                return None;
            }
            if let Some(ClaimedUnit { number, payload, .. }) = state.queue.pop_front() {
                let cancel = self.cancel.child();
                state.running.insert((job, number), cancel.clone());
                return Some(Unit { number, payload, cancel });
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does units until the end: the work of one thread.
    pub(crate) fn run(&self, outbox: &Sender<Outcome>) {
        while let Some((id, job)) = self.next_job() {
            let mut feed = ThreadFeed { session: self, job: id, outbox, current: None };
            let worked = catch_unwind(AssertUnwindSafe(|| job.work(&mut feed)));
            let message = match worked {
                Ok(Ok(())) => None,
                Ok(Err(tesuji_registry::Error::Cancelled)) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                    Some(format!("the worker panicked: {}", text.unwrap_or("no message")))
                }
            };
            // A job that fails before it takes a unit fails with the unit that it would have taken.
            if message.is_some() && feed.current.is_none() {
                feed.current = self.take(id).map(|unit| (unit, Instant::now()));
            }
            feed.settle(message);
        }
    }
}

/// The units of one job, for one thread.
struct ThreadFeed<'a> {
    session: &'a Session,
    job: i64,
    outbox: &'a Sender<Outcome>,
    current: Option<(Unit, Instant)>,
}

impl ThreadFeed<'_> {
    /// Ends the current unit without a result.
    fn settle(&mut self, message: Option<String>) {
        if let Some((Unit { number, cancel, .. }, _)) = self.current.take() {
            let unit = (self.job, number);
            self.send(match message.filter(|_| !cancel.is_cancelled()) {
                Some(message) => Outcome::Failed { unit, message },
                None => Outcome::Abandoned(unit),
            });
        }
    }

    fn send(&self, outcome: Outcome) {
        let unit = match &outcome {
            Outcome::Done(result) => (result.job, result.number),
            Outcome::Failed { unit, .. } | Outcome::Abandoned(unit) => *unit,
        };
        // Sent before it is removed, so that the unit is always in one of the two. Without a receiver the worker has ended.
        let _ = self.outbox.send(outcome);
        self.session.state().running.remove(&unit);
    }
}

impl UnitFeed for ThreadFeed<'_> {
    fn next(&mut self) -> Option<Unit> {
        self.settle(None);
        let unit = self.session.take(self.job)?;
        self.current = Some((unit.clone(), Instant::now()));
        Some(unit)
    }

    fn done(&mut self, result: Vec<u8>) {
        if let Some((unit, begun)) = self.current.take() {
            let seconds = begun.elapsed().as_secs_f64();
            self.send(Outcome::Done(UnitResult { job: self.job, number: unit.number, bytes: result, seconds }));
        }
    }
}
