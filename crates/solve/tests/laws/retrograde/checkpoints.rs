//! Interrupted solving: whatever happens, the values are identical to the last byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{CheckpointDir, Control, RetrogradeError, SolveResult, solve};
use tesuji_solve::tablebase::verify::{ChecksumReport, block_files, verify_checksums};
use tesuji_task::{CancelToken, Context, Progress};

use super::small::Small;
use super::toy::Listed;
use super::{bytes, classes, plan, solved};

/// A temporary directory, removed after the test.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("tesuji-solve-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks all block files of a directory, and that the progress reaches its total.
pub(super) fn checksums(dir: &Path, threads: usize) -> ChecksumReport {
    let (cancel, seen) = (CancelToken::new(), Mutex::new((0, 0)));
    let progress = |step: Progress<'_>| {
        let mut seen = seen.lock().expect("no panic");
        *seen = (seen.0.max(step.done), step.total);
    };
    let context = Context { cancel: &cancel, progress: &progress };
    let report = verify_checksums(&block_files(dir), threads, context).expect("not cancelled");
    let (done, total) = *seen.lock().expect("no panic");
    assert_eq!((done, total), (report.blocks, report.blocks));
    report
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("a file of the checkpoints");
    for entry in fs::read_dir(from).expect("a file of the checkpoints") {
        let entry = entry.expect("a file of the checkpoints");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a file of the checkpoints");
    }
}

fn files(dir: &Path, start: &str, end: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .expect("a file of the checkpoints")
        .map(|entry| entry.expect("a file of the checkpoints").path())
        .collect();
    found.retain(|path| {
        let name = path.file_name().expect("a file of the checkpoints").to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    });
    found.sort();
    found
}

/// Solves to the end with checkpoints in this directory, and compares with a solution without any.
fn finish<G: PerfectIndex>(game: &G, dir: &Path, threads: usize) {
    let mut checkpoints = CheckpointDir::open(dir, "toy").expect("a file of the checkpoints");
    let ended = solve(game, &plan(threads), Some(&mut checkpoints), &mut |_| Control::Continue)
        .expect("a file of the checkpoints");
    assert!(matches!(ended, SolveResult::Solved(_)));
    let right = solved(game, 1);
    for class in classes(game) {
        let values = checkpoints.values(game, class).expect("a file of the checkpoints").expect("a solved class");
        assert!(bytes(&values) == bytes(right.class(class).expect("a file of the checkpoints")), "class {class}");
    }
    assert_eq!(files(dir, "work", ""), Vec::<PathBuf>::new(), "no work is left over");
}

fn game() -> Listed<Small<3, 3, 2>> {
    Listed::new(Small)
}

#[test]
fn stopped_at_every_moment_and_gone_on_with() {
    let (game, scratch) = (game(), Scratch::new("stopped"));
    let mut runs = 0;
    loop {
        // Each run uses another number of threads and stops one step later.
        let mut calls = 0;
        let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
        let ended = solve(&game, &plan(1 + runs % 3), Some(&mut checkpoints), &mut |_| {
            calls += 1;
            if calls == 3 { Control::Stop } else { Control::Continue }
        });
        runs += 1;
        assert!(runs < 1000, "it does not go on");
        if let SolveResult::Solved(_) = ended.unwrap() {
            break;
        }
    }
    assert!(runs > 20, "{runs} runs");
    finish(&game, &scratch.0, 2);
}

#[test]
fn killed_at_every_moment_and_gone_on_with() {
    let (game, scratch, snapshot) = (game(), Scratch::new("killed"), Scratch::new("killed-copy"));
    let mut snapshots = Vec::new();
    let mut calls = 0;
    let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
    let ended = solve(&game, &plan(2), Some(&mut checkpoints), &mut |_| {
        calls += 1;
        if calls % 5 == 4 {
            // The state that a kill would leave behind.
            let dir = snapshot.0.join(calls.to_string());
            copy(&scratch.0, &dir);
            snapshots.push(dir);
        }
        if calls % 2 == 0 { Control::Checkpoint } else { Control::Continue }
    });
    assert!(matches!(ended.unwrap(), SolveResult::Solved(_)));
    assert!(snapshots.len() > 10, "{} snapshots", snapshots.len());
    for (number, dir) in snapshots.iter().enumerate() {
        finish(&game, dir, 1 + number % 2);
    }
}

/// A checkpoint directory with two snapshots of the second stage.
fn two_states(game: &impl PerfectIndex, dir: &Path) {
    let mut saves = 0;
    let mut checkpoints = CheckpointDir::open(dir, "toy").expect("a checkpoints in order");
    let ended = solve(game, &plan(2), Some(&mut checkpoints), &mut |report| {
        if report.stage == 1 && report.layer > 1 {
            saves += 1;
        }
        match saves {
            0 => Control::Continue,
            1 => Control::Checkpoint,
            _ => Control::Stop,
        }
    });
    assert!(matches!(ended.expect("a checkpoints in order"), SolveResult::Stopped));
    assert_eq!(files(dir, "work", ".list").len(), 2);
}

#[test]
fn a_damaged_state_gives_way_to_the_one_before() {
    let (game, scratch, copied) = (game(), Scratch::new("damaged"), Scratch::new("damaged-copy"));
    two_states(&game, &scratch.0);
    let states = files(&scratch.0, "work", "");
    for (number, path) in states.iter().enumerate() {
        copy(&scratch.0, &copied.0);
        let path = copied.0.join(path.file_name().unwrap());
        let mut content = fs::read(&path).unwrap();
        let middle = content.len() / 2;
        if number % 2 == 0 {
            content[middle] ^= 1;
        } else {
            content.truncate(middle);
        }
        fs::write(&path, content).unwrap();
        finish(&game, &copied.0, 2);
    }
    // With both damaged, the solver does not silently start over.
    for path in files(&scratch.0, "work", "cells.000") {
        fs::write(path, b"nothing").unwrap();
    }
    let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
    let refused = solve(&game, &plan(2), Some(&mut checkpoints), &mut |_| Control::Continue);
    let Err(error @ RetrogradeError::Damaged { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("cells.000") && error.to_string().contains("delete"), "{error}");
    assert_eq!(files(&scratch.0, "work", "").len(), states.len(), "nothing is lost");
}

#[test]
fn a_damaged_class_is_an_error_that_names_it() {
    let (game, scratch) = (game(), Scratch::new("class"));
    finish(&game, &scratch.0, 1);
    let path = scratch.0.join("class-1.second.000");
    let mut content = fs::read(&path).unwrap();
    content[7] ^= 4;
    fs::write(&path, content).unwrap();
    let checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
    let error = checkpoints.values(&game, 1).expect_err("damaged");
    assert!(error.to_string().contains("class-1.second.000"), "{error}");
    assert!(checkpoints.values(&game, 0).unwrap().is_some());
}

#[test]
fn another_game_another_version_and_another_run_are_refused() {
    let (game, scratch) = (game(), Scratch::new("other"));
    two_states(&game, &scratch.0);
    let error = CheckpointDir::open(&scratch.0, "chess").expect_err("another game");
    assert!(error.to_string().contains("belongs to toy, not to chess"), "{error}");
    let mut checkpoints = CheckpointDir::open(&scratch.0, "toy").unwrap();
    let error = CheckpointDir::open(&scratch.0, "toy").expect_err("another run");
    assert!(error.to_string().contains("another run"), "{error}");
    for path in files(&scratch.0, "work", ".list") {
        let text = fs::read_to_string(&path).unwrap().replace("tesuji-retrograde 1", "tesuji-retrograde 2");
        fs::write(path, text).unwrap();
    }
    let refused = solve(&game, &plan(1), Some(&mut checkpoints), &mut |_| Control::Continue);
    let Err(error @ RetrogradeError::Other { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("tesuji-retrograde 2"), "{error}");
}
