//! Optimisers, learning-rate schedules and gradient clipping.

use super::muon::orthogonalize;
use crate::kernel::InstructionSet;
use crate::network::{Role, Tensor};

/// The root mean square of a step of Muon at the learning rate 1. So large are those of AdamW, and rates and decays of
/// the one suit the other (Liu et al., "Muon is scalable for LLM training", 2025).
const MUON_SIZE: f32 = 0.2;

/// How weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optimizer {
    /// Stochastic gradient descent with momentum, as in PyTorch. Weight decay is added to the gradient.
    Sgd {
        /// The share of the former step that is kept.
        momentum: f32,
        /// Nesterov's variant.
        nesterov: bool,
    },
    /// Adam with decoupled weight decay (Loshchilov and Hutter, 2019).
    AdamW {
        /// Decay of the mean of the gradients.
        beta1: f32,
        /// Decay of the mean of their squares.
        beta2: f32,
        /// Added to the root of the second mean.
        epsilon: f32,
    },
    /// Muon (Jordan et al., 2024) for the 3×3 convolutions, whose step is the orthogonal factor of the momentum; AdamW
    /// with the usual constants for everything else. Weight decay is decoupled.
    Muon {
        /// The share of the former step that is kept; Nesterov's variant.
        momentum: f32,
    },
}

impl Optimizer {
    /// Nesterov's momentum of 0.9.
    pub const SGD: Optimizer = Optimizer::Sgd { momentum: 0.9, nesterov: true };
    /// AdamW with the usual constants.
    pub const ADAMW: Optimizer = Optimizer::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    /// Muon with the usual momentum.
    pub const MUON: Optimizer = Optimizer::Muon { momentum: 0.95 };

    /// The optimiser of one tensor.
    fn of(self, tensor: &Tensor) -> Optimizer {
        match self {
            Optimizer::Muon { .. } if !is_filter(tensor) => Optimizer::ADAMW,
            _ => self,
        }
    }
}

/// Whether a tensor has the filters of a 3×3 convolution.
fn is_filter(tensor: &Tensor) -> bool {
    tensor.role == Role::Weight && matches!(tensor.shape[..], [_, _, 3, 3])
}

/// The learning rate over the steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// Always the same.
    Constant {
        /// The learning rate.
        rate: f32,
    },
    /// Rises from zero to the peak along a line, then falls to zero along a cosine (Loshchilov and Hutter, 2017).
    Cosine {
        /// The greatest learning rate.
        peak: f32,
        /// Steps in all.
        steps: u64,
        /// The share of the steps in which the rate rises.
        warm_up: f32,
    },
    /// Rises from a 25th of the peak to the peak, then falls to nearly zero, both along a cosine (Smith, 2018).
    OneCycle {
        /// The greatest learning rate.
        peak: f32,
        /// Steps in all.
        steps: u64,
        /// The share of the steps in which the rate rises.
        warm_up: f32,
    },
}

impl Schedule {
    /// The learning rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        match *self {
            Schedule::Constant { rate } => rate,
            Schedule::Cosine { peak, steps, warm_up } => {
                let (peak, step) = (f64::from(peak), step as f64);
                let rise = f64::from(warm_up.clamp(0.0, 1.0)) * steps as f64;
                let rate = if step < rise {
                    peak * (step + 1.0).min(rise) / rise
                } else {
                    cosine(peak, 0.0, (step - rise) / (steps as f64 - rise).max(1.0))
                };
                rate as f32
            }
            Schedule::OneCycle { peak, steps, warm_up } => {
                let (first, peak) = (f64::from(peak) / 25.0, f64::from(peak));
                let last = first / 1e4;
                let rise = f64::from(warm_up.clamp(0.0, 1.0)) * steps as f64;
                let step = step as f64;
                let rate = if step < rise {
                    cosine(first, peak, step / rise)
                } else {
                    cosine(peak, last, (step - rise) / (steps as f64 - rise - 1.0).max(1.0))
                };
                rate as f32
            }
        }
    }
}

/// Half a cosine from one number to another; `share` is how far it has come.
fn cosine(from: f64, to: f64, share: f64) -> f64 {
    to + (from - to) * 0.5 * (1.0 + (std::f64::consts::PI * share.clamp(0.0, 1.0)).cos())
}

/// Running means of the gradients of each tensor, empty where the optimiser needs none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moments {
    /// The momentum, or the mean of the gradients.
    pub first: Vec<Vec<f32>>,
    /// The mean of the squared gradients.
    pub second: Vec<Vec<f32>>,
}

impl Moments {
    /// Zeros for these tensors.
    pub(crate) fn zeros(optimizer: Optimizer, tensors: &[Tensor]) -> Moments {
        let zeros = |tensor: &Tensor| match tensor.role {
            Role::Statistic => Vec::new(),
            _ => vec![0.0; tensor.data.len()],
        };
        let second = |tensor: &Tensor| match optimizer.of(tensor) {
            Optimizer::Sgd { .. } | Optimizer::Muon { .. } => Vec::new(),
            Optimizer::AdamW { .. } => zeros(tensor),
        };
        Moments { first: tensors.iter().map(zeros).collect(), second: tensors.iter().map(second).collect() }
    }

    /// Whether they belong to these tensors.
    pub(crate) fn fit(&self, optimizer: Optimizer, tensors: &[Tensor]) -> bool {
        let zeros = Moments::zeros(optimizer, tensors);
        let lengths = |moments: &[Vec<f32>]| moments.iter().map(Vec::len).collect::<Vec<_>>();
        lengths(&zeros.first) == lengths(&self.first) && lengths(&zeros.second) == lengths(&self.second)
    }
}

/// The norm of all gradients together.
pub(crate) fn norm(gradients: &[Vec<f32>]) -> f64 {
    let squares = |gradient: &Vec<f32>| gradient.iter().map(|g| f64::from(*g) * f64::from(*g)).sum::<f64>();
    gradients.iter().map(squares).sum::<f64>().sqrt()
}

/// The numbers of a step that are the same for all tensors.
#[derive(Clone, Copy)]
pub(crate) struct StepSize {
    /// The learning rate.
    pub(crate) rate: f32,
    /// Decay of the weights.
    pub(crate) weight_decay: f32,
    /// Gradients are multiplied by it first.
    pub(crate) factor: f32,
    /// The number of the step, from 0.
    pub(crate) step: u64,
}

/// One step of one tensor.
pub(crate) fn update(
    optimizer: Optimizer,
    isa: InstructionSet,
    StepSize { rate, weight_decay, factor, step }: StepSize,
    tensor: &mut Tensor,
    gradient: &[f32],
    (first, second): (&mut [f32], &mut [f32]),
) {
    let decay = if tensor.role == Role::Weight { weight_decay } else { 0.0 };
    match optimizer.of(tensor) {
        Optimizer::Sgd { momentum, nesterov } => {
            for ((w, g), m) in tensor.data.iter_mut().zip(gradient).zip(first) {
                let g = g * factor + decay * *w;
                *m = momentum * *m + g;
                *w -= rate * if nesterov { g + momentum * *m } else { *m };
            }
        }
        Optimizer::AdamW { beta1, beta2, epsilon } => {
            let steps = (step + 1) as f64;
            let unbiased1 = (1.0 / (1.0 - f64::from(beta1).powf(steps))) as f32;
            let unbiased2 = (1.0 / (1.0 - f64::from(beta2).powf(steps))) as f32;
            let means = first.iter_mut().zip(second);
            for ((w, g), (m, v)) in tensor.data.iter_mut().zip(gradient).zip(means) {
                let g = g * factor;
                *m += (1.0 - beta1) * (g - *m);
                *v += (1.0 - beta2) * (g * g - *v);
                *w -= rate * (decay * *w + *m * unbiased1 / ((*v * unbiased2).sqrt() + epsilon));
            }
        }
        Optimizer::Muon { momentum } => {
            let means = gradient.iter().zip(first);
            let mut direction: Vec<f32> = means
                .map(|(g, m)| {
                    let g = g * factor;
                    *m = momentum * *m + g;
                    g + momentum * *m
                })
                .collect();
            let rows = tensor.shape[0];
            orthogonalize(isa, &mut direction, rows);
            // The elements of an orthogonal factor are as large as the longer side is short.
            let size = MUON_SIZE * (rows.max(tensor.data.len() / rows) as f32).sqrt();
            for (w, d) in tensor.data.iter_mut().zip(direction) {
                *w -= rate * (decay * *w + size * d);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(role: Role, value: f32) -> Tensor {
        Tensor { name: "w".into(), shape: vec![1], role, data: vec![value] }
    }

    /// Two steps with the gradients 0.5 and −0.25 from the weight 1, at the rate 0.1 and the decay 0.01.
    fn two_steps(optimizer: Optimizer, role: Role) -> f32 {
        let mut tensors = [tensor(role, 1.0)];
        let mut moments = Moments::zeros(optimizer, &tensors);
        for (step, gradient) in [0.5, -0.25].into_iter().enumerate() {
            let size = StepSize { rate: 0.1, weight_decay: 0.01, factor: 1.0, step: step as u64 };
            let moments = (&mut moments.first[0][..], &mut moments.second[0][..]);
            update(optimizer, InstructionSet::Portable, size, &mut tensors[0], &[gradient], moments);
        }
        tensors[0].data[0]
    }

    #[test]
    fn steps_agree_with_the_formulas() {
        // SGD: g = 0.51, m = 0.51, w = 1 − 0.051; then g = −0.25 + 0.00949, m = 0.9·0.51 + g.
        let plain = Optimizer::Sgd { momentum: 0.9, nesterov: false };
        assert!((two_steps(plain, Role::Weight) - (0.949 - 0.1 * (0.459 - 0.24051))).abs() < 1e-6);
        // Nesterov: w = 1 − 0.1·(0.51 + 0.459) = 0.9031; g = −0.240969, m = 0.218031, w −= 0.1·(g + 0.9·m).
        assert!((two_steps(Optimizer::SGD, Role::Weight) - (0.9031 - 0.1 * (-0.240_969 + 0.196_227_9))).abs() < 1e-6);
        // AdamW: the first step is the rate and the decay; then m̂ = (0.045 − 0.025)/0.19, v̂ = 0.0003122/0.001999.
        let second = 0.1 * ((0.02f32 / 0.19) / (0.000_312_25f32 / 0.001_999).sqrt());
        let expected = (1.0 - 0.1 - 0.001) * (1.0 - 0.001) - second;
        assert!((two_steps(Optimizer::ADAMW, Role::Weight) - expected).abs() < 1e-5);
        // A bias does not decay.
        assert!((two_steps(Optimizer::ADAMW, Role::Bias) - (0.9 - second)).abs() < 1e-5);
    }

    #[test]
    fn a_step_of_muon_has_the_same_size_for_any_gradient_and_other_tensors_follow_adamw() {
        let mut filter = Tensor { name: "w".into(), shape: vec![4, 2, 3, 3], role: Role::Weight, data: vec![0.0; 72] };
        assert!(is_filter(&filter) && !is_filter(&tensor(Role::Weight, 1.0)));
        let mut random = crate::Random::new(5);
        let gradient: Vec<f32> = (0..72).map(|_| random.normal() * 1e-4).collect();
        let mut first = vec![0.0; 72];
        let size = StepSize { rate: 0.1, weight_decay: 0.01, factor: 1.0, step: 0 };
        update(Optimizer::MUON, InstructionSet::Portable, size, &mut filter, &gradient, (&mut first, &mut []));
        let square = filter.data.iter().map(|w| w * w).sum::<f32>() / 72.0;
        assert!((square.sqrt() / (0.1 * MUON_SIZE) - 1.0).abs() < 0.25, "{}", square.sqrt());
        assert!(filter.data.iter().zip(&gradient).map(|(w, g)| w * g).sum::<f32>() < 0.0);
        assert_eq!(two_steps(Optimizer::MUON, Role::Weight), two_steps(Optimizer::ADAMW, Role::Weight));
    }

    #[test]
    fn a_cosine_falls_to_zero_after_its_warm_up() {
        let schedule = Schedule::Cosine { peak: 0.2, steps: 100, warm_up: 0.1 };
        assert!((schedule.rate(0) - 0.02).abs() < 1e-7);
        assert!((schedule.rate(9) - 0.2).abs() < 1e-7 && (schedule.rate(10) - 0.2).abs() < 1e-7);
        assert!((schedule.rate(55) - 0.1).abs() < 1e-6 && schedule.rate(99) < 1e-4 && schedule.rate(1000) < 1e-9);
        assert!((11..100).all(|step| schedule.rate(step) < schedule.rate(step - 1)));
        let without = Schedule::Cosine { peak: 0.2, steps: 100, warm_up: 0.0 };
        assert!((without.rate(0) - 0.2).abs() < 1e-7);
    }

    #[test]
    fn one_cycle_rises_and_falls() {
        let schedule = Schedule::OneCycle { peak: 0.003, steps: 1000, warm_up: 0.15 };
        assert!((schedule.rate(0) - 0.003 / 25.0).abs() < 1e-8);
        assert!((schedule.rate(150) - 0.003).abs() < 1e-8);
        assert!((schedule.rate(999) - 0.003 / 25e4).abs() < 1e-8);
        assert!((1..150).all(|step| schedule.rate(step) > schedule.rate(step - 1)));
        assert!((151..1000).all(|step| schedule.rate(step) < schedule.rate(step - 1)));
        assert!(schedule.rate(5000) > 0.0);
    }
}
