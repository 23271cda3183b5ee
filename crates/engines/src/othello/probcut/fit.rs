//! The maximum-likelihood fit of the ProbCut parameters, by Fisher scoring.

use super::measure::{DepthDifferences, DifferenceStats};
use super::{ProbCutParameters, terms};

/// Number of parameters.
const SIZE: usize = ProbCutParameters::NAMES.len();
/// The limit of iterations; the fit converges long before.
const MAX_ITERATIONS: usize = 100;
/// Regularisation: keeps parameters at 0 that the differences do not determine.
const RIDGE: f64 = 1e-6;

type Row = [f64; SIZE];

impl DepthDifferences {
    /// The most likely parameters if differences are normally distributed around 0. `None` if there are too few.
    ///
    /// This resembles least squares on the logarithms of the variances, but is robust to cells of few positions, whose
    /// logarithms are biased or minus infinity.
    pub fn fit(&self) -> Option<ProbCutParameters> {
        let cells: Vec<(Row, &DifferenceStats)> = self
            .cells
            .iter()
            .map(|(&[empties, depth, shallow], cell)| (terms(empties, depth, shallow), cell))
            .collect();
        let all = cells.iter().fold(DifferenceStats::default(), |mut all, (_, cell)| {
            all.merge(cell);
            all
        });
        if cells.len() < SIZE || all.squares == 0 {
            return None;
        }
        let mut parameters = [0.0; SIZE];
        parameters[0] = all.deviation().ln();
        let mut loss = negative_log_likelihood(&cells, &parameters);
        for _ in 0..MAX_ITERATIONS {
            let Some(next) = scoring_step(&cells, &parameters, loss) else { break };
            (parameters, loss) = next;
        }
        parameters.iter().all(|parameter| parameter.is_finite()).then_some(ProbCutParameters { parameters })
    }
}

/// The loss: the negative logarithm of the likelihood.
fn negative_log_likelihood(cells: &[(Row, &DifferenceStats)], parameters: &Row) -> f64 {
    let cell = |(row, cell): &(Row, &DifferenceStats)| {
        let log = dot(row, parameters);
        cell.count as f64 * (log + cell.mean_square() * (-2.0 * log).exp() / 2.0)
    };
    cells.iter().map(cell).sum::<f64>() + RIDGE * dot(parameters, parameters)
}

/// A step of Fisher scoring, halved until the loss falls. Returns the new parameters and their loss.
fn scoring_step(cells: &[(Row, &DifferenceStats)], parameters: &Row, loss: f64) -> Option<(Row, f64)> {
    let (mut matrix, mut right) = ([[0.0; SIZE]; SIZE], [0.0; SIZE]);
    for (row, cell) in cells {
        let count = cell.count as f64;
        let excess = count * (cell.mean_square() * (-2.0 * dot(row, parameters)).exp() - 1.0);
        for at in 0..SIZE {
            right[at] += excess * row[at];
            (0..SIZE).for_each(|other| matrix[at][other] += 2.0 * count * row[at] * row[other]);
        }
    }
    for at in 0..SIZE {
        right[at] -= 2.0 * RIDGE * parameters[at];
        matrix[at][at] += 2.0 * RIDGE;
    }
    let step = solve_linear(matrix, right);
    (0..30).find_map(|halvings| {
        let part = 0.5_f64.powi(halvings);
        let next: Row = std::array::from_fn(|at| parameters[at] + part * step[at]);
        let found = negative_log_likelihood(cells, &next);
        (found < loss - 1e-9).then_some((next, found))
    })
}

fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves linear equations with a positive definite matrix by Gaussian elimination.
fn solve_linear(mut matrix: [Row; SIZE], mut right: Row) -> Row {
    for at in 0..SIZE {
        for below in at + 1..SIZE {
            let part = matrix[below][at] / matrix[at][at];
            (at..SIZE).for_each(|column| matrix[below][column] -= part * matrix[at][column]);
            right[below] -= part * right[at];
        }
    }
    for at in (0..SIZE).rev() {
        let known: f64 = (at + 1..SIZE).map(|column| matrix[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells with the variances of these parameters, up to rounding.
    fn differences(truth: &ProbCutParameters) -> DepthDifferences {
        let mut differences = DepthDifferences::default();
        for empties in 4..=56 {
            for depth in (1..=10.min(empties - 1)).chain([empties].into_iter().filter(|&end| end <= 18)) {
                for shallow in 0..depth.min(10) {
                    let variance = (2.0 * dot(&terms(empties, depth, shallow), &truth.parameters)).exp();
                    let cell = DifferenceStats { count: 1000, sum: 0, squares: (1000.0 * variance).round() as u64 };
                    differences.cells.insert([empties, depth, shallow], cell);
                }
            }
        }
        differences
    }

    #[test]
    fn known_parameters_are_recovered() {
        let truth = ProbCutParameters { parameters: [1.2, 0.3, -0.2, 1.5, -1.4, -0.3, -0.6, 0.2] };
        let found = differences(&truth).fit().unwrap();
        for (found, truth) in found.parameters.iter().zip(truth.parameters) {
            assert!((found - truth).abs() < 0.01, "{found} {truth}");
        }
    }

    #[test]
    fn no_fit_without_differences() {
        assert_eq!(DepthDifferences::default().fit(), None);
        let mut calm = differences(&ProbCutParameters { parameters: [0.0; SIZE] });
        calm.cells.values_mut().for_each(|cell| cell.squares = 0);
        assert_eq!(calm.fit(), None);
    }
}
