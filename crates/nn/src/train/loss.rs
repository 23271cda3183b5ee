//! Losses, their gradients, and what is counted beside them.

use crate::infer::{Evaluation, sigmoid};

/// The policy that a batch is trained on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PolicyTargets<'a> {
    /// One label per position.
    Labels(&'a [u32]),
    /// Labels with their probabilities per position, such as visit counts of a search. A position without labels has no
    /// policy target: its policy loss is zero.
    Distributions(&'a [Vec<(u32, f32)>]),
}

impl PolicyTargets<'_> {
    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            PolicyTargets::Labels(labels) => labels.len(),
            PolicyTargets::Distributions(distributions) => distributions.len(),
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The greatest label.
    pub(crate) fn greatest(&self) -> Option<u32> {
        match self {
            PolicyTargets::Labels(labels) => labels.iter().copied().max(),
            PolicyTargets::Distributions(all) => all.iter().flatten().map(|(label, _)| *label).max(),
        }
    }

    /// Calls `f` with every label of a position and its probability.
    fn each(&self, position: usize, mut f: impl FnMut(usize, f32)) {
        match self {
            PolicyTargets::Labels(labels) => f(labels[position] as usize, 1.0),
            PolicyTargets::Distributions(all) => all[position].iter().for_each(|(label, p)| f(*label as usize, *p)),
        }
    }

    /// The label with the greatest probability.
    fn best(&self, position: usize) -> Option<usize> {
        let mut best: Option<(usize, f32)> = None;
        self.each(position, |label, p| {
            if best.is_none_or(|(_, most)| p > most) {
                best = Some((label, p));
            }
        });
        best.map(|(label, _)| label)
    }
}

/// Sums over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Positions.
    pub positions: u64,
    /// Those with a policy target.
    pub with_policy: u64,
    /// The sum of the cross-entropies of the policy.
    pub policy_loss: f64,
    /// Positions whose best label is the one with the greatest logit.
    pub policy_hits: u64,
    /// Positions with a target of the win rate.
    pub with_value: u64,
    /// The sum of the cross-entropies of the win rate.
    pub value_loss: f64,
    /// Positions whose target is not a draw.
    pub decided: u64,
    /// Those of them for which the win rate is on the right side of 1/2.
    pub value_hits: u64,
}

impl Metrics {
    /// Adds the metrics of other positions.
    pub fn add(&mut self, other: &Metrics) {
        self.positions += other.positions;
        self.with_policy += other.with_policy;
        self.with_value += other.with_value;
        self.policy_loss += other.policy_loss;
        self.policy_hits += other.policy_hits;
        self.value_loss += other.value_loss;
        self.decided += other.decided;
        self.value_hits += other.value_hits;
    }

    /// The metrics of an evaluation, as on a held-out set. Targets that are `None` are not measured.
    ///
    /// # Panics
    /// The evaluation is not that of so many positions, or a label does not exist.
    pub fn of(evaluation: &Evaluation, policy: Option<PolicyTargets<'_>>, value: Option<&[f32]>) -> Metrics {
        let positions = policy.map(|policy| policy.len()).or(value.map(<[f32]>::len)).unwrap_or_default();
        let mut metrics = Metrics { positions: positions as u64, ..Metrics::default() };
        if let Some(targets) = policy.filter(|targets| !targets.is_empty()) {
            let labels = evaluation.policy.len() / targets.len();
            let mut logits = vec![0.0; labels];
            for position in 0..targets.len() {
                logits.copy_from_slice(&evaluation.policy[position * labels..][..labels]);
                metrics.policy(&targets, position, &mut logits, 0.0);
            }
        }
        let targets = evaluation.value.iter().zip(value.unwrap_or_default());
        for (win_rate, target) in targets.filter(|(_, target)| !target.is_nan()) {
            let (p, t) = (f64::from(*win_rate).clamp(1e-7, 1.0 - 1e-7), f64::from(*target));
            metrics.value_loss -= t * p.ln() + (1.0 - t) * (1.0 - p).ln();
            metrics.count_value(*win_rate, *target);
        }
        metrics
    }

    fn count_value(&mut self, win_rate: f32, target: f32) {
        self.with_value += 1;
        if target != 0.5 {
            self.decided += 1;
            self.value_hits += u64::from((win_rate > 0.5) == (target > 0.5));
        }
    }

    /// Counts the policy of one position and replaces its logits by the gradient of the loss, times `factor`.
    pub(crate) fn policy(&mut self, targets: &PolicyTargets<'_>, position: usize, logits: &mut [f32], factor: f32) {
        let mut greatest = 0;
        for (label, logit) in logits.iter().enumerate() {
            if *logit > logits[greatest] {
                greatest = label;
            }
        }
        let best = targets.best(position);
        self.with_policy += u64::from(best.is_some());
        self.policy_hits += u64::from(best == Some(greatest));
        let most = logits[greatest];
        let (mut target_sum, mut target_logits) = (0.0, 0.0);
        targets.each(position, |label, p| {
            target_sum += f64::from(p);
            target_logits += f64::from(p) * f64::from(logits[label]);
        });
        let mut sum = 0.0;
        for logit in logits.iter_mut() {
            *logit = (*logit - most).exp();
            sum += *logit;
        }
        self.policy_loss += target_sum * (f64::from(most) + f64::from(sum).ln()) - target_logits;
        let scale = factor * target_sum as f32 / sum;
        logits.iter_mut().for_each(|x| *x *= scale);
        targets.each(position, |label, p| logits[label] -= factor * p);
    }

    /// Counts the win rate of one position, given as a logit; the gradient of the loss by the logit. Without a target
    /// both are zero.
    pub(crate) fn value(&mut self, logit: f32, target: f32) -> f32 {
        if target.is_nan() {
            return 0.0;
        }
        let (x, t) = (f64::from(logit), f64::from(target));
        // −t·ln σ(x) − (1 − t)·ln(1 − σ(x)), without overflow.
        self.value_loss += x.max(0.0) - x * t + (-x.abs()).exp().ln_1p();
        let win_rate = sigmoid(logit);
        self.count_value(win_rate, target);
        win_rate - target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_cross_entropies() {
        let evaluation = Evaluation { policy: vec![0.0, 2.0, 1.0, 3.0, 3.0, -1.0], value: vec![0.9, 0.2] };
        let labels = [1, 1];
        let metrics = Metrics::of(&evaluation, Some(PolicyTargets::Labels(&labels)), Some(&[1.0, 0.75]));
        let sum = |logits: [f64; 3]| logits.map(f64::exp).iter().sum::<f64>().ln();
        let policy = sum([0.0, 2.0, 1.0]) - 2.0 + sum([3.0, 3.0, -1.0]) - 3.0;
        let value = -(0.9f64.ln()) - (0.75 * 0.2f64.ln() + 0.25 * 0.8f64.ln());
        assert!((metrics.policy_loss - policy).abs() < 1e-6, "{metrics:?}");
        assert!((metrics.value_loss - value).abs() < 1e-6, "{metrics:?}");
        assert_eq!((metrics.positions, metrics.policy_hits, metrics.decided, metrics.value_hits), (2, 1, 2, 1));
        let mut both = metrics;
        both.add(&metrics);
        assert_eq!(both.positions, 4);
        let mut logits = Metrics::default();
        logits.value((0.9f32 / 0.1).ln(), 1.0);
        logits.value((0.2f32 / 0.8).ln(), 0.75);
        assert!((logits.value_loss - value).abs() < 1e-6, "{logits:?}");
        assert_eq!((logits.decided, logits.value_hits), (2, 1));
    }

    #[test]
    fn a_missing_target_has_neither_loss_nor_gradient() {
        let evaluation = Evaluation { policy: vec![0.0, 2.0, 1.0, 3.0], value: vec![0.9, 0.2] };
        let targets = [vec![(0, 1.0)], vec![]];
        let metrics = Metrics::of(&evaluation, Some(PolicyTargets::Distributions(&targets)), Some(&[f32::NAN, 0.5]));
        assert_eq!((metrics.with_policy, metrics.with_value, metrics.decided), (1, 1, 0));
        assert!((metrics.policy_loss - (1.0 + 2f64.exp()).ln()).abs() < 1e-6, "{metrics:?}");
        let mut logits = [1.0, 3.0];
        let mut none = Metrics::default();
        none.policy(&PolicyTargets::Distributions(&targets), 1, &mut logits, 1.0);
        assert_eq!((logits, none.value(2.0, f32::NAN), none), ([0.0, 0.0], 0.0, Metrics::default()));
    }
}
