//! Builds of a whole game: at once, in parts, killed a hundred times, on a full disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};
use tesuji_solve::retrograde::Control;
use tesuji_solve::tablebase::TablebaseSummary;
use tesuji_solve::tablebase::build::{BuildError, BuildEvent, BuildJob, BuildResult, build, work_dir};
use tesuji_solve::tablebase::{Metric, Tablebase, TablebaseId};
use tesuji_task::CancelToken;

use super::checkpoints::Scratch;
use super::small::{Cells, Small};
use super::toy::Listed;
use super::{classes, solved};

type Game = Listed<Small<3, 3, 2>>;

const START: Cells = [2, 2, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0];

fn game() -> Arc<Game> {
    Arc::new(Listed::new(Small))
}

fn id() -> TablebaseId {
    TablebaseId { game: "small".to_owned(), rules: 1, index: 1 }
}

fn task(dir: &Path) -> BuildJob {
    let (dir, id, metric) = (dir.to_owned(), id(), Metric::Dtw);
    let (stages, distances, threads, memory, cancel) = (usize::MAX, true, 2, 1 << 32, CancelToken::new());
    BuildJob { dir, id, metric, stages, distances, threads, memory, cancel }
}

fn finish(game: &Arc<Game>, task: &BuildJob) -> TablebaseSummary {
    match build(game, START, task, &mut |_| Control::Continue).expect("nothing goes wrong") {
        BuildResult::Done(summary) => summary,
        other => panic!("nobody said stop: {other:?}"),
    }
}

/// All files of a directory with their bytes.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(dir).expect("a directory");
    let mut found: Vec<(PathBuf, Vec<u8>)> = entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_name().expect("a name").into(), fs::read(&path).expect("a file")))
        .collect();
    found.sort();
    found
}

#[test]
fn everything_is_there_and_right() {
    let (game, scratch) = (game(), Scratch::new("whole"));
    let summary = finish(&game, &task(&scratch.0));
    assert!(!work_dir(&scratch.0).exists(), "no work is left over");
    assert_eq!(TablebaseSummary::load(&scratch.0, &id()).expect("findings"), Some(summary.clone()));

    let solution = solved(&*game, 1);
    let table = Tablebase::open(&scratch.0, Arc::clone(&game), &id()).expect("a table");
    for class in classes(&*game) {
        let values = table.values(class, 1, &CancelToken::new()).expect("values");
        let right = solution.class(class).expect("solved");
        assert!(super::bytes(&values) == super::bytes(right), "class {class}");
    }
    assert_eq!(summary.start, solution.value(&*game, START, NO_MOVE));
    let total = summary.total();
    let longest = total.nodes.iter().rposition(|&count| count > 0).expect("a node");
    let far = summary.longest[0];
    assert_eq!(usize::from(far.plies), longest);
    let board = game.unrank(far.class, far.index).expect("a board");
    assert_eq!(solution.value(&*game, board, far.forbidden), Some(far.plies));
    let distances = summary.distances.expect("distances");
    assert_eq!(distances.boards.iter().sum::<u64>() + distances.unreached, total.boards);
    assert_eq!(summary.unreached.len() as u64, distances.unreached);
    assert!(total.orphans.iter().all(|orphan| summary.unreached.contains(orphan)));
    assert_eq!(total.orphans, orphans(&game));
}

/// The boards without predecessors.
fn orphans(game: &Game) -> Vec<(u8, u32)> {
    let numbers = |class: u8| (0..game.size(class)).map(move |index| (class, index));
    let boards = || classes(game).flat_map(numbers).filter_map(|at| Some((at, game.unrank(at.0, at.1)?)));
    let mut found: Vec<(u8, u32)> = boards().map(|(at, _)| at).collect();
    for (_, board) in boards() {
        game.successors(board, |_, step| {
            if let Successor::Board(next, _) = step {
                let place = game.rank(next);
                found.retain(|&at| at != (place.class, place.index));
            }
        });
    }
    found
}

#[test]
fn in_parts_with_any_threads_it_is_the_same() {
    let (game, once, parts) = (game(), Scratch::new("once"), Scratch::new("parts"));
    finish(&game, &task(&once.0));
    let right = files(&once.0);
    finish(&game, &BuildJob { stages: 1, distances: false, threads: 1, ..task(&parts.0) });
    assert!(files(&parts.0).len() < right.len());
    finish(&game, &BuildJob { stages: 2, distances: false, threads: 3, ..task(&parts.0) });
    finish(&game, &BuildJob { threads: 3, ..task(&parts.0) });
    assert!(files(&parts.0) == right);
    // Again, with nothing left to do.
    finish(&game, &task(&parts.0));
    assert!(files(&parts.0) == right);
    // A WDL tablebase beside it.
    finish(&game, &BuildJob { metric: Metric::Wdl, ..task(&parts.0) });
    assert_eq!(files(&parts.0).len(), right.len() + classes(&*game).count());
}

#[test]
fn distances_need_no_values_and_are_kept_when_values_come() {
    let (game, once, apart) = (game(), Scratch::new("at-once"), Scratch::new("apart"));
    let right = finish(&game, &task(&once.0));
    let alone = finish(&game, &BuildJob { stages: 0, ..task(&apart.0) });
    assert!(alone.classes.is_empty() && alone.distances.is_some());
    assert_eq!((&alone.distances, &alone.unreached), (&right.distances, &right.unreached));
    assert_eq!(finish(&game, &BuildJob { distances: false, ..task(&apart.0) }), right);
    assert!(files(&apart.0) == files(&once.0));
}

#[test]
fn stopped_anywhere_it_goes_on() {
    let (game, once, often) = (game(), Scratch::new("unstopped"), Scratch::new("stopped-whole"));
    finish(&game, &task(&once.0));
    let mut runs = 0;
    let summary = loop {
        let (mut calls, most) = (0, 3 + runs % 7);
        let mut watch = |_: BuildEvent<'_>| {
            calls += 1;
            if calls > most { Control::Stop } else { Control::Continue }
        };
        runs += 1;
        assert!(runs < 2000, "it does not go on");
        match build(&game, START, &task(&often.0), &mut watch).expect("nothing goes wrong") {
            BuildResult::Done(summary) => break summary,
            BuildResult::Stopped => assert!(work_dir(&often.0).exists()),
            BuildResult::Unsaved => panic!("nothing was cancelled"),
        }
    };
    assert!(runs > 10, "{runs} runs");
    assert!(files(&often.0) == files(&once.0));
    assert_eq!(Some(summary), TablebaseSummary::load(&once.0, &id()).expect("findings"));
}

/// A cancellation in the middle of a pass over the boards drops the pass or keeps what it decided, and ends the run.
#[test]
fn cancelled_in_the_middle_of_anything_it_goes_on() {
    let (game, once, often) = (game(), Scratch::new("uncancelled"), Scratch::new("cancelled"));
    finish(&game, &task(&once.0));
    let (mut runs, mut layers) = (0, std::collections::HashSet::new());
    loop {
        runs += 1;
        // More each time, so that every pass is complete at last.
        let job = BuildJob { threads: 1 + runs % 3, cancel: game.cancelled_after(25 * runs), ..task(&often.0) };
        let mut last = None;
        let ended = build(&game, START, &job, &mut |event| {
            if let BuildEvent::Solving(progress) = event {
                last = Some((progress.stage, progress.layer));
            }
            Control::Continue
        });
        if let BuildResult::Done(_) = ended.expect("nothing goes wrong") {
            break;
        }
        assert!(job.cancel.is_cancelled() && work_dir(&often.0).exists());
        layers.extend(last);
    }
    assert!(files(&often.0) == files(&once.0));
    assert!(runs > 25 && layers.len() > 8, "{runs} runs, ended in {layers:?}");
}

/// The directory of a child process; without it, a temporary one.
const PLACE: &str = "TESUJI_BUILD_PLACE";

#[test]
fn slowly_saving_at_every_step() {
    let place = std::env::var_os(PLACE).map(PathBuf::from);
    let scratch = Scratch::new("slowly");
    let dir = place.as_deref().unwrap_or(&scratch.0);
    let made = build(&game(), START, &task(dir), &mut |_| {
        sleep(Duration::from_micros(700));
        Control::Checkpoint
    });
    assert!(matches!(made, Ok(BuildResult::Done(_))), "{made:?}");
}

/// The test above in a child process.
fn process(place: &Path, limited: bool) -> Command {
    let exe = std::env::current_exe().expect("this test");
    let mut command = if limited {
        // A file size limit of a few kilobytes simulates a full disk.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]).arg(exe);
        shell
    } else {
        Command::new(exe)
    };
    command.args(["--exact", "retrograde::build::slowly_saving_at_every_step", "--nocapture"]);
    command.env(PLACE, place).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[cfg(unix)]
#[test]
fn killed_a_hundred_times_it_is_the_same() {
    let (once, often) = (Scratch::new("unkilled"), Scratch::new("killed-whole"));
    finish(&game(), &task(&once.0));
    let right = files(&once.0);
    let (mut kills, mut ends, mut chance) = (0, 0, 1u64);
    while kills < 100 || ends == 0 {
        let mut child = process(&often.0, false).spawn().expect("a process");
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis(chance >> 33 & 127));
        if child.try_wait().expect("a process").is_none() && kills < 100 {
            child.kill().expect("a process");
            kills += 1;
        }
        if child.wait().expect("a process").success() {
            assert!(files(&often.0) == right, "after {kills} kills");
            fs::remove_dir_all(&often.0).expect("a directory");
            ends += 1;
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let (once, full) = (Scratch::new("roomy"), Scratch::new("full"));
    finish(&game(), &task(&once.0));
    assert!(!process(&full.0, true).status().expect("a process").success(), "there was room");
    finish(&game(), &task(&full.0));
    assert!(files(&full.0) == files(&once.0));
}

#[test]
fn damaged_findings_are_never_believed() {
    let (game, scratch) = (game(), Scratch::new("findings"));
    finish(&game, &BuildJob { distances: false, ..task(&scratch.0) });
    let path = TablebaseSummary::path(&scratch.0, &id());
    let bytes = fs::read(&path).expect("findings");
    let damaged = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        TablebaseSummary::load(&scratch.0, &id()).is_err()
    };
    for at in 0..bytes.len() {
        let mut spoilt = bytes.clone();
        spoilt[at] ^= 1 << (at % 8);
        assert!(damaged(&spoilt), "byte {at}");
        assert!(damaged(&bytes[..at]), "cut at {at}");
    }
    assert!(!damaged(&bytes));
    let other = TablebaseId { rules: 2, ..id() };
    let told = TablebaseSummary::load(&scratch.0, &other).expect_err("other rules").to_string();
    assert!(told.contains("rules 1") && told.contains("rules 2"), "{told}");
}

#[test]
fn another_run_and_too_little_memory_are_told() {
    let (game, scratch) = (game(), Scratch::new("told"));
    let little = BuildJob { memory: 1 << 20, ..task(&scratch.0) };
    let told = build(&game, START, &little, &mut |_| Control::Continue).expect_err("no memory");
    assert!(told.to_string().contains("1 MiB are allowed"), "{told}");
    let mut nested = None;
    let outer = build(&game, START, &task(&scratch.0), &mut |_| {
        if nested.is_none() {
            nested = Some(build(&self::game(), START, &task(&scratch.0), &mut |_| Control::Continue));
        }
        Control::Continue
    });
    assert!(matches!(outer, Ok(BuildResult::Done(_))));
    let Some(Err(error @ BuildError::Solve(_))) = nested else { panic!("{nested:?}") };
    assert!(error.to_string().contains("another run"), "{error}");
}
