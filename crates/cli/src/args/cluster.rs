//! Arguments of `cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, value_parser};
use tesuji_registry::duration;

use super::{BookBuild, Json, Match, Selfplay, Threads, TrainLabel, Verify};

#[derive(Debug, Args)]
pub(crate) struct Cluster {
    #[command(subcommand)]
    pub(crate) verb: ClusterVerb,
}

/// Where the queue is.
#[derive(Debug, Args)]
pub(crate) struct DatabaseAddress {
    /// The database: postgres://user@host/name [default: the environment variable TESUJI_DB]. A password is better given
    /// by PGPASSWORD. Other machines are reached by TLS: ?sslrootcert=FILE names an authority, ?sslmode=disable does
    /// without.
    #[arg(long, value_name = "URL")]
    pub(crate) db: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterVerb {
    /// Makes or upgrades the schema of the queue and its two roles, tesuji_submitter and tesuji_worker.
    ///
    /// A role may log in if the environment has TESUJI_SUBMITTER_PASSWORD or TESUJI_WORKER_PASSWORD; else it is granted to
    /// users: GRANT tesuji_worker TO name.
    Init {
        #[command(flatten)]
        address: DatabaseAddress,
        #[command(flatten)]
        json: Json,
    },
    /// Queues a job, and prints its number.
    Submit(Box<Submit>),
    /// Is a worker: does units of jobs until it is told to end.
    Work(ClusterWork),
    /// Tells jobs, workers, rates, the time left and faults.
    Status {
        #[command(flatten)]
        address: DatabaseAddress,
        /// Prints metrics in the text format of Prometheus.
        #[arg(long, conflicts_with = "json")]
        prometheus: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Puts the results of a job together: what one machine would have written.
    Collect {
        /// The job.
        job: i64,
        /// The file or folder to write [default: the one given when it was submitted].
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
        /// Takes the games of a match or tournament that are there.
        #[arg(long)]
        partial: bool,
        #[command(flatten)]
        address: DatabaseAddress,
        #[command(flatten)]
        json: Json,
    },
    /// Cancels a job: workers drop it within seconds, and what is done stays.
    Cancel {
        /// The job.
        job: i64,
        /// Removes the job with its results, once it is cancelled or complete.
        #[arg(long)]
        remove: bool,
        #[command(flatten)]
        address: DatabaseAddress,
    },
    /// Queues units again that were set aside after three errors.
    Retry {
        /// The job.
        job: i64,
        #[command(flatten)]
        address: DatabaseAddress,
    },
    /// Measures what a database carries: many pretended workers over few connections.
    Simulate(ClusterSimulate),
}

#[derive(Debug, Args)]
#[command(subcommand_required = true)]
pub(crate) struct Submit {
    /// What is to be done: the command that would do it on one machine.
    #[command(subcommand)]
    pub(crate) what: SubmitWhat,
    /// A name for people [default: made of the command].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Jobs with a higher priority are done first.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true)]
    pub(crate) priority: i32,
    /// Games, or positions to label, that a worker does at a time [default: 16 games, 256 positions]. Of a book: games
    /// or positions to search [default: 1]; of a verification: ranges of 16,384 boards [default: 64].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) group: Option<u32>,
    #[command(flatten)]
    pub(crate) address: DatabaseAddress,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SubmitWhat {
    /// Two engines against each other; a sequential test (--sprt) that is decided cancels what is left.
    Match(Box<Match>),
    /// The tournament that a TOML file describes.
    Tournament {
        /// The description.
        config: PathBuf,
        /// The folder that `cluster collect` makes.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        #[command(flatten)]
        json: Json,
    },
    /// A data set by self-play.
    Selfplay(Box<Selfplay>),
    /// A data set by labelling positions of others, which every worker must be able to read.
    Label(Box<TrainLabel>),
    /// An opening book. Records, weights and a book that is extended must be there for every worker.
    Book(Box<BookBuild>),
    /// The verification of a tablebase, which every worker must be able to read.
    Verify(Box<Verify>),
}

#[derive(Debug, Args)]
pub(crate) struct ClusterWork {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Only this job; may be repeated [default: all].
    #[arg(long = "job", value_name = "JOB")]
    pub(crate) jobs: Vec<i64>,
    /// A name for people [default: the name of this machine].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Units claimed at a time [default: about a second of work].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1000))]
    pub(crate) batch: Option<u16>,
    /// A unit is queued again when nothing was heard of its worker for so long.
    #[arg(long, value_name = "T", value_parser = lease, default_value = "60s")]
    pub(crate) lease: Duration,
    /// Ends when nothing is left to do.
    #[arg(long)]
    pub(crate) until_idle: bool,
    #[command(flatten)]
    pub(crate) address: DatabaseAddress,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct ClusterSimulate {
    /// Pretended workers.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) workers: u32,
    /// Connections that they share.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u16).range(1..=1000))]
    pub(crate) connections: u16,
    /// Units claimed at a time.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(1..=1000))]
    pub(crate) batch: u16,
    /// How long a unit takes.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "1s")]
    pub(crate) unit: Duration,
    /// Bytes of a result.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u32).range(0..=1 << 24))]
    pub(crate) bytes: u32,
    /// How long to go on.
    #[arg(long = "for", value_name = "T", value_parser = duration, default_value = "30s")]
    pub(crate) duration: Duration,
    #[command(flatten)]
    pub(crate) address: DatabaseAddress,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// A lease: long enough for three heartbeats.
fn lease(text: &str) -> Result<Duration, String> {
    let lease = duration(text).map_err(|error| error.to_string())?;
    let fits = (Duration::from_secs(1)..=Duration::from_secs(86_400)).contains(&lease);
    if fits { Ok(lease) } else { Err("from 1s to 24h".to_owned()) }
}
