//! The heads of a network in training. Each group of boards has buffers and sums of its own.

use super::batchnorm::{BatchNorm, BatchNormGradient};
use super::loss::{Metrics, PolicyTargets};
use crate::arch::Encoding;
use crate::infer::{dot, flatten};
use crate::kernel::{
    Block, Epilogue, InstructionSet, LANES, Packed, Sums, blocks, combine, mask, matmul, matmul_transposed, normalize,
    reserve, sum_squares, to_blocks,
};
use crate::network::{Network, part};

/// What a group of boards needs and sums up in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) metrics: Metrics,
    pub(super) sums: Sums,
    /// The gradient of the filters of a convolution, at the points.
    pub(super) filters: Vec<Block>,
    logits: Vec<Block>,
    board_logits: Vec<f32>,
    pub(super) policy_weight: Vec<Block>,
    pub(super) policy_bias: Vec<f32>,
    value_y: Vec<Block>,
    value_x: Vec<Block>,
    value_gradient: Vec<Block>,
    flat: Vec<Block>,
    hidden: Vec<Block>,
    hidden_gradient: Vec<Block>,
    flat_gradient: Vec<Block>,
    pub(super) value_weight: Vec<Block>,
    pub(super) hidden_weight: Vec<Block>,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) output_weight: Vec<f32>,
    pub(super) output_bias: f32,
}

/// A matrix for the forward and for the backward pass.
struct Matrix {
    forward: Packed,
    backward: Packed,
}

impl Matrix {
    /// Of weights outputs × inputs.
    fn new(isa: InstructionSet, weights: &[f32], inputs: usize, outputs: usize) -> Matrix {
        Matrix {
            forward: Packed::matrix(isa, weights, (inputs, outputs), (1, inputs)),
            backward: Packed::matrix(isa, weights, (outputs, inputs), (inputs, 1)),
        }
    }
}

/// The weights of the heads, packed for one step.
pub(super) struct Heads {
    isa: InstructionSet,
    encoding: Encoding,
    /// Channels of the trunk, in blocks.
    channels: usize,
    policy: Option<(Matrix, Vec<f32>)>,
    value: Option<ValueHead>,
}

struct ValueHead {
    channels: usize,
    units: usize,
    convolution: Matrix,
    hidden: Matrix,
    hidden_bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: f32,
}

/// Clears a buffer of sums.
fn clear<T: Clone + Default>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    buffer.clear();
    buffer.resize(length, T::default());
    buffer
}

impl Heads {
    pub(super) fn new(isa: InstructionSet, network: &Network) -> Heads {
        let (encoding, architecture) = (network.encoding(), network.architecture());
        let channels = architecture.channels;
        let data = |index: usize| &network.tensors()[index].data;
        let policy = architecture.policy.then(|| {
            let weights = Matrix::new(isa, data(network.policy()), channels, encoding.policy_planes);
            (weights, data(network.policy() + 1).clone())
        });
        let value = architecture.value.map(|shape| {
            let fc = network.value() + part::COUNT;
            ValueHead {
                channels: shape.channels,
                units: shape.hidden,
                convolution: Matrix::new(isa, data(network.value()), channels, shape.channels),
                hidden: Matrix::new(isa, data(fc), shape.channels * encoding.squares(), shape.hidden),
                hidden_bias: to_blocks(data(fc + 1)),
                output: to_blocks(data(fc + 2)),
                output_bias: data(fc + 3)[0],
            }
        });
        Heads { isa, encoding, channels: blocks(channels), policy, value }
    }

    /// The policy head forward and backward, for boards whose first has the number `first` in the batch. Gradients of
    /// the loss are multiplied by `factor`. Stores the gradient of the trunk.
    pub(super) fn policy(
        &self,
        trunk: &[Block],
        gradient: &mut [Block],
        (targets, first, factor): (Option<PolicyTargets<'_>>, usize, f32),
        group: &mut Group,
    ) {
        let (Some((weights, bias)), Some(targets)) = (&self.policy, targets) else { return };
        let (squares, width) = (self.encoding.squares(), weights.forward.outputs);
        let rows = trunk.len() / self.channels;
        let logits = reserve(&mut group.logits, rows * width);
        matmul(self.isa, (trunk, self.channels), &weights.forward, (&mut *logits, width), rows, Epilogue::default());
        let sums = clear(&mut group.policy_bias, bias.len());
        let own = clear(&mut group.board_logits, bias.len());
        for (board, blocks) in logits.chunks_exact_mut(squares * width).enumerate() {
            for (label, logit) in own.iter_mut().enumerate() {
                let (plane, square) = (label / squares, label % squares);
                *logit = blocks[square * width + plane / LANES].0[plane % LANES] + bias[label];
            }
            group.metrics.policy(&targets, first + board, own, factor);
            for (label, gradient) in own.iter().enumerate() {
                let (plane, square) = (label / squares, label % squares);
                blocks[square * width + plane / LANES].0[plane % LANES] = *gradient;
                sums[label] += gradient;
            }
        }
        let result = clear(&mut group.policy_weight, self.channels * LANES * width);
        let shape = (self.channels, width);
        matmul_transposed(self.isa, (trunk, self.channels), (logits, width), rows, shape, result);
        let target = (gradient, self.channels);
        matmul(self.isa, (logits, width), &weights.backward, target, rows, Epilogue::default());
    }

    /// The convolution of the value head and the sums of its outputs.
    pub(super) fn value_convolution(&self, trunk: &[Block], group: &mut Group) {
        let Some(value) = &self.value else { return };
        let (rows, width) = (trunk.len() / self.channels, value.convolution.forward.outputs);
        let y = reserve(&mut group.value_y, rows * width);
        let target = (&mut *y, width);
        let weights = &value.convolution.forward;
        matmul(self.isa, (trunk, self.channels), weights, target, rows, Epilogue::default());
        group.sums = Sums::zeros(width);
        sum_squares(self.isa, y, self.encoding.squares(), width, &mut group.sums);
    }

    /// The rest of the value head, forward, and backward up to its batch norm.
    pub(super) fn value(&self, norm: &BatchNorm, targets: &[f32], factor: f32, group: &mut Group) {
        let Some(value) = &self.value else { return };
        let (isa, boards, squares) = (self.isa, targets.len(), self.encoding.squares());
        let width = value.convolution.forward.outputs;
        let (flat, units) = (value.hidden.forward.inputs, value.hidden.forward.outputs);
        let y = &group.value_y[..boards * squares * width];
        let x = reserve(&mut group.value_x, y.len());
        normalize(isa, y, (&norm.scale, &norm.shift), None, x);
        let vectors = reserve(&mut group.flat, boards * flat);
        for (board, vector) in x.chunks_exact(squares * width).zip(vectors.chunks_exact_mut(flat)) {
            flatten(board, value.channels, squares, vector);
        }
        let hidden = reserve(&mut group.hidden, boards * units);
        let epilogue = Epilogue { bias: &value.hidden_bias, add: false, relu: true };
        matmul(isa, (vectors, flat), &value.hidden.forward, (&mut *hidden, units), boards, epilogue);
        let hidden_gradient = reserve(&mut group.hidden_gradient, boards * units);
        let output_weight = clear(&mut group.output_weight, units * LANES);
        let hidden_bias = clear(&mut group.hidden_bias, units * LANES);
        group.output_bias = 0.0;
        let rows = hidden.chunks_exact(units).zip(hidden_gradient.chunks_exact_mut(units));
        for ((hidden, gradient), target) in rows.zip(targets) {
            let logit = dot(hidden, &value.output) + value.output_bias;
            let error = group.metrics.value(logit, *target) * factor;
            group.output_bias += error;
            for (n, block) in hidden.iter().enumerate() {
                for (lane, unit) in block.0.iter().enumerate() {
                    let slope = if *unit > 0.0 { error * value.output[n].0[lane] } else { 0.0 };
                    gradient[n].0[lane] = slope;
                    output_weight[n * LANES + lane] += error * unit;
                    hidden_bias[n * LANES + lane] += slope;
                }
            }
        }
        let hidden_weight = clear(&mut group.hidden_weight, flat * LANES * units);
        let right = (&*hidden_gradient, units);
        matmul_transposed(isa, (vectors, flat), right, boards, (flat, units), hidden_weight);
        let vectors = reserve(&mut group.flat_gradient, boards * flat);
        let target = (&mut *vectors, flat);
        matmul(isa, right, &value.hidden.backward, target, boards, Epilogue::default());
        let gradient = reserve(&mut group.value_gradient, y.len());
        gradient.fill(Block::ZERO);
        for (vector, board) in vectors.chunks_exact(flat).zip(gradient.chunks_exact_mut(squares * width)) {
            for (channel, square) in (0..value.channels).flat_map(|c| (0..squares).map(move |square| (c, square))) {
                let index = channel * squares + square;
                board[square * width + channel / LANES].0[channel % LANES] = vector[index / LANES].0[index % LANES];
            }
        }
        group.sums = Sums::zeros(width);
        mask(isa, gradient, (x, y), squares, width, &mut group.sums);
    }

    /// The backward pass of the value head from its batch norm on. Adds to the gradient of the trunk, or stores it if
    /// there is no policy.
    pub(super) fn value_backward(
        &self,
        norm: &BatchNormGradient,
        trunk: &[Block],
        gradient: &mut [Block],
        group: &mut Group,
    ) {
        let Some(value) = &self.value else { return };
        let (rows, width) = (trunk.len() / self.channels, value.convolution.forward.outputs);
        let own = &mut group.value_gradient[..rows * width];
        combine(self.isa, own, &group.value_y[..rows * width], [&norm.a, &norm.b, &norm.c]);
        let result = clear(&mut group.value_weight, self.channels * LANES * width);
        let left = (trunk, self.channels);
        matmul_transposed(self.isa, left, (own, width), rows, (self.channels, width), result);
        let epilogue = Epilogue { add: self.policy.is_some(), ..Epilogue::default() };
        matmul(self.isa, (own, width), &value.convolution.backward, (gradient, self.channels), rows, epilogue);
    }

    /// Units of the hidden layer of the value head.
    pub(super) fn units(&self) -> usize {
        self.value.as_ref().map_or(0, |value| value.units)
    }
}

/// Inputs × outputs in blocks as weights outputs × inputs.
pub(super) fn unpack(matrix: &[Block], inputs: usize, weights: &mut [f32]) {
    let outputs = weights.len() / inputs;
    let width = blocks(outputs);
    for (i, weight) in weights.iter_mut().enumerate() {
        let (output, input) = (i / inputs, i % inputs);
        *weight = matrix[input * width + output / LANES].0[output % LANES];
    }
}
