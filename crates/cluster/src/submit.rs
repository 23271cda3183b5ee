//! Submitting jobs, cancelling them, and putting their results together.

use std::path::{Path, PathBuf};

use postgres::Client;
use serde::{Deserialize, Serialize};
use tesuji_registry::{CollectedJob, DistributedJob, Error, Registry, UnitCounts};
use tesuji_task::{CancelToken, Context};

use crate::{ClusterError, Database};

/// A job that was submitted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Submitted {
    /// Its number.
    pub job: i64,
    /// Its name.
    pub name: String,
    /// Its units.
    pub units: u32,
    /// What workers must have in common with this program.
    pub signature: String,
}

/// Results read at a time.
const PAGE: i64 = 200;

/// The queue as submitters see it.
pub struct Submitter {
    client: Client,
}

impl Submitter {
    /// Connects.
    ///
    /// # Errors
    /// The database cannot be reached, does not let us in, or has another schema.
    pub fn connect(database: &Database) -> Result<Submitter, ClusterError> {
        Ok(Submitter { client: database.connect()? })
    }

    /// Checks a job and queues its units.
    ///
    /// # Errors
    /// A setting of the job is invalid, or the rights do not suffice.
    pub fn submit(
        &mut self,
        registry: &Registry,
        job: &DistributedJob,
        name: &str,
        priority: i32,
        cancel: &CancelToken,
    ) -> Result<Submitted, ClusterError> {
        let opened = registry.unit_job(job)?;
        let signature = registry.signature(job, cancel)?;
        let request = serde_json::to_string(job).map_err(|error| ClusterError::Failed(error.to_string()))?;
        let units = opened.units();
        let waiting = opened.waiting();
        let number = |number: u32| number.cast_signed();
        let from: Vec<i32> = waiting.iter().map(|units| number(units.start)).collect();
        let to: Vec<i32> = waiting.iter().map(|units| number(units.end)).collect();
        let is_refereed = opened.referee().is_some();
        let row = self.client.query_one(
            "select tesuji.submit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                &name,
                &job.kind(),
                &request,
                &signature,
                &opened.identity(),
                &number(units),
                &from,
                &to,
                &is_refereed,
                &priority,
            ],
        )?;
        Ok(Submitted { job: row.try_get(0)?, name: name.to_owned(), units, signature })
    }

    /// Cancels a job. What is done stays.
    ///
    /// # Errors
    /// There is no such job, or it was cancelled before.
    pub fn cancel(&mut self, job: i64) -> Result<(), ClusterError> {
        self.change("select tesuji.cancel($1)", job, &format!("there is no open job {job}"))
    }

    /// Queues units again that were set aside. Returns how many.
    ///
    /// # Errors
    /// The rights do not suffice.
    pub fn retry(&mut self, job: i64) -> Result<u32, ClusterError> {
        let queued: i32 = self.client.query_one("select tesuji.retry($1)", &[&job])?.try_get(0)?;
        Ok(queued.cast_unsigned())
    }

    /// Removes a job with its results.
    ///
    /// # Errors
    /// There is no such job, or it is open and not complete.
    pub fn remove(&mut self, job: i64) -> Result<(), ClusterError> {
        let refused = format!("job {job} does not exist, or it is under way: cancel it first");
        self.change("select tesuji.remove($1)", job, &refused)
    }

    fn change(&mut self, statement: &str, job: i64, refused: &str) -> Result<(), ClusterError> {
        let changed: bool = self.client.query_one(statement, &[&job])?.try_get(0)?;
        if changed { Ok(()) } else { Err(ClusterError::Invalid(refused.to_owned())) }
    }

    fn request(&mut self, job: i64) -> Result<(DistributedJob, String), ClusterError> {
        let missing = || ClusterError::Invalid(format!("there is no job {job}; `tesuji cluster status` lists them"));
        let row = self
            .client
            .query_opt("select request, identity from tesuji.job where id = $1", &[&job])?
            .ok_or_else(missing)?;
        let (request, identity): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let request = serde_json::from_str(&request).map_err(|error| {
            ClusterError::Invalid(format!("job {job} was submitted by another version of tesuji: {error}"))
        })?;
        Ok((request, identity))
    }

    /// The file or folder for the results of a job, if one was given when it was submitted; an empty path where results
    /// do not become files.
    ///
    /// # Errors
    /// There is no such job.
    pub fn out(&mut self, job: i64) -> Result<Option<PathBuf>, ClusterError> {
        let request = self.request(job)?.0;
        Ok(if request.writes_files() { request.out() } else { Some(PathBuf::new()) })
    }

    /// The units of a job by their state.
    ///
    /// # Errors
    /// There is no such job.
    pub fn counts(&mut self, job: i64) -> Result<UnitCounts, ClusterError> {
        let rows =
            self.client.query("select state, count(*) from tesuji.unit where job = $1 group by state", &[&job])?;
        let mut counts = UnitCounts::default();
        for row in rows {
            counts.add(row.try_get(0)?, row.try_get::<_, i64>(1)?.cast_unsigned());
        }
        Ok(counts)
    }

    /// Puts the results of a job together and writes what one machine would have written. An incomplete job is refused
    /// unless `partial`, which only tournaments allow.
    ///
    /// # Errors
    /// The job is not complete, was submitted by another version, or a file cannot be written.
    pub fn collect(
        &mut self,
        registry: &Registry,
        job: i64,
        out: &Path,
        partial: bool,
        context: Context<'_>,
    ) -> Result<CollectedJob, ClusterError> {
        let (request, identity) = self.request(job)?;
        let counts = self.counts(job)?;
        let is_tournament = matches!(request, DistributedJob::Tournament { .. });
        if counts.open() + counts.failed > 0 && !(partial && is_tournament) {
            let hint = match (counts.open(), is_tournament) {
                (0, _) => "`tesuji cluster status` tells why, `tesuji cluster retry JOB` queues them again",
                (_, true) => "wait, or take what is there with --partial",
                (_, false) => "wait until it is",
            };
            return Err(ClusterError::Failed(format!("job {job} is not complete: {counts}; {hint}")));
        }
        let opened = registry.unit_job(&request)?;
        if opened.identity() != identity {
            return Err(ClusterError::Invalid(format!(
                "job {job} depends on files or a version that are different here: collect it where it was submitted"
            )));
        }
        let counter = context.counter(counts.done);
        let mut results =
            Results { client: &mut self.client, job, next: 0, page: Vec::new().into_iter(), ended: false };
        let mut counted = results
            .by_ref()
            .inspect(|_| {
                counter.add(1);
            })
            .take_while(|_| !context.is_cancelled());
        let collected = opened.collect(out, &mut counted);
        if context.is_cancelled() {
            return Err(ClusterError::Cancelled);
        }
        Ok(collected?)
    }
}

/// The results of a job in order, page by page.
struct Results<'a> {
    client: &'a mut Client,
    job: i64,
    next: i32,
    page: std::vec::IntoIter<(u32, Vec<u8>)>,
    ended: bool,
}

impl Results<'_> {
    fn read(&mut self) -> Result<(), ClusterError> {
        let rows = self.client.query(
            "select number, bytes from tesuji.result where job = $1 and number >= $2 order by number limit $3",
            &[&self.job, &self.next, &PAGE],
        )?;
        self.ended = rows.len() < PAGE as usize;
        let mut page = Vec::new();
        for row in rows {
            let number: i32 = row.try_get(0)?;
            self.next = number + 1;
            page.push((number.cast_unsigned(), row.try_get(1)?));
        }
        self.page = page.into_iter();
        Ok(())
    }
}

impl Iterator for Results<'_> {
    type Item = Result<(u32, Vec<u8>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.len() == 0
            && !self.ended
            && let Err(error) = self.read()
        {
            self.ended = true;
            return Some(Err(Error::failed(error)));
        }
        self.page.next().map(Ok)
    }
}
