//! The improvement loop with a toy: an evaluation is a number in a file, games tell how far it is from the truth.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tesuji_learn::JobError;
use tesuji_learn::improve::{
    Candidate, Figures, GateRule, GateScore, GateTask, ImproveEvent, ImproveJob, ImproveJournal, ImproveOutcome,
    PlayedGames, Referee, SelfPlayTask, TrainTask, TrainedEvaluation,
};
use tesuji_task::{CancelToken, Context};

/// The number that every evaluation should be.
const TRUTH: f64 = 100.0;

/// Fails like a killed process after so many actions: halves of steps, since a step may have written its file or not.
struct Toy<'a> {
    left: &'a Cell<u32>,
    step: f64,
}

impl Toy<'_> {
    fn act(&self) -> Result<(), JobError> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left == 0 { Err(JobError::Failed("killed".to_owned())) } else { Ok(()) }
    }
}

fn number(path: &Path) -> f64 {
    fs::read_to_string(path).expect("a file").parse().expect("a number")
}

impl Candidate for Toy<'_> {
    fn settings(&self) -> String {
        format!("toy with steps of {}", self.step)
    }

    fn extension(&self) -> &str {
        "number"
    }

    fn start(&self, out: &Path) -> Result<(), JobError> {
        self.act()?;
        fs::write(out, "0").map_err(JobError::failed)
    }

    fn self_play(&self, task: &SelfPlayTask, _context: Context<'_>) -> Result<PlayedGames, JobError> {
        self.act()?;
        let games = TRUTH - number(&task.evaluation) + (task.seed % 7) as f64;
        fs::write(&task.out, games.to_string()).map_err(JobError::failed)?;
        self.act()?;
        Ok(PlayedGames { games: task.games, positions: 10 * u64::from(task.generation) })
    }

    /// Every second generation goes the wrong way.
    fn train(&self, task: &TrainTask, _context: Context<'_>) -> Result<TrainedEvaluation, JobError> {
        self.act()?;
        let mean = task.data.iter().map(|path| number(path)).sum::<f64>() / task.data.len() as f64;
        let way = if task.generation.is_multiple_of(2) { -1.0 } else { 1.0 };
        let new = number(&task.best) + way * self.step * mean;
        fs::write(&task.out, new.to_string()).map_err(JobError::failed)?;
        self.act()?;
        let figures = Figures::from([("loss".to_owned(), mean)]);
        Ok(TrainedEvaluation { positions: 100 * task.data.len() as u64, figures })
    }

    fn engine(&self, evaluation: &Path) -> String {
        evaluation.display().to_string()
    }
}

impl Referee for Toy<'_> {
    fn gate(&mut self, task: &GateTask, _context: Context<'_>) -> Result<GateScore, JobError> {
        self.act()?;
        let [new, old] = [&task.candidate, &task.best].map(|file| (TRUTH - number(Path::new(file))).abs());
        let wins = if new < old { 6 } else { 4 };
        Ok(GateScore { wins, losses: 10 - wins, ..GateScore::default() })
    }

    fn measure(&mut self, evaluation: &Path, _context: Context<'_>) -> Result<Option<Figures>, JobError> {
        self.act()?;
        Ok(Some(Figures::from([("error".to_owned(), TRUTH - number(evaluation))])))
    }
}

fn job(out: &Path) -> ImproveJob {
    ImproveJob {
        out: out.to_owned(),
        generations: 5,
        games: 10,
        window: 2,
        gate: GateRule::Score { games: 10, least: 0.55 },
        seed: 3,
        threads: Some(1),
    }
}

fn run(job: &ImproveJob, actions: u32) -> Result<ImproveOutcome, JobError> {
    let left = Cell::new(actions);
    let (candidate, mut referee) = (Toy { left: &left, step: 0.4 }, Toy { left: &left, step: 0.4 });
    job.run(&candidate, &mut referee, Context::silent(&CancelToken::new()), &mut |_| {})
}

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").to_owned();
                all.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    all
}

#[test]
fn a_run_that_is_killed_anywhere_ends_with_the_same_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    let outcome = run(&job(&whole), u32::MAX).expect("a run");
    let expected = files(&whole);
    assert_eq!(outcome.reports.len(), 5);
    let mut kills = 0;
    for actions in 1.. {
        let out = folder.path().join(format!("killed-{actions}"));
        let first = run(&job(&out), actions);
        if first.is_ok() {
            break;
        }
        kills += 1;
        assert_eq!(
            run(&job(&out), u32::MAX).expect("the rest"),
            ImproveOutcome { file: out.join("best.number"), ..outcome.clone() }
        );
        assert!(files(&out) == expected, "killed after {actions} actions");
    }
    assert!(kills > 30, "{kills}");
    // Killed again and again, one action more each time.
    let out = folder.path().join("often");
    let tries = (2..100).take_while(|&actions| run(&job(&out), actions).is_err()).count();
    assert!(tries > 3 && files(&out) == expected);
}

#[test]
fn only_better_evaluations_pass_and_the_window_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let outcome = run(&job(folder.path()), u32::MAX).expect("a run");
    let accepted: Vec<bool> = outcome.reports.iter().map(|report| report.accepted).collect();
    assert_eq!(accepted, [true, false, true, false, true]);
    let best: Vec<u32> = outcome.reports.iter().map(|report| report.best).collect();
    assert_eq!((best, outcome.best), (vec![1, 1, 3, 3, 5], 5));
    let windows: Vec<_> = outcome.reports.iter().map(|report| (report.window_from, report.window_positions)).collect();
    assert_eq!(windows, [(1, 10), (1, 30), (2, 50), (3, 70), (4, 90)]);
    let read = |name: &str| number(&folder.path().join(name));
    assert_eq!(read("best.number"), read("evaluations/0005.number"));
    let mut errors = outcome.reports.iter().filter_map(|report| report.measured.as_ref()?.get("error").copied());
    assert!(errors.next_back().is_some_and(|error| error.abs() < 40.0) && outcome.start.is_some());
    assert_eq!(ImproveJournal::read(&job(folder.path()).journal()).expect("a journal").len(), 1 + 4 * 5);
}

#[test]
fn more_generations_go_on_and_other_settings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (short, long) = (folder.path().join("short"), folder.path().join("long"));
    run(&ImproveJob { generations: 2, ..job(&short) }, u32::MAX).expect("two generations");
    run(&job(&short), u32::MAX).expect("three more");
    run(&job(&long), u32::MAX).expect("five");
    assert!(files(&short) == files(&long));
    let before = files(&short);
    for other in [
        ImproveJob { games: 11, ..job(&short) },
        ImproveJob { window: 3, ..job(&short) },
        ImproveJob { seed: 4, ..job(&short) },
        ImproveJob { gate: GateRule::Open, ..job(&short) },
    ] {
        let error = run(&other, u32::MAX).expect_err("a refusal").to_string();
        assert!(error.contains("other settings"), "{error}");
    }
    assert!(files(&short) == before);
    assert!(run(&ImproveJob { generations: 0, ..job(&long) }, 9).is_err_and(|e| e.to_string().contains("generations")));
}

#[test]
fn an_open_gate_lets_all_pass_and_progress_covers_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = ImproveJob { gate: GateRule::Open, ..job(folder.path()) };
    let left = Cell::new(u32::MAX);
    let (candidate, mut referee) = (Toy { left: &left, step: 0.4 }, Toy { left: &left, step: 0.4 });
    let mut steps = Vec::new();
    let cancel = CancelToken::new();
    let outcome = job.run(&candidate, &mut referee, Context::silent(&cancel), &mut |event| {
        if let ImproveEvent::Step { generation, step } = event {
            steps.push((generation, step.name()));
        }
    });
    let outcome = outcome.expect("a run");
    assert!(outcome.reports.iter().all(|report| report.accepted && report.gate.is_none()));
    assert_eq!(steps[..5], [(1, "self-play"), (1, "training"), (1, "measurement"), (1, "gate"), (2, "self-play")]);
    cancel.cancel();
    let more = ImproveJob { generations: 6, ..job };
    let ended = more.run(&candidate, &mut referee, Context::silent(&cancel), &mut |_| {});
    assert!(matches!(ended, Err(JobError::Cancelled(_))));
}
