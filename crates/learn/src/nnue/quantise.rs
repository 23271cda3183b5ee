//! From floats to integers, and what that costs.

use super::dense::HIDDEN;
use super::example::{Example, Examples};
use super::trainer::{COLUMNS, Trainer};
use super::weights::{
    ACCUMULATOR_ONE, ACTIVATION_ONE, DIRECT_STEPS, NnueWeights, OUTPUT_STEPS, OutputLayers, WEIGHT_SHIFT,
};
use crate::DataSetError;

/// How far the integers are from the floats, in units of value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct QuantisationError {
    /// Positions compared.
    pub positions: u64,
    /// The mean of the absolute differences.
    pub mean: f64,
    /// The root of the mean square.
    pub rms: f64,
    /// The largest difference.
    pub largest: f64,
    /// Weights that were cut to the range of their integers.
    pub cut: u64,
}

/// Rounds and counts what does not fit.
struct Rounder {
    cut: u64,
}

impl Rounder {
    fn round(&mut self, number: f32, scale: f32, most: i32) -> i32 {
        let rounded = (f64::from(number) * f64::from(scale)).round();
        let limit = f64::from(most);
        self.cut += u64::from(rounded.abs() > limit);
        rounded.clamp(-limit, limit) as i32
    }

    fn word(&mut self, number: f32, scale: f32) -> i16 {
        self.round(number, scale, i32::from(i16::MAX)) as i16
    }

    fn byte(&mut self, number: f32, scale: f32) -> i8 {
        self.round(number, scale, i32::from(i8::MAX)) as i8
    }
}

impl Trainer {
    /// The network as integers, and the number of weights that were cut.
    pub(super) fn quantise(&self, features: &str, unit: u32, provenance: &str) -> (NnueWeights, u64) {
        let mut rounder = Rounder { cut: 0 };
        let one = f32::from(ACCUMULATOR_ONE);
        let inputs = self.direct.table.effective().len();
        let mut rows = Vec::with_capacity(inputs * self.width());
        for input in 0..inputs {
            for slice in &self.slices {
                rows.extend(slice.table.effective()[input].map(|weight| rounder.word(weight, one)));
            }
        }
        let bias = self.slices.iter().flat_map(|slice| slice.bias.effective()[0]);
        let bias = bias.map(|weight| rounder.word(weight, one)).collect();
        let unit_scale = unit as f32;
        let direct = self.direct.table.effective().iter();
        let direct = direct.map(|row| rounder.word(row[0], unit_scale * DIRECT_STEPS as f32)).collect();
        let shape = self.dense.shape;
        let (weight, activation) = ((1 << WEIGHT_SHIFT) as f32, ACTIVATION_ONE as f32);
        let output = unit_scale * OUTPUT_STEPS as f32;
        let most = i32::MAX / 4;
        let mut outputs = Vec::with_capacity(self.dense.outputs());
        for rows in self.dense.rows.chunks_exact(shape.rows()) {
            let mut layer = |from: usize, count: usize| {
                let units = (0..HIDDEN).flat_map(|unit| (from..from + count).map(move |row| (row, unit)));
                units.map(|(row, unit)| rounder.byte(rows[row][unit], weight)).collect::<Vec<_>>()
            };
            let (weights1, weights2) = (layer(0, shape.inputs), layer(shape.layer2(), HIDDEN));
            let mut biases = |row: usize| rows[row].map(|bias| rounder.round(bias, weight * activation, most)).to_vec();
            let (bias1, bias2) = (biases(shape.bias1()), biases(shape.bias2()));
            outputs.push(OutputLayers {
                bias1,
                weights1,
                bias2,
                weights2,
                bias3: rounder.round(rows[shape.output_bias()][0], output, most),
                weights3: rows[shape.output()].map(|weight| rounder.word(weight, output / activation)).to_vec(),
            });
        }
        let (features, provenance) = (features.to_owned(), provenance.to_owned());
        (NnueWeights { features, width: self.width(), unit, provenance, bias, rows, direct, outputs }, rounder.cut)
    }

    /// Compares the integers with the floats on the examples of these numbers.
    pub(super) fn compare(
        &self,
        weights: &NnueWeights,
        examples: &dyn Examples,
        numbers: &[usize],
        cut: u64,
    ) -> Result<QuantisationError, DataSetError> {
        let mut error = QuantisationError { cut, ..QuantisationError::default() };
        let mut example = Example::default();
        let mut signals = super::dense::Signals::new(2 * self.width());
        for &number in numbers {
            examples.read(number, &mut example)?;
            let active = [&example.active[0][..], &example.active[1][..]];
            let mut direct = [0.0; 2];
            for side in 0..2 {
                for (table, slice) in self.slices.iter().enumerate() {
                    let mut sum = slice.bias.effective()[0];
                    slice.table.add_to(&mut sum, active[side]);
                    let inputs = &mut signals.inputs[side * self.width() + table * COLUMNS..][..COLUMNS];
                    for (to, sum) in inputs.iter_mut().zip(sum) {
                        *to = sum.clamp(0.0, 1.0).powi(2);
                    }
                }
                let mut sum = [0.0];
                self.direct.table.add_to(&mut sum, active[side]);
                direct[side] = sum[0];
            }
            let logit = self.dense.forward(example.output, &mut signals) + 0.5 * (direct[0] - direct[1]);
            let value = f64::from(logit) * f64::from(weights.unit);
            let difference = (value - f64::from(weights.evaluate(active, example.output))).abs();
            error.positions += 1;
            error.mean += difference;
            error.rms += difference * difference;
            error.largest = error.largest.max(difference);
        }
        let count = error.positions.max(1) as f64;
        error.mean /= count;
        error.rms = (error.rms / count).sqrt();
        Ok(error)
    }
}
