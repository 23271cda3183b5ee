//! The statistics of a batch norm, forward and backward (Ioffe and Szegedy, 2015).

use crate::kernel::{Block, Sums, to_blocks};
use crate::network::EPSILON;

/// The share of the batch in the running averages.
const MOMENTUM: f64 = 0.1;

/// A batch norm with the statistics of a batch: `y · scale + shift`.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchNorm {
    pub(super) scale: Vec<Block>,
    pub(super) shift: Vec<Block>,
    count: f64,
    mean: Vec<f64>,
    variance: Vec<f64>,
    factor: Vec<f32>,
}

/// The backward pass of a batch norm: the gradient of its input is `a·g + b·y + c`.
pub(super) struct BatchNormGradient {
    pub(super) a: Vec<Block>,
    pub(super) b: Vec<Block>,
    pub(super) c: Vec<Block>,
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

impl BatchNorm {
    /// From the sums of `count` inputs per channel and of their squares.
    pub(super) fn new(sums: &Sums, count: usize, factor: &[f32], offset: &[f32]) -> BatchNorm {
        let n = count as f64;
        let mean: Vec<f64> = sums.first[..factor.len()].iter().map(|sum| sum / n).collect();
        let variance: Vec<f64> = mean.iter().zip(&sums.second).map(|(m, sum)| (sum / n - m * m).max(0.0)).collect();
        let inverse = variance.iter().map(|v| 1.0 / (v + f64::from(EPSILON)).sqrt());
        let scale: Vec<f32> = factor.iter().zip(inverse).map(|(f, i)| (f64::from(*f) * i) as f32).collect();
        let shift = |c: usize| (f64::from(offset[c]) - mean[c] * f64::from(scale[c])) as f32;
        let shift = to_blocks(&(0..factor.len()).map(shift).collect::<Vec<f32>>());
        BatchNorm { scale: to_blocks(&scale), shift, count: n, mean, variance, factor: factor.to_vec() }
    }

    /// Moves the running averages towards this batch. The variance is the unbiased one, as in PyTorch.
    pub(super) fn track(&self, mean: &mut [f32], variance: &mut [f32]) {
        let unbiased = self.count / (self.count - 1.0).max(1.0);
        for c in 0..self.mean.len() {
            mean[c] += (MOMENTUM * (self.mean[c] - f64::from(mean[c]))) as f32;
            variance[c] += (MOMENTUM * (self.variance[c] * unbiased - f64::from(variance[c]))) as f32;
        }
    }

    /// From the sums of the gradients of the output per channel and of their products with the input.
    pub(super) fn backward(&self, sums: &Sums) -> BatchNormGradient {
        let channels = self.factor.len();
        let [mut a, mut b, mut c, mut scale, mut shift] = std::array::from_fn(|_| vec![0.0f32; channels]);
        for n in 0..channels {
            let inverse = 1.0 / (self.variance[n] + f64::from(EPSILON)).sqrt();
            let d_shift = sums.first[n];
            let d_scale = inverse * (sums.second[n] - self.mean[n] * d_shift);
            let factor = f64::from(self.factor[n]) * inverse;
            let slope = factor * inverse * d_scale / self.count;
            a[n] = factor as f32;
            b[n] = -slope as f32;
            c[n] = (slope * self.mean[n] - factor * d_shift / self.count) as f32;
            (scale[n], shift[n]) = (d_scale as f32, d_shift as f32);
        }
        BatchNormGradient { a: to_blocks(&a), b: to_blocks(&b), c: to_blocks(&c), scale, shift }
    }
}
