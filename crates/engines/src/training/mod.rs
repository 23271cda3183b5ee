//! Training for any game that implements [`Trainable`]: self-play, labelling by search, data sets from records, and the
//! comparison of evaluations. The jobs are plain serialisable data; a job that was interrupted continues where it ended.

mod compare;
mod label;
mod positions;
mod prediction;
mod records;
mod self_play;
mod sparse;
mod sparse_candidate;
mod value_self_play;

use std::ops::RangeInclusive;
use std::path::Path;

use tesuji_game::{Formats, Record};
use tesuji_learn::{JobError, Model};
use tesuji_search::{CancelToken, Limits};

pub use compare::{CompareJob, EvaluationErrors};
pub use label::{LabelJob, LabelOutcome};
pub use positions::{ForeignPositions, ODDS, PositionCounts, PositionDataJob, labeled_move};
pub(crate) use positions::{label, stored_value};
pub use prediction::{PredictionCounts, PredictionJob};
pub use records::{RecordDataJob, RecordDataOutcome};
pub use self_play::SelfPlayJob;
pub use sparse::{SparseEvaluation, SparseJob, StaticEvaluation};
pub use sparse_candidate::{SparseCandidate, SparseImprovement};
pub(crate) use sparse_candidate::{searcher, warn, with_evaluation};
pub use value_self_play::{ValueSelfPlayJob, ValueSelfPlayOutcome};

use crate::limited::limits;
use crate::{HasEngines, Spec, SpecError};

/// A position of a game as its data sets store it.
pub type TrainingPosition<G> = <<G as Trainable>::Model as Model>::Position;

/// Positions with their scores for the side to move, in hundredths of a point.
pub type LabeledPositions<G> = Vec<(TrainingPosition<G>, i16)>;

/// A game whose evaluation can be trained.
pub trait Trainable: HasEngines + Formats {
    /// Its evaluation.
    type Model: Model;

    /// Hand-written evaluations to compare trained ones with.
    const BASELINES: &'static [&'static str];

    /// The default engine of self-play: fast, and the same moves on every machine.
    const SELF_PLAY_ENGINE: &'static str;

    /// The evaluation to train.
    fn model() -> Self::Model;

    /// The evaluation with only those features that the files of other programs have.
    fn plain_model() -> Self::Model {
        Self::model()
    }

    /// The game at a position of a data set.
    fn from_position(position: &TrainingPosition<Self>) -> Self;

    /// Labels the positions of a record.
    ///
    /// # Errors
    /// Why the record cannot be used.
    fn label_record(record: &Record<Self>, config: RecordConfig) -> Result<LabeledPositions<Self>, UnusableRecord>;

    /// Random openings, no two equal. Ends when no others are found.
    fn openings(seed: u64, plies: RangeInclusive<u32>) -> Box<dyn Iterator<Item = Record<Self>> + Send>;

    /// Plays a game from an opening and labels its positions. `None` when it was cancelled. Depends only on the
    /// arguments, not on games before.
    fn self_play(
        config: &SelfPlayConfig,
        opening: Record<Self>,
        number: u32,
        cancel: &CancelToken,
    ) -> Result<Option<LabeledPositions<Self>>, SpecError>;

    /// A labeler that searches with the weights of a file, or with those that ship.
    fn labeler(config: LabelConfig, weights: Option<&Path>) -> Result<Labeler<Self>, JobError>;
}

/// Labels a position, or the position after a random move. The list is empty when there is nothing to learn. `None` when
/// it was cancelled. Does not depend on positions before.
pub type Labeler<G> = Box<dyn FnMut(&TrainingPosition<G>, &CancelToken) -> Option<LabeledPositions<G>>>;

/// How positions are labelled by search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelConfig {
    /// Search depth.
    pub depth: u32,
    /// Selectivity of the search, as a confidence in percent.
    pub sure: u32,
    /// Positions with at most this many empty squares are solved.
    pub solve: u32,
    /// One position in this many is labelled after a random move, since searches meet such positions; 0 for none.
    pub random_move_rate: u32,
    /// The seed of random moves.
    pub seed: u64,
    /// Size of the transposition table in MiB; the game's own default if absent.
    pub hash: Option<usize>,
}

/// How positions of records are labelled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RecordConfig {
    /// Positions with at most this many empty squares (or whatever unit the game counts in) are solved.
    pub solve: u32,
    /// Size of the solver's transposition table in MiB; the game's own default if absent.
    pub hash: Option<usize>,
}

/// Why a record cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnusableRecord {
    /// It has too few moves.
    Short,
    /// It is unfinished and has no score.
    Unscored,
}

/// How self-play games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayConfig {
    /// The engine of both sides.
    pub engine: Spec,
    /// Positions with at most this many empty squares are solved.
    pub solve: u32,
    /// The seed of random moves.
    pub seed: u64,
    /// Size of the solver's transposition table in MiB; the game's own default if absent.
    pub hash: Option<usize>,
}

impl SelfPlayConfig {
    /// Checks that the engine is deterministic: limited by depth, nodes or playouts, on one thread.
    pub fn check(&self) -> Result<(), SpecError> {
        let Limits { depth, nodes, time, .. } = limits(&self.engine)?;
        let is_limited = depth.is_some() || nodes.is_some() || self.engine.name == "random";
        let is_single = self.engine.number("threads", 1, 1024)?.is_none_or(|threads| threads == 1);
        if is_limited && is_single && time.is_none() {
            return Ok(());
        }
        let message = "it must play the same moves every time: give it a depth, nodes or playouts, and neither time \
                       nor threads";
        Err(SpecError::value("engine", &self.engine.to_string(), message))
    }
}
