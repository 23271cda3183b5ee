//! The sparse feature matrix of one stage: a row of weight indices for each sample, in one flat array.

use crate::sample::{Holdout, LABEL_SCALE, Samples};
use crate::{ErrorStats, Model};

/// Samples of a smaller weight are left out: they take as much time as any other.
const MIN_SAMPLE_WEIGHT: f32 = 0.05;

/// The training rows of a stage, followed by its held-out rows.
pub(super) struct FeatureMatrix {
    width: usize,
    /// The weight indices, row after row.
    indices: Vec<u32>,
    /// The sample weight of each training row. Rows beyond these are held out.
    sample_weights: Vec<f32>,
    /// Training rows of the stage itself. Those of adjacent stages follow.
    own: usize,
    pub(super) labels: Vec<f32>,
}

impl FeatureMatrix {
    /// The rows of a stage. A sample of a stage at distance d has weight `smooth` to the power of d.
    pub(super) fn new<M: Model>(
        model: &M,
        samples: &Samples<M::Position>,
        stage: usize,
        smooth: f32,
        holdout: Holdout,
    ) -> FeatureMatrix {
        let mut rows = FeatureMatrix {
            width: model.features(),
            indices: Vec::new(),
            sample_weights: Vec::new(),
            own: 0,
            labels: Vec::new(),
        };
        let mut take = |stage: usize, held_out: bool, weight: Option<f32>| {
            for sample in samples.stage(stage).iter().filter(|one| holdout.contains(one.game) == held_out) {
                let from = rows.indices.len();
                rows.indices.resize(from + rows.width, 0);
                model.active_features(&sample.position, &mut rows.indices[from..]);
                rows.labels.push(f32::from(sample.label) / LABEL_SCALE);
                rows.sample_weights.extend(weight);
            }
            rows.labels.len()
        };
        let own = take(stage, false, Some(1.0));
        let mut weight = smooth;
        for distance in 1..model.stages() {
            if weight < MIN_SAMPLE_WEIGHT {
                break;
            }
            if let Some(before) = stage.checked_sub(distance) {
                take(before, false, Some(weight));
            }
            take(stage + distance, false, Some(weight));
            weight *= smooth;
        }
        take(stage, true, None);
        rows.own = own;
        rows
    }

    /// Number of training rows.
    pub(super) fn training_rows(&self) -> usize {
        self.sample_weights.len()
    }

    /// The sample weight of a training row.
    pub(super) fn weight(&self, row: usize) -> f32 {
        self.sample_weights[row]
    }

    /// Multiplies the matrix by `values`: the sum over each row.
    pub(super) fn sums(&self, values: &[f32], to: &mut [f32]) {
        for (row, sum) in self.indices.chunks_exact(self.width.max(1)).zip(to) {
            // Two independent sums hide the latency of additions. The order is fixed.
            let (pairs, rest) = row.as_chunks::<2>();
            let mut two = [0.0; 2];
            for &[a, b] in pairs {
                two[0] += values[a as usize];
                two[1] += values[b as usize];
            }
            *sum = rest.iter().fold(two[0] + two[1], |sum, &last| sum + values[last as usize]);
        }
    }

    /// Multiplies the transposed, weighted matrix by `parts` and adds the product to `to`.
    pub(super) fn add_transposed(&self, parts: &[f32], to: &mut [f32]) {
        let rows = self.indices.chunks_exact(self.width.max(1)).zip(&self.sample_weights);
        for ((row, weight), part) in rows.zip(parts) {
            let part = weight * part;
            for &feature in row {
                to[feature as usize] += part;
            }
        }
    }

    /// The errors of the stage's own rows: training set and held-out set.
    pub(super) fn errors(&self, residuals: &[f32]) -> [ErrorStats; 2] {
        let of = |residuals: &[f32]| {
            let mut errors = ErrorStats::default();
            residuals.iter().for_each(|&residual| errors.add(f64::from(residual)));
            errors
        };
        [of(&residuals[..self.own]), of(&residuals[self.training_rows()..])]
    }
}
