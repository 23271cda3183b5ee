//! Training of efficiently updatable networks (NNUE) for any game.
//!
//! A game numbers what its positions are made of ([`FeatureSet`]), and says for each position which inputs are active,
//! seen by either side ([`Example`]). The network sums the rows of the active inputs into two accumulators, and two hidden
//! layers make a value of them. Some output buckets may share the accumulators, and every input has a direct weight that
//! goes straight to the output.
//!
//! [`NnueTraining`] trains with floats, sparsely: a step touches the rows of inputs that occur in its batch. The result
//! are integers ([`NnueWeights`]), whose file engines load.
// Loops over indices are unrolled into vectors, and read like the formulas.
#![allow(clippy::needless_range_loop)]

mod adam;
mod checkpoint;
mod dense;
mod example;
mod job;
mod kernel;
mod quantise;
mod random;
mod table;
mod trainer;
mod weights;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(test)]
mod tests;

pub(crate) use checkpoint::{read_metrics, write_metrics};
pub use dense::HIDDEN;
pub use example::{Example, Examples, FeatureSet};
pub use job::{NnueOutcome, NnuePoint, NnueSettings, NnueTraining, checkpoint_path};
pub use quantise::QuantisationError;
pub use trainer::Metrics;
pub use weights::{
    ACCUMULATOR_ONE, ACTIVATION_ONE, DIRECT_STEPS, FRAME, NnueFileError, NnueWeights, OUTPUT_STEPS, OutputLayers,
    WEIGHT_SHIFT,
};
