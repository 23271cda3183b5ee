//! The forward and backward pass of a batch.
//!
//! The batch is divided into a fixed number of groups of boards. Every sum runs over a group in order, then over the
//! groups in order. So the gradients do not depend on the number of threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use tesuji_task::Team;

use super::batchnorm::BatchNorm;
use super::heads::{Group, Heads, unpack};
use super::loss::Metrics;
use super::optimizer::{Optimizer, StepSize, update};
use super::{Batch, Checkpoint};
use crate::kernel::winograd::{
    OutputGradient, POINTS, Scratch, Tiling, backward, convolve, filter_gradient, pack_filters,
};
use crate::kernel::{
    Block, Epilogue, InstructionSet, LANES, Packed, Sums, add, blocks, mask, normalize, reserve, sum_squares,
};
use crate::network::{Network, Role, part};

/// Blocks of a gradient that are summed over the groups at a time.
const SUM_BLOCKS: usize = 4096;

/// The buffers of a pass, reused from batch to batch.
#[derive(Debug)]
pub(super) struct Pass {
    isa: InstructionSet,
    tiling: Tiling,
    groups: usize,
    workers: Workers,
    /// The input and the output of every layer.
    x: Vec<Vec<Block>>,
    /// The output of every convolution, before its batch norm.
    y: Vec<Vec<Block>>,
    /// The gradients of the output and of the input of a layer.
    gradients: [Vec<Block>; 2],
    states: Vec<Group>,
    /// The gradient of each tensor of the network.
    pub(super) result: Vec<Vec<f32>>,
}

/// The parts of a buffer that belong to the groups.
fn parts<'a>(buffer: &'a [Block], ranges: &[Range<usize>], board: usize) -> Vec<&'a [Block]> {
    ranges.iter().map(|range| &buffer[range.start * board..range.end * board]).collect()
}

/// The same for a buffer that is written.
fn parts_mut<'a>(mut buffer: &'a mut [Block], ranges: &[Range<usize>], board: usize) -> Vec<&'a mut [Block]> {
    let mut part = |range: &Range<usize>| buffer.split_off_mut(..range.len() * board).unwrap_or_default();
    ranges.iter().map(&mut part).collect()
}

impl Pass {
    pub(super) fn new(isa: InstructionSet, network: &Network, groups: usize, threads: usize) -> Pass {
        let encoding = network.encoding();
        let layers = network.architecture().convolutions();
        let gradient = |tensor: &crate::network::Tensor| match tensor.role {
            Role::Statistic => Vec::new(),
            _ => vec![0.0; tensor.data.len()],
        };
        Pass {
            isa,
            tiling: Tiling::new(encoding.height, encoding.width),
            groups,
            workers: Workers::new(threads),
            x: vec![Vec::new(); layers + 1],
            y: vec![Vec::new(); layers],
            gradients: Default::default(),
            states: Vec::new(),
            result: network.tensors().iter().map(gradient).collect(),
        }
    }

    /// Computes the gradients of the loss of a batch and updates the running averages of the network.
    pub(super) fn run(&mut self, network: &mut Network, batch: &Batch<'_>, weights: (f32, f32)) -> Metrics {
        let (isa, encoding, architecture) = (self.isa, network.encoding(), network.architecture());
        let (layers, squares) = (architecture.convolutions(), encoding.squares());
        let (planes, channels) = (blocks(encoding.planes), blocks(architecture.channels));
        let rows = batch.size * squares;
        let ranges: Vec<Range<usize>> = (0..self.groups)
            .map(|group| batch.size * group / self.groups..batch.size * (group + 1) / self.groups)
            .filter(|range| !range.is_empty())
            .collect();
        let (board, inputs) = (squares * channels, |layer: usize| if layer == 0 { planes } else { channels });
        for (layer, x) in self.x.iter_mut().enumerate() {
            reserve(x, rows * inputs(layer));
        }
        for buffer in self.y.iter_mut().chain(&mut self.gradients) {
            reserve(buffer, rows * channels);
        }
        self.states.resize(ranges.len(), Group::default());
        self.states.iter_mut().for_each(|state| state.metrics = Metrics::default());
        let filters = self.pack(network);
        let heads = Heads::new(isa, network);

        // Forward: the batch norm and the ReLU of a layer are applied when the next one begins.
        let mut norms: Vec<BatchNorm> = Vec::with_capacity(layers);
        for layer in 0..=layers {
            let (before, now) = self.x.split_at_mut(layer);
            let (y_before, y_now) = self.y.split_at_mut(layer);
            let x = parts_mut(&mut now[0], &ranges, squares * inputs(layer));
            let y = y_now.first_mut().map_or_else(Vec::new, |y| parts_mut(y, &ranges, board));
            let mut y = y.into_iter();
            let tasks = ranges
                .iter()
                .zip(x)
                .zip(&mut self.states)
                .map(|((range, x), state)| (range.clone(), x, y.next(), state));
            let skip = if layer > 0 && network.ends_block(layer - 1) { before.get(layer - 2) } else { None };
            run(&self.workers, tasks.collect(), |(range, x, y, state), scratch| {
                let part = range.start * board..range.end * board;
                match (y_before.last(), norms.last()) {
                    (Some(y), Some(norm)) => {
                        let skip = skip.map(|skip| &skip[part.clone()]);
                        normalize(isa, &y[part], (&norm.scale, &norm.shift), skip, x);
                    }
                    _ => batch.planes.expand(&encoding, range, x),
                }
                if let (Some(y), Some((weights, _))) = (y, filters.get(layer)) {
                    convolve(isa, &self.tiling, weights, (x, &mut *y), Epilogue::default(), scratch);
                    state.sums = Sums::zeros(channels);
                    sum_squares(isa, y, squares, channels, &mut state.sums);
                }
            });
            if layer < layers {
                norms.push(self.norm(network, network.layer(layer), rows));
            }
        }

        self.heads(network, batch, &heads, &ranges, weights);

        // Backward: the ReLU and the sums of the batch norm of a layer follow on the convolution after it.
        for layer in (0..layers).rev() {
            let sums = total(&self.states);
            let norm = norms[layer].backward(&sums);
            let (inputs, outputs) = (inputs(layer), channels);
            let [from, to] = &mut self.gradients;
            let add_skip = layer > 0 && network.ends_block(layer + 1);
            let (sources, targets) = (parts(from, &ranges, board), parts_mut(to, &ranges, board));
            let y = parts(&self.y[layer], &ranges, board);
            let x = parts(&self.x[layer], &ranges, squares * inputs);
            let y_before = layer.checked_sub(1).map(|before| parts(&self.y[before], &ranges, board));
            let tasks: Vec<_> = targets.into_iter().zip(&mut self.states).enumerate().collect();
            run(&self.workers, tasks, |(group, (target, state)), scratch| {
                state.filters.clear();
                state.filters.resize(POINTS * inputs * LANES * outputs, Block::ZERO);
                let gradient = OutputGradient { g: sources[group], y: y[group], a: &norm.a, b: &norm.b, c: &norm.c };
                let slot = (layer > 0).then_some((&mut *target, add_skip));
                let (tiling, weights) = (&self.tiling, &filters[layer].1);
                backward(isa, tiling, weights, x[group], gradient, slot, &mut state.filters, scratch);
                if let Some(y_before) = &y_before {
                    state.sums = Sums::zeros(channels);
                    mask(isa, target, (x[group], y_before[group]), squares, channels, &mut state.sums);
                }
            });
            self.gradients.swap(0, 1);
            self.sum(|state| &mut state.filters);
            let first = network.layer(layer);
            let shape = &network.tensors()[first].shape;
            filter_gradient(isa, &self.states[0].filters, (shape[1], shape[0]), &mut self.result[first]);
            self.result[first + part::SCALE] = norm.scale;
            self.result[first + part::SHIFT] = norm.shift;
        }
        let mut metrics = Metrics { positions: batch.size as u64, ..Metrics::default() };
        self.states.iter().for_each(|state| metrics.add(&state.metrics));
        metrics
    }

    /// The filters of every layer, packed for the forward and for the backward pass.
    fn pack(&self, network: &Network) -> Vec<(Packed, Packed)> {
        let layers = network.architecture().convolutions();
        let mut packed: Vec<Option<(Packed, Packed)>> = vec![None; layers];
        run(&self.workers, packed.iter_mut().enumerate().collect(), |(layer, packed), _| {
            let tensor = &network.tensors()[network.layer(layer)];
            let (outputs, inputs) = (tensor.shape[0], tensor.shape[1]);
            *packed = Some((
                pack_filters(self.isa, &tensor.data, (inputs, outputs), (9, inputs * 9)),
                pack_filters(self.isa, &tensor.data, (outputs, inputs), (inputs * 9, 9)),
            ));
        });
        packed.into_iter().flatten().collect()
    }

    /// The batch norm of the convolution whose outputs the groups have summed up.
    fn norm(&self, network: &mut Network, first: usize, rows: usize) -> BatchNorm {
        let tensors = &mut network.tensors_mut()[first..first + part::COUNT];
        let norm = BatchNorm::new(&total(&self.states), rows, &tensors[part::SCALE].data, &tensors[part::SHIFT].data);
        let (mean, variance) = tensors.split_at_mut(part::VARIANCE);
        norm.track(&mut mean[part::MEAN].data, &mut variance[0].data);
        norm
    }

    /// Both heads, forward and backward, down to the sums of the last batch norm of the trunk.
    fn heads(
        &mut self,
        network: &mut Network,
        batch: &Batch<'_>,
        heads: &Heads,
        ranges: &[Range<usize>],
        (policy_weight, value_weight): (f32, f32),
    ) {
        let isa = self.isa;
        let (squares, channels) = (self.tiling.squares, blocks(network.architecture().channels));
        let (layers, board) = (network.architecture().convolutions(), squares * channels);
        let trunk = std::mem::take(&mut self.x[layers]);
        let output = parts(&trunk, ranges, board);
        let [gradient, _] = &mut self.gradients;
        let targets = parts_mut(gradient, ranges, board);
        let tasks: Vec<_> = targets.into_iter().zip(&mut self.states).enumerate().collect();
        let factor = policy_weight / batch.size as f32;
        run(&self.workers, tasks, |(group, (gradient, state)), _| {
            heads.policy(output[group], gradient, (batch.policy, ranges[group].start, factor), state);
            heads.value_convolution(output[group], state);
        });
        let first = network.value();
        let has_value = network.architecture().value.is_some();
        let norm = has_value.then(|| self.norm(network, first, batch.size * squares));
        if let (Some(norm), Some(values)) = (&norm, batch.value) {
            let tasks: Vec<_> = self.states.iter_mut().enumerate().collect();
            let factor = value_weight / batch.size as f32;
            run(&self.workers, tasks, |(group, state), _| {
                heads.value(norm, &values[ranges[group].clone()], factor, state);
            });
        }
        let norm = norm.map(|norm| norm.backward(&total(&self.states)));
        let [gradient, _] = &mut self.gradients;
        let targets = parts_mut(gradient, ranges, board);
        let y = parts(&self.y[layers - 1], ranges, board);
        let tasks: Vec<_> = targets.into_iter().zip(&mut self.states).enumerate().collect();
        run(&self.workers, tasks, |(group, (gradient, state)), _| {
            if let Some(norm) = &norm {
                heads.value_backward(norm, output[group], gradient, state);
            }
            state.sums = Sums::zeros(channels);
            mask(isa, gradient, (output[group], y[group]), squares, channels, &mut state.sums);
        });

        self.x[layers] = trunk;

        let width = network.architecture().channels;
        if network.architecture().policy {
            self.sum(|state| &mut state.policy_weight);
            let first = network.policy();
            unpack(&self.states[0].policy_weight, width, &mut self.result[first]);
            sum_floats(&mut self.result[first + 1], self.states.iter().map(|state| &state.policy_bias[..]));
        }
        if let Some(norm) = norm {
            self.sum(|state| &mut state.value_weight);
            self.sum(|state| &mut state.hidden_weight);
            unpack(&self.states[0].value_weight, width, &mut self.result[first]);
            self.result[first + part::SCALE] = norm.scale;
            self.result[first + part::SHIFT] = norm.shift;
            let fc = first + part::COUNT;
            let inputs = self.result[fc].len() / heads.units();
            unpack(&self.states[0].hidden_weight, inputs, &mut self.result[fc]);
            sum_floats(&mut self.result[fc + 1], self.states.iter().map(|state| &state.hidden_bias[..]));
            sum_floats(&mut self.result[fc + 2], self.states.iter().map(|state| &state.output_weight[..]));
            self.result[fc + 3][0] = self.states.iter().map(|state| state.output_bias).sum();
        }
    }

    /// Takes a step along the gradients, tensor by tensor.
    pub(super) fn update(&self, optimizer: Optimizer, size: StepSize, state: &mut Checkpoint) {
        let moments = state.moments.first.iter_mut().zip(&mut state.moments.second);
        let tasks = state.network.tensors_mut().iter_mut().zip(&self.result).zip(moments).collect();
        run(&self.workers, tasks, |((tensor, gradient), (first, second)), _| {
            update(optimizer, self.isa, size, tensor, gradient, (first, second));
        });
    }

    /// Sums a buffer of all groups into that of the first.
    fn sum(&mut self, buffer: impl Fn(&mut Group) -> &mut Vec<Block>) {
        let mut buffers = self.states.iter_mut().map(buffer);
        let Some(first) = buffers.next() else { return };
        let others: Vec<&mut Vec<Block>> = buffers.collect();
        let tasks: Vec<_> = first.chunks_mut(SUM_BLOCKS).enumerate().collect();
        run(&self.workers, tasks, |(chunk, target), _| {
            for other in &others {
                add(self.isa, target, &other[chunk * SUM_BLOCKS..][..target.len()]);
            }
        });
    }
}

/// The sums of all groups, in order.
fn total(states: &[Group]) -> Sums {
    let mut total = Sums::zeros(states[0].sums.first.len() / LANES);
    states.iter().for_each(|state| total.add(&state.sums));
    total
}

/// Sums vectors in order; what they have beyond the result is padding.
fn sum_floats<'a>(result: &mut [f32], vectors: impl Iterator<Item = &'a [f32]>) {
    result.fill(0.0);
    for vector in vectors {
        result.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
    }
}

/// Threads that stay from phase to phase, each with its memory.
#[derive(Debug)]
struct Workers {
    team: Team,
    scratch: Vec<Mutex<Scratch>>,
}

impl Workers {
    fn new(threads: usize) -> Workers {
        let team = Team::new(threads);
        Workers { scratch: (0..team.threads()).map(|_| Mutex::default()).collect(), team }
    }
}

/// Does every task once, on whichever thread is free.
fn run<T: Send>(workers: &Workers, tasks: Vec<T>, work: impl Fn(T, &mut Scratch) + Sync) {
    let threads = workers.scratch.len().min(tasks.len());
    let queue = Mutex::new(tasks.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    workers.team.run(threads, |number| {
        let mut scratch = workers.scratch[number].lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(task) = next() {
            work(task, &mut scratch);
        }
    });
}
