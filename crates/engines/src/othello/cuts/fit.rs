//! The parameters that make what was measured most likely.

use super::measure::{Gap, Study};
use super::{Cuts, terms};

/// Parameters.
const SIZE: usize = Cuts::NAMES.len();
/// Steps are made until none makes the differences likelier; long before this many.
const STEPS: usize = 100;
/// Holds parameters at nothing that the differences have nothing to say about.
const RIDGE: f64 = 1e-6;

type Row = [f64; SIZE];

impl Study {
    /// The most likely parameters if differences are spread like a bell around nothing; none if there are too few to
    /// tell.
    ///
    /// That is least squares on the logarithms of the variances, except that cells of few positions, whose
    /// logarithms are too small on average or minus infinity, do not lead astray.
    pub fn fit(&self) -> Option<Cuts> {
        let cells: Vec<(Row, &Gap)> = self
            .gaps
            .iter()
            .map(|(&[empties, depth, shallow], gap)| (terms(empties, depth, shallow), gap))
            .collect();
        let all = cells.iter().fold(Gap::default(), |mut all, (_, gap)| {
            all.join(gap);
            all
        });
        if cells.len() < SIZE || all.squares == 0 {
            return None;
        }
        let mut parameters = [0.0; SIZE];
        parameters[0] = all.deviation().ln();
        let mut loss = surprise(&cells, &parameters);
        for _ in 0..STEPS {
            let Some(next) = nearer(&cells, &parameters, loss) else { break };
            (parameters, loss) = next;
        }
        parameters.iter().all(|parameter| parameter.is_finite()).then_some(Cuts { parameters })
    }
}

/// How unlikely the differences are: the negative logarithm of the likelihood.
fn surprise(cells: &[(Row, &Gap)], parameters: &Row) -> f64 {
    let cell = |(row, gap): &(Row, &Gap)| {
        let log = dot(row, parameters);
        gap.count as f64 * (log + gap.mean_square() * (-2.0 * log).exp() / 2.0)
    };
    cells.iter().map(cell).sum::<f64>() + RIDGE * dot(parameters, parameters)
}

/// Parameters that are likelier than these, and how unlikely they still are: a step by Fisher's scoring, halved until
/// it helps.
fn nearer(cells: &[(Row, &Gap)], parameters: &Row, loss: f64) -> Option<(Row, f64)> {
    let (mut matrix, mut right) = ([[0.0; SIZE]; SIZE], [0.0; SIZE]);
    for (row, gap) in cells {
        let count = gap.count as f64;
        let excess = count * (gap.mean_square() * (-2.0 * dot(row, parameters)).exp() - 1.0);
        for at in 0..SIZE {
            right[at] += excess * row[at];
            (0..SIZE).for_each(|other| matrix[at][other] += 2.0 * count * row[at] * row[other]);
        }
    }
    for at in 0..SIZE {
        right[at] -= 2.0 * RIDGE * parameters[at];
        matrix[at][at] += 2.0 * RIDGE;
    }
    let step = solved(matrix, right);
    (0..30).find_map(|halvings| {
        let part = 0.5_f64.powi(halvings);
        let next: Row = std::array::from_fn(|at| parameters[at] + part * step[at]);
        let found = surprise(cells, &next);
        (found < loss - 1e-9).then_some((next, found))
    })
}

fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves linear equations whose matrix is positive definite, by elimination.
fn solved(mut matrix: [Row; SIZE], mut right: Row) -> Row {
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

    /// Cells whose differences are spread as these parameters say, but for rounding.
    fn study(truth: &Cuts) -> Study {
        let mut study = Study::default();
        for empties in 4..=56 {
            for depth in (1..=10.min(empties - 1)).chain([empties].into_iter().filter(|&end| end <= 18)) {
                for shallow in 0..depth.min(10) {
                    let variance = (2.0 * dot(&terms(empties, depth, shallow), &truth.parameters)).exp();
                    let gap = Gap { count: 1000, sum: 0, squares: (1000.0 * variance).round() as u64 };
                    study.gaps.insert([empties, depth, shallow], gap);
                }
            }
        }
        study
    }

    #[test]
    fn parameters_are_found_again() {
        let truth = Cuts { parameters: [1.2, 0.3, -0.2, 1.5, -1.4, -0.3, -0.6, 0.2] };
        let found = study(&truth).fit().unwrap();
        for (found, truth) in found.parameters.iter().zip(truth.parameters) {
            assert!((found - truth).abs() < 0.01, "{found} {truth}");
        }
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        assert_eq!(Study::default().fit(), None);
        let mut calm = study(&Cuts { parameters: [0.0; SIZE] });
        calm.gaps.values_mut().for_each(|gap| gap.squares = 0);
        assert_eq!(calm.fit(), None);
    }
}
