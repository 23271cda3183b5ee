//! The status of the queue: rates, workers, lag, time left and faults.

use std::sync::{Mutex, PoisonError};

use postgres::{Client, Row};
use tesuji_registry::{
    ClusterJob, ClusterObserver, ClusterStatus, ClusterWorker, Error, Refusal, UnitCounts, UnitFault,
};

use crate::{ClusterError, Database};

/// Reads the status; it keeps one connection and makes another when that is lost.
pub struct StatusSource {
    database: Database,
    client: Mutex<Option<Client>>,
}

impl StatusSource {
    /// The status of the queue of a database.
    ///
    /// # Errors
    /// The database cannot be reached, does not let us in, or has another schema.
    pub fn connect(database: &Database) -> Result<StatusSource, ClusterError> {
        let client = Mutex::new(Some(database.connect()?));
        Ok(StatusSource { database: database.clone(), client })
    }

    /// The status now.
    ///
    /// # Errors
    /// The database cannot be reached.
    pub fn read(&self) -> Result<ClusterStatus, ClusterError> {
        let mut kept = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let mut client = match kept.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => self.database.connect()?,
        };
        let status = read(&mut client)?;
        *kept = Some(client);
        Ok(status)
    }
}

impl ClusterObserver for StatusSource {
    fn status(&self) -> Result<ClusterStatus, Error> {
        self.read().map_err(Error::failed)
    }
}

/// Jobs with their units by state and with what was finished in the last minute.
const JOBS: &str = "
    select j.id, j.name, j.kind, j.state, j.priority,
           extract(epoch from clock_timestamp() - j.submitted)::float8,
           u.waiting, u.queued, u.leased, u.done, u.failed, u.cancelled,
           extract(epoch from clock_timestamp() - u.oldest)::float8,
           r.recent, r.mean, r.work,
           extract(epoch from clock_timestamp() - greatest(r.first, clock_timestamp() - interval '1 minute'))::float8
    from tesuji.job j,
    lateral (select count(*) filter (where state = 'waiting') as waiting,
                    count(*) filter (where state = 'queued') as queued,
                    count(*) filter (where state = 'leased') as leased,
                    count(*) filter (where state = 'done') as done,
                    count(*) filter (where state = 'failed') as failed,
                    count(*) filter (where state = 'cancelled') as cancelled,
                    min(claimed) filter (where state = 'leased') as oldest
             from tesuji.unit where job = j.id) u,
    lateral (select count(*) filter (where finished > clock_timestamp() - interval '1 minute') as recent,
                    avg(seconds) filter (where finished > clock_timestamp() - interval '1 minute') as mean,
                    coalesce(sum(seconds), 0) as work, min(finished) as first
             from tesuji.result where job = j.id) r
    order by j.id desc";

const WORKERS: &str = "
    select w.id, w.name, w.host, w.version, w.threads, w.state,
           extract(epoch from clock_timestamp() - w.seen)::float8,
           (select count(*) from tesuji.unit u where u.worker = w.id and u.state = 'leased')
    from tesuji.worker w where w.seen > clock_timestamp() - interval '1 hour' order by w.id desc limit 10000";

fn read(client: &mut Client) -> Result<ClusterStatus, ClusterError> {
    let workers = client.query(WORKERS, &[])?.iter().map(worker).collect::<Result<Vec<_>, ClusterError>>()?;
    let has_workers = workers.iter().any(|worker| worker.state == "alive" && worker.seen < 60.0);
    let mut jobs = Vec::new();
    for row in client.query(JOBS, &[])? {
        let mut job = job(&row, has_workers)?;
        job.faults = faults(client, job.job)?;
        job.refusals = refusals(client, job.job)?;
        jobs.push(job);
    }
    Ok(ClusterStatus { jobs, workers })
}

fn count(row: &Row, column: usize) -> Result<u64, ClusterError> {
    Ok(row.try_get::<_, i64>(column)?.cast_unsigned())
}

fn job(row: &Row, has_workers: bool) -> Result<ClusterJob, ClusterError> {
    let units = UnitCounts {
        waiting: count(row, 6)?,
        queued: count(row, 7)?,
        leased: count(row, 8)?,
        done: count(row, 9)?,
        failed: count(row, 10)?,
        cancelled: count(row, 11)?,
    };
    let state: &str = row.try_get(3)?;
    let state = match (state, units.open(), units.failed) {
        ("cancelled", ..) => "cancelled",
        (_, 0, 0) => "complete",
        (_, 0, _) => "incomplete",
        _ if has_workers => "running",
        _ => "waiting",
    };
    let recent = count(row, 13)? as f64;
    // A job that has just begun has less than a minute behind it.
    let span: Option<f64> = row.try_get(16)?;
    let rate = span.map_or(0.0, |span| recent / span.clamp(1.0, 60.0));
    let left = (rate > 0.0 && state == "running").then(|| units.open() as f64 / rate);
    Ok(ClusterJob {
        job: row.try_get(0)?,
        name: row.try_get(1)?,
        kind: row.try_get(2)?,
        state: state.to_owned(),
        priority: row.try_get(4)?,
        age: row.try_get(5)?,
        units,
        rate,
        mean: row.try_get(14)?,
        work: row.try_get(15)?,
        left,
        lag: row.try_get(12)?,
        faults: Vec::new(),
        refusals: Vec::new(),
    })
}

fn worker(row: &Row) -> Result<ClusterWorker, ClusterError> {
    Ok(ClusterWorker {
        worker: row.try_get(0)?,
        name: row.try_get(1)?,
        host: row.try_get(2)?,
        version: row.try_get(3)?,
        threads: row.try_get::<_, i32>(4)?.cast_unsigned(),
        state: row.try_get(5)?,
        seen: row.try_get(6)?,
        leased: count(row, 7)?,
    })
}

fn faults(client: &mut Client, job: i64) -> Result<Vec<UnitFault>, ClusterError> {
    let rows = client.query(
        "select number, state = 'failed', errors, losses, coalesce(error, '') from tesuji.unit
         where job = $1 and error is not null order by state = 'failed' desc, number limit 10",
        &[&job],
    )?;
    let fault = |row: Row| {
        Ok(UnitFault {
            unit: row.try_get::<_, i32>(0)?.cast_unsigned(),
            is_set_aside: row.try_get(1)?,
            errors: row.try_get::<_, i16>(2)?.cast_unsigned().into(),
            losses: row.try_get::<_, i16>(3)?.cast_unsigned().into(),
            message: row.try_get(4)?,
        })
    };
    rows.into_iter().map(fault).collect()
}

fn refusals(client: &mut Client, job: i64) -> Result<Vec<Refusal>, ClusterError> {
    let rows = client.query(
        "select reason, count(*) from tesuji.refusal where job = $1 group by reason order by 2 desc, 1 limit 10",
        &[&job],
    )?;
    rows.iter().map(|row| Ok(Refusal { reason: row.try_get(0)?, workers: count(row, 1)? })).collect()
}
