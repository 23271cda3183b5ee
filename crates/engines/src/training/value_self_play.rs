//! Self-play for an evaluation that learns from positions: every position gets the value of the search and the result of
//! its game.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{MoveList, Notation, Outcome, Record, Side};
use tesuji_learn::numbered::{NumberFeed, NumberedJob, PartResults, save_positions, work_through};
use tesuji_learn::positions::{PositionBlock, PositionCollector, PositionEntry, PositionGame, SavedPositionSet};
use tesuji_learn::{JobError, counted};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, Rng, Value};
use tesuji_task::{Context, cores};

use super::{SelfPlayConfig, label, stored_value};
use crate::network::{drawn_start, identified, random_opening, start_positions};
use crate::{EngineConstructor, Spec};

/// Plays games and writes their positions with search values and results as a data set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ValueSelfPlayJob {
    /// Number of games.
    pub games: u32,
    /// The file for the data set.
    pub out: PathBuf,
    /// The engine of both sides, limited by depth or nodes.
    pub engine: String,
    /// A file of start positions, one per line in the notation of the game; each game begins at one of them, drawn at
    /// random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// Random plies before the engine plays; they are not learned from.
    pub random_plies: RangeInclusive<u32>,
    /// The share of later moves that are random, since searches meet positions that no good player reaches.
    pub random_moves: f64,
    /// A game of so many plies is a draw.
    pub longest: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// A data set that self-play has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueSelfPlayOutcome {
    /// The data set.
    pub saved: SavedPositionSet,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

impl ValueSelfPlayJob {
    /// The share of random moves where none is given.
    pub const RANDOM_MOVES: f64 = 0.02;

    /// Plays the games, or continues an interrupted run of the same job. `step` is what one step of the engine's values
    /// counts in the data set.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation.
    pub fn run<G: PositionGame + Notation>(
        &self,
        make: EngineConstructor<G>,
        step: f64,
        context: Context<'_>,
    ) -> Result<ValueSelfPlayOutcome, JobError> {
        let spec = self.checked(make)?;
        let starts = start_positions::<G>(None, self.openings.as_deref())?;
        let task = self.task::<G>(&spec);
        let provenance = format!("{task}, {}", counted(self.games as usize, "game"));
        if let Some(saved) = PositionCollector::<G>::existing(&self.out, &provenance)? {
            return Ok(ValueSelfPlayOutcome { saved, warnings: Vec::new() });
        }
        let mut collector = PositionCollector::<G>::open(&self.out, &task)?;
        if collector.done() < self.games {
            let play = |number: u32| self.play(&spec, make, step, &starts, number, context.cancel);
            collector.run(self.threads.unwrap_or_else(cores), self.games, || Ok(play), context)?;
        }
        let (saved, warning) = collector.save(&provenance, self.games)?;
        Ok(ValueSelfPlayOutcome { saved, warnings: warning.into_iter().collect() })
    }

    /// The job as numbered games for any number of machines. Put together they are what [`ValueSelfPlayJob::run`] writes.
    ///
    /// # Errors
    /// Bad settings.
    pub fn numbered<G: PositionGame + Notation>(
        &self,
        make: EngineConstructor<G>,
        step: f64,
    ) -> Result<NumberedJob, JobError> {
        let spec = self.checked(make)?;
        let starts = start_positions::<G>(None, self.openings.as_deref())?;
        let task = self.task::<G>(&spec);
        let provenance = format!("{task}, {}", counted(self.games as usize, "game"));
        let job = self.clone();
        let work = move |feed: &mut dyn NumberFeed| {
            work_through(feed, |number, cancel| {
                Ok(job.play(&spec, make, step, &starts, number, cancel)?.map(|game| game.bytes()))
            })
        };
        let save = move |out: &Path, results: PartResults<'_>| save_positions::<G>(out, &provenance, results);
        Ok(NumberedJob { task, parts: self.games, work: Box::new(work), save: Box::new(save) })
    }

    /// The engine, once the settings are checked.
    fn checked<G: PositionGame>(&self, make: EngineConstructor<G>) -> Result<Spec, JobError> {
        let spec = Spec::parse(&self.engine).map_err(JobError::input)?;
        SelfPlayConfig { engine: spec.clone(), solve: 0, seed: self.seed, hash: None }
            .check()
            .map_err(JobError::input)?;
        if spec.name != "alphabeta" {
            let message = format!("{:?}: weights learn from the values of alphabeta", self.engine);
            return Err(JobError::field("engine", message));
        }
        if !(0.0..1.0).contains(&self.random_moves) {
            return Err(JobError::field("random-moves", format!("{}: from 0 to less than 1", self.random_moves)));
        }
        make(&spec).map_err(JobError::input)?;
        Ok(spec)
    }

    /// Everything the games depend on, in one line. Weights and networks count by their bytes, not by their place.
    fn task<G: PositionGame>(&self, spec: &Spec) -> String {
        let (least, most) = (self.random_plies.start(), self.random_plies.end());
        let mut spec = spec.clone();
        for (_, value) in spec.settings.iter_mut().filter(|(key, _)| ["weights", "eval"].contains(&key.as_str())) {
            *value = identified(Path::new(value)).display().to_string();
        }
        let start = self.openings.as_deref().map(|file| format!(" from {}", identified(file).display()));
        let start = start.unwrap_or_default();
        format!(
            "self-play of {}{start} by {spec}: random plies {least}..{most}, random moves {}, at most {} plies, seed {}",
            G::NAME,
            self.random_moves,
            self.longest,
            self.seed
        )
    }

    /// Plays one game. Depends on the job and the number only. `None` when it was cancelled.
    fn play<G: PositionGame>(
        &self,
        spec: &Spec,
        make: EngineConstructor<G>,
        step: f64,
        starts: &[G],
        number: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PositionBlock<G>>, JobError> {
        let mut rng = Rng::new(self.seed ^ u64::from(number).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let mut engine = make(spec).map_err(JobError::input)?;
        let mut record = random_opening(drawn_start(starts, &mut rng), &self.random_plies, &mut rng);
        let mut entries: Vec<PositionEntry<G>> = Vec::new();
        let mut moves = G::Moves::default();
        let winner = loop {
            if let Some(ending) = record.ending() {
                break ending.winner;
            }
            let plies = record.plies().len();
            if plies >= self.longest as usize {
                break None;
            }
            let mover = record.now().mover();
            let (best, value) = match think(&mut *engine, &record, cancel) {
                _ if cancel.is_cancelled() => return Ok(None),
                (Choice::Move { mv, .. }, value) => (mv, value),
                (Choice::Claim, _) => break Some(mover),
                (Choice::Resign | Choice::Over, _) => break Some(!mover),
            };
            entries.push(PositionEntry {
                label: label(record.now(), best),
                value: value.map(|value| stored(value, step)),
                second: mover == Side::Second,
                ply: plies.min(usize::from(u16::MAX)) as u16,
                game: number,
                ..PositionEntry::of(record.now().clone())
            });
            record.now().clone().moves(&mut moves);
            let random = (rng.unit() < self.random_moves && !moves.is_empty()).then(|| rng.below(moves.len()));
            let mv = random.and_then(|drawn| moves.each().nth(drawn)).unwrap_or(best);
            record.push(mv).map_err(|error| JobError::Failed(format!("{spec} made no legal move: {error}")))?;
        };
        let mut block = PositionBlock::default();
        for mut entry in entries {
            entry.result = Some(Outcome::of(winner, if entry.second { Side::Second } else { Side::First }));
            // What the packing cannot express is not learned from.
            let _ = block.push(&entry);
        }
        Ok(Some(block))
    }
}

fn think<G: PositionGame>(
    engine: &mut dyn Engine<G>,
    record: &Record<G>,
    cancel: &CancelToken,
) -> (Choice<G::Move>, Option<Value>) {
    let mut value = None;
    // Without the book, which would repeat the same openings.
    let limits = Limits { lines: 1, ignore_book: true, ..Limits::default() };
    let choice = engine.think(record, &limits, cancel, &mut |report| {
        value = report.lines.first().map(|line| line.value);
    });
    (choice, value)
}

/// A value as a data set stores it.
fn stored(value: Value, step: f64) -> i16 {
    match value.proven() {
        Some(Proven::Win(_)) => stored_value(f64::INFINITY),
        Some(Proven::Loss(_)) => stored_value(f64::NEG_INFINITY),
        _ => stored_value(step * f64::from(value.get())),
    }
}
