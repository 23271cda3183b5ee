//! A simulation: many workers over few connections, with the real queue and pretended work. It finds what one PostgreSQL
//! carries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Barrier;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use postgres::types::Type;
use serde::{Deserialize, Serialize};
use tesuji_task::CancelToken;

use crate::queue::{Introduction, UnitResult};
use crate::{ClusterError, Database, Queue};

/// What is simulated.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationRequest {
    /// Workers.
    pub workers: usize,
    /// Connections that they share.
    pub connections: usize,
    /// Units that a worker claims at a time.
    pub batch: usize,
    /// How long a unit takes.
    pub unit: Duration,
    /// Bytes of a result.
    pub bytes: usize,
    /// How long to go on.
    pub duration: Duration,
    /// The lease of a worker.
    pub lease: Duration,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SimulationReport {
    /// Workers.
    pub workers: usize,
    /// Connections.
    pub connections: usize,
    /// Units claimed at a time.
    pub batch: usize,
    /// Units claimed and finished.
    pub units: u64,
    /// How long that took, in seconds.
    pub seconds: f64,
    /// Units per second.
    pub rate: f64,
    /// Calls per second: claims, deliveries and heartbeats.
    pub calls: f64,
    /// Calls of claim.
    pub claims: usize,
    /// Milliseconds of a claim in the database: the median, the 99th percentile and the longest.
    pub claim_ms: [f64; 3],
    /// The same with the wait for a connection.
    pub claim_with_wait_ms: [f64; 3],
    /// Milliseconds of a delivery.
    pub finish_ms: [f64; 3],
    /// Leases that ended: none, if the queue keeps up.
    pub leases_ended: u64,
}

/// A simulated worker.
struct Simulated {
    me: i64,
    units: Vec<(i64, u32)>,
    next_heartbeat: Instant,
}

#[derive(Default)]
struct Measured {
    claims: Vec<f64>,
    claims_with_wait: Vec<f64>,
    finishes: Vec<f64>,
    heartbeats: usize,
    units: u64,
    leases_ended: u64,
    seconds: f64,
}

/// Simulates workers. Needs the rights of the owner of the schema, makes a job of its own and removes it.
///
/// # Errors
/// The database cannot be reached or the rights do not suffice.
pub fn simulate(
    database: &Database,
    request: &SimulationRequest,
    cancel: &CancelToken,
) -> Result<SimulationReport, ClusterError> {
    let mut client = database.connect()?;
    // As many units as could be claimed at all, but at most three million.
    let most = request.workers as f64 * request.duration.as_secs_f64() / request.unit.as_secs_f64().max(1e-3);
    let units = (most * 1.5 + (request.workers * request.batch * 2) as f64).min(3e6) as i32;
    let none: Vec<i32> = Vec::new();
    let job: i64 = client
        .query_one(
            "select tesuji.submit('simulation', 'simulation', '', '', '', $1, $2, $2, false, 0)",
            &[&units, &none],
        )?
        .try_get(0)?;
    let (send, receive) = channel();
    let threads = request.connections.min(request.workers).max(1);
    // The time begins when all workers are known.
    let start = &Barrier::new(threads);
    let (simulated, seconds) = std::thread::scope(|scope| {
        for thread in 0..threads {
            let send: Sender<Result<Measured, ClusterError>> = send.clone();
            scope.spawn(move || {
                let numbers = (thread..request.workers).step_by(threads);
                let registered = register(database, request, numbers);
                start.wait();
                let measured = registered.and_then(|registered| connection(request, job, registered, cancel));
                // The receiver outlives the threads.
                let _ = send.send(measured);
            });
        }
        drop(send);
        let measured = receive.iter().collect::<Result<Vec<_>, _>>();
        let seconds = measured.iter().flatten().map(|one| one.seconds).fold(0.0, f64::max);
        (measured, seconds.min(request.duration.as_secs_f64()).max(1e-3))
    });
    client.query_typed("select tesuji.cancel($1), tesuji.remove($1)", &[(&job, Type::INT8)])?;
    let mut all = Measured::default();
    for mut one in simulated? {
        all.claims.append(&mut one.claims);
        all.claims_with_wait.append(&mut one.claims_with_wait);
        all.finishes.append(&mut one.finishes);
        all.heartbeats += one.heartbeats;
        all.units += one.units;
        all.leases_ended += one.leases_ended;
    }
    Ok(SimulationReport {
        workers: request.workers,
        connections: threads,
        batch: request.batch,
        units: all.units,
        seconds,
        rate: all.units as f64 / seconds,
        calls: (all.claims.len() + all.finishes.len() + all.heartbeats) as f64 / seconds,
        claims: all.claims.len(),
        claim_ms: percentiles(all.claims),
        claim_with_wait_ms: percentiles(all.claims_with_wait),
        finish_ms: percentiles(all.finishes),
        leases_ended: all.leases_ended,
    })
}

/// How the workers introduce themselves.
fn introduction() -> Introduction {
    Introduction {
        name: "simulated".to_owned(),
        host: "simulation".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: 1,
    }
}

/// A connection and its workers, each with the share of a batch after which it begins: not all begin at once.
type Registered = (Queue, Vec<(Simulated, f64)>);

fn register(
    database: &Database,
    request: &SimulationRequest,
    numbers: impl ExactSizeIterator<Item = usize>,
) -> Result<Registered, ClusterError> {
    let mut queue = Queue::connect(database)?;
    let known = queue.hello_many(&introduction(), request.lease.as_secs_f64(), numbers.len())?;
    let worker = |(me, number): (i64, usize)| {
        let simulated = Simulated { me, units: Vec::new(), next_heartbeat: Instant::now() + request.lease / 3 };
        (simulated, number as f64 / request.workers as f64)
    };
    let workers = known.into_iter().zip(numbers).map(worker).collect();
    Ok((queue, workers))
}

/// The workers of one connection, each when it is due.
fn connection(
    request: &SimulationRequest,
    job: i64,
    (mut queue, registered): Registered,
    cancel: &CancelToken,
) -> Result<Measured, ClusterError> {
    let lease = request.lease.as_secs_f64();
    let result = vec![0x5a; request.bytes];
    let mut measured = Measured::default();
    let begun = Instant::now();
    let mut due = BinaryHeap::new();
    let mut all = Vec::new();
    for (number, (worker, share)) in registered.into_iter().enumerate() {
        due.push(Reverse((begun + request.unit.mul_f64(request.batch as f64 * share), number)));
        all.push(worker);
    }
    let end = begun + request.duration;
    while let Some(Reverse((when, number))) = due.pop() {
        std::thread::sleep(when.min(end).saturating_duration_since(Instant::now()));
        if Instant::now() >= end || cancel.is_cancelled() {
            break;
        }
        let worker = &mut all[number];
        match turn(&mut queue, request, job, worker, when, &result, &mut measured) {
            Ok(next) => due.push(Reverse((next, number))),
            Err(ClusterError::LeaseEnded) => {
                measured.leases_ended += 1;
                worker.me = queue.hello(&introduction(), lease)?;
                worker.units.clear();
                due.push(Reverse((Instant::now(), number)));
            }
            Err(error) => return Err(error),
        }
    }
    measured.seconds = begun.elapsed().as_secs_f64();
    queue.bye_many(&all.iter().map(|worker| worker.me).collect::<Vec<_>>())?;
    Ok(measured)
}

/// What a worker does when it is due: it delivers what it had, keeps its lease, and claims more. Returns when it is due
/// again.
fn turn(
    queue: &mut Queue,
    request: &SimulationRequest,
    job: i64,
    worker: &mut Simulated,
    when: Instant,
    result: &[u8],
    measured: &mut Measured,
) -> Result<Instant, ClusterError> {
    let work = request.unit.mul_f64(request.batch as f64);
    let lease = request.lease;
    if Instant::now() >= worker.next_heartbeat {
        queue.heartbeat(worker.me, lease.as_secs_f64())?;
        measured.heartbeats += 1;
        worker.next_heartbeat = Instant::now() + lease / 3;
    }
    if !worker.units.is_empty() {
        let one = |&(job, number): &(i64, u32)| UnitResult { job, number, bytes: result.to_vec(), seconds: 0.0 };
        let results: Vec<UnitResult> = worker.units.iter().map(one).collect();
        let begun = Instant::now();
        measured.units += queue.finish(worker.me, &results)? as u64;
        measured.finishes.push(begun.elapsed().as_secs_f64() * 1e3);
        worker.units.clear();
    }
    let begun = Instant::now();
    let units = queue.claim(worker.me, &[job], request.batch)?;
    measured.claims.push(begun.elapsed().as_secs_f64() * 1e3);
    measured.claims_with_wait.push(when.elapsed().as_secs_f64() * 1e3);
    worker.units = units.into_iter().map(|unit| (unit.job, unit.number)).collect();
    Ok(Instant::now() + work)
}

/// The median, the 99th percentile and the maximum.
fn percentiles(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)));
    [0.5, 0.99, 1.0].map(|share| at(share).copied().unwrap_or(0.0))
}
