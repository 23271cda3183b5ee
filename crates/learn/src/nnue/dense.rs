//! The layers behind the accumulators: two hidden layers of 32 clipped units and one output, for each output bucket.

use super::adam::{Adam, Moments};

/// Units of each hidden layer.
pub const HIDDEN: usize = 32;

/// A row of parameters.
pub(super) type Row = [f32; HIDDEN];

/// The largest weight of a hidden layer: 127 in steps of 1/64.
pub(super) const WEIGHT_LIMIT: f32 = 127.0 / 64.0;
/// Biases and output weights have more bits than they need.
const FREE_LIMIT: f32 = 100.0;

/// The rows of the parameters of one output bucket: a row of the first layer for each input (two accumulators), its
/// biases, the second layer and its biases, the output weights, and the output bias in the first place of its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DenseShape {
    /// Inputs of the first layer: the columns of both accumulators.
    pub(super) inputs: usize,
}

impl DenseShape {
    pub(super) const fn rows(self) -> usize {
        self.inputs + HIDDEN + 4
    }

    pub(super) const fn bias1(self) -> usize {
        self.inputs
    }

    pub(super) const fn layer2(self) -> usize {
        self.inputs + 1
    }

    pub(super) const fn bias2(self) -> usize {
        self.inputs + 1 + HIDDEN
    }

    pub(super) const fn output(self) -> usize {
        self.inputs + 2 + HIDDEN
    }

    pub(super) const fn output_bias(self) -> usize {
        self.inputs + 3 + HIDDEN
    }

    /// The largest number in a row.
    pub(super) fn limit(self, row: usize) -> f32 {
        let weights = row < self.inputs || (self.layer2()..self.bias2()).contains(&row);
        if weights { WEIGHT_LIMIT } else { FREE_LIMIT }
    }
}

/// Parameters of all output buckets.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Dense {
    pub(super) shape: DenseShape,
    pub(super) rows: Vec<Row>,
    pub(super) moments: Vec<Moments<HIDDEN>>,
    /// The first layer of each bucket by hidden unit, for gradients.
    transposed: Vec<f32>,
}

/// What one position passes through the layers.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    /// The inputs of the first layer.
    pub(super) inputs: Vec<f32>,
    /// The gradient of the loss by the inputs.
    pub(super) gradient: Vec<f32>,
    first: Row,
    second: Row,
}

impl Signals {
    pub(super) fn new(inputs: usize) -> Signals {
        Signals { inputs: vec![0.0; inputs], gradient: vec![0.0; inputs], first: [0.0; HIDDEN], second: [0.0; HIDDEN] }
    }
}

impl Dense {
    pub(super) fn new(shape: DenseShape, rows: Vec<Row>) -> Dense {
        let moments = vec![Moments::default(); rows.len()];
        let transposed = vec![0.0; rows.len() / shape.rows() * shape.inputs * HIDDEN];
        let mut dense = Dense { shape, rows, moments, transposed };
        dense.transpose();
        dense
    }

    /// The number of output buckets.
    pub(super) fn outputs(&self) -> usize {
        self.rows.len() / self.shape.rows()
    }

    /// Copies the first layers for the gradients.
    pub(super) fn transpose(&mut self) {
        let (rows, inputs) = (self.shape.rows(), self.shape.inputs);
        for (bucket, out) in self.transposed.chunks_exact_mut(inputs * HIDDEN).enumerate() {
            let layer = &self.rows[bucket * rows..][..inputs];
            for (unit, column) in out.chunks_exact_mut(inputs).enumerate() {
                for (to, row) in column.iter_mut().zip(layer) {
                    *to = row[unit];
                }
            }
        }
    }

    /// The output for the inputs in `signals`.
    #[inline(always)]
    pub(super) fn forward(&self, bucket: usize, signals: &mut Signals) -> f32 {
        let shape = self.shape;
        let rows = &self.rows[bucket * shape.rows()..][..shape.rows()];
        let mut sum = rows[shape.bias1()];
        for (row, &x) in rows[..shape.inputs].iter().zip(&signals.inputs) {
            if x != 0.0 {
                for l in 0..HIDDEN {
                    sum[l] += x * row[l];
                }
            }
        }
        signals.first = sum.map(|x| x.clamp(0.0, 1.0));
        let mut sum = rows[shape.bias2()];
        for (row, x) in rows[shape.layer2()..].iter().zip(signals.first) {
            for l in 0..HIDDEN {
                sum[l] += x * row[l];
            }
        }
        signals.second = sum.map(|x| x.clamp(0.0, 1.0));
        let weights = &rows[shape.output()];
        let mut output = rows[shape.output_bias()][0];
        for l in 0..HIDDEN {
            output += weights[l] * signals.second[l];
        }
        output
    }

    /// Adds the gradients of the parameters for a position whose output has the gradient `delta`, and computes those of
    /// its inputs. `signals` are those of the forward pass.
    #[inline(always)]
    pub(super) fn backward(&self, bucket: usize, delta: f32, signals: &mut Signals, gradient: &mut [Row]) {
        let shape = self.shape;
        let rows = &self.rows[bucket * shape.rows()..][..shape.rows()];
        let gradient = &mut gradient[bucket * shape.rows()..][..shape.rows()];
        let inside = |x: f32| x > 0.0 && x < 1.0;
        let mut delta2 = [0.0; HIDDEN];
        for l in 0..HIDDEN {
            gradient[shape.output()][l] += delta * signals.second[l];
            delta2[l] = if inside(signals.second[l]) { delta * rows[shape.output()][l] } else { 0.0 };
            gradient[shape.bias2()][l] += delta2[l];
        }
        gradient[shape.output_bias()][0] += delta;
        let mut delta1 = [0.0; HIDDEN];
        for (unit, &x) in signals.first.iter().enumerate() {
            let (row, out) = (&rows[shape.layer2() + unit], &mut gradient[shape.layer2() + unit]);
            let mut products = [0.0; HIDDEN];
            for l in 0..HIDDEN {
                out[l] += x * delta2[l];
                products[l] = row[l] * delta2[l];
            }
            delta1[unit] = if inside(x) { products.iter().sum() } else { 0.0 };
        }
        for l in 0..HIDDEN {
            gradient[shape.bias1()][l] += delta1[l];
        }
        for (row, &x) in gradient[..shape.inputs].iter_mut().zip(&signals.inputs) {
            if x != 0.0 {
                for l in 0..HIDDEN {
                    row[l] += x * delta1[l];
                }
            }
        }
        signals.gradient.fill(0.0);
        let columns = &self.transposed[bucket * shape.inputs * HIDDEN..][..shape.inputs * HIDDEN];
        for (column, delta) in columns.chunks_exact(shape.inputs).zip(delta1) {
            if delta != 0.0 {
                for (to, weight) in signals.gradient.iter_mut().zip(column) {
                    *to += delta * weight;
                }
            }
        }
    }

    /// Lets all parameters follow their gradients.
    pub(super) fn update(&mut self, adam: &Adam, gradient: &[Row]) {
        for (at, (row, gradient)) in self.rows.iter_mut().zip(gradient).enumerate() {
            adam.update(row, gradient, &mut self.moments[at], self.shape.limit(at % self.shape.rows()));
        }
        self.transpose();
    }
}
