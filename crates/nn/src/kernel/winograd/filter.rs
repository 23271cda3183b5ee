//! The filters of a convolution and their gradients, from weights to points and back.

use super::transform::{self, POINTS};
use crate::kernel::{Block, InstructionSet, Kernel, LANES, Packed, Simd, blocks};

/// Transforms 3×3 filters and packs them: a matrix of inputs × outputs for each point. The nine weights of the filter
/// (input, output) begin at `input * strides.0 + output * strides.1`.
pub(crate) fn pack_filters(
    isa: InstructionSet,
    weights: &[f32],
    (inputs, outputs): (usize, usize),
    strides: (usize, usize),
) -> Packed {
    let mut packed = Packed::zeros(isa, POINTS, inputs, outputs);
    isa.run(Pack { weights, inputs, outputs, strides, packed: &mut packed });
    packed
}

struct Pack<'a> {
    weights: &'a [f32],
    inputs: usize,
    outputs: usize,
    strides: (usize, usize),
    packed: &'a mut Packed,
}

impl Kernel for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for input in 0..self.inputs {
            for block in 0..blocks(self.outputs) {
                let mut taps = [[Block::ZERO; 3]; 3];
                for lane in 0..(self.outputs - block * LANES).min(LANES) {
                    let first = input * self.strides.0 + (block * LANES + lane) * self.strides.1;
                    for (tap, weight) in taps.as_flattened_mut().iter_mut().zip(&self.weights[first..][..9]) {
                        tap.0[lane] = *weight;
                    }
                }
                let mut values = [[simd.splat(0.0); 3]; 3];
                for y in 0..3 {
                    for x in 0..3 {
                        values[y][x] = simd.load(&taps[y][x]);
                    }
                }
                let values = transform::filter(simd, &values);
                for y in 0..5 {
                    for x in 0..5 {
                        simd.store(values[y][x], self.packed.block_mut(y * 5 + x, input, block));
                    }
                }
            }
        }
    }
}

/// Transforms the gradient at the points (points × inputs × outputs, padded) to that of the weights (outputs × inputs ×
/// 3 × 3).
pub(crate) fn filter_gradient(
    isa: InstructionSet,
    points: &[Block],
    (inputs, outputs): (usize, usize),
    weights: &mut [f32],
) {
    isa.run(Unpack { points, inputs, outputs, weights });
}

struct Unpack<'a> {
    points: &'a [Block],
    inputs: usize,
    outputs: usize,
    weights: &'a mut [f32],
}

impl Kernel for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let columns = blocks(self.outputs);
        let stride = blocks(self.inputs) * LANES * columns;
        for input in 0..self.inputs {
            for block in 0..columns {
                let mut values = [[simd.splat(0.0); 5]; 5];
                for y in 0..5 {
                    for x in 0..5 {
                        values[y][x] = simd.load(&self.points[(y * 5 + x) * stride + input * columns + block]);
                    }
                }
                let values = transform::filter_gradient(simd, &values);
                let mut taps = [[Block::ZERO; 3]; 3];
                for y in 0..3 {
                    for x in 0..3 {
                        simd.store(values[y][x], &mut taps[y][x]);
                    }
                }
                for lane in 0..(self.outputs - block * LANES).min(LANES) {
                    let first = ((block * LANES + lane) * self.inputs + input) * 9;
                    for (tap, weight) in taps.as_flattened().iter().zip(&mut self.weights[first..][..9]) {
                        *weight = tap.0[lane];
                    }
                }
            }
        }
    }
}
