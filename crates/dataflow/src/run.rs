//! One process of a run: its connections, its workers, and what they report.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{Control, Outbox, Partition, ShareStage, SolveProgress};
use tesuji_solve::tablebase::{ClassInfo, ClassSummary, Metric, TablebaseId, TablebaseSummary, WriteProgress};
use tesuji_task::CancelToken;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};

use crate::cluster::Cluster;
use crate::error::DataflowError;
use crate::exchange::Exchange;
use crate::link::{Watch, connect};
use crate::worker::{Ended, Orders, ShareWorker};

/// What to build.
#[derive(Clone, Debug)]
pub struct DataflowJob {
    /// The directory of the tablebase at process 0, and of unfinished work at all. Processes may share one.
    pub dir: PathBuf,
    /// The identity of the tablebase.
    pub id: TablebaseId,
    /// What to store.
    pub metric: Metric,
    /// Stages to solve.
    pub stages: usize,
    /// Memory limit of this process in bytes.
    pub memory: u64,
    /// The processes.
    pub cluster: Cluster,
    /// Boards per band, as a power of two; for tests of small games. A file has the blocks of an ordinary tablebase
    /// when a band has 2,048 boards or more.
    pub band_bits: Option<u32>,
    /// Ends this process, and so all others.
    pub cancel: CancelToken,
}

/// The usual band: small enough that every worker has hundreds.
const BAND_BITS: u32 = 16;

impl DataflowJob {
    pub(crate) fn partition<G: PerfectIndex>(&self, _: &G) -> Partition {
        Partition::new(self.cluster.workers(), self.band_bits.unwrap_or(BAND_BITS))
    }

    /// Whether all stages are solved, so that predecessors of every class are counted.
    pub(crate) fn is_complete<G: PerfectIndex>(&self, game: &G) -> bool {
        self.stages >= game.stages().len()
    }

    /// Bytes that this process needs at its peak.
    pub fn peak<G: PerfectIndex>(&self, game: &G) -> u64 {
        let (partition, mut earlier, mut peak) = (self.partition(game), 0, 0);
        for classes in game.stages().iter().take(self.stages) {
            let working = ShareStage::memory(game, classes, partition);
            let packets = Outbox::memory(partition.shares(), (working / 4) as usize) + UNDER_WAY;
            peak = peak.max(working + earlier + packets);
            // One class of an earlier stage at a time, one byte per board.
            let places = classes.iter().map(|&class| u64::from(partition.places(game.size(class))));
            earlier = earlier.max(places.max().unwrap_or(0));
        }
        peak * self.cluster.workers as u64
    }

    /// What all processes of a run have in common, in words.
    fn describe(&self) -> String {
        let TablebaseId { game, rules, index } = &self.id;
        let Cluster { workers, .. } = self.cluster;
        let (stages, processes) = (self.stages, self.cluster.processes());
        let metric = if self.metric == Metric::Dtw { "distances" } else { "outcomes" };
        let bits = self.band_bits.unwrap_or(BAND_BITS);
        format!(
            "of {processes}, {workers} workers each: {game} rules {rules} index {index}, {stages} stages, {metric}, \
             bands of 2^{bits}"
        )
    }
}

/// Messages and buffers of a worker under way.
const UNDER_WAY: u64 = 24 << 20;

/// An event of a run, reported by the first worker of a process.
#[derive(Clone, Debug)]
pub enum DataflowEvent {
    /// All processes are connected.
    Connected,
    /// A problem that was worked around.
    Warning(String),
    /// Progress of retrograde analysis over all workers. A checkpoint is possible.
    Solving(SolveProgress),
    /// A stage is solved, or was already.
    Solved {
        /// The stage, from 0.
        stage: usize,
    },
    /// Progress of the statistics of a class. A checkpoint is possible.
    Counting {
        /// The name of the class.
        class: String,
        /// Bands done by this worker.
        done: u64,
        /// Its bands.
        total: u64,
    },
    /// The statistics of a class are complete; only at process 0.
    Counted(ClassSummary),
    /// Progress of writing a class.
    Writing {
        /// The name of the class.
        class: String,
        /// The progress.
        progress: WriteProgress,
    },
    /// A file is written; only at process 0.
    Written(ClassInfo),
    /// Nothing new.
    Waiting,
}

/// The result of a run.
#[derive(Debug)]
pub enum DataflowResult {
    /// Everything is built; process 0 has the statistics and the files.
    Done(Option<TablebaseSummary>),
    /// Stopped on request, after a common checkpoint; the same processes resume there.
    Stopped,
}

/// How often the observer is asked when nothing happens.
const PULSE: Duration = Duration::from_millis(50);

/// A process that misses another keeps its own connections so long, so that the others miss the same one first.
const LINGER: Duration = Duration::from_millis(500);

/// What a worker returns.
type Outcome = Result<(Ended, Option<TablebaseSummary>), DataflowError>;

/// Runs one process of a build, to its end or until a process is lost. The observer is called several times a second.
///
/// [`Control::Checkpoint`] has an effect at process 0, [`Control::Stop`] at every one.
///
/// # Errors
/// The processes do not find each other, do not fit together or are lost, or a file cannot be written. The same
/// processes, started again, resume at the last round that all of them have on disk.
pub fn build<G: PerfectIndex + Send + 'static>(
    game: &Arc<G>,
    start: G::Board,
    job: &DataflowJob,
    watch: &mut dyn FnMut(DataflowEvent) -> Control,
) -> Result<DataflowResult, DataflowError> {
    let needed = job.peak(&**game);
    if needed > job.memory {
        return Err(DataflowError::Memory { needed, allowed: job.memory });
    }
    fs::create_dir_all(&job.dir).map_err(|source| DataflowError::Directory { path: job.dir.clone(), source })?;
    let state = Arc::new(Watch::default());
    let sockets = match job.cluster.processes() {
        1 => vec![None],
        _ => connect(&job.cluster, &job.describe(), &state, &job.cancel)?,
    };
    watch(DataflowEvent::Connected);
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(job.cluster.workers, hooks.refill.clone(), None);
    let (builders, network) =
        initialize_networking_from_sockets(inner, sockets, job.cluster.process, job.cluster.workers, hooks)
            .map_err(DataflowError::Connection)?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();

    let orders = Arc::new(Orders::default());
    let (sender, events) = channel();
    let place = game.rank(start);
    let shared = Shared {
        game: Arc::clone(game),
        start: (place.class, place.index),
        job: job.clone(),
        orders: Arc::clone(&orders),
        watch: Arc::clone(&state),
        // A sender per worker, so that the channel ends with the last of them.
        senders: Mutex::new(vec![sender; job.cluster.workers]),
    };
    let work = move |worker: &mut timely::worker::Worker| shared.run(worker);
    let guards = timely::execute::execute_from(builders, Box::new(()), WorkerConfig::default(), work)
        .map_err(DataflowError::Panicked)?;
    loop {
        let event = match events.recv_timeout(PULSE) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => DataflowEvent::Waiting,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        match watch(event) {
            Control::Continue => {}
            Control::Checkpoint => {
                orders.checkpoints.fetch_add(1, Ordering::Relaxed);
            }
            Control::Stop => orders.stop.store(true, Ordering::Relaxed),
        }
    }
    let outcomes: Vec<Outcome> = guards
        .join()
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(|text| Err(DataflowError::Panicked(text))))
        .collect();
    let result = settle(outcomes);
    if result.is_ok() {
        // Waits until everything is sent. A process that is lost only now is not missed.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(network)));
        state.release();
    } else {
        if let Err(DataflowError::Lost { .. }) = result {
            std::thread::sleep(LINGER);
        }
        // The threads of lost connections end by themselves; waiting for them would be an error to timely.
        std::mem::forget(network);
        state.release();
    }
    result
}

/// The result of a process from those of its workers: of several errors the one that says most.
fn settle(outcomes: Vec<Outcome>) -> Result<DataflowResult, DataflowError> {
    let (mut summary, mut stopped, mut worst) = (None, false, None::<DataflowError>);
    for outcome in outcomes {
        match outcome {
            Ok((ended, found)) => {
                stopped |= ended == Ended::Stopped;
                summary = summary.or(found);
            }
            Err(error) if worst.as_ref().is_none_or(|known| known.weight() < error.weight()) => worst = Some(error),
            Err(_) => {}
        }
    }
    match worst {
        Some(error) => Err(error),
        None if stopped => Ok(DataflowResult::Stopped),
        None => Ok(DataflowResult::Done(summary)),
    }
}

/// What the workers of a process have in common.
struct Shared<G> {
    game: Arc<G>,
    start: (u8, u32),
    job: DataflowJob,
    orders: Arc<Orders>,
    watch: Arc<Watch>,
    senders: Mutex<Vec<Sender<DataflowEvent>>>,
}

impl<G: PerfectIndex + Send + 'static> Shared<G> {
    /// The work of one thread.
    fn run(&self, worker: &mut timely::worker::Worker) -> Outcome {
        let sender = self.senders.lock().unwrap_or_else(|broken| broken.into_inner()).pop();
        // Also when this worker panics the others of this process are to end.
        let mut alarm = Alarm { watch: &self.watch, is_armed: true };
        let is_first = worker.index().is_multiple_of(self.job.cluster.workers);
        let exchange = Exchange::new(worker, &self.job.cluster, &self.watch, &self.job.cancel);
        let (events, _open) = if is_first { (sender, None) } else { (None, sender) };
        let found = ShareWorker::new(&self.game, self.start, &self.job, &self.orders, exchange, events)
            .and_then(ShareWorker::run);
        alarm.is_armed = found.is_err();
        found
    }
}

/// Lets the other workers of a process end when one fails.
struct Alarm<'a> {
    watch: &'a Watch,
    is_armed: bool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if self.is_armed {
            self.watch.fail();
        }
    }
}
