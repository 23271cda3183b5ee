//! Runs of several workers and processes on small games: whatever happens, the files are those of one process.

#[path = "../../solve/tests/laws/retrograde/noughts.rs"]
mod noughts;
#[path = "../../solve/tests/laws/retrograde/small.rs"]
mod small;
#[path = "../../solve/tests/laws/retrograde/toy.rs"]
mod toy;

#[path = "runs/killed.rs"]
mod killed;
#[path = "runs/together.rs"]
mod together;

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tesuji_dataflow::{Cluster, DataflowError, DataflowEvent, DataflowJob, DataflowResult, build};
use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{Control, Solution, SolveResult, SolveSettings, solve};
use tesuji_solve::tablebase::build::{BuildJob, BuildResult, work_dir};
use tesuji_solve::tablebase::{Metric, Tablebase, TablebaseId};
use tesuji_task::CancelToken;

use small::{Cells, Small};
use toy::{Listed, Toy};

/// A push game: moves within a stage, captures, ko, symmetric boards.
type Push = Listed<Small<3, 3, 2>>;

const START: Cells = [2, 2, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0];

fn push() -> Arc<Push> {
    Arc::new(Listed::new(Small))
}

fn id() -> TablebaseId {
    TablebaseId { game: "small".to_owned(), rules: 1, index: 1 }
}

fn job(dir: &Path, cluster: Cluster, band_bits: u32) -> DataflowJob {
    DataflowJob {
        dir: dir.to_owned(),
        id: id(),
        metric: Metric::Dtw,
        stages: usize::MAX,
        memory: 1 << 32,
        cluster,
        band_bits: Some(band_bits),
        cancel: CancelToken::new(),
    }
}

fn workers(count: usize) -> Cluster {
    Cluster::single(count).expect("some workers")
}

/// Addresses on this machine that nobody uses now.
fn hosts(count: usize) -> String {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    listeners.iter().map(|listener| format!("{}\n", listener.local_addr().expect("an address"))).collect()
}

fn process(number: usize, processes: usize, hosts: &str, workers: usize) -> Cluster {
    Cluster::new(number, processes, hosts, workers, Duration::from_secs(60)).expect("a cluster")
}

/// The files of a directory with their bytes.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// What one process writes in the ordinary way.
fn alone<T: Toy>(game: &Arc<Listed<T>>, start: T::Board, metric: Metric) -> BTreeMap<String, Vec<u8>>
where
    Listed<T>: Send,
{
    let scratch = tempfile::tempdir().expect("a directory");
    let job = BuildJob {
        dir: scratch.path().to_owned(),
        id: id(),
        metric,
        stages: usize::MAX,
        distances: false,
        threads: 2,
        memory: 1 << 32,
        cancel: CancelToken::new(),
    };
    let built = tesuji_solve::tablebase::build::build(game, start, &job, &mut |_| Control::Continue);
    assert!(matches!(built, Ok(BuildResult::Done(_))), "{built:?}");
    files(scratch.path())
}

fn solved<G: PerfectIndex>(game: &G) -> Solution {
    let plan = SolveSettings { threads: 1, stages: usize::MAX, memory: 1 << 32, cancel: CancelToken::new() };
    match solve(game, &plan, None, &mut |_| Control::Continue).expect("nothing goes wrong") {
        SolveResult::Solved(solution) => solution,
        SolveResult::Stopped => panic!("nobody said stop"),
    }
}

/// Compares every value in a directory with the solver in memory.
fn is_right<G: PerfectIndex + Send>(game: &Arc<G>, dir: &Path) {
    let (solution, table) = (solved(&**game), Tablebase::open(dir, Arc::clone(game), &id()).expect("a table"));
    for &class in game.stages().iter().copied().flatten() {
        let found = table.values(class, 1, &CancelToken::new()).expect("values");
        let right = solution.class(class).expect("solved");
        let planes = |values: &tesuji_solve::retrograde::ClassValues| {
            [values.first.to_vec(), values.mv.to_vec(), values.second.to_vec()]
        };
        assert!(planes(&found) == planes(right), "class {class}");
    }
}

/// Runs a job to its end.
fn finish<T: Toy>(game: &Arc<Listed<T>>, start: T::Board, job: &DataflowJob)
where
    Listed<T>: PerfectIndex<Board = T::Board> + Send + 'static,
{
    let built = build(game, start, job, &mut |_| Control::Continue);
    assert!(matches!(built, Ok(DataflowResult::Done(_))), "{built:?}");
    assert!(!work_dir(&job.dir).exists(), "no work is left over");
}

#[test]
fn workers_write_the_files_of_one_process() {
    let (game, noughts) = (push(), Arc::new(Listed::new(noughts::Noughts)));
    let (right, right_noughts) = (alone(&game, START, Metric::Dtw), alone(&noughts, [0; 9], Metric::Dtw));
    for count in 1..=4 {
        let scratch = tempfile::tempdir().expect("a directory");
        finish(&game, START, &job(scratch.path(), workers(count), 11));
        assert!(files(scratch.path()) == right, "{count} workers");
        let scratch = tempfile::tempdir().expect("a directory");
        finish(&noughts, [0; 9], &job(scratch.path(), workers(count), 11));
        assert!(files(scratch.path()) == right_noughts, "{count} workers, tic-tac-toe");
    }
    let scratch = tempfile::tempdir().expect("a directory");
    finish(&game, START, &DataflowJob { metric: Metric::Wdl, ..job(scratch.path(), workers(3), 11) });
    assert!(files(scratch.path()) == alone(&game, START, Metric::Wdl));
}

/// Small bands, so that every worker has many and most messages go to another.
#[test]
fn the_values_are_those_of_the_solver_in_memory() {
    let game = Arc::new(Listed::new(Small::<3, 3, 3>));
    let start = [2, 2, 2, 0, 3, 0, 1, 1, 1, 0, 0, 0];
    let findings = alone(&game, start, Metric::Dtw)["small.findings"].clone();
    for (count, bits) in [(1, 3), (2, 0), (3, 4), (4, 6), (7, 2)] {
        let scratch = tempfile::tempdir().expect("a directory");
        finish(&game, start, &job(scratch.path(), workers(count), bits));
        is_right(&game, scratch.path());
        assert!(files(scratch.path())["small.findings"] == findings, "{count} workers");
    }
    let noughts = Arc::new(Listed::new(noughts::Noughts));
    let scratch = tempfile::tempdir().expect("a directory");
    finish(&noughts, [0; 9], &job(scratch.path(), workers(3), 1));
    is_right(&noughts, scratch.path());
}

#[test]
fn stopped_again_and_again_it_goes_on() {
    let (game, scratch) = (push(), tempfile::tempdir().expect("a directory"));
    let (mut runs, hosts) = (0, hosts(2));
    loop {
        runs += 1;
        assert!(runs < 400, "it does not go on");
        let results = thread::scope(|scope| {
            let run = |number: usize| {
                let job = job(scratch.path(), process(number, 2, &hosts, 2), 11);
                let game = &game;
                let mut calls = 0;
                scope.spawn(move || {
                    build(game, START, &job, &mut |event| {
                        calls += usize::from(matches!(event, DataflowEvent::Solving(_)));
                        // Now one process stops the run, now the other.
                        if calls > 1 && number == runs % 2 { Control::Stop } else { Control::Continue }
                    })
                })
            };
            [run(0), run(1)].map(|handle| handle.join().expect("no panic").expect("nothing goes wrong"))
        });
        match results {
            [DataflowResult::Stopped, DataflowResult::Stopped] => assert!(work_dir(scratch.path()).exists()),
            [DataflowResult::Done(Some(_)), DataflowResult::Done(None)] => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(runs > 5, "{runs} runs");
    assert!(files(scratch.path()) == alone(&game, START, Metric::Dtw));
}

#[test]
fn cancelled_in_the_middle_of_anything_it_goes_on() {
    let (game, scratch) = (push(), tempfile::tempdir().expect("a directory"));
    let mut runs = 0;
    loop {
        runs += 1;
        // More each time, so that every pass is complete at last.
        let cancel = game.cancelled_after(400 * runs);
        let job = DataflowJob { cancel, ..job(scratch.path(), workers(2), 11) };
        match build(&game, START, &job, &mut |_| Control::Checkpoint) {
            Ok(DataflowResult::Done(_)) => break,
            Err(DataflowError::Cancelled) => assert!(job.cancel.is_cancelled()),
            other => panic!("{other:?}"),
        }
    }
    assert!(runs > 3, "{runs} runs");
    assert!(files(scratch.path()) == alone(&game, START, Metric::Dtw));
}
