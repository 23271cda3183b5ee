//! The calls of a worker: claim, heartbeat, finish and the rest, each one statement.

use postgres::types::{ToSql, Type};
use postgres::{Client, Row};

use crate::{ClusterError, Database};

/// The queue as one worker sees it.
pub struct Queue {
    client: Client,
}

/// A unit that a worker has claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedUnit {
    /// The job.
    pub job: i64,
    /// The number of the unit.
    pub number: u32,
    /// What the referee decided about it.
    pub payload: Option<String>,
}

/// The result of a unit.
#[derive(Clone, PartialEq, Debug)]
pub struct UnitResult {
    /// The job.
    pub job: i64,
    /// The number of the unit.
    pub number: u32,
    /// The result.
    pub bytes: Vec<u8>,
    /// How long it took.
    pub seconds: f64,
}

/// A job that can be worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueuedJob {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) request: String,
    pub(crate) signature: String,
    pub(crate) identity: String,
    pub(crate) is_refereed: bool,
}

/// How a worker introduces itself.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Introduction {
    pub(crate) name: String,
    pub(crate) host: String,
    pub(crate) version: String,
    pub(crate) threads: usize,
}

type Param<'a> = (&'a (dyn ToSql + Sync), Type);

impl Queue {
    /// Connects.
    ///
    /// # Errors
    /// The database cannot be reached, does not let us in, or has another schema.
    pub fn connect(database: &Database) -> Result<Queue, ClusterError> {
        Ok(Queue { client: database.connect()? })
    }

    /// Without prepared statements, which poolers of connections do not keep.
    fn call(&mut self, statement: &str, params: &[Param<'_>]) -> Result<Vec<Row>, ClusterError> {
        Ok(self.client.query_typed(statement, params)?)
    }

    /// Begins a worker, whose lease is so many seconds. Returns its number.
    ///
    /// # Errors
    /// As for every call: the connection is lost, or the rights do not suffice.
    pub(crate) fn hello(&mut self, who: &Introduction, lease: f64) -> Result<i64, ClusterError> {
        let threads = who.threads as i32;
        let params: [Param<'_>; 5] = [
            (&who.name, Type::TEXT),
            (&who.host, Type::TEXT),
            (&who.version, Type::TEXT),
            (&threads, Type::INT4),
            (&lease, Type::FLOAT8),
        ];
        one(self.call("select tesuji.hello($1, $2, $3, $4, $5)", &params)?)
    }

    /// Begins several workers that introduce themselves in the same way.
    ///
    /// # Errors
    /// As for [`Queue::hello`].
    pub(crate) fn hello_many(
        &mut self,
        who: &Introduction,
        lease: f64,
        workers: usize,
    ) -> Result<Vec<i64>, ClusterError> {
        let (threads, workers) = (who.threads as i32, workers as i32);
        let params: [Param<'_>; 6] = [
            (&who.name, Type::TEXT),
            (&who.host, Type::TEXT),
            (&who.version, Type::TEXT),
            (&threads, Type::INT4),
            (&lease, Type::FLOAT8),
            (&workers, Type::INT4),
        ];
        let rows = self.call("select tesuji.hello($1, $2, $3, $4, $5) from generate_series(1, $6)", &params)?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Claims up to `most` units of these jobs.
    ///
    /// # Errors
    /// The lease of the worker has ended, or the connection is lost.
    pub(crate) fn claim(&mut self, me: i64, jobs: &[i64], most: usize) -> Result<Vec<ClaimedUnit>, ClusterError> {
        let most = most as i32;
        let params: [Param<'_>; 3] = [(&me, Type::INT8), (&jobs, Type::INT8_ARRAY), (&most, Type::INT4)];
        let rows = self.call("select job, number, payload from tesuji.claim($1, $2, $3)", &params)?;
        let unit =
            |row: Row| Ok(ClaimedUnit { job: row.try_get(0)?, number: number(&row, 1)?, payload: row.try_get(2)? });
        rows.into_iter().map(unit).collect()
    }

    /// Extends the lease. Returns the units that the worker still holds.
    ///
    /// # Errors
    /// The lease of the worker has ended, or the connection is lost.
    pub(crate) fn heartbeat(&mut self, me: i64, lease: f64) -> Result<Vec<(i64, u32)>, ClusterError> {
        let params: [Param<'_>; 2] = [(&me, Type::INT8), (&lease, Type::FLOAT8)];
        let rows = self.call("select job, number from tesuji.heartbeat($1, $2)", &params)?;
        rows.into_iter().map(|row| Ok((row.try_get(0)?, number(&row, 1)?))).collect()
    }

    /// Delivers results. Those of units that the worker does not hold are left out; returns how many were taken.
    ///
    /// # Errors
    /// The lease of the worker has ended, or the connection is lost.
    pub(crate) fn finish(&mut self, me: i64, results: &[UnitResult]) -> Result<usize, ClusterError> {
        let jobs: Vec<i64> = results.iter().map(|result| result.job).collect();
        let numbers: Vec<i32> = results.iter().map(|result| result.number as i32).collect();
        let bytes: Vec<&[u8]> = results.iter().map(|result| result.bytes.as_slice()).collect();
        let seconds: Vec<f64> = results.iter().map(|result| result.seconds).collect();
        let params: [Param<'_>; 5] = [
            (&me, Type::INT8),
            (&jobs, Type::INT8_ARRAY),
            (&numbers, Type::INT4_ARRAY),
            (&bytes, Type::BYTEA_ARRAY),
            (&seconds, Type::FLOAT8_ARRAY),
        ];
        let taken: i32 = one(self.call("select tesuji.finish($1, $2, $3, $4, $5)", &params)?)?;
        Ok(taken as usize)
    }

    /// Reports that a unit failed.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn fail(&mut self, me: i64, (job, unit): (i64, u32), message: &str) -> Result<(), ClusterError> {
        let unit = unit as i32;
        let params: [Param<'_>; 4] =
            [(&me, Type::INT8), (&job, Type::INT8), (&unit, Type::INT4), (&message, Type::TEXT)];
        self.call("select tesuji.fail($1, $2, $3, $4)", &params).map(drop)
    }

    /// Gives units back that were not done.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn give_back(&mut self, me: i64, units: &[(i64, u32)]) -> Result<(), ClusterError> {
        let jobs: Vec<i64> = units.iter().map(|(job, _)| *job).collect();
        let numbers: Vec<i32> = units.iter().map(|(_, number)| *number as i32).collect();
        let params: [Param<'_>; 3] = [(&me, Type::INT8), (&jobs, Type::INT8_ARRAY), (&numbers, Type::INT4_ARRAY)];
        self.call("select tesuji.give_back($1, $2, $3)", &params).map(drop)
    }

    /// Ends a worker; what it holds is queued again.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn bye(&mut self, me: i64) -> Result<(), ClusterError> {
        self.call("select tesuji.bye($1)", &[(&me, Type::INT8)]).map(drop)
    }

    /// Ends several workers.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn bye_many(&mut self, workers: &[i64]) -> Result<(), ClusterError> {
        self.call("select tesuji.bye(id) from unnest($1) as id", &[(&workers, Type::INT8_ARRAY)]).map(drop)
    }

    /// The jobs that can be worked on.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn open_jobs(&mut self) -> Result<Vec<QueuedJob>, ClusterError> {
        let rows = self.call("select id, name, request, signature, identity, refereed from tesuji.open_jobs()", &[])?;
        let job = |row: Row| {
            Ok(QueuedJob {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                request: row.try_get(2)?,
                signature: row.try_get(3)?,
                identity: row.try_get(4)?,
                is_refereed: row.try_get(5)?,
            })
        };
        rows.into_iter().map(job).collect()
    }

    /// Says why this worker does not work on a job.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn refuse(&mut self, me: i64, job: i64, reason: &str) -> Result<(), ClusterError> {
        let params: [Param<'_>; 3] = [(&me, Type::INT8), (&job, Type::INT8), (&reason, Type::TEXT)];
        self.call("select tesuji.refuse($1, $2, $3)", &params).map(drop)
    }

    /// Whether nothing of these jobs is left to do.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn is_idle(&mut self, jobs: &[i64]) -> Result<bool, ClusterError> {
        one(self.call("select tesuji.is_idle($1)", &[(&jobs, Type::INT8_ARRAY)])?)
    }

    /// Becomes or stays the referee of a job.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn become_referee(&mut self, me: i64, job: i64) -> Result<bool, ClusterError> {
        one(self.call("select tesuji.become_referee($1, $2)", &[(&me, Type::INT8), (&job, Type::INT8)])?)
    }

    /// The results of some units, for the referee.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn results_of(&mut self, me: i64, job: i64, units: &[u32]) -> Result<Vec<(u32, Vec<u8>)>, ClusterError> {
        let units: Vec<i32> = units.iter().map(|unit| *unit as i32).collect();
        let params: [Param<'_>; 3] = [(&me, Type::INT8), (&job, Type::INT8), (&units, Type::INT4_ARRAY)];
        let rows = self.call("select number, bytes from tesuji.results_of($1, $2, $3)", &params)?;
        rows.into_iter().map(|row| Ok((number(&row, 0)?, row.try_get(1)?))).collect()
    }

    /// Cancels units that a decided test does not need.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn cancel_units(
        &mut self,
        me: i64,
        job: i64,
        units: &std::ops::Range<u32>,
    ) -> Result<usize, ClusterError> {
        let (first, beyond) = (units.start as i32, units.end as i32);
        let params: [Param<'_>; 4] =
            [(&me, Type::INT8), (&job, Type::INT8), (&first, Type::INT4), (&beyond, Type::INT4)];
        let ended: i32 = one(self.call("select tesuji.cancel_units($1, $2, $3, $4)", &params)?)?;
        Ok(ended as usize)
    }

    /// Queues waiting units with their payloads.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn release_units(&mut self, me: i64, job: i64, units: &[(u32, String)]) -> Result<usize, ClusterError> {
        let numbers: Vec<i32> = units.iter().map(|(number, _)| *number as i32).collect();
        let payloads: Vec<&str> = units.iter().map(|(_, payload)| payload.as_str()).collect();
        let params: [Param<'_>; 4] =
            [(&me, Type::INT8), (&job, Type::INT8), (&numbers, Type::INT4_ARRAY), (&payloads, Type::TEXT_ARRAY)];
        let released: i32 = one(self.call("select tesuji.release_units($1, $2, $3, $4)", &params)?)?;
        Ok(released as usize)
    }
}

/// The only value of the only row.
fn one<T: for<'a> postgres::types::FromSql<'a>>(rows: Vec<Row>) -> Result<T, ClusterError> {
    let row = rows.first().ok_or_else(|| ClusterError::Failed("PostgreSQL gave no answer".to_owned()))?;
    Ok(row.try_get(0)?)
}

/// The number of a unit.
fn number(row: &Row, column: usize) -> Result<u32, ClusterError> {
    let number: i32 = row.try_get(column)?;
    Ok(number.cast_unsigned())
}
