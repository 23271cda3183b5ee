//! Trainings from data sets to files, on random games of Othello.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tesuji_game::{Game, MoveList, Outcome, Planes};
use tesuji_learn::JobError;
use tesuji_learn::positions::{PositionEntry, PositionSetWriter};
use tesuji_nn::NetworkFile;
use tesuji_othello::{Moves, Othello};
use tesuji_search::Rng;
use tesuji_task::{CancelToken, Context, Progress};

use super::*;

const TINY: &str = "policy-value:blocks=1,channels=4,value-channels=2,value-hidden=4";

struct Sets {
    folder: TempDir,
}

impl Sets {
    fn new() -> Sets {
        Sets { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Positions of random games with a random move and result; `change` may alter entries.
    fn write(&self, name: &str, count: usize, seed: u64, change: fn(usize, &mut PositionEntry<Othello>)) -> PathBuf {
        let (mut rng, mut list, mut written) = (Rng::new(seed), Moves::default(), 0);
        let mut writer = PositionSetWriter::<Othello>::create(self.path(name), "random games").unwrap();
        for game in 0.. {
            let mut position = Othello::start();
            while position.outcome().is_none() && written < count {
                position.moves(&mut list);
                let mv = list.each().nth(rng.below(list.len())).unwrap();
                let mut entry = PositionEntry::of(position);
                entry.label = position.label(mv).map(|label| label as u16);
                entry.result = Some(if rng.below(2) == 0 { Outcome::Loss } else { Outcome::Win });
                entry.game = game;
                change(written, &mut entry);
                position.play(mv);
                if entry.label.is_some() && writer.push(&entry).unwrap() {
                    written += 1;
                }
            }
            if written == count {
                break;
            }
        }
        writer.finish().unwrap();
        self.path(name)
    }

    fn job(&self, net: &str, data: &Path, out: &str) -> NetworkTrainingJob {
        let mut job = NetworkTrainingJob::new(net, vec![data.to_owned()], self.path(out));
        (job.batch, job.threads, job.checkpoint) = (16, Some(1), Duration::ZERO);
        job
    }
}

fn run(job: &NetworkTrainingJob) -> Result<NetworkTrainingOutcome, JobError> {
    job.run::<Othello>(Context::silent(&CancelToken::new()), &mut |_| {})
}

/// Runs until so many positions are reported, then cancels.
fn run_until(job: &NetworkTrainingJob, positions: u64) -> JobError {
    let (cancel, last) = (CancelToken::new(), AtomicU64::new(0));
    let watch = |progress: Progress<'_>| {
        last.store(progress.done, Ordering::Relaxed);
        if progress.done >= positions {
            cancel.cancel();
        }
    };
    job.run::<Othello>(Context { cancel: &cancel, progress: &watch }, &mut |_| {}).unwrap_err()
}

#[test]
fn a_small_set_is_learned_by_heart() {
    let sets = Sets::new();
    let data = sets.write("a.set", 48, 1, |_, _| {});
    let mut job = sets.job("policy-value:blocks=1,channels=16,value-channels=2,value-hidden=16", &data, "net");
    (job.length, job.rate) = (TrainingLength::Epochs(60), 0.02);
    job.test = vec![data];
    let outcome = run(&job).unwrap();
    let test = outcome.evaluation.unwrap();
    assert_eq!((test.policy_accuracy, test.value_accuracy), (Some(1.0), Some(1.0)), "{test:?}");
    assert!(test.policy_cross_entropy.unwrap() < 0.2 && test.value_cross_entropy.unwrap() < 0.2, "{test:?}");
    let (first, last) = (&outcome.points[0], outcome.points.last().unwrap());
    assert!(last.loss < first.loss / 4.0, "{first:?} {last:?}");
    assert_eq!((last.positions, last.epoch), (48 * 60, 60.0));
}

#[test]
fn an_interrupted_training_gives_the_same_file_on_any_number_of_threads() {
    let sets = Sets::new();
    let (data, test) = (sets.write("a.set", 300, 1, |_, _| {}), sets.write("t.set", 70, 2, |_, _| {}));
    let mut job = sets.job(TINY, &data, "whole");
    (job.test, job.length, job.eval_every) = (vec![test], TrainingLength::Epochs(2), Some(100));
    run(&job).unwrap();
    let whole = fs::read(sets.path("whole")).unwrap();
    (job.out, job.log) = (sets.path("cut"), Some(sets.path("log")));
    for (threads, positions) in [(2, 16), (1, 96), (3, 208), (2, 400)] {
        job.threads = Some(threads);
        let error = run_until(&job, positions);
        assert!(matches!(&error, JobError::Cancelled(text) if text.contains("the same command continues")), "{error}");
    }
    let mut resumed = 0;
    let start = |event| {
        if let NetworkTrainingEvent::Start(start) = event {
            resumed = start.resumed;
        }
    };
    let outcome = job.run::<Othello>(Context::silent(&CancelToken::new()), &mut { start }).unwrap();
    assert!(resumed >= 400, "{resumed}");
    assert!(fs::read(sets.path("cut")).unwrap() == whole, "the files differ");
    assert!(!sets.path("cut.checkpoint").exists());
    let log = fs::read_to_string(sets.path("log")).unwrap();
    let points: Vec<TrainingPoint> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(points, outcome.points);
    assert_eq!(points.iter().map(|point| point.positions).collect::<Vec<_>>(), [112, 208, 304, 400, 512, 592]);
    // The same job finds its file; another one does not overwrite it.
    let again = run(&job).unwrap();
    assert!(again.existed && again.evaluation == outcome.evaluation && again.network == outcome.network);
    job.seed = 1;
    assert!(run(&job).unwrap_err().to_string().contains("already exists and was made with other settings"));
}

#[test]
fn a_checkpoint_of_other_settings_or_data_is_refused() {
    let sets = Sets::new();
    let data = sets.write("a.set", 64, 1, |_, _| {});
    let mut job = sets.job(TINY, &data, "net");
    run_until(&job, 16);
    let mut other = job.clone();
    other.rate = 0.1;
    let error = run(&other).unwrap_err().to_string();
    assert!(error.contains("net.checkpoint") && error.contains("other data or settings"), "{error}");
    assert!(error.contains("`tesuji train othello --net policy-value:") && error.contains("--lr 0.01"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    sets.write("a.set", 64, 2, |_, _| {});
    assert!(run(&job).unwrap_err().to_string().contains("other data or settings"));
    job.out = sets.path("none/net");
    assert!(matches!(run(&job).unwrap_err(), JobError::Field { field: "out", .. }));
}

#[test]
fn bad_settings_are_named() {
    let sets = Sets::new();
    let data = sets.write("a.set", 20, 1, |_, _| {});
    let error = |change: &dyn Fn(&mut NetworkTrainingJob)| {
        let mut job = sets.job(TINY, &data, "net");
        change(&mut job);
        run(&job).unwrap_err().to_string()
    };
    assert!(error(&|job| job.net = "policy:layer=3".into()).starts_with("net: policy:layer=3: "));
    assert!(error(&|job| job.patience = Some(1)).contains("needs a test set"));
    assert!(error(&|job| job.data = vec![sets.path("none")]).contains("none"));
    fs::write(sets.path("junk"), "junk").unwrap();
    assert!(error(&|job| job.data = vec![sets.path("junk")]).contains("is not a data set of positions"));
    assert!(error(&|job| job.init = Some(sets.path("junk"))).starts_with("init: "));
    assert!(
        error(&|job| (job.net, job.policy_weight) = ("policy:layers=1,channels=2".into(), 0.0)).contains("only head")
    );
    assert!(!sets.path("net").exists());
}

#[test]
fn tensors_that_fit_are_taken_over() {
    let sets = Sets::new();
    let data = sets.write("a.set", 32, 1, |_, _| {});
    let policy = run(&sets.job("policy:blocks=1,channels=4", &data, "policy")).unwrap().network;
    let mut job = sets.job("value:blocks=1,channels=4", &data, "value");
    (job.init, job.rate) = (Some(sets.path("policy")), 1e-9);
    let mut told = None;
    let start = |event| {
        if let NetworkTrainingEvent::Start(start) = event {
            told = start.init;
        }
    };
    let value = job.run::<Othello>(Context::silent(&CancelToken::new()), &mut { start }).unwrap().network;
    assert_eq!(told.as_deref(), Some("15 of 24 tensors taken over from policy: trunk"));
    let (own, taken) = (&value.tensors()[0].data, &policy.tensors()[0].data);
    assert!(own.iter().zip(taken).all(|(own, taken)| (own - taken).abs() < 1e-6));
    let file = NetworkFile::read(&fs::read(sets.path("value")).unwrap()).unwrap();
    assert!(file.metadata["init"].starts_with("policy, SHA-256 "), "{:?}", file.metadata);
    assert!(file.metadata["command"].contains("--init policy"));
    assert_eq!(file.metadata["encoder"], Othello::ENCODING.name);
    let mut wide = sets.job("policy:blocks=1,channels=5", &data, "wide");
    wide.init = Some(sets.path("policy"));
    let error = run(&wide).unwrap_err().to_string();
    assert!(error.contains("no tensor of the trunk of policy:blocks=1,channels=4 fits"), "{error}");
}

#[test]
fn an_early_stop_keeps_the_best_network() {
    let sets = Sets::new();
    let (data, test) = (sets.write("a.set", 64, 1, |_, _| {}), sets.write("t.set", 64, 2, |_, _| {}));
    let mut job = sets.job("policy-value:blocks=1,channels=16", &data, "net");
    (job.test, job.patience, job.eval_every, job.rate) = (vec![test.clone()], Some(2), Some(64), 0.02);
    job.length = TrainingLength::Epochs(60);
    let outcome = run(&job).unwrap();
    let loss = |point: &TrainingPoint| {
        let test = point.test.unwrap();
        test.policy_cross_entropy.unwrap() + test.value_cross_entropy.unwrap()
    };
    let count = outcome.points.len();
    assert!(count < 60, "random moves cannot be predicted");
    let best = outcome.points.iter().map(loss).fold(f64::INFINITY, f64::min);
    assert_eq!(loss(&outcome.points[count - 3]), best);
    assert_eq!(outcome.evaluation, outcome.points[count - 3].test);
    let network = NetworkEvaluationJob { net: job.out, data: vec![test], positions: None, threads: Some(2) };
    let context = CancelToken::new();
    let evaluation = network.run::<Othello>(&outcome.network, Context::silent(&context)).unwrap();
    assert_eq!(Some(evaluation), outcome.evaluation);
}

#[test]
fn visits_are_learned_and_missing_targets_are_not() {
    let sets = Sets::new();
    // All visits on one label that is never played; neither result nor value.
    let data = sets.write("a.set", 40, 1, |_, entry| {
        entry.visits = vec![(27, 3), (0, 5)];
        entry.result = None;
    });
    let mut job = sets.job("policy-value:blocks=1,channels=8", &data, "net");
    (job.length, job.rate, job.test) = (TrainingLength::Epochs(40), 0.02, vec![data]);
    let outcome = run(&job).unwrap();
    let test = outcome.evaluation.unwrap();
    assert_eq!((test.policy_accuracy, test.value_accuracy, test.value_cross_entropy), (Some(1.0), None, None));
    // The entropy of the visits themselves is the least loss.
    let least = -(0.375f64 * 0.375f64.ln() + 0.625 * 0.625f64.ln());
    let found = test.policy_cross_entropy.unwrap();
    assert!(found > least - 1e-3 && found < least + 0.1, "{found} {least}");
    assert_eq!(outcome.points.last().unwrap().value_loss, None);
}

#[test]
fn search_values_are_mixed_with_results() {
    let mut entry = PositionEntry::of(Othello::start());
    let of =
        |entry: &PositionEntry<Othello>, lambda: f32| super::loader::ValueTarget { lambda, scale: 600.0 }.of(entry);
    assert!(of(&entry, 0.5).is_nan());
    entry.value = Some(600);
    let search = 1.0 / (1.0 + (-1f32).exp());
    assert!((of(&entry, 0.5) - search).abs() < 1e-6 && of(&entry, 1.0).is_nan());
    entry.result = Some(Outcome::Loss);
    assert!((of(&entry, 0.25) - 0.75 * search).abs() < 1e-6);
    assert_eq!((of(&entry, 1.0), of(&entry, 0.0)), (0.0, search));
    entry.result = Some(Outcome::Draw);
    assert_eq!(of(&entry, 1.0), 0.5);
}
