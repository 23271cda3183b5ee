//! Adam with decoupled weight decay.

/// The running means of a row of gradients and of their squares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Moments<const L: usize> {
    pub(super) first: [f32; L],
    pub(super) second: [f32; L],
}

impl<const L: usize> Default for Moments<L> {
    fn default() -> Self {
        Moments { first: [0.0; L], second: [0.0; L] }
    }
}

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// One step of the optimiser.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adam {
    /// The learning rate with the correction of the first moment.
    rate: f32,
    /// The correction of the second moment.
    correction: f32,
    /// What is left of a weight after its decay.
    keep: f32,
    /// Gradients are sums over so many positions.
    positions: f32,
    /// Gradients far below this hardly move their weights.
    epsilon: f32,
}

/// How weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct StepOptions {
    /// The learning rate.
    pub(super) rate: f32,
    /// Decay of the weights.
    pub(super) decay: f32,
    /// Gradients far below this hardly move their weights.
    pub(super) epsilon: f32,
}

impl Adam {
    /// The step of this number, from 0.
    pub(super) fn new(step: u64, options: StepOptions, positions: usize) -> Adam {
        let StepOptions { rate, decay, epsilon } = options;
        let after = |beta: f32| 1.0 - f64::from(beta).powf(step as f64 + 1.0);
        Adam {
            rate: (f64::from(rate) / after(BETA1)) as f32,
            correction: (1.0 / after(BETA2)) as f32,
            keep: 1.0 - rate * decay,
            positions: positions as f32,
            epsilon,
        }
    }

    /// The same step at another learning rate.
    pub(super) fn scaled(&self, by: f32) -> Adam {
        Adam { rate: self.rate * by, ..*self }
    }

    /// Lets a row follow its gradient, within ±`limit`.
    #[inline(always)]
    pub(super) fn update<const L: usize>(
        &self,
        weights: &mut [f32; L],
        gradient: &[f32; L],
        moments: &mut Moments<L>,
        limit: f32,
    ) {
        for l in 0..L {
            let gradient = gradient[l] / self.positions;
            let first = BETA1 * moments.first[l] + (1.0 - BETA1) * gradient;
            let second = BETA2 * moments.second[l] + (1.0 - BETA2) * gradient * gradient;
            (moments.first[l], moments.second[l]) = (first, second);
            let next = weights[l] * self.keep - self.rate * first / ((second * self.correction).sqrt() + self.epsilon);
            weights[l] = next.clamp(-limit, limit);
        }
    }
}
