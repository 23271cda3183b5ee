//! The weights of the sparse inputs: one row of columns for each input, and one for each factor.
//!
//! A table holds `L` columns. A wide network has several tables, which threads work on independently: every sum runs in
//! the order of the positions, whatever thread computes it.

use super::adam::{Adam, Moments};

/// The share of the learning rate with which an input's own row follows its gradient. What most buckets have in common is
/// learned by the factors first, and a network recognises games less.
pub(super) const OWN_RATE: f32 = 0.2;

/// The columns of a row in one table.
pub(super) type Row<const L: usize> = [f32; L];

/// Rows of weights with their gradients and moments.
///
/// Inputs that differ only in their bucket share a *factor*, a row that is added to the rows of all of them. So buckets
/// that are rare in the data learn from the others. Sums use the `effective` rows; gradients of a factor are those of
/// its inputs together.
#[derive(Clone, Debug)]
pub(super) struct Table<const L: usize> {
    /// The rows of the inputs, then those of the factors.
    pub(super) weights: Vec<Row<L>>,
    pub(super) moments: Vec<Moments<L>>,
    /// Input row plus factor row.
    effective: Vec<Row<L>>,
    gradient: Vec<Row<L>>,
    touched: Vec<bool>,
    inputs: usize,
}

impl<const L: usize> Table<L> {
    /// A table with these weights: those of the inputs, then those of `factors`.
    pub(super) fn new(weights: Vec<Row<L>>, factors: usize) -> Table<L> {
        let (rows, inputs) = (weights.len(), weights.len() - factors);
        let mut table = Table {
            weights,
            moments: vec![Moments::default(); rows],
            effective: vec![[0.0; L]; inputs],
            gradient: vec![[0.0; L]; rows],
            touched: vec![false; rows],
            inputs,
        };
        table.refresh();
        table
    }

    /// Computes all effective rows.
    pub(super) fn refresh(&mut self) {
        let (inputs, factors) = self.weights.split_at(self.inputs);
        for (at, row) in self.effective.iter_mut().enumerate() {
            *row = effective(&inputs[at], factors, at);
        }
    }

    /// The rows as inference uses them.
    pub(super) fn effective(&self) -> &[Row<L>] {
        &self.effective
    }

    /// Adds the rows of active inputs to a sum.
    #[inline(always)]
    pub(super) fn add_to(&self, sum: &mut Row<L>, active: &[u32]) {
        for &input in active {
            let row = &self.effective[input as usize];
            for l in 0..L {
                sum[l] += row[l];
            }
        }
    }

    /// Adds the gradient of a sum to the rows of its active inputs.
    #[inline(always)]
    pub(super) fn add_gradient(&mut self, gradient: &Row<L>, active: &[u32]) {
        for &input in active {
            let row = &mut self.gradient[input as usize];
            for l in 0..L {
                row[l] += gradient[l];
            }
            self.touched[input as usize] = true;
        }
    }

    /// Lets all rows with a gradient follow it.
    #[inline(always)]
    pub(super) fn update(&mut self, adam: &Adam, limit: f32) {
        let factors = self.weights.len() - self.inputs;
        let (inputs, sums) = self.gradient.split_at_mut(self.inputs);
        for at in 0..self.inputs {
            if factors == 0 || !self.touched[at] {
                continue;
            }
            let (from, sum) = (&inputs[at], &mut sums[at % factors]);
            for l in 0..L {
                sum[l] += from[l];
            }
            self.touched[self.inputs + at % factors] = true;
        }
        let own = adam.scaled(OWN_RATE);
        for at in (0..self.weights.len()).filter(|&at| self.touched[at]) {
            let adam = if at < self.inputs && factors > 0 { &own } else { adam };
            adam.update(&mut self.weights[at], &self.gradient[at], &mut self.moments[at], limit);
            self.gradient[at] = [0.0; L];
        }
        let (inputs, rows) = self.weights.split_at(self.inputs);
        for at in 0..self.inputs {
            if self.touched[at] || (factors > 0 && self.touched[self.inputs + at % factors]) {
                self.effective[at] = effective(&inputs[at], rows, at);
            }
        }
        self.touched.fill(false);
    }
}

#[inline(always)]
fn effective<const L: usize>(input: &Row<L>, factors: &[Row<L>], at: usize) -> Row<L> {
    let mut row = *input;
    if !factors.is_empty() {
        let factor = &factors[at % factors.len()];
        for l in 0..L {
            row[l] += factor[l];
        }
    }
    row
}
