//! Inference: batch norms are folded into the convolutions, boards are divided among threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use tesuji_task::Team;

use crate::arch::Encoding;
#[cfg(target_arch = "x86_64")]
use crate::kernel::Avx512Bf16;
#[cfg(target_arch = "x86_64")]
use crate::kernel::bf16::{Bf16Scratch, Bf16Trunk};
#[cfg(target_arch = "x86_64")]
use crate::kernel::winograd::{Bf16Filters, convolve_bf16};
use crate::kernel::winograd::{Scratch, Tiling, convolve, pack_filters};
use crate::kernel::{Block, Epilogue, InstructionSet, LANES, Packed, blocks, matmul, reserve, to_blocks};
use crate::network::{Network, part};

/// Encoded positions, one after the other.
#[derive(Clone, Copy, Debug)]
pub enum Planes<'a> {
    /// Planes × squares floats for each position.
    Dense(&'a [f32]),
    /// A bit per square: each plane begins with a new word, and its first square is the lowest bit.
    Bits(&'a [u64]),
}

impl Planes<'_> {
    /// Whether these are exactly so many positions.
    pub(crate) fn is_batch(&self, encoding: &Encoding, batch: usize) -> bool {
        match self {
            Planes::Dense(floats) => floats.len() == batch * encoding.inputs(),
            Planes::Bits(words) => words.len() == batch * encoding.words(),
        }
    }

    /// Writes the planes of some positions as blocks of channels.
    pub(crate) fn expand(&self, encoding: &Encoding, boards: Range<usize>, blocks: &mut [Block]) {
        let (squares, channels) = (encoding.squares(), self::blocks(encoding.planes));
        for (board, target) in boards.zip(blocks.chunks_exact_mut(squares * channels)) {
            match self {
                Planes::Dense(floats) => {
                    let position = &floats[board * encoding.inputs()..][..encoding.inputs()];
                    for (c, planes) in position.chunks(LANES * squares).enumerate() {
                        for (square, blocks) in target.chunks_exact_mut(channels).enumerate() {
                            let mut block = Block::ZERO;
                            for (lane, plane) in block.0.iter_mut().zip(planes.chunks_exact(squares)) {
                                *lane = plane[square];
                            }
                            blocks[c] = block;
                        }
                    }
                }
                Planes::Bits(words) => {
                    target.fill(Block::ZERO);
                    let position = &words[board * encoding.words()..][..encoding.words()];
                    for (p, plane) in position.chunks_exact(squares.div_ceil(64)).enumerate() {
                        for (w, mut word) in plane.iter().copied().enumerate() {
                            while word != 0 {
                                let square = w * 64 + word.trailing_zeros() as usize;
                                if square < squares {
                                    target[square * channels + p / LANES].0[p % LANES] = 1.0;
                                }
                                word &= word - 1;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a network says about some positions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// Logits of all labels for each position; empty without a policy head.
    pub policy: Vec<f32>,
    /// The win rate of the side to move for each position; empty without a value head.
    pub value: Vec<f32>,
}

/// The arithmetic of the convolutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// Single precision.
    #[default]
    Single,
    /// Factors in bfloat16 with sums in single precision, where the processor has instructions for it (AMX or AVX-512
    /// BF16); single precision elsewhere. Faster, but logits differ in the second or third digit.
    Bf16,
}

/// A convolution with its batch norm folded in.
#[derive(Clone, Debug)]
struct Layer {
    weights: Packed,
    bias: Vec<Block>,
    /// Adds the former content of the output: the end of a residual block.
    add: bool,
}

/// The convolutions in bfloat16.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug)]
enum Bf16Layers {
    /// Direct ones with the matrix unit.
    Amx(Bf16Trunk),
    /// Winograd's with products of pairs.
    Pairs(Avx512Bf16, Vec<Bf16Filters>),
}

#[cfg(target_arch = "x86_64")]
impl Bf16Layers {
    /// Prepares a network; `None` if this machine has no instructions for it.
    fn new(network: &Network) -> Option<Bf16Layers> {
        if let Some(trunk) = Bf16Trunk::new(network) {
            return Some(Bf16Layers::Amx(trunk));
        }
        let pairs = Avx512Bf16::detect()?;
        let channels = network.architecture().channels;
        let filters = (0..network.architecture().convolutions()).map(|layer| {
            let inputs = if layer == 0 { network.encoding().planes } else { channels };
            Bf16Filters::new(&network.folded(network.layer(layer)).0, inputs, channels)
        });
        Some(Bf16Layers::Pairs(pairs, filters.collect()))
    }
}

#[derive(Clone, Debug)]
struct PolicyHead {
    weights: Packed,
    /// By label.
    bias: Vec<f32>,
}

#[derive(Clone, Debug)]
struct ValueHead {
    channels: usize,
    convolution: Packed,
    bias: Vec<Block>,
    hidden: Packed,
    hidden_bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: f32,
}

/// Evaluates positions with a network.
///
/// A result depends neither on the other positions of the batch nor on the number of threads.
#[derive(Debug)]
pub struct Evaluator {
    isa: InstructionSet,
    encoding: Encoding,
    tiling: Tiling,
    channels: usize,
    layers: Vec<Layer>,
    /// Replaces the weights of the layers.
    #[cfg(target_arch = "x86_64")]
    bf16: Option<Bf16Layers>,
    policy: Option<PolicyHead>,
    value: Option<ValueHead>,
    team: Team,
    workers: Vec<Mutex<Worker>>,
}

/// The buffers of a thread.
#[derive(Debug, Default)]
struct Worker {
    scratch: Scratch,
    #[cfg(target_arch = "x86_64")]
    bf16: Bf16Scratch,
    input: Vec<Block>,
    trunk: Vec<Block>,
    inner: Vec<Block>,
    head: Vec<Block>,
    flat: Vec<Block>,
    hidden: Vec<Block>,
}

/// The buffers of a thread for [`Evaluator::evaluate_with`].
#[derive(Debug, Default)]
pub struct EvaluatorBuffers(Worker);

/// Some boards and where their results go.
struct Task<'a> {
    boards: Range<usize>,
    policy: &'a mut [f32],
    value: &'a mut [f32],
}

impl Evaluator {
    /// Prepares a network for the instruction set of this machine and so many threads.
    pub fn new(network: &Network, threads: usize) -> Evaluator {
        Evaluator::with(InstructionSet::detect(), network, threads)
    }

    /// Prepares a network for an instruction set. One that this machine does not have is replaced by
    /// [`InstructionSet::Portable`].
    pub fn with(isa: InstructionSet, network: &Network, threads: usize) -> Evaluator {
        let isa = if isa.is_available() { isa } else { InstructionSet::Portable };
        let (encoding, architecture) = (network.encoding(), network.architecture());
        let channels = architecture.channels;
        let layers = (0..architecture.convolutions()).map(|layer| {
            let inputs = if layer == 0 { encoding.planes } else { channels };
            let (weights, bias) = network.folded(network.layer(layer));
            let weights = pack_filters(isa, &weights, (inputs, channels), (9, inputs * 9));
            Layer { weights, bias: to_blocks(&bias), add: network.ends_block(layer) }
        });
        let data = |index: usize| &network.tensors()[index].data;
        let policy = architecture.policy.then(|| PolicyHead {
            weights: Packed::matrix(isa, data(network.policy()), (channels, encoding.policy_planes), (1, channels)),
            bias: data(network.policy() + 1).clone(),
        });
        let value = architecture.value.map(|shape| {
            let (weights, bias) = network.folded(network.value());
            let fully_connected = network.value() + part::COUNT;
            let flat = shape.channels * encoding.squares();
            ValueHead {
                channels: shape.channels,
                convolution: Packed::matrix(isa, &weights, (channels, shape.channels), (1, channels)),
                bias: to_blocks(&bias),
                hidden: Packed::matrix(isa, data(fully_connected), (flat, shape.hidden), (1, flat)),
                hidden_bias: to_blocks(data(fully_connected + 1)),
                output: to_blocks(data(fully_connected + 2)),
                output_bias: data(fully_connected + 3)[0],
            }
        });
        let tiling = Tiling::new(encoding.height, encoding.width);
        let team = Team::new(threads);
        let workers = (0..team.threads()).map(|_| Mutex::default()).collect();
        Evaluator {
            isa,
            encoding,
            tiling,
            channels,
            layers: layers.collect(),
            #[cfg(target_arch = "x86_64")]
            bf16: None,
            policy,
            value,
            team,
            workers,
        }
    }

    /// Computes the convolutions with another arithmetic, if this machine has it.
    #[must_use]
    pub fn with_arithmetic(self, network: &Network, arithmetic: Arithmetic) -> Evaluator {
        #[cfg(target_arch = "x86_64")]
        return Evaluator {
            bf16: match arithmetic {
                Arithmetic::Bf16 if self.isa == InstructionSet::Avx512 => Bf16Layers::new(network),
                _ => None,
            },
            ..self
        };
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (network, arithmetic);
            self
        }
    }

    /// The arithmetic in use.
    pub fn arithmetic(&self) -> Arithmetic {
        #[cfg(target_arch = "x86_64")]
        if self.bf16.is_some() {
            return Arithmetic::Bf16;
        }
        Arithmetic::Single
    }

    /// The instruction set in use.
    pub fn instruction_set(&self) -> InstructionSet {
        self.isa
    }

    /// Evaluates a batch of positions.
    ///
    /// # Panics
    /// The planes are not those of `batch` positions.
    pub fn evaluate(&mut self, planes: Planes<'_>, batch: usize) -> Evaluation {
        let mut evaluation = Evaluation::default();
        self.evaluate_into(planes, batch, &mut evaluation);
        evaluation
    }

    /// Evaluates a batch of positions and reuses the memory of an earlier result.
    ///
    /// # Panics
    /// The planes are not those of `batch` positions.
    pub fn evaluate_into(&mut self, planes: Planes<'_>, batch: usize, evaluation: &mut Evaluation) {
        let threads = self.workers.len().min(batch);
        let queue = Mutex::new(self.tasks(&planes, batch, threads, evaluation).into_iter());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.team.run(threads, |number| {
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(task) = next() {
                self.forward(&planes, task, &mut worker);
            }
        });
    }

    /// Evaluates a batch of positions on the calling thread with buffers of its own, so that any number of threads share
    /// one evaluator.
    ///
    /// # Panics
    /// The planes are not those of `batch` positions.
    pub fn evaluate_with(
        &self,
        buffers: &mut EvaluatorBuffers,
        planes: Planes<'_>,
        batch: usize,
        evaluation: &mut Evaluation,
    ) {
        for task in self.tasks(&planes, batch, 1, evaluation) {
            self.forward(&planes, task, &mut buffers.0);
        }
    }

    /// How many positions are computed at a time. Larger batches are divided.
    pub fn chunk(&self) -> usize {
        self.tiling.chunk(blocks(self.channels)).max(1)
    }

    /// Divides a batch, and makes room for its results.
    fn tasks<'a>(
        &self,
        planes: &Planes<'_>,
        batch: usize,
        threads: usize,
        evaluation: &'a mut Evaluation,
    ) -> Vec<Task<'a>> {
        assert!(planes.is_batch(&self.encoding, batch), "the planes are not those of {batch} positions");
        let labels = if self.policy.is_some() { self.encoding.labels() } else { 0 };
        let values = usize::from(self.value.is_some());
        evaluation.policy.resize(batch * labels, 0.0);
        evaluation.value.resize(batch * values, 0.0);
        let groups = batch.div_ceil(self.chunk()).next_multiple_of(threads.max(1));
        let groups = groups.min(batch);
        let (mut policy, mut value) = (evaluation.policy.as_mut_slice(), evaluation.value.as_mut_slice());
        let mut first = 0;
        let task = |group: usize| {
            let count = (batch - first).div_ceil(groups - group);
            let boards = first..first + count;
            first += count;
            let policy = policy.split_off_mut(..count * labels).unwrap_or_default();
            let value = value.split_off_mut(..count * values).unwrap_or_default();
            Task { boards, policy, value }
        };
        (0..groups).map(task).collect()
    }

    fn forward(&self, planes: &Planes<'_>, task: Task<'_>, worker: &mut Worker) {
        let (isa, squares, channels) = (self.isa, self.encoding.squares(), blocks(self.channels));
        let rows = task.boards.len() * squares;
        let input = reserve(&mut worker.input, rows * blocks(self.encoding.planes));
        planes.expand(&self.encoding, task.boards.clone(), input);
        let mut from = reserve(&mut worker.trunk, rows * channels);
        let mut to = reserve(&mut worker.inner, rows * channels);
        #[cfg(target_arch = "x86_64")]
        let layers = match &self.bf16 {
            Some(Bf16Layers::Amx(trunk)) => {
                trunk.forward(input, from, &mut worker.bf16);
                &[]
            }
            _ => &self.layers[..],
        };
        #[cfg(not(target_arch = "x86_64"))]
        let layers = &self.layers[..];
        for (number, layer) in layers.iter().enumerate() {
            let epilogue = Epilogue { bias: &layer.bias, add: layer.add, relu: true };
            let source = if number == 0 { &*input } else { &*from };
            self.convolve(number, (source, to), epilogue, &mut worker.scratch);
            std::mem::swap(&mut from, &mut to);
        }
        let trunk = &*from;
        if let Some(policy) = &self.policy {
            let width = policy.weights.outputs;
            let head = reserve(&mut worker.head, rows * width);
            let product = (head, width);
            matmul(isa, (trunk, channels), &policy.weights, product, rows, Epilogue::default());
            let boards = worker.head.chunks_exact(squares * width);
            for (board, logits) in boards.zip(task.policy.chunks_exact_mut(policy.bias.len())) {
                let planes = logits.chunks_exact_mut(squares).zip(policy.bias.chunks_exact(squares));
                for (plane, (logits, bias)) in planes.enumerate() {
                    for (square, (logit, bias)) in logits.iter_mut().zip(bias).enumerate() {
                        *logit = board[square * width + plane / LANES].0[plane % LANES] + bias;
                    }
                }
            }
        }
        if let Some(value) = &self.value {
            let (width, flat, hidden) = (blocks(value.channels), value.hidden.inputs, value.hidden.outputs);
            let head = reserve(&mut worker.head, rows * width);
            let epilogue = Epilogue { bias: &value.bias, add: false, relu: true };
            matmul(isa, (trunk, channels), &value.convolution, (head, width), rows, epilogue);
            let vectors = reserve(&mut worker.flat, task.boards.len() * flat);
            for (board, vector) in worker.head.chunks_exact(squares * width).zip(vectors.chunks_exact_mut(flat)) {
                flatten(board, value.channels, squares, vector);
            }
            let units = reserve(&mut worker.hidden, task.boards.len() * hidden);
            let epilogue = Epilogue { bias: &value.hidden_bias, add: false, relu: true };
            matmul(isa, (vectors, flat), &value.hidden, (units, hidden), task.boards.len(), epilogue);
            for (units, win_rate) in worker.hidden.chunks_exact(hidden).zip(task.value) {
                *win_rate = sigmoid(dot(units, &value.output) + value.output_bias);
            }
        }
    }
}

impl Evaluator {
    /// The convolution of a layer.
    fn convolve(&self, layer: usize, squares: (&[Block], &mut [Block]), epilogue: Epilogue<'_>, scratch: &mut Scratch) {
        #[cfg(target_arch = "x86_64")]
        if let Some(Bf16Layers::Pairs(pairs, filters)) = &self.bf16 {
            return convolve_bf16(*pairs, &self.tiling, &filters[layer], squares, epilogue, scratch);
        }
        convolve(self.isa, &self.tiling, &self.layers[layer].weights, squares, epilogue, scratch);
    }
}

/// Squares × channels of a board as one vector, channel by channel.
pub(crate) fn flatten(board: &[Block], channels: usize, squares: usize, vector: &mut [Block]) {
    let width = blocks(channels);
    for channel in 0..channels {
        for square in 0..squares {
            let index = channel * squares + square;
            vector[index / LANES].0[index % LANES] = board[square * width + channel / LANES].0[channel % LANES];
        }
    }
}

/// The scalar product, summed in a fixed order.
pub(crate) fn dot(a: &[Block], b: &[Block]) -> f32 {
    a.iter().zip(b).flat_map(|(a, b)| a.0.iter().zip(&b.0)).map(|(a, b)| a * b).sum()
}

/// The logistic function.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::reference::{Convolution, available, close};
    use crate::random::Random;

    /// A network whose batch norms do something.
    fn network(random: &mut Random, encoding: Encoding, spec: &str) -> Network {
        let mut network = Network::new(encoding, spec.parse().unwrap(), random.bits());
        for tensor in network.tensors_mut() {
            if tensor.role != crate::network::Role::Weight {
                let positive = tensor.name.ends_with("running_var") || tensor.name.ends_with("bn.weight");
                tensor.data.iter_mut().for_each(|x| *x = random.uniform() + if positive { 0.5 } else { -0.5 });
            }
        }
        network
    }

    /// The definition of the network, in double precision: logits and win rate of one position.
    fn reference(network: &Network, planes: &[f32]) -> (Vec<f64>, Option<f64>) {
        let (encoding, architecture) = (network.encoding(), network.architecture());
        let (squares, channels) = (encoding.squares(), architecture.channels);
        let data = |index: usize| &network.tensors()[index].data;
        let norm = |first: usize, c: usize, x: f64| {
            let at = |part: usize| f64::from(data(first + part)[c]);
            (x - at(part::MEAN)) / (at(part::VARIANCE) + 1e-5).sqrt() * at(part::SCALE) + at(part::SHIFT)
        };
        let mut x: Vec<f32> =
            (0..planes.len()).map(|i| planes[i % encoding.planes * squares + i / encoding.planes]).collect();
        let (mut inputs, mut skip) = (encoding.planes, Vec::new());
        for layer in 0..architecture.convolutions() {
            let shape = Convolution { height: encoding.height, width: encoding.width, inputs, outputs: channels };
            let y = shape.forward(&x, data(network.layer(layer)));
            let mut y: Vec<f64> =
                y.into_iter().enumerate().map(|(i, y)| norm(network.layer(layer), i % channels, y)).collect();
            if network.ends_block(layer) {
                y.iter_mut().zip(&skip).for_each(|(y, skip)| *y += f64::from(*skip));
            }
            x = y.into_iter().map(|y| y.max(0.0) as f32).collect();
            if layer.is_multiple_of(2) {
                skip = x.clone();
            }
            inputs = channels;
        }
        let point = |weights: &[f32], square: usize, o: usize| -> f64 {
            (0..channels).map(|c| f64::from(x[square * channels + c]) * f64::from(weights[o * channels + c])).sum()
        };
        let policy = |label: usize| {
            point(data(network.policy()), label % squares, label / squares)
                + f64::from(data(network.policy() + 1)[label])
        };
        let value = architecture.value.map(|shape| {
            let first = network.value();
            let flat: Vec<f64> = (0..shape.channels * squares)
                .map(|i| norm(first, i / squares, point(data(first), i % squares, i / squares)).max(0.0))
                .collect();
            let fc = first + part::COUNT;
            let unit = |u: usize| -> f64 {
                let sum: f64 = flat.iter().zip(&data(fc)[u * flat.len()..]).map(|(x, w)| x * f64::from(*w)).sum();
                (sum + f64::from(data(fc + 1)[u])).max(0.0)
            };
            let logit: f64 = (0..shape.hidden).map(|u| unit(u) * f64::from(data(fc + 2)[u])).sum();
            1.0 / (1.0 + (-logit - f64::from(data(fc + 3)[0])).exp())
        });
        (if architecture.policy { (0..encoding.labels()).map(policy).collect() } else { Vec::new() }, value)
    }

    #[test]
    fn evaluations_agree_with_the_definition_on_every_instruction_set() {
        let mut random = Random::new(11);
        let specs = [
            ("policy-value:blocks=2,channels=20", 9, 9),
            ("policy:layers=3,channels=33", 8, 8),
            ("value:layers=2,channels=16,value-channels=20,value-hidden=7", 5, 5),
            ("policy-value:blocks=0,channels=5", 4, 7),
        ];
        for (spec, height, width) in specs {
            let encoding = Encoding { height, width, planes: 19, policy_planes: 3 };
            let network = network(&mut random, encoding, spec);
            let batch = 3;
            let planes: Vec<f32> = (0..batch * encoding.inputs()).map(|_| random.below(2) as f32).collect();
            for isa in available() {
                let found = Evaluator::with(isa, &network, 1).evaluate(Planes::Dense(&planes), batch);
                for board in 0..batch {
                    let (policy, value) =
                        reference(&network, &planes[board * encoding.inputs()..][..encoding.inputs()]);
                    assert_eq!(found.policy.len(), policy.len() * batch);
                    for (label, expected) in policy.iter().enumerate() {
                        close(found.policy[board * policy.len() + label], *expected, 1e-4);
                    }
                    if let Some(expected) = value {
                        close(found.value[board], expected, 1e-5);
                    }
                }
            }
        }
    }

    #[test]
    fn bf16_is_near_single_precision_and_depends_on_neither_batch_nor_threads() {
        let mut random = Random::new(13);
        let specs = [
            ("policy-value:blocks=3,channels=40", 9, 9, 104),
            ("policy:layers=4,channels=64", 8, 8, 3),
            ("value:layers=1,channels=7", 5, 5, 33),
            ("policy-value:blocks=0,channels=16", 3, 6, 20),
        ];
        for (spec, height, width, planes) in specs {
            let encoding = Encoding { height, width, planes, policy_planes: 3 };
            let network = network(&mut random, encoding, spec);
            let batch = 11;
            let dense: Vec<f32> = (0..batch * encoding.inputs()).map(|_| random.below(2) as f32).collect();
            let single = Evaluator::new(&network, 1).evaluate(Planes::Dense(&dense), batch);
            let mut evaluator = Evaluator::new(&network, 1).with_arithmetic(&network, Arithmetic::Bf16);
            let found = evaluator.evaluate(Planes::Dense(&dense), batch);
            if evaluator.arithmetic() == Arithmetic::Single {
                assert_eq!(found, single, "no bfloat16 here");
                continue;
            }
            assert_ne!(found, single, "{spec}");
            let deviation = |a: &[f32], b: &[f32]| {
                let squares = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>();
                let whole = b.iter().map(|b| f64::from(*b).powi(2)).sum::<f64>();
                (squares / whole.max(1e-30)).sqrt()
            };
            let (policy, value) = (deviation(&found.policy, &single.policy), deviation(&found.value, &single.value));
            assert!(policy < 0.02 && value < 0.02, "{spec}: {policy} {value}");
            let mut threads = Evaluator::new(&network, 3).with_arithmetic(&network, Arithmetic::Bf16);
            assert_eq!(threads.evaluate(Planes::Dense(&dense), batch), found);
            for (board, planes) in dense.chunks(encoding.inputs()).enumerate() {
                let alone = evaluator.evaluate(Planes::Dense(planes), 1);
                let labels = alone.policy.len();
                assert_eq!(alone.policy, found.policy[board * labels..][..labels], "{spec}");
            }
        }
    }

    #[test]
    fn neither_the_batch_nor_the_threads_nor_the_form_of_the_planes_change_a_result() {
        let mut random = Random::new(12);
        let encoding = Encoding { height: 9, width: 9, planes: 21, policy_planes: 5 };
        let network = network(&mut random, encoding, "policy-value:blocks=1,channels=24");
        let batch = 45;
        let dense: Vec<f32> = (0..batch * encoding.inputs()).map(|_| random.below(2) as f32).collect();
        let bits: Vec<u64> = dense
            .chunks(81)
            .flat_map(|plane| {
                let word = |squares: &[f32]| squares.iter().rev().fold(0, |word, bit| word << 1 | *bit as u64);
                [word(&plane[..64]), word(&plane[64..])]
            })
            .collect();
        let mut single = Evaluator::new(&network, 1);
        let expected = single.evaluate(Planes::Dense(&dense), batch);
        for threads in [1, 2, 3, 64] {
            let mut evaluator = Evaluator::new(&network, threads);
            assert_eq!(evaluator.evaluate(Planes::Dense(&dense), batch), expected);
            assert_eq!(evaluator.evaluate(Planes::Bits(&bits), batch), expected);
        }
        let (mut buffers, mut shared) = (EvaluatorBuffers::default(), Evaluation::default());
        single.evaluate_with(&mut buffers, Planes::Bits(&bits), batch, &mut shared);
        assert_eq!(shared, expected);
        assert!((1..batch).contains(&single.chunk()));
        for (board, planes) in dense.chunks(encoding.inputs()).enumerate() {
            let alone = single.evaluate(Planes::Dense(planes), 1);
            assert_eq!(alone.policy, expected.policy[board * encoding.labels()..][..encoding.labels()]);
            assert_eq!(alone.value[0], expected.value[board]);
        }
        assert_eq!(single.evaluate(Planes::Dense(&[]), 0), Evaluation::default());
    }
}
