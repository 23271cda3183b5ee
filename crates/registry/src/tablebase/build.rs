//! Building a tablebase.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_solve::reachability::DistanceStatistics;
use tesuji_solve::retrograde::{ClassStatistics, MemoryBudget};
use tesuji_solve::tablebase::build::{BuildEvent, BuildJob, BuildResult, build, work_dir};
use tesuji_solve::tablebase::{Metric, ShellCommand, Tablebase, TablebaseId, TablebaseSummary};
use tesuji_task::{CancelToken, CheckpointSchedule, Context, Control, cores};

use super::{ProcessesRequest, TablebaseEvents, directory, id, processes};
use crate::machine::{free_memory, peak_memory};
use crate::{Error, Playable};

/// What to build.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TablebaseRequest {
    /// The directory; `tables` in the user's data folder when absent. An earlier build there is resumed.
    pub directory: Option<String>,
    /// Only boards with up to this many pieces; all when absent.
    pub pieces: Option<String>,
    /// Also find the distance of every board from the start.
    pub reach: bool,
    /// Find only the distances from the start.
    pub reach_only: bool,
    /// Store win, draw or loss without the distance to win.
    pub wdl: bool,
    /// Follow the rules of the published solution.
    pub published: bool,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
    /// Memory limit in bytes; the free memory when absent.
    pub memory: Option<u64>,
    /// Threads; all cores when absent. Of several processes: the workers of each.
    pub threads: Option<usize>,
    /// The processes that build together; one when absent.
    pub processes: Option<ProcessesRequest>,
}

/// The usual interval of checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(300);

impl TablebaseRequest {
    /// The command that resumes this build of a game. The time limit is left out, so it ends with the tablebase.
    pub fn command(&self, game: &str) -> String {
        let flags = [
            (self.reach, "--reach"),
            (self.reach_only, "--reach-only"),
            (self.wdl, "--wdl"),
            (self.published, "--published"),
        ];
        let mut command = ShellCommand::solve(game);
        if let Some(pieces) = &self.pieces {
            command = command.option("--pieces", pieces);
        }
        for (_, flag) in flags.iter().filter(|(given, _)| *given) {
            command = command.flag(flag);
        }
        if self.checkpoint != CHECKPOINT && !self.checkpoint.is_zero() {
            command = command.option("--checkpoint", format!("{}ms", self.checkpoint.as_millis()));
        }
        if let Some(memory) = self.memory {
            command = command.option("--memory", memory >> 20);
        }
        if let Some(processes) = &self.processes {
            command = processes.command(command);
        }
        if let Some(threads) = self.threads {
            command = command.option("--threads", threads);
        }
        match &self.directory {
            Some(directory) => command.out(directory).to_string(),
            None => command.to_string(),
        }
    }

    /// Keeps the request beside the unfinished work.
    pub(super) fn save(&self, dir: &Path) -> Result<(), Error> {
        let text = serde_json::to_vec(self).map_err(Error::failed)?;
        tesuji_store::save(work_dir(dir).join(REQUEST), &text).map_err(Error::failed)
    }

    /// The request of the unfinished build in a directory or in its directory of unfinished work, as far as it is known.
    pub(super) fn load(path: &str) -> TablebaseRequest {
        let path = Path::new(path);
        let parent = path.parent().filter(|parent| work_dir(parent) == path && !work_dir(path).is_dir());
        let dir = parent.unwrap_or(path);
        let text = fs::read(work_dir(dir).join(REQUEST)).unwrap_or_default();
        let request = serde_json::from_slice(&text).unwrap_or_default();
        TablebaseRequest { directory: Some(dir.display().to_string()), ..request }
    }
}

/// The file of the request, in the directory of unfinished work.
const REQUEST: &str = "request.json";

/// An event of a build.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TablebaseEvent {
    /// The work begins.
    Started {
        /// The directory.
        directory: String,
        /// The largest number of pieces; absent when only distances are wanted.
        pieces: Option<String>,
        /// Memory needed, in bytes.
        memory: u64,
        /// Threads.
        threads: usize,
    },
    /// All processes are connected.
    Connected {
        /// This process, from 0.
        process: usize,
        /// Their number.
        processes: usize,
        /// Workers of each.
        workers: usize,
    },
    /// Boards where the published rules may forbid another move, and their neighbours.
    PublishedBoards {
        /// Their number.
        boards: u64,
    },
    /// A problem that was worked around.
    Warning {
        /// What happened.
        message: String,
    },
    /// Progress of retrograde analysis.
    Solving {
        /// The stage, from 0.
        stage: usize,
        /// Stages of the game.
        stages: usize,
        /// The pieces of this stage.
        pieces: String,
        /// Boards in the stage.
        boards: u64,
        /// The layer (DTW); 0 during initialisation.
        layer: u8,
        /// The completed fraction of the layer.
        part: f64,
        /// Whether this is the first event of the layer.
        new_layer: bool,
        /// Moves followed.
        moves: u64,
        /// Values decided.
        decided: u64,
    },
    /// A stage is solved.
    StageSolved {
        /// Its pieces.
        pieces: String,
    },
    /// Progress of the statistics of a class.
    Counting {
        /// The class.
        class: String,
        /// Steps done.
        done: u64,
        /// Steps in all.
        total: u64,
    },
    /// The statistics of a class are complete.
    Counted {
        /// The class.
        class: String,
        /// Its boards.
        boards: u64,
        /// Its nodes.
        nodes: u64,
    },
    /// Progress of writing.
    Writing {
        /// The class.
        class: String,
        /// Steps done.
        done: u64,
        /// Steps in all.
        total: u64,
    },
    /// A file is written.
    Written {
        /// The file.
        path: String,
        /// Its size.
        bytes: u64,
        /// The longest distance to the end in it.
        longest: u8,
    },
    /// Progress of the distance search.
    Searching {
        /// Plies from the start.
        depth: u8,
        /// Moves followed.
        moves: u64,
    },
    /// All distances are known.
    Searched {
        /// The largest distance.
        deepest: usize,
    },
    /// Cancelled without a checkpoint, which would have taken too long: the same request resumes at the one before.
    Unsaved,
}

/// Boards and nodes by value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BoardCounts {
    /// Boards.
    pub boards: u64,
    /// Boards with a win in one.
    pub wins_at_once: u64,
    /// Won boards.
    pub wins: u64,
    /// Lost boards.
    pub losses: u64,
    /// Drawn boards.
    pub draws: u64,
    /// The longest distance to the end.
    pub longest: u8,
    /// Nodes: boards with what is forbidden there.
    pub nodes: u64,
    /// Boards by plies to the end.
    pub boards_by_plies: Vec<u64>,
    /// Nodes by plies to the end.
    pub nodes_by_plies: Vec<u64>,
}

/// The counts of a class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClassCounts {
    /// The counts.
    #[serde(flatten)]
    pub counts: BoardCounts,
    /// The class.
    pub class: String,
    /// The size of its file.
    pub bytes: u64,
}

/// The counts of all classes, and the costs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TablebaseTotals {
    /// The counts.
    #[serde(flatten)]
    pub counts: BoardCounts,
    /// The game.
    pub game: String,
    /// The directory.
    pub directory: String,
    /// Whether distances to win are stored.
    pub exact: bool,
    /// The value of the start.
    pub start: Option<String>,
    /// The size of all files.
    pub bytes: u64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
    /// Peak memory.
    pub peak_bytes: Option<u64>,
    /// The distance to the end of the start, 0 for a draw.
    #[serde(skip)]
    pub start_plies: Option<u8>,
    /// The plies and the position with the longest distance to the end.
    #[serde(skip)]
    pub longest_position: Option<(u8, String)>,
}

/// The distances from the start, and the costs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistanceTotals {
    /// Boards by distance.
    pub boards_by_depth: Vec<u64>,
    /// Positions by distance.
    pub positions_by_depth: Vec<u64>,
    /// Unreachable boards.
    pub unreached: u64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
    /// Peak memory.
    pub peak_bytes: Option<u64>,
}

/// Counts beside published ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PublishedComparison {
    /// What is counted.
    pub what: String,
    /// The sum of the counts found.
    pub sum: u64,
    /// Counts compared.
    pub lines: usize,
    /// Those that differ: the line, the published count and the one found.
    pub different: Vec<(usize, u64, u64)>,
}

/// The result of a build.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TablebaseResponse {
    /// The name of the tablebase, which its files begin with.
    pub name: String,
    /// The directory.
    pub directory: String,
    /// Whether the time limit ended it; the same request resumes the work.
    pub stopped: bool,
    /// The classes.
    pub classes: Vec<ClassCounts>,
    /// All classes; absent when only distances were wanted.
    pub total: Option<TablebaseTotals>,
    /// The distances from the start, if known.
    pub distances: Option<DistanceTotals>,
    /// The comparison with the published solution.
    pub published: Vec<PublishedComparison>,
}

/// Builds the tablebase of a game.
pub(super) fn build_tablebase<G: Playable + HasPerfectIndex>(
    request: &TablebaseRequest,
    context: Context<'_>,
    events: TablebaseEvents<'_>,
) -> Result<TablebaseResponse, Error> {
    if let Some(together) = &request.processes {
        return processes::build_together::<G>(together, request, context, events);
    }
    let (response, _) = build_with::<G, G::Index>(Arc::new(G::index()), id::<G>(), request, context, events)?;
    Ok(response)
}

/// Builds a tablebase over any index of the game's boards. The statistics are absent when the build was stopped.
pub(super) fn build_with<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
    index: Arc<R>,
    id: TablebaseId,
    request: &TablebaseRequest,
    context: Context<'_>,
    events: TablebaseEvents<'_>,
) -> Result<(TablebaseResponse, Option<TablebaseSummary>), Error> {
    let clock = (Instant::now(), ProcessTime::now());
    let job = BuildJob { cancel: context.cancel.clone(), ..job::<G, R>(&index, id, request)? };
    let (dir, name) = (job.dir.display().to_string(), job.id.game.clone());
    events(TablebaseEvent::Started {
        directory: dir.clone(),
        pieces: job.stages.checked_sub(1).map(|last| G::STAGES[last].to_owned()),
        memory: MemoryBudget::new(&*index, job.stages, job.threads, true).peak(),
        threads: job.threads,
    });
    let mut schedule = CheckpointSchedule::new(request.checkpoint);
    let mut saved = None;
    let mut observer = |event: BuildEvent<'_>| {
        // Only now the directory is locked. Without the file the build goes on, and `verify` knows less.
        saved.get_or_insert_with(|| request.save(&job.dir));
        let checkpoint =
            matches!(event, BuildEvent::Solving(_) | BuildEvent::Counting { .. } | BuildEvent::Searching { .. });
        events(owned::<G>(event));
        let late = request.time_limit.is_some_and(|limit| clock.0.elapsed() >= limit);
        match context.is_cancelled() || late {
            true => Control::Stop,
            false if checkpoint && schedule.due() => Control::Checkpoint,
            false => Control::Continue,
        }
    };
    let result = build(&index, G::start(), &job, &mut observer).map_err(Error::failed)?;
    let mut response = TablebaseResponse {
        name,
        directory: dir,
        stopped: false,
        classes: Vec::new(),
        total: None,
        distances: None,
        published: Vec::new(),
    };
    let summary = match result {
        BuildResult::Done(summary) => summary,
        BuildResult::Unsaved => {
            events(TablebaseEvent::Unsaved);
            return Err(Error::Cancelled);
        }
        BuildResult::Stopped if context.is_cancelled() => return Err(Error::Cancelled),
        BuildResult::Stopped => {
            response.stopped = true;
            return Ok((response, None));
        }
    };
    let costs = (clock.0.elapsed().as_secs_f64(), clock.1.elapsed().as_secs_f64());
    if !request.reach_only {
        (response.classes, response.total) = totals::<G, R>(&index, (&job.dir, &job.id, job.metric), &summary, costs)?;
    }
    response.distances = summary.distances.as_ref().map(|statistics| distance_totals(statistics, costs));
    Ok((response, Some(summary)))
}

/// Translates the request, and checks that there is enough memory.
fn job<G: Playable + HasPerfectIndex, R: PerfectIndex>(
    index: &R,
    id: TablebaseId,
    request: &TablebaseRequest,
) -> Result<BuildJob, Error> {
    let stages = stages::<G>(request)?;
    let dir = directory(request.directory.as_deref());
    fs::create_dir_all(&dir)
        .map_err(|error| Error::field("out", format!("{}: cannot be made: {error}", dir.display())))?;
    let threads = request.threads.unwrap_or_else(cores);
    let memory = request.memory.or_else(free_memory).unwrap_or(u64::MAX);
    let needed = MemoryBudget::new(index, stages, threads, true).peak();
    if needed > memory {
        let fewer = if stages > 1 { "solve fewer pieces first with --pieces, " } else { "" };
        return Err(Error::failed(format!(
            "this needs {} MiB of memory and may use {} MiB: end other programs, {fewer}or allow more with --memory",
            needed >> 20,
            memory >> 20
        )));
    }
    let metric = if request.wdl { Metric::Wdl } else { Metric::Dtw };
    let distances = request.reach || request.reach_only;
    Ok(BuildJob { dir, id, metric, stages, distances, threads, memory, cancel: CancelToken::new() })
}

/// The number of stages to solve.
pub(super) fn stages<G: Playable + HasPerfectIndex>(request: &TablebaseRequest) -> Result<usize, Error> {
    match &request.pieces {
        _ if request.reach_only => Ok(0),
        None => Ok(G::STAGES.len()),
        Some(pieces) => {
            let stage = G::STAGES.iter().position(|stage| stage == pieces);
            stage.map(|stage| stage + 1).ok_or_else(|| {
                let known = any_of(G::STAGES);
                Error::field("pieces", format!("{pieces:?}: {} is solved with {known}", G::NAME))
            })
        }
    }
}

/// `8, 9 or 10`.
fn any_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

pub(super) fn owned<G: HasPerfectIndex>(event: BuildEvent<'_>) -> TablebaseEvent {
    match event {
        BuildEvent::Warning(message) => TablebaseEvent::Warning { message },
        BuildEvent::Solving(progress) => TablebaseEvent::Solving {
            stage: progress.stage,
            stages: G::STAGES.len(),
            pieces: G::STAGES[progress.stage].to_owned(),
            boards: progress.boards,
            layer: progress.layer,
            part: progress.part,
            new_layer: progress.new_layer,
            moves: progress.edges,
            decided: progress.decided,
        },
        BuildEvent::Solved { stage } => TablebaseEvent::StageSolved { pieces: G::STAGES[stage].to_owned() },
        BuildEvent::Counting { class, done, total } => {
            TablebaseEvent::Counting { class: class.to_owned(), done, total }
        }
        BuildEvent::Counted(class) => TablebaseEvent::Counted {
            class: class.name.clone(),
            boards: class.statistics.boards,
            nodes: class.statistics.nodes.iter().sum(),
        },
        BuildEvent::Writing { class, progress } => {
            TablebaseEvent::Writing { class: class.to_owned(), done: progress.done, total: progress.total }
        }
        BuildEvent::Written(info) => {
            TablebaseEvent::Written { path: info.path.display().to_string(), bytes: info.bytes, longest: info.longest }
        }
        BuildEvent::Searching { depth, moves } => TablebaseEvent::Searching { depth, moves },
        BuildEvent::Searched(statistics) => {
            TablebaseEvent::Searched { deepest: statistics.boards.len().saturating_sub(1) }
        }
    }
}

pub(super) type Totals = (Vec<ClassCounts>, Option<TablebaseTotals>);

pub(super) fn totals<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
    index: &Arc<R>,
    (dir, id, metric): (&Path, &TablebaseId, Metric),
    summary: &TablebaseSummary,
    (seconds, cpu_seconds): (f64, f64),
) -> Result<Totals, Error> {
    let opened = Tablebase::open_metric(dir, Arc::clone(index), id, metric, 0);
    let table = opened.map_err(Error::failed)?;
    let bytes = |class: u8| table.info().find(|info| info.class == class).map_or(0, |info| info.bytes);
    let classes = summary.classes.iter().map(|class| ClassCounts {
        counts: counts(&class.statistics),
        class: class.name.clone(),
        bytes: bytes(class.class),
    });
    let longest_position = summary.longest.first().and_then(|entry| {
        let board = index.unrank(entry.class, entry.index)?.forbidding(entry.forbidden);
        Some((entry.plies, board.print()))
    });
    let total = TablebaseTotals {
        counts: counts(&summary.total()),
        game: G::NAME.to_owned(),
        directory: dir.display().to_string(),
        exact: metric == Metric::Dtw,
        start: summary.start.map(|plies| value_word(plies).to_owned()),
        bytes: table.info().map(|info| info.bytes).sum(),
        seconds,
        cpu_seconds,
        peak_bytes: peak_memory(),
        start_plies: summary.start,
        longest_position,
    };
    Ok((classes.collect(), Some(total)))
}

fn counts(statistics: &ClassStatistics) -> BoardCounts {
    let by_plies = |counts: &[u64]| {
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts[..end].to_vec()
    };
    BoardCounts {
        boards: statistics.boards,
        wins_at_once: statistics.wins_at_once,
        wins: statistics.first.iter().skip(1).step_by(2).sum(),
        losses: statistics.first.iter().skip(2).step_by(2).sum(),
        draws: statistics.first[0],
        longest: statistics.longest.first().map_or(0, |entry| entry.plies),
        nodes: statistics.nodes.iter().sum(),
        boards_by_plies: by_plies(&statistics.first),
        nodes_by_plies: by_plies(&statistics.nodes),
    }
}

fn distance_totals(statistics: &DistanceStatistics, (seconds, cpu_seconds): (f64, f64)) -> DistanceTotals {
    DistanceTotals {
        boards_by_depth: statistics.boards.clone(),
        positions_by_depth: statistics.positions.clone(),
        unreached: statistics.unreached,
        seconds,
        cpu_seconds,
        peak_bytes: peak_memory(),
    }
}

/// `win`, `loss` or `draw` of a distance to win.
pub(super) fn value_word(plies: u8) -> &'static str {
    match plies {
        0 => "draw",
        won if won % 2 == 1 => "win",
        _ => "loss",
    }
}
