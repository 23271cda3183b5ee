//! Ridge regression by the preconditioned conjugate gradient method (Polak–Ribière), with a diagonal preconditioner. A
//! few iterations suffice. Every sum has a fixed order: the same samples give the same weights, bit by bit.

use super::feature_matrix::FeatureMatrix;
use crate::ErrorStats;

/// The state of the fit of one stage.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ConjugateGradient {
    /// Change of each weight since the start.
    pub(super) change: Vec<f32>,
    /// Residual of every row: estimate minus label.
    pub(super) residuals: Vec<f32>,
    /// Search direction and gradient of the last iteration.
    pub(super) direction: Vec<f32>,
    pub(super) gradient: Vec<f32>,
    /// Errors before the first iteration and after each, on the training set and on the held-out set.
    pub(super) curve: Vec<[ErrorStats; 2]>,
}

/// The parameters of the fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepConfig {
    pub(super) step: f32,
    pub(super) ridge: f32,
}

impl ConjugateGradient {
    /// The start: the residuals of the weights `from`.
    pub(super) fn new(rows: &FeatureMatrix, from: &[f32]) -> ConjugateGradient {
        let mut residuals = vec![0.0; rows.labels.len()];
        rows.sums(from, &mut residuals);
        residuals.iter_mut().zip(&rows.labels).for_each(|(residual, label)| *residual -= label);
        let curve = vec![rows.errors(&residuals)];
        let zeros = vec![0.0; from.len()];
        ConjugateGradient { change: zeros.clone(), residuals, direction: zeros.clone(), gradient: zeros, curve }
    }

    /// The diagonal preconditioner: the weighted count of each feature plus the ridge.
    pub(super) fn preconditioner(rows: &FeatureMatrix, weights: usize, config: StepConfig) -> Vec<f32> {
        let mut scale = vec![0.0; weights];
        rows.add_transposed(&vec![1.0; rows.training_rows()], &mut scale);
        // A feature that never occurs has gradient 0; the floor avoids a division by 0.
        scale.iter_mut().for_each(|count| *count = (*count + config.ridge).max(1e-3));
        scale
    }

    /// Whether the state has the dimensions of these rows and this number of weights.
    pub(super) fn fits(&self, rows: &FeatureMatrix, weights: usize) -> bool {
        let lists = [&self.change, &self.direction, &self.gradient];
        lists.iter().all(|list| list.len() == weights) && self.residuals.len() == rows.labels.len()
    }

    /// Drops what only further iterations need.
    pub(super) fn finish(&mut self) {
        self.residuals = Vec::new();
        self.direction = Vec::new();
        self.gradient = Vec::new();
    }

    /// One iteration. `sums` is scratch space with a number for each row.
    pub(super) fn step(&mut self, rows: &FeatureMatrix, scale: &[f32], config: StepConfig, sums: &mut [f32]) {
        let mut gradient: Vec<f32> = self.change.iter().map(|change| config.ridge * change).collect();
        rows.add_transposed(&self.residuals, &mut gradient);

        // Polak–Ribière: tolerates line searches that are not exact.
        let (mut now, mut difference, mut before) = (0.0, 0.0, 0.0);
        for ((&new, &old), &scale) in gradient.iter().zip(&self.gradient).zip(scale) {
            let (new, old, scale) = (f64::from(new), f64::from(old), f64::from(scale));
            now += new * new / scale;
            difference += new * (new - old) / scale;
            before += old * old / scale;
        }
        let beta = if before > 0.0 { (difference / before).max(0.0) as f32 } else { 0.0 };
        for ((direction, gradient), scale) in self.direction.iter_mut().zip(&gradient).zip(scale) {
            *direction = beta * *direction - gradient / scale;
        }
        self.gradient = gradient;

        rows.sums(&self.direction, sums);
        let (mut descent, mut curvature) = (0.0, 0.0);
        for (&direction, &gradient) in self.direction.iter().zip(&self.gradient) {
            descent -= f64::from(direction) * f64::from(gradient);
            curvature += f64::from(config.ridge) * f64::from(direction) * f64::from(direction);
        }
        for (row, &sum) in sums[..rows.training_rows()].iter().enumerate() {
            curvature += f64::from(rows.weight(row)) * f64::from(sum) * f64::from(sum);
        }
        // At the minimum the gradient is 0.
        let length = if now > 0.0 && curvature > 0.0 { (descent / curvature) as f32 * config.step } else { 0.0 };
        self.change.iter_mut().zip(&self.direction).for_each(|(change, direction)| *change += length * direction);
        self.residuals.iter_mut().zip(sums.iter()).for_each(|(residual, sum)| *residual += length * sum);
        self.curve.push(rows.errors(&self.residuals));
    }
}
