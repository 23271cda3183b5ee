//! Data sets of positions for networks: from records, other data sets and files of other programs; and their
//! verification.

use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use tesuji_engines::EngineConstructor;
pub use tesuji_engines::network::NetworkSelfPlayJob;
use tesuji_engines::network::NetworkSelfPlayOutcome;
use tesuji_engines::training::ValueSelfPlayOutcome;
pub use tesuji_engines::training::{ForeignPositions, PositionCounts, PositionDataJob, ValueSelfPlayJob};
use tesuji_learn::DataSetError;
use tesuji_learn::job::JobError;
use tesuji_learn::numbered::NumberedJob;
use tesuji_learn::positions::{PositionGame, PositionSet, PositionSetHeader};
use tesuji_store::blocks::BlockFile;
use tesuji_task::{Context, for_each};

use crate::training::check_output;
use crate::{Error, InvalidFile, Playable, Registration, SelfPlayResponse, VerifyResponse};

/// A new data set of positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct PositionDataResponse {
    /// The file.
    pub set: String,
    /// Its size.
    pub bytes: u64,
    /// What is in it, and what was left out.
    #[serde(flatten)]
    pub counts: PositionCounts,
}

/// A valid data set of positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionSetFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
    /// The game.
    pub game: String,
    /// The encoding that the labels belong to.
    pub encoding: String,
    /// The packing of the positions.
    pub packing: String,
    /// Positions.
    pub positions: u64,
    /// Games.
    pub games: u64,
    /// Positions with the value of a search.
    pub with_value: u64,
    /// Positions of games with a result.
    pub with_result: u64,
    /// Positions with visit counts.
    pub with_visits: u64,
    /// How it was made.
    pub provenance: String,
}

/// Data sets of positions. Every method but the first fails for a game without them.
pub trait PositionsApi {
    /// Whether the game has data sets of positions.
    fn has_position_sets(&self) -> bool;

    /// The formats of other programs that the game reads and writes.
    fn foreign_position_formats(&self) -> Vec<&'static str>;

    /// Makes a data set of positions.
    ///
    /// # Errors
    /// Bad input, failed reading or writing, and cancellation.
    fn position_data(&self, job: &PositionDataJob, context: Context<'_>) -> Result<PositionDataResponse, Error>;

    /// Makes a data set of positions by self-play.
    ///
    /// # Errors
    /// Bad input, failed reading or writing, and cancellation. The message says what is saved.
    fn network_self_play(&self, job: &NetworkSelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error>;

    /// Makes a data set of positions with search values by self-play.
    ///
    /// # Errors
    /// Bad input, failed reading or writing, and cancellation. The message says what is saved.
    fn value_self_play(&self, job: &ValueSelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error>;

    /// Verifies a data set of positions of this game. What is wrong with the file is part of the response.
    ///
    /// # Errors
    /// Cancellation.
    fn verify_positions(&self, path: &Path, threads: usize, context: Context<'_>) -> Result<VerifyResponse, Error>;
}

/// What a game with data sets of positions can do.
pub struct PositionCapability<G: Playable> {
    foreign: Vec<ForeignPositions<G>>,
    step: f64,
    data: PositionDataMaker<G>,
    self_play: NetworkSelfPlayer<G>,
    value_self_play: ValueSelfPlayer<G>,
    numbered_self_play: fn(&NetworkSelfPlayJob, EngineConstructor<G>) -> Result<NumberedJob, JobError>,
    numbered_value_self_play: fn(&ValueSelfPlayJob, EngineConstructor<G>, f64) -> Result<NumberedJob, JobError>,
    verify: fn(&Path, usize, Context<'_>) -> Result<PositionSetFile, DataSetError>,
}

type NetworkSelfPlayer<G> =
    fn(&NetworkSelfPlayJob, EngineConstructor<G>, Context<'_>) -> Result<NetworkSelfPlayOutcome, JobError>;

type ValueSelfPlayer<G> =
    fn(&ValueSelfPlayJob, EngineConstructor<G>, f64, Context<'_>) -> Result<ValueSelfPlayOutcome, JobError>;

type PositionDataMaker<G> =
    fn(&PositionDataJob, f64, &[ForeignPositions<G>], Context<'_>) -> Result<PositionCounts, JobError>;

impl<G: Playable> Registration<G> {
    /// The game has data sets of positions. `step` is what one unit of its values counts there, where 600 multiply the
    /// odds of winning by e; `foreign` are the files of other programs.
    pub fn position_sets(mut self, step: f64, foreign: Vec<ForeignPositions<G>>) -> Registration<G>
    where
        G: PositionGame,
    {
        self.positions = Some(PositionCapability {
            foreign,
            step,
            data: PositionDataJob::run::<G>,
            self_play: NetworkSelfPlayJob::run::<G>,
            value_self_play: ValueSelfPlayJob::run::<G>,
            numbered_self_play: NetworkSelfPlayJob::numbered::<G>,
            numbered_value_self_play: ValueSelfPlayJob::numbered::<G>,
            verify: verify::<G>,
        });
        self
    }

    /// What one step of its engines' values counts in a data set.
    pub(crate) fn value_step(&self) -> Result<f64, Error> {
        Ok(self.position_capability()?.step / f64::from(self.engines.unit().steps))
    }

    /// Self-play for a network as numbered games.
    pub(crate) fn numbered_network_self_play(&self, job: &NetworkSelfPlayJob) -> Result<NumberedJob, Error> {
        Ok((self.position_capability()?.numbered_self_play)(job, self.engines.make)?)
    }

    /// Self-play with search values as numbered games.
    pub(crate) fn numbered_value_self_play(&self, job: &ValueSelfPlayJob) -> Result<NumberedJob, Error> {
        Ok((self.position_capability()?.numbered_value_self_play)(job, self.engines.make, self.value_step()?)?)
    }

    fn position_capability(&self) -> Result<&PositionCapability<G>, Error> {
        let missing = || Error::invalid(format!("{} has no data sets of positions for networks", G::NAME));
        self.positions.as_ref().ok_or_else(missing)
    }
}

impl<G: Playable> PositionsApi for Registration<G> {
    fn has_position_sets(&self) -> bool {
        self.positions.is_some()
    }

    fn foreign_position_formats(&self) -> Vec<&'static str> {
        self.positions.iter().flat_map(|positions| &positions.foreign).map(|format| format.name).collect()
    }

    fn position_data(&self, job: &PositionDataJob, context: Context<'_>) -> Result<PositionDataResponse, Error> {
        let PositionCapability { foreign, step, data, .. } = self.position_capability()?;
        check_output(&job.out)?;
        let counts = data(job, *step, foreign, context)?;
        let bytes = std::fs::metadata(&job.out).map_or(0, |about| about.len());
        Ok(PositionDataResponse { set: job.out.display().to_string(), bytes, counts })
    }

    fn value_self_play(&self, job: &ValueSelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error> {
        let capability = self.position_capability()?;
        check_output(&job.out)?;
        let step = self.value_step()?;
        let outcome = (capability.value_self_play)(job, self.engines.make, step, context)?;
        let ValueSelfPlayOutcome { saved, warnings } = outcome;
        let (set, positions) = (job.out.display().to_string(), saved.positions);
        Ok(SelfPlayResponse { set, games: job.games, positions, warnings })
    }

    fn network_self_play(&self, job: &NetworkSelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error> {
        let play = self.position_capability()?.self_play;
        check_output(&job.out)?;
        let NetworkSelfPlayOutcome { saved, warnings } = play(job, self.engines.make, context)?;
        let (set, positions) = (job.out.display().to_string(), saved.positions);
        Ok(SelfPlayResponse { set, games: job.games, positions, warnings })
    }

    fn verify_positions(&self, path: &Path, threads: usize, context: Context<'_>) -> Result<VerifyResponse, Error> {
        let verified = (self.position_capability()?.verify)(path, threads, context);
        if context.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(match verified {
            Ok(file) => VerifyResponse::Positions(file),
            Err(error) => VerifyResponse::Invalid(InvalidFile::new(path, &error)),
        })
    }
}

/// The game of a data set of positions; `None` if the file is something else. Its blocks are not read.
pub(crate) fn position_set_game(path: &Path) -> Option<String> {
    let blocks = BlockFile::open(path).ok()?;
    PositionSetHeader::parse(blocks.head()).ok().map(|header| header.game)
}

/// Reads every position of a data set.
fn verify<G: PositionGame>(path: &Path, threads: usize, context: Context<'_>) -> Result<PositionSetFile, DataSetError> {
    let set = PositionSet::<G>::open(path)?;
    let counter = context.counter(set.len() as u64);
    // The first error in the order of the file, whichever thread finds one first; and the counts.
    let found = Mutex::new((None::<(usize, DataSetError)>, [0; 3]));
    for_each(threads, set.blocks(), |block| {
        let mut counts = [0; 3];
        let mut positions = 0;
        let read = set.for_each_in_block(block, |_, entry| {
            let has = [entry.value.is_some(), entry.result.is_some(), !entry.visits.is_empty()];
            for (count, has) in counts.iter_mut().zip(has) {
                *count += u64::from(has);
            }
            positions += 1;
        });
        counter.add(positions);
        let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match read {
            Err(error) if found.0.as_ref().is_none_or(|(first, _)| block < *first) => found.0 = Some((block, error)),
            Err(_) => {}
            Ok(()) => found.1.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count),
        }
        !context.is_cancelled()
    });
    let (wrong, [with_value, with_result, with_visits]) =
        found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, error)) = wrong {
        return Err(error);
    }
    let header = set.header();
    Ok(PositionSetFile {
        event: "final".to_owned(),
        path: path.display().to_string(),
        right: true,
        game: header.game.clone(),
        encoding: header.encoding.clone(),
        packing: header.packing.clone(),
        positions: header.positions,
        games: header.games,
        with_value,
        with_result,
        with_visits,
        provenance: header.provenance.clone(),
    })
}
