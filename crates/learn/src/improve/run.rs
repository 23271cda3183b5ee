//! The loop itself: the next step follows from the journal alone.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_store::save;
use tesuji_task::{Context, Progress};

use super::{
    Candidate, Figures, GateRule, GateScore, ImproveJob, ImproveJournal, ImproveStep, PlayedGames, Referee,
    TrainedEvaluation,
};
use crate::JobError;
use crate::job::read_input;

/// A step of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// Games are played.
    SelfPlay,
    /// An evaluation is trained.
    Training,
    /// It is measured.
    Measurement,
    /// It plays against the best one so far.
    Gate,
}

impl StepKind {
    /// In the order of a generation, with the share of the time that a step usually takes, in per cent.
    const ALL: [(StepKind, u64); 4] =
        [(StepKind::SelfPlay, 50), (StepKind::Training, 25), (StepKind::Measurement, 5), (StepKind::Gate, 20)];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            StepKind::SelfPlay => "self-play",
            StepKind::Training => "training",
            StepKind::Measurement => "measurement",
            StepKind::Gate => "gate",
        }
    }
}

/// The begin of a run, or its continuation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImproveStart {
    /// Generations in all.
    pub generations: u32,
    /// Generations that earlier runs have finished.
    pub resumed: u32,
    /// Everything that the run depends on.
    pub settings: String,
    /// The figures of the evaluation at the start, if they are measured.
    pub start: Option<Figures>,
    /// The finished generations.
    pub reports: Vec<GenerationReport>,
}

/// What happens in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum ImproveEvent {
    /// It begins or goes on.
    Start(ImproveStart),
    /// A step begins.
    Step {
        /// The generation.
        generation: u32,
        /// The step.
        step: StepKind,
    },
    /// The evaluation at the start was measured.
    Measured {
        /// The figures.
        figures: Figures,
    },
    /// A generation is finished.
    Generation(GenerationReport),
}

/// A finished generation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GenerationReport {
    /// The generation, from 1.
    pub generation: u32,
    /// Games of self-play.
    pub games: u32,
    /// Positions of these games.
    pub positions: u64,
    /// The first generation of the replay window.
    pub window_from: u32,
    /// Positions in the replay window.
    pub window_positions: u64,
    /// Positions that were learned, each as often as it was learned.
    pub learned: u64,
    /// Losses and other figures of the training.
    pub losses: Figures,
    /// What was measured.
    pub measured: Option<Figures>,
    /// The score in the gate; `None` if no match was played.
    pub gate: Option<GateScore>,
    /// Whether the evaluation was accepted.
    pub accepted: bool,
    /// The generation of the best evaluation after it.
    pub best: u32,
}

/// The end of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct ImproveOutcome {
    /// All generations.
    pub reports: Vec<GenerationReport>,
    /// The figures of the evaluation at the start, if they were measured.
    pub start: Option<Figures>,
    /// The generation of the best evaluation; 0 if none was accepted.
    pub best: u32,
    /// The file of the best evaluation.
    pub file: PathBuf,
}

/// What the journal says: the finished generations and the beginning of the next.
#[derive(Clone, PartialEq, Debug, Default)]
struct RunState {
    start: Option<Figures>,
    finished: Vec<GenerationReport>,
    played: Option<PlayedGames>,
    trained: Option<TrainedEvaluation>,
    measured: Option<Figures>,
    best: u32,
}

impl RunState {
    fn of(job: &ImproveJob, steps: &[ImproveStep], path: &Path) -> Result<RunState, JobError> {
        let mut state = RunState::default();
        for step in steps {
            let is_start = matches!(step, ImproveStep::Measurement { generation: 0, .. });
            if !is_start && step.generation() != state.next() {
                let message = format!("{}: the steps are not in their order: {step:?}", path.display());
                return Err(JobError::Input(message));
            }
            state.add(job, step.clone());
        }
        Ok(state)
    }

    /// The generation under way.
    fn next(&self) -> u32 {
        self.finished.len() as u32 + 1
    }

    fn add(&mut self, job: &ImproveJob, step: ImproveStep) {
        match step {
            ImproveStep::SelfPlay { played, .. } => self.played = Some(played),
            ImproveStep::Training { trained, .. } => self.trained = Some(trained),
            ImproveStep::Measurement { generation: 0, figures } => self.start = Some(figures),
            ImproveStep::Measurement { figures, .. } => self.measured = Some(figures),
            ImproveStep::Gate { generation, score, accepted } => {
                if accepted {
                    self.best = generation;
                }
                let (played, trained) = (self.played.take().unwrap_or_default(), self.trained.take());
                let TrainedEvaluation { positions: learned, figures: losses } = trained.unwrap_or_default();
                let window = job.window_of(generation);
                let earlier = self.finished.iter().filter(|report| window.contains(&report.generation));
                self.finished.push(GenerationReport {
                    generation,
                    games: played.games,
                    positions: played.positions,
                    window_from: *window.start(),
                    window_positions: earlier.map(|report| report.positions).sum::<u64>() + played.positions,
                    learned,
                    losses,
                    measured: self.measured.take(),
                    gate: score,
                    accepted,
                    best: self.best,
                });
            }
        }
    }
}

/// A run under way.
struct Run<'a> {
    job: &'a ImproveJob,
    candidate: &'a dyn Candidate,
    referee: &'a mut dyn Referee,
    journal: ImproveJournal,
    state: RunState,
    context: Context<'a>,
}

impl ImproveJob {
    /// Improves an evaluation until the last generation, or continues an interrupted run of the same settings.
    ///
    /// # Errors
    /// Bad settings, a step that fails, and cancellation. What is done is in the folder.
    pub fn run(
        &self,
        candidate: &dyn Candidate,
        referee: &mut dyn Referee,
        context: Context<'_>,
        events: &mut dyn FnMut(ImproveEvent),
    ) -> Result<ImproveOutcome, JobError> {
        self.check()?;
        for folder in ["", "evaluations", "self-play", "gates"] {
            let folder = self.out.join(folder);
            fs::create_dir_all(&folder)
                .map_err(|error| JobError::field("out", format!("{}: {error}", folder.display())))?;
        }
        let settings = self.settings(&candidate.settings(), &referee.settings());
        let journal = ImproveJournal::open(&self.journal(), &settings)?;
        let state = RunState::of(self, journal.steps(), &self.journal())?;
        let mut run = Run { job: self, candidate, referee, journal, state, context };
        run.begin(settings, events)?;
        while run.state.next() <= self.generations {
            run.generation(events)?;
        }
        let RunState { start, finished: reports, best, .. } = run.state;
        Ok(ImproveOutcome { reports, start, best, file: self.best(candidate.extension()) })
    }
}

impl Run<'_> {
    fn begin(&mut self, settings: String, events: &mut dyn FnMut(ImproveEvent)) -> Result<(), JobError> {
        events(ImproveEvent::Start(ImproveStart {
            generations: self.job.generations,
            resumed: self.state.finished.len() as u32,
            settings,
            start: self.state.start.clone(),
            reports: self.state.finished.clone(),
        }));
        let first = self.evaluation(0);
        if !first.exists() {
            self.candidate.start(&first)?;
        }
        let is_new = self.journal.steps().is_empty();
        if is_new && let Some(figures) = self.referee.measure(&first, self.context)? {
            self.keep(ImproveStep::Measurement { generation: 0, figures: figures.clone() })?;
            events(ImproveEvent::Measured { figures });
        }
        self.copy_best()
    }

    fn generation(&mut self, events: &mut dyn FnMut(ImproveEvent)) -> Result<(), JobError> {
        let generation = self.state.next();
        let (best, own) = (self.evaluation(self.state.best), self.evaluation(generation));
        let mut begin = |step: StepKind| events(ImproveEvent::Step { generation, step });
        if self.state.played.is_none() {
            begin(StepKind::SelfPlay);
            let task = self.job.self_play_task(generation, &best);
            let candidate = self.candidate;
            let played = self.step(StepKind::SelfPlay, |_, context| candidate.self_play(&task, context))?;
            self.keep(ImproveStep::SelfPlay { generation, played })?;
        }
        if self.state.trained.is_none() {
            begin(StepKind::Training);
            let task = self.job.train_task(generation, &best, self.candidate.extension());
            let candidate = self.candidate;
            let trained = self.step(StepKind::Training, |_, context| candidate.train(&task, context))?;
            self.keep(ImproveStep::Training { generation, trained })?;
        }
        if self.state.measured.is_none() {
            begin(StepKind::Measurement);
            let measured = self.step(StepKind::Measurement, |referee, context| referee.measure(&own, context))?;
            if let Some(figures) = measured {
                self.keep(ImproveStep::Measurement { generation, figures })?;
            }
        }
        begin(StepKind::Gate);
        let (score, accepted) = self.gate(generation, &best, &own)?;
        self.keep(ImproveStep::Gate { generation, score, accepted })?;
        self.copy_best()?;
        events(ImproveEvent::Generation(self.state.finished.last().cloned().unwrap_or_default()));
        Ok(())
    }

    fn gate(&mut self, generation: u32, best: &Path, own: &Path) -> Result<(Option<GateScore>, bool), JobError> {
        let rule = self.job.gate;
        if rule == GateRule::Open {
            return Ok((None, true));
        }
        let engines = [own, best].map(|file| self.candidate.engine(file));
        let task = self.job.gate_task(generation, self.state.best, engines);
        let score = self.step(StepKind::Gate, |referee, context| referee.gate(&task, context))?;
        Ok((Some(score), rule.accepts(&score)))
    }

    fn evaluation(&self, generation: u32) -> PathBuf {
        self.job.evaluation(generation, self.candidate.extension())
    }

    /// Keeps a step in the journal.
    fn keep(&mut self, step: ImproveStep) -> Result<(), JobError> {
        self.journal.append(step.clone())?;
        self.state.add(self.job, step);
        Ok(())
    }

    /// The best evaluation under its own name.
    fn copy_best(&self) -> Result<(), JobError> {
        let (from, to) = (self.evaluation(self.state.best), self.job.best(self.candidate.extension()));
        let bytes = read_input(&from)?;
        if fs::read(&to).is_ok_and(|existing| existing == bytes) {
            return Ok(());
        }
        save(&to, &bytes).map_err(JobError::failed)
    }

    /// Runs a step, whose progress is its share of the whole run.
    fn step<T>(
        &mut self,
        kind: StepKind,
        work: impl FnOnce(&mut dyn Referee, Context<'_>) -> Result<T, JobError>,
    ) -> Result<T, JobError> {
        if self.context.is_cancelled() {
            return Err(JobError::Cancelled("interrupted; the same command continues".to_owned()));
        }
        /// Parts of a per cent of a generation: a step has thousands of them.
        const PARTS: u64 = 1000;
        let (generation, generations) = (self.state.next(), self.job.generations);
        let before: u64 = StepKind::ALL.iter().take_while(|(step, _)| *step != kind).map(|(_, share)| share).sum();
        let share = StepKind::ALL.iter().find(|(step, _)| *step == kind).map_or(0, |(_, share)| *share);
        let all = u64::from(generations) * 100 * PARTS;
        let begun = (u64::from(generation - 1) * 100 + before) * PARTS;
        let outer = self.context;
        let progress = move |step: Progress<'_>| {
            let part = step.done.min(step.total) as f64 / step.total.max(1) as f64;
            let done = begun + (part * (share * PARTS) as f64) as u64;
            let counted = match (step.total, step.note) {
                (0, note) => note.to_owned(),
                (total, "") => format!("{} of {total}", step.done),
                (_, note) => note.to_owned(),
            };
            let note = format!("generation {generation} of {generations}, {}: {counted}", kind.name());
            (outer.progress)(Progress { done, total: all, note: &note });
        };
        work(self.referee, Context { cancel: outer.cancel, progress: &progress })
    }
}
