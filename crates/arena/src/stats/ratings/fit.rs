//! Maximum-likelihood strengths of one group by damped Newton steps, in log odds.

use super::matrix::{CholeskyFactor, Matrix};

/// The most Newton steps. A step moves a one-sided score by about one unit of log odds, and no score reaches 50.
const MAX_STEPS: usize = 400;

/// The points of two players against each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairPoints {
    pub(super) one: usize,
    pub(super) other: usize,
    pub(super) mine: f64,
    pub(super) yours: f64,
}

/// The strengths of a group and their covariance, with mean zero.
#[derive(Clone, Debug)]
pub(super) struct RatingFit {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: Matrix,
}

impl RatingFit {
    /// Fits `players` to their `pairings`; `held` players also drew one virtual game against the mean.
    pub(super) fn new(players: usize, pairings: &[PairPoints], held: &[bool]) -> RatingFit {
        let problem = LikelihoodProblem { players, pairings, held };
        let mut strengths = vec![0.0; players];
        let mut likelihood = problem.likelihood(&strengths);
        for _ in 0..MAX_STEPS {
            let (gradient, factor, _) = problem.curve(&strengths);
            let step = factor.solve(&gradient);
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            // Full steps overshoot where results are one-sided.
            let mut share = 1.0;
            let next = loop {
                let next = centred(strengths.iter().zip(&step).map(|(old, part)| old + share * part).collect());
                let reached = problem.likelihood(&next);
                if reached >= likelihood - 1e-13 * likelihood.abs() || share < 1e-6 {
                    likelihood = reached;
                    break next;
                }
                share /= 2.0;
            };
            strengths = next;
            if longest * share < 1e-12 {
                break;
            }
        }
        let (_, factor, lift) = problem.curve(&strengths);
        let mut covariance = factor.inverse();
        // Removes the regularisation of the undetermined direction.
        if players > 0 {
            covariance.add_everywhere(-1.0 / (lift * players as f64));
        }
        RatingFit { strengths, covariance }
    }

    /// The standard error of the difference of two players.
    pub(super) fn difference_error(&self, one: usize, other: usize) -> f64 {
        let at = |row, column| self.covariance.at(row, column);
        (at(one, one) + at(other, other) - 2.0 * at(one, other)).max(0.0).sqrt()
    }
}

struct LikelihoodProblem<'a> {
    players: usize,
    pairings: &'a [PairPoints],
    held: &'a [bool],
}

impl LikelihoodProblem<'_> {
    /// The log-likelihood up to a constant. Strengths have mean zero.
    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let games: f64 = self
            .pairings
            .iter()
            .map(|pairing| {
                let ahead = strengths[pairing.one] - strengths[pairing.other];
                pairing.mine * log_probability(ahead) + pairing.yours * log_probability(-ahead)
            })
            .sum();
        let virtual_draws: f64 = self
            .held
            .iter()
            .zip(strengths)
            .filter(|(held, _)| **held)
            .map(|(_, &ahead)| (log_probability(ahead) + log_probability(-ahead)) / 2.0)
            .sum();
        games + virtual_draws
    }

    /// The gradient and the Cholesky factor of the Hessian. Moving all strengths together is undetermined; the Hessian is
    /// regularised in that direction by the returned amount.
    fn curve(&self, strengths: &[f64]) -> (Vec<f64>, CholeskyFactor, f64) {
        let mut gradient = vec![0.0; self.players];
        let mut curvature = Matrix::zero(self.players);
        for pairing in self.pairings {
            let &PairPoints { one, other, mine, yours } = pairing;
            let (win, loss) = probabilities(strengths[one] - strengths[other]);
            let pull = mine * loss - yours * win;
            gradient[one] += pull;
            gradient[other] -= pull;
            let weight = (mine + yours) * win * loss;
            curvature.add(one, one, weight);
            curvature.add(other, other, weight);
            curvature.add(one, other, -weight);
            curvature.add(other, one, -weight);
        }
        let each = 1.0 / self.players.max(1) as f64;
        for player in (0..self.players).filter(|&player| self.held[player]) {
            let (win, loss) = probabilities(strengths[player]);
            let part = |other: usize| if other == player { 1.0 - each } else { -each };
            let (pull, weight) = ((loss - win) / 2.0, win * loss);
            for (row, slope) in gradient.iter_mut().enumerate() {
                *slope += pull * part(row);
                for column in 0..self.players {
                    curvature.add(row, column, weight * part(row) * part(column));
                }
            }
        }
        let trace = curvature.trace();
        let lift = if trace > 0.0 { trace * each } else { 1.0 };
        curvature.add_everywhere(lift * each);
        (gradient, curvature.cholesky(), lift)
    }
}

/// The probabilities to win and to lose, each exact where it is small.
fn probabilities(ahead: f64) -> (f64, f64) {
    (1.0 / (1.0 + (-ahead).exp()), 1.0 / (1.0 + ahead.exp()))
}

fn log_probability(ahead: f64) -> f64 {
    if ahead > 0.0 { -(-ahead).exp().ln_1p() } else { ahead - ahead.exp().ln_1p() }
}

fn centred(mut strengths: Vec<f64>) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    strengths.iter_mut().for_each(|strength| *strength -= mean);
    strengths
}
