//! The samples of one stage as they are trained on: a row of weight numbers each, in one flat array.

use crate::sample::{Holdout, PER_DISC, Samples};
use crate::{Errors, Model};

/// What counts less is left out, for it costs as much as any other sample.
const TRIFLE: f32 = 0.05;

/// What a stage learns from and is judged by.
pub(super) struct Rows {
    width: usize,
    /// The numbers of the weights, row after row.
    list: Vec<u32>,
    /// How much each row counts; those after the last of these are kept back.
    weight: Vec<f32>,
    /// Rows of the stage itself; between them and the ones kept back are those of its neighbours.
    own: usize,
    pub(super) labels: Vec<f32>,
}

impl Rows {
    /// The rows of a stage. A sample of a neighbouring stage counts `smooth`, one of the stage after that the square,
    /// and so on, as long as it is more than a trifle.
    pub(super) fn new<M: Model>(
        model: &M,
        samples: &Samples<M::Position>,
        stage: usize,
        smooth: f32,
        holdout: Holdout,
    ) -> Rows {
        let mut rows = Rows {
            width: model.features(),
            list: Vec::new(),
            weight: Vec::new(),
            own: 0,
            labels: Vec::new(),
        };
        let mut take = |stage: usize, kept_back: bool, weight: Option<f32>| {
            for sample in samples.stage(stage).iter().filter(|one| holdout.keeps(one.game) == kept_back) {
                let from = rows.list.len();
                rows.list.resize(from + rows.width, 0);
                model.list(&sample.position, &mut rows.list[from..]);
                rows.labels.push(f32::from(sample.label) / PER_DISC);
                rows.weight.extend(weight);
            }
            rows.labels.len()
        };
        let own = take(stage, false, Some(1.0));
        let mut weight = smooth;
        for distance in 1..model.stages() {
            if weight < TRIFLE {
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

    /// Rows that are trained on.
    pub(super) fn trained(&self) -> usize {
        self.weight.len()
    }

    /// How much a row that is trained on counts.
    pub(super) fn weight(&self, row: usize) -> f32 {
        self.weight[row]
    }

    /// The sum of `values` over each row.
    pub(super) fn sums(&self, values: &[f32], to: &mut [f32]) {
        for (row, sum) in self.list.chunks_exact(self.width.max(1)).zip(to) {
            // Two sums at a time: the order is fixed, and additions need not wait for each other.
            let (pairs, rest) = row.as_chunks::<2>();
            let mut two = [0.0; 2];
            for &[a, b] in pairs {
                two[0] += values[a as usize];
                two[1] += values[b as usize];
            }
            *sum = rest.iter().fold(two[0] + two[1], |sum, &last| sum + values[last as usize]);
        }
    }

    /// Adds what each trained row has of `parts`, times its weight, to all its features.
    pub(super) fn spread(&self, parts: &[f32], to: &mut [f32]) {
        let rows = self.list.chunks_exact(self.width.max(1)).zip(&self.weight);
        for ((row, weight), part) in rows.zip(parts) {
            let part = weight * part;
            for &feature in row {
                to[feature as usize] += part;
            }
        }
    }

    /// The errors of the stage's own rows: of those trained on, and of those kept back.
    pub(super) fn errors(&self, errors: &[f32]) -> [Errors; 2] {
        let of = |errors: &[f32]| {
            let mut sum = Errors::default();
            errors.iter().for_each(|&error| sum.add(f64::from(error)));
            sum
        };
        [of(&errors[..self.own]), of(&errors[self.trained()..])]
    }
}
