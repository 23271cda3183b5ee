//! The training job without a process: resumable, and it never overwrites other weights.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tesuji_learn::{DataSet, ErrorStats, JobError, Model, Sample, TrainingJob, TrainingOutcome, Weights};
use tesuji_task::{CancelToken, Context, Progress};

use crate::toy::{Toy, games};

fn job(folder: &Path, out: &str) -> TrainingJob {
    let samples = games(80, 100, 41);
    let all: Vec<Sample<u16>> = (0..Toy.stages()).flat_map(|stage| samples.stage(stage).to_vec()).collect();
    let data = folder.join("coins.set");
    DataSet::save(&Toy, &data, "random coins", &all).unwrap();
    TrainingJob {
        data: vec![data],
        out: folder.join(out),
        continue_from: None,
        step: 1.0,
        iterations: 4,
        ridge: 1.0,
        smooth: 0.3,
        stages: None,
        plain: false,
        seed: 5,
        threads: Some(1),
        checkpoint: Duration::MAX,
    }
}

/// Runs the job and cancels it at the report of this number.
fn run(job: &TrainingJob, reports: u32) -> Result<TrainingOutcome, JobError> {
    let (cancel, count) = (CancelToken::new(), AtomicU32::new(0));
    let progress = |_: Progress<'_>| {
        if count.fetch_add(1, Ordering::Relaxed) + 1 >= reports {
            cancel.cancel();
        }
    };
    job.run(&Toy, Context { cancel: &cancel, progress: &progress }, |_, trained| {
        assert_eq!(trained.len(), Toy.stages());
        assert!(!job.out.exists(), "accompanying files are written first");
        Ok(())
    })
}

#[test]
fn an_interrupted_job_writes_the_same_weights() {
    let folder = TempDir::new().unwrap();
    let whole = job(folder.path(), "whole");
    let outcome = run(&whole, u32::MAX).unwrap();
    assert!(!outcome.existed && ErrorStats::total(&outcome.held_out).count > 0);
    let resumed = job(folder.path(), "resumed");
    let mut interruptions = 0;
    while let Err(error) = run(&resumed, 3) {
        assert!(matches!(error, JobError::Cancelled(_)), "{error}");
        assert!(!resumed.out.exists() && folder.path().join("resumed.work").exists());
        interruptions += 1;
        assert!(interruptions < 50);
    }
    assert!(interruptions > 2, "{interruptions}");
    assert_eq!(fs::read(&resumed.out).unwrap(), fs::read(&whole.out).unwrap());
    assert!(!folder.path().join("resumed.work").exists());
}

#[test]
fn a_finished_job_is_not_repeated_and_other_weights_are_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let first = job(folder.path(), "weights");
    run(&first, u32::MAX).unwrap();
    let bytes = fs::read(&first.out).unwrap();
    assert!(run(&first, u32::MAX).unwrap().existed);
    let provenance = Weights::parse(&bytes).unwrap().provenance().to_owned();
    assert!(provenance.contains("data coins.set: 800 samples, random coins\n"), "{provenance}");
    let other = TrainingJob { ridge: 2.0, ..first.clone() };
    assert!(matches!(run(&other, u32::MAX), Err(JobError::Input(_))));
    let stages = TrainingJob { stages: Some(2..=4), ..first.clone() };
    assert!(matches!(run(&stages, u32::MAX), Err(JobError::Field { field: "stages", .. })));
    assert_eq!(fs::read(&first.out).unwrap(), bytes);
    let next = TrainingJob {
        continue_from: Some(first.out.clone()),
        out: folder.path().join("continued"),
        stages: Some(1..=1),
        ..first
    };
    let continued = run_continued(&next);
    assert!(continued.provenance().contains("continued from weights") && continued.stage(0) == stage_0(&bytes));
}

fn run_continued(job: &TrainingJob) -> Weights {
    let cancel = CancelToken::new();
    job.run(&Toy, Context::silent(&cancel), |_, _| Ok(())).unwrap().weights
}

fn stage_0(bytes: &[u8]) -> Vec<i16> {
    Weights::parse(bytes).unwrap().stage(0).to_vec()
}
