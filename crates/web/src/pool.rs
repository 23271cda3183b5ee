//! A fair, bounded pool of searches.
//!
//! A search needs a slot. Who finds none waits: clients take turns, and of one client the first comes first. Moves to
//! play and analyses take turns as well, so that a player does not wait behind a hundred analyses. A search that has
//! had its slice ends early when somebody waits.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tesuji_task::CancelToken;
use tokio::sync::oneshot;

use crate::config::Limits;
use crate::error::ApiError;
use crate::state::Client;

/// The pool; clones are the same.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    slots: usize,
    slice: Duration,
    most: usize,
    most_per_client: usize,
}

/// What is asked for, in order of urgency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// Somebody waits for a move.
    Move = 0,
    /// Somebody looks at values.
    Analysis = 1,
}

/// What a search does for those that wait once it has had its slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sharing {
    /// It is ended early.
    EndsEarly,
    /// It has many parts and makes room between them.
    MakesRoom,
}

#[derive(Default)]
struct Queue {
    lanes: [Turns; 2],
    /// The lane that is served next if both wait.
    next: usize,
    running: HashMap<u64, Running>,
    /// Searches that run or wait, by client.
    clients: HashMap<Client, usize>,
    total: usize,
    number: u64,
}

/// The waiting searches of a lane: a queue for each client, and the order of their turns.
#[derive(Default)]
struct Turns {
    order: VecDeque<Client>,
    waiting: HashMap<Client, VecDeque<Waiting>>,
    count: usize,
}

struct Waiting {
    number: u64,
    grant: oneshot::Sender<()>,
}

struct Running {
    since: Instant,
    stop: Arc<Stop>,
}

/// How a search is ended from outside.
#[derive(Default)]
pub(crate) struct Stop {
    pub(crate) cancel: CancelToken,
    shared: AtomicBool,
}

impl Stop {
    /// Whether it was ended because others waited.
    pub(crate) fn made_room(&self) -> bool {
        self.shared.load(Ordering::Relaxed)
    }
}

/// A place among those that run or wait; dropping it ends or forgets the search.
pub(crate) struct Ticket {
    pool: Pool,
    client: Client,
    lane: Lane,
    number: u64,
    grant: Option<oneshot::Receiver<()>>,
    pub(crate) stop: Arc<Stop>,
    /// Chosen before it waits for a slot.
    pub(crate) sharing: Sharing,
}

impl Turns {
    fn push(&mut self, client: Client, waiting: Waiting) {
        let own = self.waiting.entry(client).or_default();
        if own.is_empty() {
            self.order.push_back(client);
        }
        own.push_back(waiting);
        self.count += 1;
    }

    /// The next one: the first of the client whose turn it is.
    fn pop(&mut self) -> Option<Waiting> {
        let client = self.order.pop_front()?;
        let own = self.waiting.get_mut(&client)?;
        let first = own.pop_front();
        if own.is_empty() {
            self.waiting.remove(&client);
        } else {
            self.order.push_back(client);
        }
        self.count -= usize::from(first.is_some());
        first
    }

    fn forget(&mut self, client: Client, number: u64) -> bool {
        let Some(own) = self.waiting.get_mut(&client) else { return false };
        let Some(at) = own.iter().position(|waiting| waiting.number == number) else { return false };
        own.remove(at);
        if own.is_empty() {
            self.waiting.remove(&client);
            self.order.retain(|other| *other != client);
        }
        self.count -= 1;
        true
    }

    /// How many are served before this one, itself included.
    fn place(&self, client: Client, number: u64) -> Option<usize> {
        let own = self.waiting.get(&client)?;
        let at = own.iter().position(|waiting| waiting.number == number)?;
        let turn = self.order.iter().position(|other| *other == client)?;
        // Before it: as many of each client as of this one, and one more of those whose turn comes first.
        let before = self.order.iter().enumerate().filter(|(_, other)| **other != client).map(|(index, other)| {
            let length = self.waiting.get(other).map_or(0, VecDeque::len);
            length.min(at + usize::from(index < turn))
        });
        Some(at + before.sum::<usize>() + 1)
    }
}

impl Queue {
    /// Gives free slots to those who wait.
    fn serve(&mut self, slots: usize) {
        while self.running.len() < slots {
            let lane = if self.lanes[self.next].count > 0 { self.next } else { 1 - self.next };
            let Some(waiting) = self.lanes[lane].pop() else { return };
            // The receiver may be gone; then its ticket is being dropped and serves again.
            if waiting.grant.send(()).is_ok() {
                self.next = 1 - lane;
                let stop = Arc::default();
                self.running.insert(waiting.number, Running { since: Instant::now(), stop });
            }
        }
    }

    fn waiting(&self) -> usize {
        self.lanes.iter().map(|lane| lane.count).sum()
    }
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> Pool {
        Pool(Arc::new(Shared {
            queue: Mutex::default(),
            slots: limits.searches.max(1),
            slice: limits.slice,
            most: limits.jobs,
            most_per_client: limits.jobs_per_client,
        }))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the queue.
    ///
    /// # Errors
    /// Too many run or wait already.
    pub(crate) fn join(&self, client: Client, lane: Lane) -> Result<Ticket, ApiError> {
        let mut queue = self.queue();
        let own = queue.clients.get(&client).copied().unwrap_or_default();
        // Everybody on this machine comes from one address, behind which nobody hides.
        if queue.total >= self.0.most || !client.is_local() && own >= self.0.most_per_client {
            return Err(ApiError::too_many("too many searches at a time; close one, or try again later"));
        }
        queue.total += 1;
        queue.number += 1;
        *queue.clients.entry(client).or_default() += 1;
        let number = queue.number;
        let (grant, granted) = oneshot::channel();
        queue.lanes[lane as usize].push(client, Waiting { number, grant });
        queue.serve(self.0.slots);
        Ok(Ticket {
            pool: self.clone(),
            client,
            lane,
            number,
            grant: Some(granted),
            stop: Arc::default(),
            sharing: Sharing::EndsEarly,
        })
    }

    /// Ends searches that have had their slice, as many as wait.
    pub(crate) fn share(&self) {
        let queue = self.queue();
        let mut old: Vec<&Running> =
            queue.running.values().filter(|running| running.since.elapsed() >= self.0.slice).collect();
        old.sort_by_key(|running| running.since);
        for running in old.iter().take(queue.waiting()) {
            running.stop.shared.store(true, Ordering::Relaxed);
            running.stop.cancel.cancel();
        }
    }

    /// Searches that run, and those that wait.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let queue = self.queue();
        (queue.running.len(), queue.waiting())
    }
}

impl Ticket {
    /// How many are served before this one, itself included; none when it has a slot.
    pub(crate) fn place(&self) -> Option<usize> {
        let queue = self.pool.queue();
        let other = queue.lanes[1 - self.lane as usize].count;
        let own = queue.lanes[self.lane as usize].place(self.client, self.number)?;
        // The lanes take turns.
        Some(own + own.min(other))
    }

    /// Waits for a slot.
    pub(crate) async fn slot(&mut self) {
        if let Some(grant) = &mut self.grant {
            // The sender is dropped with the pool only.
            let _ = grant.await;
            self.grant = None;
            self.begin();
        }
    }

    fn begin(&self) {
        if self.sharing == Sharing::MakesRoom {
            return;
        }
        if let Some(running) = self.pool.queue().running.get_mut(&self.number) {
            running.stop = Arc::clone(&self.stop);
        }
    }

    /// Between two parts of a long work: lets others go first when they wait and this one has had its slice.
    pub(crate) fn make_room(&mut self) {
        let granted = {
            let mut queue = self.pool.queue();
            let slice = self.pool.0.slice;
            let is_over = queue.running.get(&self.number).is_some_and(|running| running.since.elapsed() >= slice);
            if !is_over || queue.waiting() == 0 {
                return;
            }
            queue.running.remove(&self.number);
            let (grant, granted) = oneshot::channel();
            queue.lanes[self.lane as usize].push(self.client, Waiting { number: self.number, grant });
            queue.serve(self.pool.0.slots);
            granted
        };
        let _ = granted.blocking_recv();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.cancel.cancel();
        let mut queue = self.pool.queue();
        if queue.running.remove(&self.number).is_none() {
            queue.lanes[self.lane as usize].forget(self.client, self.number);
        }
        queue.total -= 1;
        if let Some(own) = queue.clients.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                queue.clients.remove(&self.client);
            }
        }
        queue.serve(self.pool.0.slots);
    }
}
