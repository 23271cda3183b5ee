//! The likeliest strengths of one component, by damped Newton steps. In log odds, not in Elo.

use super::matrix::{Matrix, Root};

/// Rounds at most. A step moves a lopsided score by about one unit of log odds, and no count of games reaches 50.
const ROUNDS: usize = 400;

/// All that two players took from each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) one: usize,
    pub(super) other: usize,
    pub(super) mine: f64,
    pub(super) yours: f64,
}

/// Strengths of a component and how sure they are, in the gauge of mean zero.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: Matrix,
}

impl Fit {
    /// Fits `players` to their `meetings`; those `held` also drew one virtual game against the mean.
    pub(super) fn new(players: usize, meetings: &[Meeting], held: &[bool]) -> Fit {
        let problem = Problem { players, meetings, held };
        let mut strengths = vec![0.0; players];
        let mut likelihood = problem.likelihood(&strengths);
        for _ in 0..ROUNDS {
            let (gradient, root, _) = problem.curve(&strengths);
            let step = root.solve(&gradient);
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            // Full steps overshoot where results are lopsided.
            let mut share = 1.0;
            let next = loop {
                let next =
                    centred(strengths.iter().zip(&step).map(|(old, part)| old + share * part).collect());
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
        let (_, root, lift) = problem.curve(&strengths);
        let mut covariance = root.inverse();
        // Takes away again what lifted the one direction in which nothing is known.
        if players > 0 {
            covariance.add_everywhere(-1.0 / (lift * players as f64));
        }
        Fit { strengths, covariance }
    }

    /// The standard error of the difference of two players.
    pub(super) fn difference_error(&self, one: usize, other: usize) -> f64 {
        let at = |row, column| self.covariance.at(row, column);
        (at(one, one) + at(other, other) - 2.0 * at(one, other)).max(0.0).sqrt()
    }
}

struct Problem<'a> {
    players: usize,
    meetings: &'a [Meeting],
    held: &'a [bool],
}

impl Problem<'_> {
    /// The logarithm of the likelihood, up to a constant. Strengths have mean zero.
    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let games: f64 = self
            .meetings
            .iter()
            .map(|meeting| {
                let ahead = strengths[meeting.one] - strengths[meeting.other];
                meeting.mine * log_chance(ahead) + meeting.yours * log_chance(-ahead)
            })
            .sum();
        let virtual_draws: f64 = self
            .held
            .iter()
            .zip(strengths)
            .filter(|(held, _)| **held)
            .map(|(_, &ahead)| (log_chance(ahead) + log_chance(-ahead)) / 2.0)
            .sum();
        games + virtual_draws
    }

    /// Gradient, and the root of the curvature; the curvature is lifted along the direction in which all move
    /// together, of which games say nothing, by as much as is returned.
    fn curve(&self, strengths: &[f64]) -> (Vec<f64>, Root, f64) {
        let mut gradient = vec![0.0; self.players];
        let mut curvature = Matrix::zero(self.players);
        for meeting in self.meetings {
            let &Meeting { one, other, mine, yours } = meeting;
            let (win, loss) = chances(strengths[one] - strengths[other]);
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
            let (win, loss) = chances(strengths[player]);
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
        (gradient, curvature.root(), lift)
    }
}

/// The chances to win and to lose, each exact where it is small.
fn chances(ahead: f64) -> (f64, f64) {
    (1.0 / (1.0 + (-ahead).exp()), 1.0 / (1.0 + ahead.exp()))
}

fn log_chance(ahead: f64) -> f64 {
    if ahead > 0.0 { -(-ahead).exp().ln_1p() } else { ahead - ahead.exp().ln_1p() }
}

fn centred(mut strengths: Vec<f64>) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    strengths.iter_mut().for_each(|strength| *strength -= mean);
    strengths
}
