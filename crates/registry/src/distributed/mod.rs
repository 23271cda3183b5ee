//! Jobs that workers on many machines do in units: what a job is, what a worker does, and what its results become.
//!
//! Nothing here knows where units are queued. A unit depends on the job and its number alone (and on a payload that the
//! referee of the job decided), and results put together in the order of their numbers are what one machine makes.

mod book;
mod data_set;
mod signature;
mod status;
mod tournament;
mod verification;

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_arena::EventStandings;
use tesuji_task::CancelToken;

pub use data_set::{DataSetJob, DataSetUnitsApi};
pub use status::{ClusterJob, ClusterObserver, ClusterStatus, ClusterWorker, Refusal, UnitCounts, UnitFault};

pub(crate) use verification::verification_units;

use crate::{BookBuildJob, BookResponse, Error, Registry, VerificationEvent, VerifyRequest, VerifyResponse};

/// A job for workers on many machines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DistributedJob {
    /// A match or tournament; a sequential test ends it early. A unit is a pair of games.
    Tournament {
        /// Its configuration, as TOML.
        config: String,
        /// The folder for its results, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        out: Option<PathBuf>,
    },
    /// A data set from self-play or from labels.
    DataSet {
        /// The game.
        game: String,
        /// What is made.
        job: DataSetJob,
        /// Games, or positions to label, of a unit.
        group: u32,
    },
    /// An opening book: games of self-play and searches of leaves.
    Book {
        /// The game.
        game: String,
        /// The book.
        job: BookBuildJob,
        /// Games, or positions to search, of a unit.
        group: u32,
    },
    /// The verification of a tablebase.
    Verification {
        /// The game.
        game: String,
        /// What to verify.
        request: VerifyRequest,
        /// Ranges of 16,384 boards of a unit.
        group: u32,
    },
}

/// A unit that a worker has claimed.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its number in the job.
    pub number: u32,
    /// What the referee decided about it.
    pub payload: Option<String>,
    /// Cancelled when the worker is to end, or when it no longer holds the unit.
    pub cancel: CancelToken,
}

/// Hands out units of one job and takes the results.
pub trait UnitFeed {
    /// The next unit; `None` when there is none of this job. A unit without a result is abandoned.
    fn next(&mut self) -> Option<Unit>;

    /// The result of the unit that was handed out last.
    fn done(&mut self, result: Vec<u8>);
}

/// The results of units, by their numbers.
pub type UnitResults<'a> = &'a mut dyn Iterator<Item = Result<(u32, Vec<u8>), Error>>;

/// A job that is ready to be cut into units, worked on, or put together.
pub trait UnitJob: Send + Sync {
    /// Everything that the results depend on besides the signature of the engines, one fact per line.
    fn identity(&self) -> String;

    /// The number of units.
    fn units(&self) -> u32;

    /// Units that wait until the referee releases them.
    fn waiting(&self) -> Vec<Range<u32>> {
        Vec::new()
    }

    /// Does units as long as the feed has some.
    ///
    /// # Errors
    /// The unit that was handed out last failed.
    fn work(&self, feed: &mut dyn UnitFeed) -> Result<(), Error>;

    /// Decides on results while the job runs, where results decide something.
    fn referee(&self) -> Option<Box<dyn UnitReferee>> {
        None
    }

    /// Writes what one machine would have written.
    ///
    /// # Errors
    /// A result is damaged or missing, or a file cannot be written.
    fn collect(&self, out: &Path, results: UnitResults<'_>) -> Result<CollectedJob, Error>;
}

/// Decides on the results of a job.
pub trait UnitReferee: Send {
    /// Up to `most` units whose results would be new.
    fn missing(&self, most: usize) -> Vec<u32>;

    /// Takes the result of a unit.
    ///
    /// # Errors
    /// It is damaged.
    fn take(&mut self, unit: u32, result: &[u8]) -> Result<(), Error>;

    /// Decides on the results so far.
    fn rule(&mut self) -> Vec<Ruling>;
}

/// What a referee decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// These units are not needed.
    Cancel(Range<u32>),
    /// Waiting units can be done, with these payloads.
    Release(Vec<(u32, String)>),
}

/// What became of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CollectedJob {
    /// The folder of a tournament.
    Tournament {
        /// Its standings.
        standings: Vec<EventStandings>,
        /// The files besides the journal.
        files: Vec<String>,
    },
    /// A data set.
    DataSet {
        /// The file.
        set: String,
        /// Its positions.
        positions: u64,
    },
    /// An opening book.
    Book(BookResponse),
    /// A verification: what `tesuji verify` tells, in order.
    Verification {
        /// Results of parts.
        events: Vec<VerificationEvent>,
        /// The result.
        response: Box<VerifyResponse>,
    },
}

impl DistributedJob {
    /// The file or folder for its results, if one was given.
    pub fn out(&self) -> Option<PathBuf> {
        match self {
            DistributedJob::Tournament { out, .. } => out.clone(),
            DistributedJob::DataSet { job, .. } => Some(job.clone().out_mut().clone()),
            DistributedJob::Book { job, .. } => Some(job.out.clone()),
            DistributedJob::Verification { .. } => None,
        }
    }

    /// Whether its results become files; those of others are told.
    pub fn writes_files(&self) -> bool {
        !matches!(self, DistributedJob::Verification { .. })
    }

    /// The kind of job, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            DistributedJob::Tournament { .. } => "tournament",
            DistributedJob::DataSet { job, .. } => job.kind(),
            DistributedJob::Book { .. } => "book",
            DistributedJob::Verification { .. } => "verification",
        }
    }
}

impl Registry {
    /// Checks a job and makes it ready.
    ///
    /// # Errors
    /// A setting is invalid, or a file cannot be read here.
    pub fn unit_job(&self, job: &DistributedJob) -> Result<Box<dyn UnitJob>, Error> {
        match job {
            DistributedJob::Tournament { config, .. } => tournament::open(self, config),
            DistributedJob::DataSet { game, job, group } => data_set::open(self.game(game)?, job, *group),
            DistributedJob::Book { game, job, group } => book::open(self.game(game)?, job, *group),
            DistributedJob::Verification { game, request, group } => {
                let path = &request.path;
                let missing = || Error::invalid(format!("{path}: no tablebase of {game}"));
                self.game(game)?.verification_units(request, *group)?.ok_or_else(missing)
            }
        }
    }
}
