//! Building a tablebase by several processes, on one machine or several.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_dataflow::{Cluster, ClusterError, DataflowError, DataflowEvent, DataflowJob, DataflowResult};
use tesuji_game::HasPerfectIndex;
use tesuji_solve::tablebase::build::BuildEvent;
use tesuji_solve::tablebase::{Metric, ShellCommand};
use tesuji_task::{CheckpointSchedule, Context, Control, cores};

use super::build::{owned, stages, totals};
use super::{TablebaseEvent, TablebaseEvents, TablebaseRequest, TablebaseResponse, directory, id};
use crate::machine::free_memory;
use crate::{Error, Playable};

/// The processes of a build, seen by one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessesRequest {
    /// Their number.
    pub processes: usize,
    /// This one, from 0.
    pub process: usize,
    /// The file of their addresses; needed by more than one.
    pub hosts: Option<String>,
    /// How long to wait for the others at the beginning.
    pub wait: Duration,
}

/// The usual time to wait for other processes.
const WAIT: Duration = Duration::from_secs(300);

impl ProcessesRequest {
    /// Adds the options of these processes to a command.
    pub(super) fn command(&self, command: ShellCommand) -> ShellCommand {
        let mut command = command.option("--processes", self.processes).option("--process", self.process);
        if let Some(hosts) = &self.hosts {
            command = command.option("--hosts", hosts);
        }
        if self.wait != WAIT && !self.wait.is_zero() {
            command = command.option("--wait", format!("{}ms", self.wait.as_millis()));
        }
        command
    }

    fn cluster(&self, workers: usize) -> Result<Cluster, Error> {
        let text = match &self.hosts {
            None if self.processes > 1 => {
                let needed = "several processes need the file of their addresses, one `host:port` per line";
                return Err(Error::field("hosts", needed));
            }
            None => String::new(),
            Some(path) => fs::read_to_string(path)
                .map_err(|error| Error::field("hosts", format!("{path}: cannot be read: {error}")))?,
        };
        let wait = if self.wait.is_zero() { WAIT } else { self.wait };
        Cluster::new(self.process, self.processes, &text, workers, wait).map_err(|error| match error {
            ClusterError::Process { .. } => Error::field("process", error),
            ClusterError::Workers { .. } => Error::field("workers", error),
            error => {
                let path = self.hosts.as_deref().unwrap_or_default();
                Error::field("hosts", format!("{path}: {error}"))
            }
        })
    }
}

/// Runs one process of a build.
pub(super) fn build_together<G: Playable + HasPerfectIndex>(
    together: &ProcessesRequest,
    request: &TablebaseRequest,
    context: Context<'_>,
    events: TablebaseEvents<'_>,
) -> Result<TablebaseResponse, Error> {
    if request.reach || request.reach_only {
        let alone = ShellCommand::solve(G::NAME).flag("--reach-only");
        let reach = format!("distances from the start are found by one process: run `{alone}` when the table is there");
        return Err(Error::field("reach", reach));
    }
    let clock = (Instant::now(), ProcessTime::now());
    let workers = request.threads.unwrap_or_else(cores);
    let cluster = together.cluster(workers)?;
    let dir = directory(request.directory.as_deref());
    fs::create_dir_all(&dir)
        .map_err(|error| Error::field("out", format!("{}: cannot be made: {error}", dir.display())))?;
    let job = DataflowJob {
        dir,
        id: id::<G>(),
        metric: if request.wdl { Metric::Wdl } else { Metric::Dtw },
        stages: stages::<G>(request)?,
        memory: request.memory.or_else(free_memory).unwrap_or(u64::MAX),
        cluster,
        band_bits: None,
        cancel: context.cancel.clone(),
    };
    let index = Arc::new(G::index());
    events(TablebaseEvent::Started {
        directory: job.dir.display().to_string(),
        pieces: job.stages.checked_sub(1).map(|last| G::STAGES[last].to_owned()),
        memory: job.peak(&*index),
        threads: workers,
    });
    let mut schedule = CheckpointSchedule::new(request.checkpoint);
    let mut observer = |event: DataflowEvent| {
        if matches!(event, DataflowEvent::Connected) && job.cluster.process() == 0 {
            // Without the file the build goes on, and `verify` knows less.
            let _ = request.save(&job.dir);
        }
        let is_progress = matches!(event, DataflowEvent::Solving(_) | DataflowEvent::Counting { .. });
        if let Some(event) = translated::<G>(event, &job) {
            events(event);
        }
        let late = request.time_limit.is_some_and(|limit| clock.0.elapsed() >= limit);
        match late {
            true => Control::Stop,
            false if is_progress && schedule.due() => Control::Checkpoint,
            false => Control::Continue,
        }
    };
    let result = tesuji_dataflow::build(&index, G::start(), &job, &mut observer).map_err(|error| match error {
        DataflowError::Cancelled => Error::Cancelled,
        DataflowError::Lost { .. } => {
            let command = request.command(G::NAME);
            Error::failed(format!("{error}; start all processes again to go on, this one with `{command}`"))
        }
        error => Error::failed(error),
    });
    if let Err(Error::Cancelled) = result {
        events(TablebaseEvent::Unsaved);
    }
    let mut response = TablebaseResponse {
        name: job.id.game.clone(),
        directory: job.dir.display().to_string(),
        stopped: false,
        classes: Vec::new(),
        total: None,
        distances: None,
        published: Vec::new(),
    };
    match result? {
        DataflowResult::Stopped => response.stopped = true,
        DataflowResult::Done(None) => {}
        DataflowResult::Done(Some(summary)) => {
            let costs = (clock.0.elapsed().as_secs_f64(), clock.1.elapsed().as_secs_f64());
            let place: (&Path, _, _) = (&job.dir, &job.id, job.metric);
            (response.classes, response.total) = totals::<G, G::Index>(&index, place, &summary, costs)?;
        }
    }
    Ok(response)
}

/// The event as front ends know it.
fn translated<G: HasPerfectIndex>(event: DataflowEvent, job: &DataflowJob) -> Option<TablebaseEvent> {
    Some(match event {
        DataflowEvent::Waiting => return None,
        DataflowEvent::Connected => {
            let processes = job.cluster.processes();
            let (process, workers) = (job.cluster.process(), job.cluster.workers() / processes);
            TablebaseEvent::Connected { process, processes, workers }
        }
        DataflowEvent::Warning(message) => TablebaseEvent::Warning { message },
        DataflowEvent::Solving(progress) => owned::<G>(BuildEvent::Solving(&progress)),
        DataflowEvent::Solved { stage } => owned::<G>(BuildEvent::Solved { stage }),
        DataflowEvent::Counting { class, done, total } => TablebaseEvent::Counting { class, done, total },
        DataflowEvent::Counted(found) => owned::<G>(BuildEvent::Counted(&found)),
        DataflowEvent::Writing { class, progress } => owned::<G>(BuildEvent::Writing { class: &class, progress }),
        DataflowEvent::Written(info) => owned::<G>(BuildEvent::Written(&info)),
    })
}
