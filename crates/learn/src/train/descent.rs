//! Least squares by conjugate gradients, each weight in proportion to how often it is seen. Few passes over the
//! samples are enough, and every sum has a fixed order: the same samples give the same weights, bit by bit.

use super::rows::Rows;
use crate::Errors;

/// A stage that is being trained.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Descent {
    /// How far each weight has gone from where it began.
    pub(super) moved: Vec<f32>,
    /// Estimate less label of every row.
    pub(super) errors: Vec<f32>,
    /// Where the last step went, and the slope it saw.
    pub(super) direction: Vec<f32>,
    pub(super) slope: Vec<f32>,
    /// Errors after each step, trained on and kept back; the first are those before any.
    pub(super) curve: Vec<[Errors; 2]>,
}

/// How a stage is trained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) step: f32,
    pub(super) ridge: f32,
}

impl Descent {
    /// The beginning: the rows as the weights `from` judge them.
    pub(super) fn new(rows: &Rows, from: &[f32]) -> Descent {
        let mut errors = vec![0.0; rows.labels.len()];
        rows.sums(from, &mut errors);
        errors.iter_mut().zip(&rows.labels).for_each(|(error, label)| *error -= label);
        let curve = vec![rows.errors(&errors)];
        let zeros = vec![0.0; from.len()];
        Descent { moved: zeros.clone(), errors, direction: zeros.clone(), slope: zeros, curve }
    }

    /// How much each weight is seen, with the ridge: what slopes are divided by.
    pub(super) fn scale(rows: &Rows, weights: usize, pace: Pace) -> Vec<f32> {
        let mut scale = vec![0.0; weights];
        rows.spread(&vec![1.0; rows.trained()], &mut scale);
        // A weight that is never seen has no slope and stays, if only it is not divided by nothing.
        scale.iter_mut().for_each(|seen| *seen = (*seen + pace.ridge).max(1e-3));
        scale
    }

    /// Whether it can be a state of these rows and so many weights.
    pub(super) fn fits(&self, rows: &Rows, weights: usize) -> bool {
        let lists = [&self.moved, &self.direction, &self.slope];
        lists.iter().all(|list| list.len() == weights) && self.errors.len() == rows.labels.len()
    }

    /// Drops what is only needed for further steps.
    pub(super) fn done(&mut self) {
        self.errors = Vec::new();
        self.direction = Vec::new();
        self.slope = Vec::new();
    }

    /// One step to less error; `sums` is room for a number of each row.
    pub(super) fn step(&mut self, rows: &Rows, scale: &[f32], pace: Pace, sums: &mut [f32]) {
        let mut slope: Vec<f32> = self.moved.iter().map(|moved| pace.ridge * moved).collect();
        rows.spread(&self.errors, &mut slope);

        // Polak and Ribière's rule, which forgives steps that are not to the very bottom.
        let (mut now, mut turned, mut before) = (0.0, 0.0, 0.0);
        for ((&new, &old), &scale) in slope.iter().zip(&self.slope).zip(scale) {
            let (new, old, scale) = (f64::from(new), f64::from(old), f64::from(scale));
            now += new * new / scale;
            turned += new * (new - old) / scale;
            before += old * old / scale;
        }
        let keep = if before > 0.0 { (turned / before).max(0.0) as f32 } else { 0.0 };
        for ((direction, slope), scale) in self.direction.iter_mut().zip(&slope).zip(scale) {
            *direction = keep * *direction - slope / scale;
        }
        self.slope = slope;

        rows.sums(&self.direction, sums);
        let (mut down, mut bend) = (0.0, 0.0);
        for ((&direction, &slope), _) in self.direction.iter().zip(&self.slope).zip(scale) {
            down -= f64::from(direction) * f64::from(slope);
            bend += f64::from(pace.ridge) * f64::from(direction) * f64::from(direction);
        }
        for (row, &sum) in sums[..rows.trained()].iter().enumerate() {
            bend += f64::from(rows.weight(row)) * f64::from(sum) * f64::from(sum);
        }
        // At the bottom there is no slope, and nowhere to go.
        let far = if now > 0.0 && bend > 0.0 { (down / bend) as f32 * pace.step } else { 0.0 };
        self.moved.iter_mut().zip(&self.direction).for_each(|(moved, direction)| *moved += far * direction);
        self.errors.iter_mut().zip(sums.iter()).for_each(|(error, sum)| *error += far * sum);
        self.curve.push(rows.errors(&self.errors));
    }
}
