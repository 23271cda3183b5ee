//! What can be seen of a cluster: jobs, workers and faults, as data and as Prometheus metrics.

use std::fmt::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::grouped;

use crate::Error;

/// Tells the status of a cluster; for front ends that do not know where the queue is.
pub trait ClusterObserver: Send + Sync {
    /// The status now.
    ///
    /// # Errors
    /// The queue cannot be reached.
    fn status(&self) -> Result<ClusterStatus, Error>;
}

/// A cluster.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ClusterStatus {
    /// The jobs, the newest first.
    pub jobs: Vec<ClusterJob>,
    /// The workers of the last hour, the newest first.
    pub workers: Vec<ClusterWorker>,
}

/// A job.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ClusterJob {
    /// Its number.
    pub job: i64,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// `running`, `waiting` (no worker has been heard of for a minute), `complete`, `incomplete` (units were set aside,
    /// and nothing else is left) or `cancelled`.
    pub state: String,
    /// Jobs with a higher priority are done first.
    pub priority: i32,
    /// Seconds since it was submitted.
    pub age: f64,
    /// Its units.
    pub units: UnitCounts,
    /// Units per second in the last minute.
    pub rate: f64,
    /// The mean time of a unit in the last minute, in seconds.
    pub mean: Option<f64>,
    /// Time on workers so far, in seconds.
    pub work: f64,
    /// Seconds left at this rate.
    pub left: Option<f64>,
    /// Seconds since the oldest unit that is under way was claimed.
    pub lag: Option<f64>,
    /// Units that were set aside, and units that failed and are tried again: the first ten.
    pub faults: Vec<UnitFault>,
    /// Why workers do not work on it, with the number of workers.
    pub refusals: Vec<Refusal>,
}

/// The units of a job by their state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct UnitCounts {
    /// They wait for results of others.
    pub waiting: u64,
    /// They can be claimed.
    pub queued: u64,
    /// They are under way.
    pub leased: u64,
    /// Their results are there.
    pub done: u64,
    /// They were set aside.
    pub failed: u64,
    /// They are not needed.
    pub cancelled: u64,
}

/// A unit that failed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct UnitFault {
    /// The unit.
    pub unit: u32,
    /// Whether it was set aside.
    pub is_set_aside: bool,
    /// Errors so far.
    pub errors: u32,
    /// Leases that ended without a word.
    pub losses: u32,
    /// The last error.
    pub message: String,
}

/// Why workers do not work on a job.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// What differs.
    pub reason: String,
    /// Workers that say so.
    pub workers: u64,
}

/// A worker.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ClusterWorker {
    /// Its number.
    pub worker: i64,
    /// Its name.
    pub name: String,
    /// Its machine.
    pub host: String,
    /// Its version.
    pub version: String,
    /// Its threads.
    pub threads: u32,
    /// `alive`, `gone` (it ended in order) or `lost` (its lease ended).
    pub state: String,
    /// Seconds since it was heard of.
    pub seen: f64,
    /// Units that it holds.
    pub leased: u64,
}

impl UnitCounts {
    /// Adds units of a state.
    pub fn add(&mut self, state: &str, units: u64) {
        match state {
            "waiting" => self.waiting += units,
            "queued" => self.queued += units,
            "leased" => self.leased += units,
            "done" => self.done += units,
            "failed" => self.failed += units,
            _ => self.cancelled += units,
        }
    }

    /// Units that are to be done.
    pub fn open(&self) -> u64 {
        self.waiting + self.queued + self.leased
    }

    /// All units.
    pub fn all(&self) -> u64 {
        self.open() + self.done + self.failed + self.cancelled
    }

    fn states(&self) -> [(&'static str, u64); 6] {
        [
            ("done", self.done),
            ("leased", self.leased),
            ("queued", self.queued),
            ("waiting", self.waiting),
            ("failed", self.failed),
            ("cancelled", self.cancelled),
        ]
    }
}

impl fmt::Display for UnitCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} units are done", grouped(self.done), grouped(self.all()))?;
        let others = [
            (self.leased, "under way"),
            (self.queued, "queued"),
            (self.waiting, "waiting for results"),
            (self.failed, "set aside"),
            (self.cancelled, "not needed"),
        ];
        others
            .iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, word)| write!(f, ", {} {word}", grouped(*count)))
    }
}

impl ClusterStatus {
    /// Metrics in the text format of Prometheus.
    pub fn prometheus(&self) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, help: &str, rows: Vec<(String, f64)>| {
            let _ = writeln!(text, "# HELP tesuji_cluster_{name} {help}\n# TYPE tesuji_cluster_{name} gauge");
            for (labels, value) in rows {
                let _ = writeln!(text, "tesuji_cluster_{name}{labels} {value}");
            }
        };
        let label = |job: &ClusterJob| format!("job=\"{}\",name=\"{}\"", job.job, escaped(&job.name));
        let states = self.jobs.iter().flat_map(|job| {
            let row = move |(state, count)| (format!("{{{},state=\"{state}\"}}", label(job)), count as f64);
            job.units.states().into_iter().map(row)
        });
        metric("units", "Units of a job by state.", states.collect());
        let each = |value: fn(&ClusterJob) -> Option<f64>| {
            let row = |job: &ClusterJob| value(job).map(|value| (format!("{{{}}}", label(job)), value));
            self.jobs.iter().filter_map(row).collect::<Vec<_>>()
        };
        metric("units_per_second", "Units finished per second in the last minute.", each(|job| Some(job.rate)));
        metric("work_seconds", "Time that workers have spent on finished units.", each(|job| Some(job.work)));
        metric("seconds_left", "Time left at the present rate.", each(|job| job.left));
        metric("lag_seconds", "Age of the oldest claim that is under way.", each(|job| job.lag));
        let workers = ["alive", "gone", "lost"].map(|state| {
            let count = self.workers.iter().filter(|worker| worker.state == state).count();
            (format!("{{state=\"{state}\"}}"), count as f64)
        });
        metric("workers", "Workers of the last hour by state.", workers.to_vec());
        let threads = self.workers.iter().filter(|worker| worker.state == "alive").map(|worker| worker.threads);
        metric(
            "threads",
            "Threads of the workers that are alive.",
            vec![(String::new(), f64::from(threads.sum::<u32>()))],
        );
        text
    }
}

/// A label value: without backslashes, quotes and line feeds of its own.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_a_line_per_job_and_state() {
        let units = UnitCounts { done: 3, queued: 2, ..UnitCounts::default() };
        let job = ClusterJob { job: 7, name: "a \"b\"".to_owned(), units, rate: 1.5, ..ClusterJob::default() };
        let worker = ClusterWorker { state: "alive".to_owned(), threads: 4, ..ClusterWorker::default() };
        let text = ClusterStatus { jobs: vec![job], workers: vec![worker] }.prometheus();
        assert!(text.contains("tesuji_cluster_units{job=\"7\",name=\"a \\\"b\\\"\",state=\"done\"} 3\n"), "{text}");
        assert!(text.contains("tesuji_cluster_units_per_second{job=\"7\",name=\"a \\\"b\\\"\"} 1.5\n"), "{text}");
        assert!(
            text.contains("tesuji_cluster_workers{state=\"alive\"} 1\n") && text.contains("tesuji_cluster_threads 4\n")
        );
        assert_eq!(units.to_string(), "3 of 5 units are done, 2 queued");
    }
}
