//! Kernels for any machine. Other instruction sets compile the loops that need no instructions by hand.

use tesuji_learn::nnue::{HIDDEN, WEIGHT_SHIFT};

use super::{Activation, Layers, Quad, Row, Units};

/// See [`Kernels::update`](super::Kernels::update).
#[inline(always)]
pub(super) fn update<const N: usize>(from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
    match (added, removed) {
        // Moves and drops, and captures: one pass over the columns.
        ([a], [r]) => {
            for i in 0..N {
                to.0[i] = from.0[i].wrapping_add(a.0[i]).wrapping_sub(r.0[i]);
            }
        }
        ([a, b], [r, s]) => {
            for i in 0..N {
                let sum = from.0[i].wrapping_add(a.0[i]).wrapping_add(b.0[i]);
                to.0[i] = sum.wrapping_sub(r.0[i]).wrapping_sub(s.0[i]);
            }
        }
        _ => {
            *to = *from;
            for a in added {
                for i in 0..N {
                    to.0[i] = to.0[i].wrapping_add(a.0[i]);
                }
            }
            for r in removed {
                for i in 0..N {
                    to.0[i] = to.0[i].wrapping_sub(r.0[i]);
                }
            }
        }
    }
}

/// Accumulators as inputs of the first layer. The first `2 * N` bytes are used.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Inputs(pub(super) [u8; 512]);

/// The inputs of the first layer.
#[inline(always)]
pub(super) fn activate<const N: usize>(own: &Row<N>, other: &Row<N>, activation: Activation) -> Inputs {
    const { assert!(2 * N <= 512 && N.is_multiple_of(4)) };
    let mut inputs = Inputs([0; 512]);
    let halves = inputs.0[..2 * N].split_at_mut(N);
    for (out, row) in [(halves.0, own), (halves.1, other)] {
        match activation {
            Activation::Squared => {
                for i in 0..N {
                    let clipped = row.0[i].clamp(0, 255) as u16;
                    out[i] = ((clipped * clipped) >> 9) as u8;
                }
            }
            Activation::Clipped => {
                for i in 0..N {
                    out[i] = row.0[i].clamp(0, 127) as u8;
                }
            }
        }
    }
    inputs
}

/// Units of a hidden layer as inputs of the next one.
#[inline(always)]
pub(super) fn clip(sums: &Units) -> [u8; HIDDEN] {
    sums.0.map(|sum| (sum >> WEIGHT_SHIFT).clamp(0, 127) as u8)
}

/// The output layer.
#[inline(always)]
pub(super) fn last(inputs: &[u8; HIDDEN], layers: &Layers) -> i32 {
    let mut sum = layers.bias3;
    for i in 0..HIDDEN {
        sum += i32::from(inputs[i]) * layers.weights3.0[i];
    }
    sum
}

#[inline(always)]
fn hidden(inputs: &[u8], weights: &[Quad], bias: &Units) -> Units {
    let mut sums = *bias;
    for (x, quad) in inputs.as_chunks::<4>().0.iter().zip(weights) {
        let x = x.map(i32::from);
        for unit in 0..HIDDEN {
            let w = quad.0[unit].map(i32::from);
            sums.0[unit] += x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3];
        }
    }
    sums
}

/// See [`Kernels::output`](super::Kernels::output).
pub(super) fn output<const N: usize>(own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
    let inputs = activate(own, other, layers.activation);
    let first = clip(&hidden(&inputs.0[..2 * N], &layers.weights1, &layers.bias1));
    last(&clip(&hidden(&first, &layers.weights2, &layers.bias2)), layers)
}
