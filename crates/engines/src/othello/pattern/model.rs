//! The pattern evaluation as a model for training.

use tesuji_learn::Model;
use tesuji_othello::Othello;

use super::mobility::MobilityPair;
use super::patterns::{INSTANCES, PATTERNS, PLAIN, PLAIN_INSTANCES, PatternIndices};
use super::symmetry::SymmetryClasses;
use super::{STAGE_PLIES, STAGES};

/// The features of the pattern evaluation; [`PatternEval`](super::PatternEval) is the trained result.
pub struct PatternModel {
    classes: &'static [SymmetryClasses; PATTERNS.len()],
    /// The first weight of each pattern.
    firsts: [u32; PATTERNS.len()],
    /// The first weight of mobility.
    mobility: u32,
    /// Only the features that Edax and Egaroucid have.
    plain: bool,
}

impl PatternModel {
    /// All features.
    pub fn new() -> PatternModel {
        let classes = SymmetryClasses::all();
        let mut weights = 0;
        let firsts = std::array::from_fn(|pattern| {
            let first = weights as u32;
            weights += classes[pattern].count;
            first
        });
        PatternModel { classes, firsts, mobility: weights as u32, plain: false }
    }

    /// Only the features that Edax and Egaroucid have, so that their files can hold the weights.
    pub fn plain() -> PatternModel {
        PatternModel { plain: true, ..PatternModel::new() }
    }
}

impl Default for PatternModel {
    fn default() -> PatternModel {
        PatternModel::new()
    }
}

/// The discs of the mover and of the opponent.
pub type Bitboards = (u64, u64);

impl Model for PatternModel {
    type Position = Bitboards;

    const BYTES: usize = 16;

    fn pack(&self, (own, other): &Bitboards, to: &mut [u8]) {
        to[..8].copy_from_slice(&own.to_le_bytes());
        to[8..].copy_from_slice(&other.to_le_bytes());
    }

    fn unpack(&self, from: &[u8]) -> Option<Bitboards> {
        let (boards, rest) = from.as_chunks::<8>();
        let &[own, other] = boards else { return None };
        let (own, other) = (u64::from_le_bytes(own), u64::from_le_bytes(other));
        (own & other == 0 && rest.is_empty()).then_some((own, other))
    }

    fn name(&self) -> &'static str {
        "othello/pattern/2"
    }

    fn stages(&self) -> usize {
        STAGES
    }

    fn stage(&self, (own, other): &Bitboards) -> usize {
        ((!(own | other)).count_ones() as usize / STAGE_PLIES).min(STAGES - 1)
    }

    fn weights(&self) -> usize {
        self.mobility as usize + MobilityPair::WEIGHTS
    }

    fn features(&self) -> usize {
        if self.plain { PLAIN_INSTANCES } else { INSTANCES + MobilityPair::FEATURES }
    }

    fn active_features(&self, &(own, other): &Bitboards, to: &mut [u32]) {
        let indices = PatternIndices::new(own, other);
        let patterns = if self.plain { PLAIN } else { PATTERNS.len() };
        let weights = self.classes.iter().zip(&self.firsts);
        for (pattern, (classes, first)) in PATTERNS[..patterns].iter().zip(weights) {
            let lanes = pattern.first..pattern.first + pattern.instances;
            for (to, &index) in to[lanes.clone()].iter_mut().zip(&indices.0[lanes]) {
                *to = first + classes.class(index);
            }
        }
        if !self.plain {
            let empties = (!(own | other)).count_ones();
            let features = MobilityPair::new(own, other).features(empties);
            for (to, feature) in to[INSTANCES..].iter_mut().zip(features) {
                *to = self.mobility + feature as u32;
            }
        }
    }
}

/// A position in the form of data sets.
pub fn bitboards(game: &Othello) -> Bitboards {
    (game.own(), game.other())
}
