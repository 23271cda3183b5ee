//! The self-play job: games from random openings become a data set.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::Record;
use tesuji_learn::numbered::{NumberFeed, NumberedJob, PartResults, samples_to_bytes, save_samples, work_through};
use tesuji_learn::{JobError, LabeledGame, Sample, SampleCollector, SavedDataSet, counted};
use tesuji_task::{CancelToken, Context, cores};

use super::{SelfPlayConfig, Trainable, TrainingPosition};
use crate::{EngineFactory, Spec};

/// Plays games and writes their positions as a data set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelfPlayJob {
    /// Number of games.
    pub games: u32,
    /// The file for the data set.
    pub out: PathBuf,
    /// The engine of both sides; the game's default for self-play if absent.
    pub engine: Option<String>,
    /// Random plies of an opening.
    pub random_plies: RangeInclusive<u32>,
    /// Positions with at most this many empty squares are solved.
    pub solve: u32,
    /// The seed of openings and random moves.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// Size of the transposition tables of each game in MiB, where the engine spec says nothing; the game's own default
    /// if absent.
    #[serde(default)]
    pub hash: Option<usize>,
}

impl SelfPlayJob {
    /// Plays the games, or continues an interrupted run of the same job.
    pub fn run<G: Trainable>(&self, context: Context<'_>) -> Result<SavedDataSet, JobError> {
        let model = G::model();
        let Prepared { config, task, provenance } = self.prepare::<G>()?;
        if let Some(existing) = SavedDataSet::existing(&model, &self.out, &provenance)? {
            SampleCollector::remove_leftover_journal(&model, &self.out, &task, self.games);
            return Ok(existing);
        }
        let mut collector = SampleCollector::open(&model, &self.out, &task)?;
        if collector.done() < self.games {
            let openings = G::openings(self.seed, self.random_plies.clone()).skip(collector.done() as usize);
            let play = |number: u32, opening: Record<G>| play::<G>(&config, opening, number, context.cancel);
            let threads = self.threads.unwrap_or_else(cores);
            collector.run(threads, self.games, openings, || Ok(play), "game", context)?;
        }
        let played = collector.done();
        if played < self.games {
            return Err(self
                .too_few_openings(played, &format!("{} are saved: ", tesuji_game::counted(played as usize, "game"))));
        }
        // A journal of more games than requested is kept for a larger request.
        collector.save(&provenance, self.games, |sample| sample.game < self.games)
    }

    /// The job as numbered games for any number of machines. Put together they are what [`SelfPlayJob::run`] writes.
    ///
    /// # Errors
    /// Bad settings.
    pub fn numbered<G: Trainable>(&self) -> Result<NumberedJob, JobError> {
        let Prepared { config, task, provenance } = self.prepare::<G>()?;
        let job = self.clone();
        let work = move |feed: &mut dyn NumberFeed| {
            let model = G::model();
            // The openings are a sequence: whoever plays game n has drawn those before it.
            let mut openings = (0, G::openings(job.seed, job.random_plies.clone()));
            work_through(feed, |number, cancel| {
                if number < openings.0 {
                    openings = (0, G::openings(job.seed, job.random_plies.clone()));
                }
                let opening = openings.1.nth((number - openings.0) as usize);
                openings.0 = number + 1;
                let opening = opening.ok_or_else(|| job.too_few_openings(number, ""))?;
                let game = play::<G>(&config, opening, number, cancel)?;
                Ok(game.map(|LabeledGame { game, positions }| {
                    let samples: Vec<_> = Sample::of_game(game, positions).collect();
                    samples_to_bytes(&model, &samples)
                }))
            })
        };
        let save = move |out: &Path, results: PartResults<'_>| save_samples(&G::model(), out, &provenance, results);
        Ok(NumberedJob { task, parts: self.games, work: Box::new(work), save: Box::new(save) })
    }

    /// Checks the settings and says what the games depend on.
    fn prepare<G: Trainable>(&self) -> Result<Prepared, JobError> {
        let engine = self.engine.as_deref().unwrap_or(G::SELF_PLAY_ENGINE);
        let mut engine = Spec::parse(engine).map_err(JobError::input)?;
        if self.engine.is_none() && self.hash.is_some() {
            engine.settings.retain(|(key, _)| key != "hash");
        }
        EngineFactory::<G>::of_game().fill_setting(&mut engine, "hash", self.hash.map(|mib| mib.to_string()));
        let config = SelfPlayConfig { engine, solve: self.solve, seed: self.seed, hash: self.hash };
        config.check().map_err(JobError::input)?;
        G::engine(&config.engine).map_err(JobError::input)?;
        let (least, most) = (self.random_plies.start(), self.random_plies.end());
        let mut task = format!(
            "self-play of {} by {}: random plies {least}..{most}, solved from {}, seed {}",
            G::NAME,
            config.engine,
            self.solve,
            self.seed
        );
        // The solver's choice among equal moves depends on it.
        self.hash.iter().for_each(|mib| task.push_str(&format!(", {mib} MiB")));
        let provenance = format!("{task}, {}", counted(self.games as usize, "game"));
        Ok(Prepared { config, task, provenance })
    }

    fn too_few_openings(&self, played: u32, saved: &str) -> JobError {
        let (least, most) = (self.random_plies.start(), self.random_plies.end());
        JobError::field(
            "random",
            format_args!(
                "{least}..{most}: there are only about {} different openings of so few random plies; {saved}ask for no \
                 more games, or start another set with more plies",
                tesuji_game::grouped(played.into()),
            ),
        )
    }
}

/// A job whose settings were checked.
struct Prepared {
    config: SelfPlayConfig,
    /// What the games depend on.
    task: String,
    /// What is said of them in the data set.
    provenance: String,
}

/// Plays one game. `None` when it was cancelled.
fn play<G: Trainable>(
    config: &SelfPlayConfig,
    opening: Record<G>,
    number: u32,
    cancel: &CancelToken,
) -> Result<Option<LabeledGame<TrainingPosition<G>>>, JobError> {
    let positions = G::self_play(config, opening, number, cancel).map_err(JobError::input)?;
    Ok(positions.map(|positions| LabeledGame { game: number, positions }))
}
