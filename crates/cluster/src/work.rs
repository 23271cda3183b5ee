//! A worker: one connection that claims, delivers and keeps the lease, and threads that do the units.
//!
//! While the database is away the threads go on with what is claimed, and results wait here until they are taken.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_registry::{DistributedJob, Registry, UnitJob};
use tesuji_task::CancelToken;

use crate::queue::{Introduction, QueuedJob, UnitResult};
use crate::referee::Referees;
use crate::session::{Outcome, Session, UnitId};
use crate::{ClusterError, Database, Queue};

/// How a worker works.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkRequest {
    /// Its name, for people.
    pub name: String,
    /// Units at a time.
    pub threads: usize,
    /// Units claimed at a time; by default about a second of work.
    pub batch: Option<usize>,
    /// A unit is queued again when nothing was heard of its worker for this long.
    pub lease: Duration,
    /// Ends when nothing is left to do.
    pub until_idle: bool,
    /// Only these jobs; all by default.
    pub jobs: Vec<i64>,
}

/// What happens to a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum WorkEvent {
    /// It is known to the queue.
    Began {
        /// Its number.
        worker: i64,
    },
    /// It works on a job.
    Accepted {
        /// The job.
        job: i64,
        /// Its name.
        name: String,
    },
    /// It does not work on a job.
    Refused {
        /// The job.
        job: i64,
        /// Its name.
        name: String,
        /// What differs.
        reason: String,
    },
    /// A unit failed.
    Failed {
        /// The job.
        job: i64,
        /// The unit.
        unit: u32,
        /// The error.
        message: String,
    },
    /// The lease had ended before a heartbeat: its units were queued again, and their results are dropped.
    LeaseEnded,
    /// The database is away.
    Unavailable {
        /// Why.
        message: String,
        /// Results that wait to be delivered.
        waiting: usize,
    },
    /// The database is back.
    Reconnected,
    /// As a referee it ended a sequential test, or a book is complete.
    Decided {
        /// The job.
        job: i64,
        /// Units that are not needed.
        units: usize,
    },
}

/// What a worker has done.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WorkSummary {
    /// Units whose results were taken.
    pub units: u64,
    /// Units that failed.
    pub failed: u64,
    /// Times the lease had ended.
    pub leases_ended: u64,
}

/// Results wait at most this long.
const DELIVERY: Duration = Duration::from_millis(500);
/// And at most this many bytes.
const DELIVERY_BYTES: usize = 16 << 20;
/// How often new jobs are looked for.
const JOBS: Duration = Duration::from_secs(3);
/// How often a referee looks at results.
const REFEREE: Duration = Duration::from_millis(250);
/// Waits for units, and for a database that is away, grow from the first to the second.
const WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];
/// The longest wait for units that a referee may release at any moment.
const RELEASE: Duration = Duration::from_millis(500);
/// A worker that is asked to end tries this long to deliver what it has.
const FAREWELL: Duration = Duration::from_secs(10);
/// Units that are claimed at once, at most.
const LARGEST_BATCH: usize = 1000;

/// Works until the token is cancelled, or until nothing is left to do if the request says so. Units that were begun are
/// given back at the end, results are delivered.
///
/// # Errors
/// The database cannot be reached at the beginning or does not let us in, or results could not be delivered at the end.
pub fn work(
    registry: &Registry,
    database: &Database,
    request: &WorkRequest,
    cancel: &CancelToken,
    events: &mut dyn FnMut(WorkEvent),
) -> Result<WorkSummary, ClusterError> {
    let session = Session::new();
    let (outbox, outcomes) = channel();
    // A worker that cannot connect at the beginning has the wrong address.
    let queue = Queue::connect(database)?;
    let mut link = Link::new(registry, database, request, &session, cancel, &outcomes, queue, events);
    std::thread::scope(|scope| {
        for _ in 0..request.threads {
            let (session, outbox) = (&session, outbox.clone());
            scope.spawn(move || session.run(&outbox));
        }
        drop(outbox);
        let worked = link.run();
        session.end();
        // The threads end as soon as what they do can be abandoned.
        while let Ok(outcome) = outcomes.recv() {
            link.take(outcome);
        }
        let ended = link.farewell();
        worked.and(ended)
    })?;
    Ok(link.summary)
}

/// The side of a worker that talks with the queue.
struct Link<'a> {
    registry: &'a Registry,
    database: &'a Database,
    request: &'a WorkRequest,
    session: &'a Session,
    cancel: &'a CancelToken,
    outcomes: &'a Receiver<Outcome>,
    events: &'a mut dyn FnMut(WorkEvent),
    queue: Option<Queue>,
    me: Option<i64>,
    /// Jobs that were judged, and whether this worker works on them.
    judged: HashMap<i64, Judgement>,
    /// Open jobs that this worker works on.
    accepted: Vec<i64>,
    signatures: HashMap<String, String>,
    referees: Referees,
    pending: Vec<UnitResult>,
    oldest: Option<Instant>,
    failures: Vec<(UnitId, String)>,
    returned: Vec<UnitId>,
    /// The mean time of a unit in seconds, of late.
    mean: Option<f64>,
    next_jobs: Instant,
    next_heartbeat: Instant,
    next_claim: Instant,
    next_referee: Instant,
    claim_wait: Duration,
    reconnect_wait: Duration,
    next_connect: Instant,
    is_away: bool,
    summary: WorkSummary,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Judgement {
    Refused,
    Accepted { is_refereed: bool },
}

impl<'a> Link<'a> {
    #[allow(clippy::too_many_arguments, reason = "one of each, of different types, at one place")]
    fn new(
        registry: &'a Registry,
        database: &'a Database,
        request: &'a WorkRequest,
        session: &'a Session,
        cancel: &'a CancelToken,
        outcomes: &'a Receiver<Outcome>,
        queue: Queue,
        events: &'a mut dyn FnMut(WorkEvent),
    ) -> Link<'a> {
        let now = Instant::now();
        Link {
            registry,
            database,
            request,
            session,
            cancel,
            outcomes,
            events,
            queue: Some(queue),
            me: None,
            judged: HashMap::new(),
            accepted: Vec::new(),
            signatures: HashMap::new(),
            referees: Referees::default(),
            pending: Vec::new(),
            oldest: None,
            failures: Vec::new(),
            returned: Vec::new(),
            mean: None,
            next_jobs: now,
            next_heartbeat: now,
            next_claim: now,
            next_referee: now,
            claim_wait: WAITS[0],
            reconnect_wait: WAITS[0],
            next_connect: now,
            is_away: false,
            summary: WorkSummary::default(),
        }
    }

    /// Works until there is a reason to end.
    fn run(&mut self) -> Result<(), ClusterError> {
        while !self.cancel.is_cancelled() {
            match self.exchange() {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => self.recover(error)?,
            }
            match self.outcomes.recv_timeout(Duration::from_millis(20)) {
                Ok(outcome) => {
                    self.take(outcome);
                    while let Ok(outcome) = self.outcomes.try_recv() {
                        self.take(outcome);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ClusterError::Failed("all threads of the worker have ended".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Keeps what became of a unit until the queue has taken it.
    fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Done(result) => {
                let mean = self.mean.unwrap_or(result.seconds);
                self.mean = Some(0.9 * mean + 0.1 * result.seconds);
                self.oldest.get_or_insert_with(Instant::now);
                self.pending.push(result);
            }
            Outcome::Failed { unit, message } => {
                (self.events)(WorkEvent::Failed { job: unit.0, unit: unit.1, message: message.clone() });
                self.summary.failed += 1;
                self.failures.push((unit, message));
            }
            Outcome::Abandoned(unit) => self.returned.push(unit),
        }
    }

    /// Everything that is due with the queue. Whether nothing is left to do.
    fn exchange(&mut self) -> Result<bool, ClusterError> {
        let now = Instant::now();
        if self.queue.is_none() {
            if now < self.next_connect {
                return Ok(false);
            }
            self.queue = Some(Queue::connect(self.database)?);
        }
        let me = match self.me {
            Some(me) => me,
            None => self.begin()?,
        };
        let Some(queue) = self.queue.as_mut() else { return Ok(false) };
        if now >= self.next_heartbeat {
            let held = queue.heartbeat(me, self.request.lease.as_secs_f64())?;
            self.next_heartbeat = now + self.request.lease / 3;
            self.reconcile(held.into_iter().collect());
        }
        if self.is_away {
            self.is_away = false;
            self.reconnect_wait = WAITS[0];
            (self.events)(WorkEvent::Reconnected);
        }
        if now >= self.next_jobs {
            self.judge_jobs(me)?;
            self.next_jobs = now + JOBS;
        }
        let bytes: usize = self.pending.iter().map(|result| result.bytes.len()).sum();
        let is_late = self.oldest.is_some_and(|oldest| oldest.elapsed() >= DELIVERY);
        // The threads have nothing to do: what is done is delivered, followed and replaced without a wait.
        let has_run_out = !self.pending.is_empty() && self.session.load() == (0, 0);
        if has_run_out {
            self.claim_wait = WAITS[0];
            (self.next_claim, self.next_referee) = (now, now);
        }
        if has_run_out || is_late || bytes >= DELIVERY_BYTES || self.pending.len() >= LARGEST_BATCH {
            self.deliver(me)?;
        }
        self.report(me)?;
        let is_idle = self.claim(me, now)?;
        if now >= self.next_referee {
            self.next_referee = now + REFEREE;
            self.follow(me)?;
        }
        Ok(is_idle)
    }

    /// Drops what the worker no longer holds, and gives back what it does not know: a connection may be lost after units
    /// were claimed and before we heard of them.
    fn reconcile(&mut self, held: HashSet<UnitId>) {
        let mut known = self.session.keep_only(&held);
        while let Ok(outcome) = self.outcomes.try_recv() {
            self.take(outcome);
        }
        known.extend(self.pending.iter().map(|result| (result.job, result.number)));
        known.extend(self.failures.iter().map(|(unit, _)| *unit));
        known.extend(self.returned.iter().copied());
        self.returned.extend(held.difference(&known).copied());
    }

    /// Introduces the worker.
    fn begin(&mut self) -> Result<i64, ClusterError> {
        let Some(queue) = self.queue.as_mut() else { return Err(ClusterError::LeaseEnded) };
        let who = Introduction {
            name: self.request.name.clone(),
            host: host(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads: self.request.threads,
        };
        let me = queue.hello(&who, self.request.lease.as_secs_f64())?;
        self.me = Some(me);
        self.next_heartbeat = Instant::now() + self.request.lease / 3;
        (self.events)(WorkEvent::Began { worker: me });
        Ok(me)
    }

    /// Delivers the results, in transactions of a bounded size.
    fn deliver(&mut self, me: i64) -> Result<(), ClusterError> {
        let Some(queue) = self.queue.as_mut() else { return Ok(()) };
        while !self.pending.is_empty() {
            let mut bytes = 0;
            let fits = |result: &&UnitResult| {
                bytes += result.bytes.len();
                bytes <= DELIVERY_BYTES
            };
            let count = self.pending.iter().take(LARGEST_BATCH).take_while(fits).count().max(1);
            let taken = queue.finish(me, &self.pending[..count])?;
            self.summary.units += taken as u64;
            self.pending.drain(..count);
        }
        self.oldest = None;
        Ok(())
    }

    /// Reports failures and gives units back.
    fn report(&mut self, me: i64) -> Result<(), ClusterError> {
        let Some(queue) = self.queue.as_mut() else { return Ok(()) };
        while let Some((unit, message)) = self.failures.last() {
            queue.fail(me, *unit, message)?;
            self.failures.pop();
        }
        if !self.returned.is_empty() {
            queue.give_back(me, &self.returned)?;
            self.returned.clear();
        }
        Ok(())
    }

    /// Claims units when few are left. Whether nothing is left to do at all.
    fn claim(&mut self, me: i64, now: Instant) -> Result<bool, ClusterError> {
        let (waiting, running) = self.session.load();
        let wanted = self.wanted();
        // Results that wait belong to units that are still leased: first things first.
        if now < self.next_claim || waiting * 2 > wanted || self.accepted.is_empty() && !self.request.until_idle {
            return Ok(false);
        }
        let most = match self.mean {
            // Long units are claimed when a thread is free, not before: others may be idle.
            Some(mean) if mean > 5.0 && self.request.batch.is_none() => {
                self.request.threads.saturating_sub(running + waiting)
            }
            _ => wanted.saturating_sub(waiting),
        };
        if most == 0 {
            return Ok(false);
        }
        self.deliver(me)?;
        let Some(queue) = self.queue.as_mut() else { return Ok(false) };
        let mut units = queue.claim(me, &self.accepted, most)?;
        units.sort_by_key(|unit| (unit.job, unit.number));
        if units.len() < most {
            self.next_claim = now + self.jittered(me, self.claim_wait);
            let is_refereed = |id: &i64| self.judged.get(id) == Some(&Judgement::Accepted { is_refereed: true });
            let longest = if self.accepted.iter().any(is_refereed) { RELEASE } else { WAITS[1] };
            self.claim_wait = (self.claim_wait * 2).min(longest);
        } else {
            self.claim_wait = WAITS[0];
        }
        let is_empty = units.is_empty() && waiting + running == 0 && self.pending.is_empty();
        self.session.push(units);
        if !(is_empty && self.request.until_idle) {
            return Ok(false);
        }
        // The jobs may have changed since they were looked at.
        self.judge_jobs(me)?;
        let Some(queue) = self.queue.as_mut() else { return Ok(false) };
        queue.is_idle(&self.accepted)
    }

    /// So many units are claimed at a time.
    fn wanted(&self) -> usize {
        let threads = self.request.threads;
        match (self.request.batch, self.mean) {
            (Some(batch), _) => batch,
            (None, None) => threads,
            (None, Some(mean)) => {
                let second = (threads as f64 / mean.max(1e-6)).ceil();
                (second.min(LARGEST_BATCH as f64) as usize).max(threads)
            }
        }
    }

    /// Judges the jobs that are new: their engines and everything their results depend on must be the same here.
    fn judge_jobs(&mut self, me: i64) -> Result<(), ClusterError> {
        let Some(queue) = self.queue.as_mut() else { return Ok(()) };
        let mut jobs = queue.open_jobs()?;
        jobs.retain(|job| self.request.jobs.is_empty() || self.request.jobs.contains(&job.id));
        self.accepted.clear();
        for job in jobs {
            let judgement = match self.judged.get(&job.id) {
                Some(judgement) => *judgement,
                None => match self.judge(&job) {
                    Err(ClusterError::Cancelled) => return Ok(()),
                    Err(error) => {
                        let reason = error.to_string();
                        if let Some(queue) = self.queue.as_mut() {
                            queue.refuse(me, job.id, &reason)?;
                        }
                        (self.events)(WorkEvent::Refused { job: job.id, name: job.name, reason });
                        Judgement::Refused
                    }
                    Ok(opened) => {
                        self.session.add_job(job.id, opened);
                        (self.events)(WorkEvent::Accepted { job: job.id, name: job.name });
                        Judgement::Accepted { is_refereed: job.is_refereed }
                    }
                },
            };
            self.judged.insert(job.id, judgement);
            if judgement != Judgement::Refused {
                self.accepted.push(job.id);
            }
        }
        Ok(())
    }

    fn judge(&mut self, queued: &QueuedJob) -> Result<Arc<dyn UnitJob>, ClusterError> {
        let job: DistributedJob = serde_json::from_str(&queued.request).map_err(|error| {
            ClusterError::Invalid(format!("this version of tesuji does not know such a job: {error}"))
        })?;
        let signature = match self.signatures.get(&queued.signature) {
            Some(signature) => signature.clone(),
            None => self.registry.signature(&job, self.cancel)?,
        };
        if signature != queued.signature {
            return Err(ClusterError::Invalid(format!(
                "it was submitted by {:?}, and these engines are {signature:?}: their games would differ",
                queued.signature
            )));
        }
        self.signatures.insert(queued.signature.clone(), signature);
        let opened = self.registry.unit_job(&job)?;
        if let Some(difference) = difference(&queued.identity, &opened.identity()) {
            return Err(ClusterError::Invalid(difference));
        }
        Ok(Arc::from(opened))
    }

    /// Looks at results, where this worker is the referee.
    fn follow(&mut self, me: i64) -> Result<(), ClusterError> {
        let Some(queue) = self.queue.as_mut() else { return Ok(()) };
        for &id in &self.accepted {
            if self.judged.get(&id) != Some(&Judgement::Accepted { is_refereed: true }) {
                continue;
            }
            if let Some(job) = self.session.job(id) {
                let ruled = self.referees.follow(queue, me, id, job.as_ref())?;
                if ruled.released > 0 {
                    self.next_claim = Instant::now();
                }
                if ruled.cancelled > 0 {
                    // Its own units may be among them.
                    self.next_heartbeat = Instant::now();
                    (self.events)(WorkEvent::Decided { job: id, units: ruled.cancelled });
                }
            }
        }
        Ok(())
    }

    /// What to do after an error: nothing is lost by a connection, and nothing is kept of a lease that has ended.
    fn recover(&mut self, error: ClusterError) -> Result<(), ClusterError> {
        match error {
            ClusterError::LeaseEnded => {
                self.me = None;
                self.referees.clear();
                drop(self.session.keep_only(&HashSet::new()));
                self.pending.clear();
                self.oldest = None;
                self.failures.clear();
                self.returned.clear();
                self.next_claim = Instant::now();
                self.summary.leases_ended += 1;
                (self.events)(WorkEvent::LeaseEnded);
                Ok(())
            }
            ClusterError::Unavailable(message) => {
                self.queue = None;
                let wait = self.jittered(self.me.unwrap_or_default(), self.reconnect_wait);
                self.next_connect = Instant::now() + wait;
                self.reconnect_wait = (self.reconnect_wait * 2).min(WAITS[1]);
                // The lease goes on while we are away.
                self.next_heartbeat = Instant::now();
                if !self.is_away {
                    (self.events)(WorkEvent::Unavailable { message, waiting: self.pending.len() });
                }
                self.is_away = true;
                Ok(())
            }
            error => Err(error),
        }
    }

    /// Delivers what is left and ends the worker; its other units are queued again.
    fn farewell(&mut self) -> Result<(), ClusterError> {
        let begun = Instant::now();
        loop {
            let said = match self.me {
                None => return Ok(()),
                Some(me) => self.say_farewell(me),
            };
            match said {
                Ok(()) | Err(ClusterError::LeaseEnded) => return Ok(()),
                Err(error) if !error.is_transient() || begun.elapsed() > FAREWELL => {
                    let results = self.pending.len();
                    return Err(ClusterError::Failed(format!(
                        "{error}; {results} results were not delivered, their units are queued again when the lease ends"
                    )));
                }
                Err(_) => {
                    self.queue = None;
                    std::thread::sleep(WAITS[0]);
                }
            }
        }
    }

    fn say_farewell(&mut self, me: i64) -> Result<(), ClusterError> {
        if self.queue.is_none() {
            self.queue = Some(Queue::connect(self.database)?);
        }
        self.deliver(me)?;
        self.report(me)?;
        self.queue.as_mut().map_or(Ok(()), |queue| queue.bye(me))
    }

    /// Half to all of a wait: workers that waited for the same thing do not come back together.
    fn jittered(&self, me: i64, wait: Duration) -> Duration {
        let mixed = (me as u64 ^ wait.as_micros() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        wait / 2 + wait.mul_f64(mixed as f64 / f64::from(1 << 24) / 2.0)
    }
}

/// The name of this machine.
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The first fact that differs between the submitter and this worker.
fn difference(there: &str, here: &str) -> Option<String> {
    if there == here {
        return None;
    }
    let mut lines = there.lines().zip(here.lines()).filter(|(there, here)| there != here);
    let (there, here) = lines.next().unwrap_or(("more settings", "fewer settings, or other ones"));
    Some(format!("where it was submitted: {there:?}; here: {here:?}"))
}
