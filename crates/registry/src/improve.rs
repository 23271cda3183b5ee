//! The improvement loop: self-play, training and a gate by match, generation after generation.
//!
//! `learn::improve` has the loop, a game has the candidates, and the arena plays the gates. Curves and a page are drawn
//! into the folder of the run after every generation.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_arena::stats::SprtVerdict;
use tesuji_arena::{CONFIG, Entrant, EventConfig, OpeningOrder, ScheduleKind, SprtSettings, TournamentConfig};
use tesuji_engines::EngineConstructor;
pub use tesuji_engines::network::{DEFAULT_NET, NetworkImprovement};
use tesuji_game::Notation;
pub use tesuji_learn::improve::{
    Candidate, Figures, GateRule, GateScore, GateSprt, GenerationReport, ImproveEvent, ImproveJob, ImproveStart,
    StepKind,
};
use tesuji_learn::improve::{GateTask, ImproveOutcome, Referee};
use tesuji_learn::job::{JobError, file_name};
use tesuji_learn::positions::PositionGame;
use tesuji_report::network::{self as plots, NetworkCurve, NetworkPlot};
use tesuji_store::save;
use tesuji_task::Context;

use crate::{
    Competition, Error, GameHandle, KnownTruth, NnueImprovement, Playable, Registration, Registry, SparseImprovement,
    TruthJob,
};

/// What is improved, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "candidate", rename_all = "lowercase")]
pub enum CandidateSettings {
    /// A policy and value network.
    Network(Box<NetworkImprovement>),
    /// The weights of an evaluation that learns from positions.
    Weights(Box<SparseImprovement>),
    /// A network for the evaluation `nnue`.
    Nnue(Box<NnueImprovement>),
}

/// A run of the improvement loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImproveRequest {
    /// The game.
    pub game: String,
    /// The loop.
    pub job: ImproveJob,
    /// What is improved.
    pub candidate: CandidateSettings,
    /// A file of records or positions where the games of the gate begin, drawn at random; random plies by default.
    pub gate_openings: Option<PathBuf>,
    /// Random plies before the games of the gate; those of the game's matches by default.
    pub gate_plies: Option<usize>,
    /// The truth that every generation is measured by.
    pub truth: Option<TruthJob>,
}

/// The end of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct ImproveResponse {
    /// The file of the best evaluation.
    pub file: String,
    /// Its generation; 0 is the start.
    pub best: u32,
    /// All generations.
    pub generations: Vec<GenerationReport>,
    /// Curves and the page.
    pub files: Vec<String>,
}

/// What can be improved for a game.
pub trait ImproveApi {
    /// What is improved for this game, by its settings.
    ///
    /// # Errors
    /// The game has no such evaluation, or a setting is wrong.
    fn candidate(&self, settings: &CandidateSettings) -> Result<Box<dyn Candidate>, Error>;
}

/// Makes the candidate of a game's networks.
pub type NetworkCandidateMaker<G> =
    fn(&NetworkImprovement, EngineConstructor<G>) -> Result<Box<dyn Candidate>, JobError>;

/// The candidate of networks for a game.
pub(crate) fn network_candidate<G: Playable + PositionGame + Notation>(
    settings: &NetworkImprovement,
    make: EngineConstructor<G>,
) -> Result<Box<dyn Candidate>, JobError> {
    Ok(Box::new(settings.candidate::<G>(make)?))
}

impl<G: Playable> ImproveApi for Registration<G> {
    fn candidate(&self, settings: &CandidateSettings) -> Result<Box<dyn Candidate>, Error> {
        match settings {
            CandidateSettings::Network(settings) => {
                let missing = || Error::invalid(format!("{} has no encoding for networks", G::NAME));
                let candidate = self.network_candidate.ok_or_else(missing)?;
                Ok(candidate(settings, self.engines.make)?)
            }
            CandidateSettings::Weights(settings) => self.sparse_candidate(settings),
            CandidateSettings::Nnue(settings) => self.nnue_candidate(settings),
        }
    }
}

impl Registry {
    /// Improves an evaluation, or continues an interrupted run. Curves are drawn after every generation.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation. The message says what is saved.
    pub fn improve(
        &self,
        request: &ImproveRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ImproveEvent),
    ) -> Result<ImproveResponse, Error> {
        let game = self.game(&request.game)?;
        let mut job = request.job.clone();
        // The folder may be reached from another directory when a match is resumed.
        job.out = std::path::absolute(&job.out).map_err(|error| Error::field("out", error))?;
        let candidate = game.candidate(&request.candidate)?;
        let mut referee = ArenaReferee { registry: self, game, request, truth: None };
        let mut curves = ImproveCurves::new(&job, request);
        let mut drawn = Ok(());
        let outcome = job.run(&*candidate, &mut referee, context, &mut |event| {
            if drawn.is_ok() {
                drawn = curves.add(&event);
            }
            if drawn.is_err() {
                context.cancel.cancel();
            }
            events(event);
        });
        drawn?;
        let ImproveOutcome { reports, best, start: _, file: _ } = outcome?;
        let shown = |path: PathBuf| path.display().to_string();
        Ok(ImproveResponse {
            file: shown(request.job.best(candidate.extension())),
            best,
            generations: reports,
            files: ["improve.svg", "improve.html"].map(|name| shown(request.job.out.join(name))).into(),
        })
    }
}

/// Plays gates in the arena, and measures by a tablebase.
struct ArenaReferee<'a> {
    registry: &'a Registry,
    game: &'a GameHandle,
    request: &'a ImproveRequest,
    /// The boards, once they are drawn.
    truth: Option<Box<dyn KnownTruth>>,
}

impl ArenaReferee<'_> {
    fn config(&self, task: &GateTask) -> Result<TournamentConfig, JobError> {
        let [new, old] = [task.generation, task.best_generation].map(|number| format!("generation {number}"));
        let players = vec![
            Entrant { name: new.clone(), engine: task.candidate.clone() },
            Entrant { name: old.clone(), engine: task.best.clone() },
        ];
        let mut event = EventConfig::new(&self.request.game, players);
        event.schedule = ScheduleKind::Match;
        event.pairs = task.rule.games().div_ceil(2) as usize;
        event.openings.plies = self.request.gate_plies;
        if let Some(file) = &self.request.gate_openings {
            let file = std::path::absolute(file).map_err(|error| JobError::field("gate-openings", error))?;
            event.openings.file = Some(file.display().to_string());
            event.openings.order = OpeningOrder::Random;
        }
        if let GateRule::Sprt(GateSprt { elo0, elo1, alpha, beta, .. }) = task.rule {
            event.sprt = Some(SprtSettings { model: Default::default(), elo0, elo1, alpha, beta });
        }
        let config = TournamentConfig {
            name: format!("{new} against {old}"),
            seed: task.seed,
            concurrency: task.threads,
            events: vec![event],
        };
        config.checked().map_err(JobError::input)
    }
}

impl Referee for ArenaReferee<'_> {
    fn gate(&mut self, task: &GateTask, context: Context<'_>) -> Result<GateScore, JobError> {
        let resumed = task.folder.join(CONFIG).exists();
        let competition = match resumed {
            true => Competition::resume(self.registry, &task.folder),
            false => Competition::create(self.registry, self.config(task)?, Some(&task.folder)),
        };
        let mut competition = competition.map_err(JobError::input)?;
        let mut failure = None;
        let summary = competition.run(context, &mut |event| {
            if let crate::CompetitionEvent::Failure { player, message } = event {
                failure = Some(format!("{player} did not start: {message}"));
            }
        });
        let summary = summary.map_err(JobError::failed)?;
        if summary.cancelled {
            let message = "interrupted; the games of the gate are saved, the same command continues";
            return Err(JobError::Cancelled(message.to_owned()));
        }
        if summary.missing > 0 {
            let reason = failure.unwrap_or_else(|| format!("{} games were not played", summary.missing));
            return Err(JobError::Failed(format!("the gate in {}: {reason}", task.folder.display())));
        }
        let standings = competition.standings();
        let event = standings.first();
        let own = event.and_then(|event| event.players.iter().find(|player| player.number == 0));
        let score = own.map(|player| player.score).unwrap_or_default();
        let test = event.and_then(|event| event.games.test);
        Ok(GateScore {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            llr: test.map(|test| (test.sprt.report(test.pairs).llr * 1e6).round() / 1e6),
            is_stronger: test.and_then(|test| match test.verdict {
                SprtVerdict::H1 => Some(true),
                SprtVerdict::H0 => Some(false),
                SprtVerdict::Inconclusive => None,
            }),
        })
    }

    fn measure(&mut self, evaluation: &Path, context: Context<'_>) -> Result<Option<Figures>, JobError> {
        let Some(job) = &self.request.truth else { return Ok(None) };
        let truth = match self.truth.take() {
            Some(truth) => truth,
            None => self.game.known_truth(job, context).map_err(JobError::input)?,
        };
        let figures = truth.measure(evaluation, context);
        self.truth = Some(truth);
        let named = figures?.named();
        Ok(Some(named.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()))
    }

    fn settings(&self) -> String {
        let openings = self.request.gate_openings.as_ref().map(|file| format!("gate openings {}", file_name(file)));
        let plies = self.request.gate_plies.map(|plies| format!("gate after {plies} plies"));
        let truth = self.request.truth.as_ref();
        let truth = truth.map(|truth| format!("measured on {} boards, seed {}", truth.positions, truth.seed));
        openings.into_iter().chain(plies).chain(truth).collect::<Vec<_>>().join(", ")
    }
}

/// The curves of a run, drawn again after every generation.
struct ImproveCurves<'a> {
    out: &'a Path,
    title: String,
    text: String,
    start: Option<Figures>,
    reports: Vec<GenerationReport>,
}

impl<'a> ImproveCurves<'a> {
    fn new(job: &'a ImproveJob, request: &ImproveRequest) -> ImproveCurves<'a> {
        let title = format!("improvement of {}", request.game);
        ImproveCurves { out: &job.out, title, text: String::new(), start: None, reports: Vec::new() }
    }

    fn add(&mut self, event: &ImproveEvent) -> Result<(), Error> {
        match event {
            ImproveEvent::Start(start) => {
                self.text.clone_from(&start.settings);
                self.start.clone_from(&start.start);
                self.reports.clone_from(&start.reports);
                // An interrupted run may not have come to draw its last generation.
                if self.reports.is_empty() {
                    return Ok(());
                }
            }
            ImproveEvent::Measured { figures } => {
                self.start = Some(figures.clone());
                return Ok(());
            }
            ImproveEvent::Step { .. } => return Ok(()),
            ImproveEvent::Generation(report) => self.reports.push(report.clone()),
        }
        let plots = self.plots();
        let write = |name: &str, text: &str| save(self.out.join(name), text.as_bytes()).map_err(Error::failed);
        write("improve.svg", &plots[0].svg())?;
        write("improve.html", &plots::page(&self.title, &self.text, &plots))
    }

    /// What is measured comes first, where there is something; then the gate and the losses.
    fn plots(&self) -> Vec<NetworkPlot> {
        let measured = |name: &'static str, key: &'static str, factor: f64| {
            let point = |generation: u32, figures: Option<&Figures>| {
                Some((f64::from(generation), factor * figures?.get(key).copied()?))
            };
            let start = point(0, self.start.as_ref());
            let later = self.reports.iter().filter_map(|report| point(report.generation, report.measured.as_ref()));
            NetworkCurve { name, points: start.into_iter().chain(later).collect() }
        };
        let loss = |name: &'static str, key: &'static str| NetworkCurve {
            name,
            points: self
                .reports
                .iter()
                .filter_map(|report| Some((f64::from(report.generation), *report.losses.get(key)?)))
                .collect(),
        };
        let gate = self
            .reports
            .iter()
            .filter_map(|report| Some((f64::from(report.generation), 100.0 * report.gate.as_ref()?.share())));
        let gate = NetworkCurve { name: "score against the best before", points: gate.collect() };
        let plot = |what: &str, unit: &'static str, curves: Vec<NetworkCurve>| NetworkPlot {
            title: format!("{}: {what}", self.title),
            unit,
            along: "generation",
            curves,
        };
        let all = [
            plot(
                "moves and values against the tablebase",
                "%",
                vec![
                    measured("optimal moves", "optimal_moves", 100.0),
                    measured("optimal where moves differ", "contested_optimal", 100.0),
                    measured("winner predicted", "value_accuracy", 100.0),
                    measured("value error", "value_error", 100.0),
                ],
            ),
            plot("gate", "%", vec![gate]),
            plot(
                "losses",
                "nats",
                vec![
                    loss("policy", "policy_loss"),
                    loss("value", "value_loss"),
                    loss("held out", "test_loss"),
                    loss("error", "error"),
                ],
            ),
        ];
        let shown = |plot: &NetworkPlot| plot.curves.iter().any(|curve| !curve.points.is_empty());
        let plots: Vec<NetworkPlot> = all.into_iter().filter(shown).collect();
        if plots.is_empty() { vec![plot("no figures", "", Vec::new())] } else { plots }
    }
}
