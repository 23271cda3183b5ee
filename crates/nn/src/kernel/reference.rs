//! Reference implementations by the definition, in double precision, and what the tests of kernels share.

use super::{Block, InstructionSet, LANES, blocks, to_blocks};
use crate::random::Random;

/// The instruction sets of this machine.
pub(crate) fn available() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|isa| isa.is_available())
}

/// Numbers from −1 to 1.
pub(crate) fn numbers(random: &mut Random, count: usize) -> Vec<f32> {
    (0..count).map(|_| random.uniform() * 2.0 - 1.0).collect()
}

/// Rows of so many numbers, each padded to whole blocks.
pub(crate) fn pad_rows(values: &[f32], width: usize) -> Vec<Block> {
    values.chunks(width).flat_map(to_blocks).collect()
}

/// The numbers without the padding.
pub(crate) fn strip_rows(padded: &[Block], width: usize) -> Vec<f32> {
    let row = |row: &[Block]| row.iter().flat_map(|block| block.0).take(width).collect::<Vec<f32>>();
    padded.chunks(blocks(width)).flat_map(row).collect()
}

/// Checks a result with a tolerance relative to its size, or to 1 if that is more.
#[track_caller]
pub(crate) fn close(found: f32, expected: f64, tolerance: f64) {
    let error = (f64::from(found) - expected).abs();
    assert!(error <= tolerance * expected.abs().max(1.0), "{found} instead of {expected}");
}

/// A 3×3 convolution with padding 1. Activations are boards × squares × channels, weights outputs × inputs × 3 × 3.
pub(crate) struct Convolution {
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl Convolution {
    /// Calls `f` with the indices (input, weight, output) of every product.
    fn each(&self, boards: usize, mut f: impl FnMut(usize, usize, usize)) {
        let squares = self.height * self.width;
        for board in 0..boards {
            for (y, x) in (0..squares).map(|square| (square / self.width, square % self.width)) {
                for (dy, dx) in (0..9).map(|tap| (tap / 3, tap % 3)) {
                    let (sy, sx) = ((y + dy).wrapping_sub(1), (x + dx).wrapping_sub(1));
                    if sy >= self.height || sx >= self.width {
                        continue;
                    }
                    for i in 0..self.inputs {
                        for o in 0..self.outputs {
                            let source = (board * squares + sy * self.width + sx) * self.inputs + i;
                            let target = (board * squares + y * self.width + x) * self.outputs + o;
                            f(source, (o * self.inputs + i) * 9 + dy * 3 + dx, target);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn forward(&self, input: &[f32], weights: &[f32]) -> Vec<f64> {
        let boards = input.len() / (self.height * self.width * self.inputs);
        let mut output = vec![0.0; boards * self.height * self.width * self.outputs];
        self.each(boards, |i, w, o| output[o] += f64::from(input[i]) * f64::from(weights[w]));
        output
    }

    /// The gradients of the input and of the weights.
    pub(crate) fn backward(&self, input: &[f32], weights: &[f32], gradient: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let boards = input.len() / (self.height * self.width * self.inputs);
        let (mut d_input, mut d_weights) = (vec![0.0; input.len()], vec![0.0; weights.len()]);
        self.each(boards, |i, w, o| {
            d_input[i] += f64::from(gradient[o]) * f64::from(weights[w]);
            d_weights[w] += f64::from(gradient[o]) * f64::from(input[i]);
        });
        (d_input, d_weights)
    }
}

#[test]
fn padding_is_removed_again() {
    let values: Vec<f32> = (0..60).map(|n| n as f32).collect();
    let padded = pad_rows(&values, 20);
    assert_eq!(padded.len(), 6);
    assert_eq!(padded[1].0[4..], [0.0; LANES - 4]);
    assert_eq!(strip_rows(&padded, 20), values);
}
