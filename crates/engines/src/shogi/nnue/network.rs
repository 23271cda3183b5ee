//! A network ready for inference.

use tesuji_learn::nnue::{DIRECT_STEPS, HIDDEN, NnueWeights, OUTPUT_STEPS};

use super::features;
use super::kernel::{Activation, Layers, Row, Units};

/// A network whose accumulators have `N` columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Network<const N: usize> {
    /// Biases of the accumulator.
    pub(crate) bias: Row<N>,
    /// The row of each input.
    pub(crate) rows: Vec<Row<N>>,
    /// The direct weight of each input; empty if there are none.
    pub(crate) direct: Vec<i16>,
    /// Steps of the output for each step of the difference of both sides' direct weights.
    pub(crate) direct_factor: i32,
    /// The layers of each output bucket.
    pub(crate) layers: Vec<Layers>,
    /// Steps of the output for each centipawn.
    pub(crate) steps: i32,
}

/// The columns of an accumulator of our own networks.
pub(crate) const WIDTH: usize = 128;

impl Network<WIDTH> {
    /// The network of a file of our own.
    ///
    /// # Errors
    /// It is one for other inputs, or of another size.
    pub(crate) fn new(weights: &NnueWeights) -> Result<Network<WIDTH>, String> {
        if weights.features != features::NAME {
            return Err(format!("its inputs are {:?}, and shogi has {:?}", weights.features, features::NAME));
        }
        let found = (weights.inputs(), weights.width, weights.outputs.len());
        let expected = (features::INPUTS, WIDTH, features::OUTPUTS);
        if found != expected {
            return Err(format!("it has {found:?} inputs, columns and outputs, and {expected:?} are expected"));
        }
        let row = |row: &[i16]| Row(std::array::from_fn(|at| row[at]));
        let units = |numbers: &[i32]| Units(std::array::from_fn(|at| numbers[at]));
        let layers = weights.outputs.iter().map(|layers| Layers {
            activation: Activation::Squared,
            bias1: units(&layers.bias1),
            weights1: Layers::quads(&layers.weights1, 2 * WIDTH),
            bias2: units(&layers.bias2),
            weights2: Layers::quads(&layers.weights2, HIDDEN),
            bias3: layers.bias3,
            weights3: Units(std::array::from_fn(|at| i32::from(layers.weights3[at]))),
        });
        Ok(Network {
            bias: row(&weights.bias),
            rows: weights.rows.chunks_exact(WIDTH).map(row).collect(),
            direct: weights.direct.clone(),
            direct_factor: OUTPUT_STEPS / DIRECT_STEPS / 2,
            layers: layers.collect(),
            steps: OUTPUT_STEPS,
        })
    }
}
