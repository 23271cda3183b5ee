//! The jobs that make data sets, without a process: reproducible, resumable, and they never overwrite other files.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;
use tesuji_engines::training::{CompareJob, LabelJob, RecordDataJob, SelfPlayJob};
use tesuji_game::{Formats, Game, MoveList, Record};
use tesuji_learn::JobError;
use tesuji_othello::{Moves, Othello, TRANSCRIPT};
use tesuji_search::Rng;
use tesuji_task::{CancelToken, Context, Progress};

/// Runs a job with a new token, cancelled at the report of this number.
fn run<T>(reports: u32, job: impl Fn(Context<'_>) -> Result<T, JobError>) -> Result<T, JobError> {
    let (cancel, count) = (CancelToken::new(), AtomicU32::new(0));
    let progress = |_: Progress<'_>| {
        if count.fetch_add(1, Ordering::Relaxed) + 1 >= reports {
            cancel.cancel();
        }
    };
    job(Context { cancel: &cancel, progress: &progress })
}

/// Runs a job that is cancelled again and again until it finishes. Returns the number of interruptions.
fn interrupted<T>(job: impl Fn(Context<'_>) -> Result<T, JobError>) -> u32 {
    for interruptions in 0..100 {
        match run(4, &job) {
            Ok(_) => return interruptions,
            Err(error) => assert!(matches!(error, JobError::Cancelled(_)), "{error}"),
        }
    }
    panic!("the job does not finish");
}

fn self_play(out: PathBuf, threads: usize) -> SelfPlayJob {
    SelfPlayJob {
        games: 12,
        out,
        engine: Some("random".to_owned()),
        random_plies: 8..=12,
        solve: 6,
        seed: 3,
        threads: Some(threads),
        hash: None,
    }
}

#[test]
fn self_play_and_labelling_do_not_depend_on_threads_or_interruptions() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = self_play(path("whole"), 1);
    let saved = run(u32::MAX, |context| whole.run::<Othello>(context)).unwrap();
    assert!(saved.positions > 200 && saved.warnings.is_empty(), "{saved:?}");
    let bytes = fs::read(&whole.out).unwrap();
    run(u32::MAX, |context| self_play(path("threads"), 2).run::<Othello>(context)).unwrap();
    assert_eq!(fs::read(path("threads")).unwrap(), bytes);
    assert!(interrupted(|context| self_play(path("resumed"), 1).run::<Othello>(context)) > 1);
    assert_eq!(fs::read(path("resumed")).unwrap(), bytes);
    assert!(!path("resumed.journal").exists());
    // A finished job is not repeated, another one is refused.
    assert_eq!(run(1, |context| whole.run::<Othello>(context)), Ok(saved));
    let other = SelfPlayJob { seed: 4, ..whole.clone() };
    assert!(matches!(run(1, |context| other.run::<Othello>(context)), Err(JobError::Input(_))));

    // A set with tables of another size is another job; the default engine gets the size, too.
    let other = SelfPlayJob { hash: Some(2), ..whole.clone() };
    assert!(matches!(run(1, |context| other.run::<Othello>(context)), Err(JobError::Input(_))));
    let sized = SelfPlayJob { hash: Some(2), engine: None, games: 1, out: path("sized"), ..whole.clone() };
    run(u32::MAX, |context| sized.run::<Othello>(context)).unwrap();
    let set = String::from_utf8_lossy(&fs::read(path("sized")).unwrap()).into_owned();
    assert!(set.contains("by alphabeta:depth=4,hash=2: ") && set.contains("seed 3, 2 MiB, 1 game"));

    let label = |out: &str, threads: usize| LabelJob {
        data: vec![path("whole")],
        out: path(out),
        weights: None,
        depth: 2,
        sure: 100,
        solve: 4,
        random_move_rate: 2,
        stages: Some(4..=16),
        positions: 3,
        seed: 1,
        threads: Some(threads),
        hash: None,
    };
    let labelled = run(u32::MAX, |context| label("labels", 2).run::<Othello>(context)).unwrap();
    assert!(labelled.searched > 20 && labelled.saved.positions > 20, "{labelled:?}");
    assert!(interrupted(|context| label("again", 1).run::<Othello>(context)) > 1);
    assert_eq!(fs::read(path("again")).unwrap(), fs::read(path("labels")).unwrap());

    let sized = LabelJob { hash: Some(2), ..label("labels", 1) };
    assert!(matches!(run(1, |context| sized.run::<Othello>(context)), Err(JobError::Input(_))));

    let compare = CompareJob { data: vec![path("whole")], evaluations: Vec::new(), seed: 0 };
    let compared = compare.run::<Othello>().unwrap();
    let names: Vec<&str> = compared.iter().map(|errors| errors.name.as_str()).collect();
    assert_eq!(names, ["classic", "squares"]);
    let unknown = CompareJob { evaluations: vec!["clasic".to_owned()], ..compare };
    assert!(matches!(unknown.run::<Othello>(), Err(JobError::Field { field: "eval", .. })));
}

#[test]
fn records_become_a_data_set() {
    let folder = TempDir::new().unwrap();
    let (mut rng, mut list, mut bytes) = (Rng::new(1), Moves::default(), Vec::new());
    for _ in 0..5 {
        let mut record = Record::new(Othello::start());
        while record.ending().is_none() {
            record.now().clone().moves(&mut list);
            record.push(list.each().nth(rng.below(list.len())).unwrap()).unwrap();
        }
        bytes.extend(Othello::write(TRANSCRIPT, &record).unwrap());
    }
    bytes.extend(b"f5d6c3\nf5f5\n");
    fs::write(folder.path().join("games.txt"), bytes).unwrap();
    let job = |threads: usize| RecordDataJob {
        files: vec![folder.path().to_owned()],
        out: folder.path().join(format!("{threads}.set")),
        format: None,
        solve: 4,
        threads: Some(threads),
        hash: None,
    };
    let outcome = run(u32::MAX, |context| job(1).run::<Othello>(context)).unwrap();
    assert_eq!((outcome.used, outcome.faulty, outcome.short, outcome.unscored), (5, 1, 1, 0));
    run(u32::MAX, |context| job(2).run::<Othello>(context)).unwrap();
    assert_eq!(fs::read(job(1).out).unwrap(), fs::read(job(2).out).unwrap());
}
