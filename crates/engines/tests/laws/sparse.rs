//! Training of an evaluation over sparse features, on Trax: self-play, training, prediction and the improvement loop are
//! reproducible and resumable.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tesuji_engines::HasEngines;
use tesuji_engines::training::{
    PredictionJob, SparseCandidate, SparseEvaluation, SparseImprovement, SparseJob, ValueSelfPlayJob,
};
use tesuji_game::{Game, Outcome};
use tesuji_learn::improve::{Candidate, SelfPlayTask, TrainTask};
use tesuji_learn::positions::PositionSet;
use tesuji_learn::sparse::SparseSettings;
use tesuji_learn::{JobError, Weights};
use tesuji_search::Proven;
use tesuji_task::{CancelToken, Context, Progress};
use tesuji_trax::{Trax, Unlimited};

type Game0 = Trax<Unlimited>;

/// What a step of the engine counts in a data set: 250 steps and 600 multiply the odds by e.
const STEP: f64 = 2.4;

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
fn interrupted<T>(reports: u32, job: impl Fn(Context<'_>) -> Result<T, JobError>) -> u32 {
    for interruptions in 0..1000 {
        match run(reports, &job) {
            Ok(_) => return interruptions,
            Err(error) => assert!(matches!(error, JobError::Cancelled(_)), "{error}"),
        }
    }
    panic!("the job does not finish");
}

fn self_play(out: PathBuf, threads: usize) -> ValueSelfPlayJob {
    ValueSelfPlayJob {
        games: 10,
        out,
        engine: "alphabeta:nodes=200,hash=1".to_owned(),
        openings: None,
        random_plies: 1..=6,
        random_moves: 0.1,
        longest: 60,
        seed: 3,
        threads: Some(threads),
    }
}

fn play(job: &ValueSelfPlayJob) {
    run(u32::MAX, |context| job.run::<Game0>(Game0::engine, STEP, context)).unwrap();
}

fn training(data: &Path, test: &Path, out: PathBuf) -> SparseJob {
    SparseJob {
        data: vec![data.to_owned()],
        test: vec![test.to_owned()],
        out,
        continue_from: None,
        lambda: SparseJob::LAMBDA,
        value_scale: SparseJob::VALUE_SCALE,
        settings: SparseSettings { batch: 4, epochs: 3, checkpoint: Duration::ZERO, ..SparseSettings::default() },
        threads: Some(1),
    }
}

#[test]
fn self_play_has_values_and_results_and_does_not_depend_on_threads_or_interruptions() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = self_play(path("whole.set"), 1);
    play(&whole);
    let bytes = fs::read(&whole.out).unwrap();
    play(&self_play(path("threads.set"), 2));
    assert_eq!(fs::read(path("threads.set")).unwrap(), bytes);
    let resumed = self_play(path("resumed.set"), 1);
    assert!(interrupted(3, |context| resumed.run::<Game0>(Game0::engine, STEP, context)) > 1);
    assert_eq!(fs::read(path("resumed.set")).unwrap(), bytes);
    assert!(!path("resumed.set.journal").exists());

    let set = PositionSet::<Game0>::open(&whole.out).unwrap();
    assert_eq!(set.games(), 10);
    let (mut proven, mut estimated, mut agree, mut known) = (0, 0, 0, 0);
    set.for_each(|_, entry| {
        let result = entry.result.unwrap();
        assert!(entry.label.is_some() && entry.position.outcome().is_none());
        // A win that needs no search has no value.
        let Some(value) = entry.value else { return };
        known += 1;
        match value.abs() {
            32_000 => proven += 1,
            0 => {}
            _ => estimated += 1,
        }
        agree += usize::from((value > 0) == (result == Outcome::Win));
    })
    .unwrap();
    assert!(proven > 10 && estimated > 30, "{proven} {estimated}");
    assert!(2 * agree > known && 2 * known > set.len(), "{agree} of {known} of {}", set.len());

    // Another job does not overwrite it.
    let other = ValueSelfPlayJob { seed: 4, ..whole.clone() };
    let refused = run(u32::MAX, |context| other.run::<Game0>(Game0::engine, STEP, context));
    assert!(matches!(refused, Err(JobError::Input(_))));
    for (engine, said) in
        [("alphabeta", "every time"), ("puct:playouts=9", "alphabeta"), ("alpha:nodes=1", "alphabeta")]
    {
        let job = ValueSelfPlayJob { engine: engine.to_owned(), out: path("bad.set"), ..whole.clone() };
        let error = run(u32::MAX, |context| job.run::<Game0>(Game0::engine, STEP, context)).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(!path("bad.set").exists());
    }
}

#[test]
fn training_learns_the_same_weights_however_often_it_is_interrupted() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (data, test) = (path("data.set"), path("test.set"));
    play(&ValueSelfPlayJob { games: 60, ..self_play(data.clone(), 2) });
    play(&ValueSelfPlayJob { seed: 77, ..self_play(test.clone(), 1) });
    let whole = training(&data, &test, path("whole.weights"));
    let mut losses = Vec::new();
    let cancel = CancelToken::new();
    let outcome = whole.run::<Game0>(Context::silent(&cancel), &mut |point| losses.push(point.train.excess())).unwrap();
    assert!(losses.len() == 3 && losses[2] < losses[0], "{losses:?}");
    assert!(outcome.weights.provenance().contains("data.set: "), "{}", outcome.weights.provenance());

    let parts = training(&data, &test, path("parts.weights"));
    let interruptions = interrupted(2, |context| parts.run::<Game0>(context, &mut |_| {}));
    assert!(interruptions >= 50, "{interruptions}");
    let bytes = |name: &str| fs::read(path(name)).unwrap();
    assert_eq!(bytes("whole.weights"), bytes("parts.weights"));
    let threads = SparseJob { threads: Some(3), ..training(&data, &test, path("threads.weights")) };
    run(u32::MAX, |context| threads.run::<Game0>(context, &mut |_| {})).unwrap();
    assert_eq!(bytes("whole.weights"), bytes("threads.weights"));

    // The engine plays with them.
    let weights = Weights::parse(&bytes("whole.weights"))
        .unwrap()
        .check_name(Game0::MODEL, 1, Game0::factors().features())
        .unwrap();
    assert!(weights.stage(0).iter().any(|weight| *weight != 0));
    let value = Game0::static_evaluation(Some(&whole.out)).unwrap();
    assert_eq!(value(&Game0::start()), value(&Game0::start()));
    assert!(Game0::static_evaluation(Some(&data)).is_err());
}

/// Only quiet positions are learned, since a search resolves attacks before it evaluates.
#[test]
fn attacks_decide_what_is_learned() {
    let mut kinds = [0; 3];
    for record in [1, 2, 6].into_iter().flat_map(super::trax::before_the_end) {
        let mut game = record.now().clone();
        let mut features = Vec::new();
        let is_learned = game.sparse_features(&mut features);
        let [own, other] = [game.mover(), !game.mover()].map(|side| game.win_in_one(side).is_some());
        assert_eq!(is_learned, !own && !other);
        assert_eq!(features.is_empty(), !is_learned);
        kinds[if own { 0 } else { 1 + usize::from(other) }] += 1;
        let value = Game0::static_evaluation(None).unwrap()(&game);
        assert!(!own || value.proven() == Some(Proven::Win(1)), "{value:?} in {game:?}");
    }
    assert!(kinds.iter().all(|&kind| kind > 50), "{kinds:?}");
}

#[test]
fn moves_of_records_are_predicted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.txt");
    // The last move of the first game wins at once, and a win is always predicted.
    fs::write(&path, "@0/ A2\\ B1\\\n@0+ nonsense\n").unwrap();
    let job = PredictionJob { weights: None, records: vec![path], threads: Some(1) };
    let counts = run(u32::MAX, |context| job.run::<Game0>(context)).unwrap();
    assert_eq!((counts.games, counts.moves, counts.faulty_records), (1, 3, 1));
    assert!(counts.first <= counts.first_three && counts.first_three <= 3.0, "{counts:?}");
    assert!((counts.random - (1.0 / 2.0 + 2.0 / 24.0)).abs() < 0.1, "{counts:?}");
    let missing = PredictionJob { records: vec![folder.path().join("none.txt")], ..job };
    assert!(run(u32::MAX, |context| missing.run::<Game0>(context)).is_err());
}

#[test]
fn a_generation_is_played_and_trained_however_often_it_is_interrupted() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let settings = SparseImprovement {
        init: None,
        gate_engine: None,
        self_play: self_play(PathBuf::new(), 1),
        training: SparseJob { data: Vec::new(), test: Vec::new(), ..training(Path::new(""), Path::new(""), "".into()) },
    };
    let candidate = SparseCandidate::<Game0>::new(&settings, Game0::engine, STEP).unwrap();
    candidate.start(&path("0.weights")).unwrap();
    assert_eq!(fs::read(path("0.weights")).unwrap(), Game0::shipped_weights());
    let (games, seed, threads) = (6, 9, Some(1));
    let generation = |name: &str, reports: u32| {
        let out = path(&format!("{name}.set"));
        let task =
            SelfPlayTask { generation: 1, games, evaluation: path("0.weights"), out: out.clone(), seed, threads };
        interrupted(reports, |context| candidate.self_play(&task, context));
        let best = path("0.weights");
        let own = path(&format!("{name}.weights"));
        let task = TrainTask { generation: 1, best, data: vec![out], out: own.clone(), seed, threads };
        let trained = run(u32::MAX, |context| candidate.train(&task, context)).unwrap();
        // Called again after its weights were written, it tells the same figures.
        assert_eq!(run(u32::MAX, |context| candidate.train(&task, context)).unwrap(), trained);
        fs::rename(&own, path(&format!("{name}.made"))).unwrap();
        if reports < 100 {
            let _ = run(5, |context| candidate.train(&task, context));
        }
        let again = run(u32::MAX, |context| candidate.train(&task, context)).unwrap();
        assert_eq!(fs::read(&own).unwrap(), fs::read(path(&format!("{name}.made"))).unwrap());
        // The name of the data set is part of what the weights tell about themselves.
        (
            trained.positions,
            trained.figures,
            again.figures,
            Weights::parse(&fs::read(&own).unwrap()).unwrap().checksum(),
        )
    };
    assert_eq!(generation("whole", u32::MAX), generation("parts", 2));
    assert!(candidate.engine(&path("0.weights")).ends_with("0.weights"));
    for engine in ["puct:playouts=3", "alphabeta:nodes=9,eval=none", "alphabeta:nodes=9,weights=x"] {
        let mut bad = settings.clone();
        bad.self_play.engine = engine.to_owned();
        assert!(SparseCandidate::<Game0>::new(&bad, Game0::engine, STEP).is_err(), "{engine}");
    }
}
