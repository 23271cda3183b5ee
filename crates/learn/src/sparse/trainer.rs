//! One step of the training after another, on one thread.

use super::{Factors, SparseData};
use crate::nnue::Metrics;

/// The state of a training.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SparseTrainer {
    /// Batches so far.
    pub(super) step: u64,
    /// The weights of features at the start, which stay as they are.
    pub(super) base: Vec<f32>,
    /// The trained weights, where 1 multiplies the odds of winning by e.
    pub(super) weights: Vec<f32>,
    /// The sums of their squared gradients.
    pub(super) squares: Vec<f32>,
    /// The gradients of the batch at hand; zero outside of it.
    gradients: Vec<f32>,
    /// The weights with a gradient, in the order met.
    touched: Vec<u32>,
    /// Whether a weight is among them.
    is_touched: Vec<bool>,
}

/// How weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SparseStep {
    /// The learning rate.
    pub(super) rate: f32,
    /// Decay of a weight at every step that touches it, in parts of the learning rate.
    pub(super) decay: f32,
    /// Added to the sum of squares: a weight that was seen seldom moves by less.
    pub(super) damping: f32,
}

/// Keeps logarithms finite.
const LEAST_RATE: f64 = 1e-7;

fn cross_entropy(target: f64, rate: f64) -> f64 {
    let rate = rate.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
    -(target * rate.ln() + (1.0 - target) * (1.0 - rate).ln())
}

impl SparseTrainer {
    pub(super) fn new(base: Vec<f32>, count: usize) -> SparseTrainer {
        SparseTrainer {
            step: 0,
            base,
            weights: vec![0.0; count],
            squares: vec![0.0; count],
            gradients: vec![0.0; count],
            touched: Vec::new(),
            is_touched: vec![false; count],
        }
    }

    /// The predicted win rate of a position.
    fn predict(&self, factors: &Factors, features: &[u32]) -> f32 {
        let mut sum = 0.0;
        for &feature in features {
            sum += self.base[feature as usize];
            for &factor in factors.of(feature as usize) {
                sum += self.weights[factor as usize];
            }
        }
        1.0 / (1.0 + (-sum).exp())
    }

    fn measure(&self, factors: &Factors, data: &SparseData, index: usize, metrics: &mut Metrics) -> f32 {
        let rate = self.predict(factors, data.features(index));
        let (target, predicted) = (f64::from(data.target(index)), f64::from(rate));
        metrics.positions += 1;
        metrics.loss += cross_entropy(target, predicted);
        metrics.entropy += cross_entropy(target, target);
        if let Some(result) = data.result(index).filter(|result| *result != 0.5) {
            metrics.decided += 1;
            metrics.hits += u64::from((rate > 0.5) == (result > 0.5));
            metrics.result_loss += cross_entropy(f64::from(result), predicted);
        }
        rate
    }

    /// Learns a batch. The figures are those before the step.
    pub(super) fn learn(
        &mut self,
        factors: &Factors,
        data: &SparseData,
        numbers: &[usize],
        options: SparseStep,
    ) -> Metrics {
        let mut metrics = Metrics::default();
        for &index in numbers {
            let error = self.measure(factors, data, index, &mut metrics) - data.target(index);
            for &feature in data.features(index) {
                for &factor in factors.of(feature as usize) {
                    let at = factor as usize;
                    if !self.is_touched[at] {
                        self.is_touched[at] = true;
                        self.touched.push(factor);
                    }
                    self.gradients[at] += error;
                }
            }
        }
        let SparseStep { rate, decay, damping } = options;
        for &factor in &self.touched {
            let at = factor as usize;
            let gradient = self.gradients[at];
            self.squares[at] += gradient * gradient;
            let weight = &mut self.weights[at];
            *weight -= rate * (gradient / (self.squares[at] + damping).sqrt() + decay * *weight);
            self.gradients[at] = 0.0;
            self.is_touched[at] = false;
        }
        self.touched.clear();
        self.step += 1;
        metrics
    }

    /// The figures of all positions.
    pub(super) fn evaluate(&self, factors: &Factors, data: &SparseData) -> Metrics {
        let mut metrics = Metrics::default();
        for index in 0..data.len() {
            self.measure(factors, data, index, &mut metrics);
        }
        metrics
    }
}
