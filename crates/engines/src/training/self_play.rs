//! The self-play job: games from random openings become a data set.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_game::Record;
use tesuji_learn::{JobError, LabeledGame, SampleCollector, SavedDataSet, counted};
use tesuji_task::{Context, cores};

use super::{SelfPlayConfig, Trainable};
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
        if let Some(existing) = SavedDataSet::existing(&model, &self.out, &provenance)? {
            SampleCollector::remove_leftover_journal(&model, &self.out, &task, self.games);
            return Ok(existing);
        }
        let mut collector = SampleCollector::open(&model, &self.out, &task)?;
        if collector.done() < self.games {
            let openings = G::openings(self.seed, self.random_plies.clone()).skip(collector.done() as usize);
            let play = |number: u32, opening: Record<G>| {
                let positions = G::self_play(&config, opening, number, context.cancel).map_err(JobError::input)?;
                Ok(positions.map(|positions| LabeledGame { game: number, positions }))
            };
            let threads = self.threads.unwrap_or_else(cores);
            collector.run(threads, self.games, openings, || Ok(play), "game", context)?;
        }
        let played = collector.done();
        if played < self.games {
            return Err(JobError::field(
                "random",
                format_args!(
                    "{least}..{most}: there are only about {} different openings of so few random plies; \
                     {} are saved: ask for no more games, or start another set with more plies",
                    tesuji_game::grouped(played.into()),
                    tesuji_game::counted(played as usize, "game")
                ),
            ));
        }
        // A journal of more games than requested is kept for a larger request.
        collector.save(&provenance, self.games, |sample| sample.game < self.games)
    }
}
