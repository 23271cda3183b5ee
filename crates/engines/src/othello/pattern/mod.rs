//! `pattern`: the pattern evaluation, a sum of trained weights.
//!
//! A pattern is a small set of squares. Its discs, read as a ternary number, are the pattern index, which selects a
//! weight; each stage of the game has its own weights. The indices are updated incrementally from move to move. The
//! mobility of both sides adds three more features.

mod export;
mod mobility;
mod model;
mod patterns;
mod symmetry;
mod weights;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tesuji_game::Outcome;
use tesuji_learn::{Weights, WeightsError};
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value};

use super::terminal::{estimate, final_value};
pub use mobility::MobilityPair;
pub use model::{Bitboards, PatternModel, bitboards};
pub use patterns::PatternIndices;
use symmetry::SymmetryClasses;
use weights::StageWeights;

/// Plies of a stage.
const STAGE_PLIES: usize = 2;
/// Stages of the game, by the number of empties. The first eight plies share the stage of the ninth, because there are
/// no labels for them.
pub(super) const STAGES: usize = 52 / STAGE_PLIES + 1;
/// The weight of a disc.
pub(super) const DISC: i32 = 128;

/// The shipped weights: made by the commands in `docs/training.md`.
pub(crate) static SHIPPED_BYTES: &[u8] = include_bytes!("../../../weights/othello.weights");

/// The pattern evaluation: trained weights in tables for lookup.
#[derive(Clone)]
pub struct PatternEval {
    stages: Arc<[StageWeights]>,
}

impl std::fmt::Debug for PatternEval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PatternEval({} stages)", self.stages.len())
    }
}

impl PatternEval {
    /// The number of weights of all stages.
    pub const WEIGHTS: usize = STAGES * (235_863 + MobilityPair::WEIGHTS);

    /// All weights zero.
    pub fn untrained() -> PatternEval {
        PatternEval { stages: vec![StageWeights::ZERO; STAGES].into() }
    }

    /// The shipped evaluation. All copies share one set of tables.
    pub fn shipped() -> PatternEval {
        static SHIPPED: OnceLock<PatternEval> = OnceLock::new();
        // A test parses these bytes, so that they are known to be valid.
        let parse = || {
            tracing::info!("shipped weights of Othello loaded");
            PatternEval::parse(SHIPPED_BYTES).unwrap_or_else(|_| PatternEval::untrained())
        };
        SHIPPED.get_or_init(parse).clone()
    }

    /// Parses the bytes of a weights file.
    pub fn parse(bytes: &[u8]) -> Result<PatternEval, WeightsError> {
        let weights = Weights::parse(bytes)?.check_model(&PatternModel::new())?;
        let all: Vec<i16> = (0..weights.stages()).flat_map(|stage| weights.stage(stage)).copied().collect();
        PatternEval::new(&all).ok_or(WeightsError::Foreign)
    }

    /// Loads a weights file.
    pub fn load(path: impl AsRef<Path>) -> Result<PatternEval, String> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        let eval = PatternEval::parse(&bytes).map_err(|error| error.to_string())?;
        tracing::info!(file = %path.display(), "weights loaded");
        Ok(eval)
    }

    /// From the weights of all stages in order, each with the weights of all patterns and then of mobility. None if
    /// their number is wrong.
    pub fn new(weights: &[i16]) -> Option<PatternEval> {
        let classes = SymmetryClasses::all();
        let per_stage = MobilityPair::WEIGHTS + classes.iter().map(|class| class.count).sum::<usize>();
        if weights.len() != STAGES * per_stage {
            return None;
        }
        let mut stages = vec![StageWeights::ZERO; STAGES];
        for (stage, mut weights) in stages.iter_mut().zip(weights.chunks_exact(per_stage)) {
            for (pattern, classes) in classes.iter().enumerate() {
                let (own, rest) = weights.split_at(classes.count);
                let table = stage.pattern_mut(pattern);
                for index in classes.indices() {
                    table[index as usize & (table.len() - 1)] = own[classes.class(index) as usize];
                }
                weights = rest;
            }
            stage.mobility_mut().copy_from_slice(weights);
        }
        Some(PatternEval { stages: stages.into() })
    }

    /// The value of a position for its mover, in whole discs.
    pub fn discs(&self, game: &Othello) -> i32 {
        let (own, other) = (game.own(), game.other());
        let (indices, mobility) = (PatternIndices::new(own, other), MobilityPair::new(own, other));
        self.whole_discs(&indices, game.empties().count_ones(), mobility)
    }

    /// The value of a position for its mover, in 128ths of a disc.
    #[inline(always)]
    pub fn sum(&self, indices: &PatternIndices, empties: u32, mobility: MobilityPair) -> i32 {
        self.stages[(empties as usize / STAGE_PLIES).min(STAGES - 1)].sum(indices, empties, mobility)
    }

    /// The value of a position for its mover, in whole discs, between -63 and 63.
    #[inline(always)]
    pub(super) fn whole_discs(&self, indices: &PatternIndices, empties: u32, mobility: MobilityPair) -> i32 {
        ((self.sum(indices, empties, mobility) + DISC / 2) >> 7).clamp(-63, 63)
    }
}

impl Eval<Othello> for PatternEval {
    type Accumulator = PatternIndices;

    fn begin(&self, game: &Othello) -> PatternIndices {
        PatternIndices::new(game.own(), game.other())
    }

    #[inline]
    fn advance(
        &self,
        indices: &PatternIndices,
        mv: Move,
        before: &Othello,
        after: &Othello,
        next: &mut PatternIndices,
    ) {
        *next = match mv.square() {
            Some(square) => indices.after(square.index(), before.other() & !after.own()),
            None => indices.passed(),
        };
    }

    #[inline]
    fn value(&self, game: &Othello, indices: &PatternIndices) -> Value {
        let mobility = MobilityPair::new(game.own(), game.other());
        estimate(self.sum(indices, game.empties().count_ones(), mobility) * 100 / DISC)
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        final_value(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_valid_and_trained() {
        let weights = Weights::parse(SHIPPED_BYTES).unwrap();
        assert!(!weights.provenance().is_empty());
        let is_trained = |stage| weights.stage(stage).iter().any(|&weight| weight != 0);
        assert!((1..weights.stages()).all(is_trained));
        PatternEval::parse(SHIPPED_BYTES).unwrap();
    }
}
