//! One step of the training after another. No bit depends on the number of threads.
//!
//! The columns of the accumulators are dealt to tables of 32, each of which is summed and updated by one thread, position
//! by position. The layers behind are computed for chunks of positions of fixed size, whose gradients are added in their
//! order.

use tesuji_task::fold;

use super::adam::{Adam, StepOptions};
use super::dense::{Dense, DenseShape, HIDDEN, Row, Signals, WEIGHT_LIMIT};
use super::example::{Chunk, Example, Examples, FeatureSet};
use super::kernel::{self, Kernel};
use super::table::Table;
use crate::DataSetError;

/// Columns of a table.
pub(super) const COLUMNS: usize = 32;
/// Positions of a chunk.
const CHUNK: usize = 512;
/// The largest weight of an input. A board with 40 pieces cannot overflow an accumulator then.
pub(super) const INPUT_LIMIT: f32 = 3.0;
/// The largest direct weight: with an eighth of a centipawn as unit it fits 16 bits.
const DIRECT_LIMIT: f32 = 6.0;

/// A table with its biases and the sums of the positions at hand. After the layers behind, the sums hold gradients.
#[derive(Clone, Debug)]
pub(super) struct Slice<const L: usize> {
    pub(super) table: Table<L>,
    /// A table of one row: the biases.
    pub(super) bias: Table<L>,
    sums: Vec<[[f32; L]; 2]>,
}

impl<const L: usize> Slice<L> {
    pub(super) fn new(table: Table<L>, bias: Table<L>) -> Slice<L> {
        Slice { table, bias, sums: Vec::new() }
    }
}

/// Sums the rows of the positions of all chunks.
struct SumRows<'a, const L: usize>(&'a mut Slice<L>, &'a [Chunk]);

impl<const L: usize> Kernel for SumRows<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SumRows(slice, chunks) = self;
        slice.sums.clear();
        for chunk in chunks {
            for position in 0..chunk.len() {
                let active = chunk.active(position);
                let mut sums = [slice.bias.effective()[0]; 2];
                slice.table.add_to(&mut sums[0], active[0]);
                slice.table.add_to(&mut sums[1], active[1]);
                slice.sums.push(sums);
            }
        }
    }
}

/// Adds up the gradients of the positions of all chunks and updates the rows.
struct UpdateRows<'a, const L: usize> {
    slice: &'a mut Slice<L>,
    chunks: &'a [Chunk],
    /// For the rows of the inputs.
    inputs: &'a Adam,
    /// For the biases.
    biases: &'a Adam,
    limit: f32,
}

impl<const L: usize> Kernel for UpdateRows<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let UpdateRows { slice: Slice { table, bias, sums }, chunks, inputs, biases, limit } = self;
        let mut gradients = sums.iter();
        for chunk in chunks {
            for (position, gradients) in (0..chunk.len()).zip(gradients.by_ref()) {
                let active = chunk.active(position);
                for side in 0..2 {
                    table.add_gradient(&gradients[side], active[side]);
                    bias.add_gradient(&gradients[side], &[0]);
                }
            }
        }
        table.update(inputs, limit);
        bias.update(biases, limit);
    }
}

/// Figures over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Metrics {
    /// The number of positions.
    pub positions: u64,
    /// The sum of the cross-entropies between target and prediction.
    pub loss: f64,
    /// The sum of the entropies of the targets: the least loss that is possible.
    pub entropy: f64,
    /// Positions of decided games.
    pub decided: u64,
    /// Those whose winner is predicted.
    pub hits: u64,
    /// The sum of the cross-entropies between the results of decided games and the prediction.
    pub result_loss: f64,
}

impl Metrics {
    pub(crate) fn add(&mut self, other: &Metrics) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.entropy += other.entropy;
        self.decided += other.decided;
        self.hits += other.hits;
        self.result_loss += other.result_loss;
    }

    /// The mean loss above the least that is possible.
    pub fn excess(&self) -> f64 {
        (self.loss - self.entropy) / self.positions.max(1) as f64
    }

    /// The mean loss on the results of decided games.
    pub fn mean_result_loss(&self) -> f64 {
        self.result_loss / self.decided.max(1) as f64
    }

    /// The share of decided positions whose winner is predicted.
    pub fn accuracy(&self) -> f64 {
        self.hits as f64 / self.decided.max(1) as f64
    }
}

/// A chunk on its way through the layers.
struct Layers<'a> {
    dense: &'a Dense,
    chunk: &'a Chunk,
    sums: Vec<&'a mut [[[f32; COLUMNS]; 2]]>,
    direct: &'a mut [[[f32; 1]; 2]],
    /// `None` to evaluate only.
    gradient: Option<&'a mut [Row]>,
    metrics: &'a mut Metrics,
}

impl Kernel for Layers<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Layers { dense, chunk, mut sums, direct, mut gradient, metrics } = self;
        let width = COLUMNS * sums.len();
        let mut signals = Signals::new(2 * width);
        if let Some(rows) = &mut gradient {
            rows.fill([0.0; HIDDEN]);
        }
        for position in 0..chunk.len() {
            for (table, sums) in sums.iter().enumerate() {
                for (side, sums) in sums[position].iter().enumerate() {
                    let inputs = &mut signals.inputs[side * width + table * COLUMNS..][..COLUMNS];
                    for l in 0..COLUMNS {
                        let clipped = sums[l].clamp(0.0, 1.0);
                        inputs[l] = clipped * clipped;
                    }
                }
            }
            let (bucket, target) = (chunk.outputs[position], chunk.targets[position]);
            let straight = 0.5 * (direct[position][0][0] - direct[position][1][0]);
            let logit = dense.forward(bucket, &mut signals) + straight;
            let delta = metrics.count(logit, target, chunk.results[position]);
            let Some(rows) = &mut gradient else { continue };
            dense.backward(bucket, delta, &mut signals, rows);
            direct[position] = [[0.5 * delta], [-0.5 * delta]];
            for (table, sums) in sums.iter_mut().enumerate() {
                for (side, sums) in sums[position].iter_mut().enumerate() {
                    let gradient = &signals.gradient[side * width + table * COLUMNS..][..COLUMNS];
                    for l in 0..COLUMNS {
                        let inside = sums[l] > 0.0 && sums[l] < 1.0;
                        sums[l] = if inside { 2.0 * sums[l] * gradient[l] } else { 0.0 };
                    }
                }
            }
        }
    }
}

impl Metrics {
    /// Counts a prediction; the gradient of the loss by the logit.
    fn count(&mut self, logit: f32, target: f32, result: Option<f32>) -> f32 {
        let rate = 1.0 / (1.0 + (-logit).exp());
        // The logarithm of the rate of a win and of a loss, without overflow.
        let [win, loss] = [logit, -logit].map(|x| f64::from(-x.max(0.0) + x) - f64::from((-x.abs()).exp().ln_1p()));
        let target64 = f64::from(target);
        let entropy = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
        self.positions += 1;
        self.loss -= target64 * win + (1.0 - target64) * loss;
        self.entropy += entropy(target64) + entropy(1.0 - target64);
        if let Some(result) = result.filter(|&result| result != 0.5) {
            self.decided += 1;
            self.result_loss -= if result > 0.5 { win } else { loss };
            self.hits += u64::from((result > 0.5) == (logit > 0.0));
        }
        rate - target
    }
}

/// A network in training.
#[derive(Clone, Debug)]
pub(super) struct Trainer {
    pub(super) slices: Vec<Slice<COLUMNS>>,
    pub(super) direct: Slice<1>,
    pub(super) dense: Dense,
    pub(super) step: u64,
    threads: usize,
    chunks: Vec<Chunk>,
    gradients: Vec<Vec<Row>>,
}

impl Trainer {
    /// A network with random weights. `width` is a multiple of 32.
    pub(super) fn new(features: &FeatureSet, width: usize, seed: u64, threads: usize) -> Trainer {
        let mut random = super::random::Random::new(seed);
        let FeatureSet { inputs, factors, outputs, .. } = *features;
        let rows = inputs + factors;
        // Forty active inputs make sums of a deviation of about a quarter. The inputs of the buckets begin with nothing
        // of their own.
        let spread = 0.07;
        let mut weights = vec![vec![[0.0; COLUMNS]; rows]; width / COLUMNS];
        for row in inputs..rows {
            for table in &mut weights {
                table[row] = std::array::from_fn(|_| random.uniform(spread));
            }
        }
        let bias = || Table::new(vec![[0.3; COLUMNS]], 0);
        let slices = weights.into_iter().map(|rows| Slice::new(Table::new(rows, factors), bias())).collect();
        let mut direct = vec![[0.0]; rows];
        for (row, &value) in direct[inputs..].iter_mut().zip(&features.direct) {
            *row = [value];
        }
        let direct = Slice::new(Table::new(direct, factors), Table::new(vec![[0.0]], 0));
        let shape = DenseShape { inputs: 2 * width };
        // All buckets begin alike.
        let mut layers = vec![[0.0; HIDDEN]; shape.rows()];
        for (row, values) in layers.iter_mut().enumerate() {
            let spread = match row {
                row if row < shape.inputs => (3.0 / shape.inputs as f32).sqrt(),
                row if (shape.layer2()..shape.bias2()).contains(&row) => (3.0 / HIDDEN as f32).sqrt(),
                row if row == shape.output() => 0.2,
                _ => 0.0,
            };
            *values = std::array::from_fn(|_| random.uniform(spread.min(WEIGHT_LIMIT)));
        }
        layers[shape.bias1()] = [0.3; HIDDEN];
        layers[shape.bias2()] = [0.3; HIDDEN];
        let dense = Dense::new(shape, layers.repeat(outputs));
        Trainer { slices, direct, dense, step: 0, threads, chunks: Vec::new(), gradients: Vec::new() }
    }

    /// The columns of an accumulator.
    pub(super) fn width(&self) -> usize {
        self.slices.len() * COLUMNS
    }

    /// Reads the examples of these numbers.
    fn load(&mut self, examples: &dyn Examples, numbers: &[usize]) -> Result<(), DataSetError> {
        self.chunks.resize_with(numbers.len().div_ceil(CHUNK), Chunk::default);
        let tasks = self.chunks.iter_mut().zip(numbers.chunks(CHUNK)).collect();
        let read = |(chunk, numbers): (&mut Chunk, &[usize]), failed: &mut Option<DataSetError>| {
            chunk.clear();
            let mut example = Example::default();
            for &number in numbers {
                match examples.read(number, &mut example) {
                    Ok(()) => chunk.push(&example),
                    Err(error) => return *failed = Some(error),
                }
            }
        };
        fold(self.threads, tasks, read).into_iter().flatten().next().map_or(Ok(()), Err)
    }

    /// The figures of the loaded positions; with `learn` also all gradients.
    fn pass(&mut self, learn: bool) -> Metrics {
        let (chunks, dense) = (&self.chunks, &self.dense);
        sum_all(self.threads, &mut self.slices, &mut self.direct, chunks);
        let rows = if learn { dense.rows.len() } else { 0 };
        self.gradients.resize_with(chunks.len(), Vec::new);
        let mut metrics = vec![Metrics::default(); chunks.len()];
        let mut parts: Vec<_> = self.slices.iter_mut().map(|slice| slice.sums.chunks_mut(CHUNK)).collect();
        let mut direct = self.direct.sums.chunks_mut(CHUNK);
        let mut tasks = Vec::with_capacity(chunks.len());
        for ((chunk, metrics), gradient) in chunks.iter().zip(&mut metrics).zip(&mut self.gradients) {
            let sums = parts.iter_mut().filter_map(Iterator::next).collect();
            let Some(direct) = direct.next() else { break };
            gradient.resize(rows, [0.0; HIDDEN]);
            let gradient = learn.then_some(&mut gradient[..]);
            tasks.push(Layers { dense, chunk, sums, direct, gradient, metrics });
        }
        fold(self.threads, tasks, |layers, (): &mut ()| kernel::run(layers));
        let mut all = Metrics::default();
        metrics.iter().for_each(|part| all.add(part));
        all
    }

    /// Learns the examples of these numbers.
    pub(super) fn learn(
        &mut self,
        examples: &dyn Examples,
        numbers: &[usize],
        options: StepOptions,
    ) -> Result<Metrics, DataSetError> {
        self.load(examples, numbers)?;
        let metrics = self.pass(true);
        // Weights that decay are those of the inputs: a rare one is held near its factor, and all near nothing.
        let inputs = &Adam::new(self.step, options, numbers.len());
        let adam = &Adam::new(self.step, StepOptions { decay: 0.0, ..options }, numbers.len());
        let mut gradient = std::mem::take(&mut self.gradients[0]);
        for part in &self.gradients[1..] {
            for (sum, row) in gradient.iter_mut().zip(part) {
                for l in 0..HIDDEN {
                    sum[l] += row[l];
                }
            }
        }
        self.dense.update(adam, &gradient);
        self.gradients[0] = gradient;
        let chunks = &self.chunks;
        let tasks = self.slices.iter_mut().map(Some).chain([None]).collect();
        let direct = std::sync::Mutex::new(&mut self.direct);
        fold(self.threads, tasks, |slice: Option<&mut Slice<COLUMNS>>, (): &mut ()| match slice {
            Some(slice) => kernel::run(UpdateRows { slice, chunks, inputs, biases: adam, limit: INPUT_LIMIT }),
            None => {
                let mut direct = direct.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                kernel::run(UpdateRows { slice: &mut direct, chunks, inputs: adam, biases: adam, limit: DIRECT_LIMIT });
            }
        });
        self.step += 1;
        Ok(metrics)
    }

    /// The figures of the examples of these numbers.
    pub(super) fn evaluate(&mut self, examples: &dyn Examples, numbers: &[usize]) -> Result<Metrics, DataSetError> {
        let mut all = Metrics::default();
        for numbers in numbers.chunks(16 * CHUNK) {
            self.load(examples, numbers)?;
            all.add(&self.pass(false));
        }
        Ok(all)
    }
}

fn sum_all(threads: usize, slices: &mut [Slice<COLUMNS>], direct: &mut Slice<1>, chunks: &[Chunk]) {
    let direct = std::sync::Mutex::new(direct);
    let tasks = slices.iter_mut().map(Some).chain([None]).collect();
    fold(threads, tasks, |slice: Option<&mut Slice<COLUMNS>>, (): &mut ()| match slice {
        Some(slice) => kernel::run(SumRows(slice, chunks)),
        None => {
            let mut direct = direct.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            kernel::run(SumRows(&mut direct, chunks));
        }
    });
}

impl Trainer {
    /// Computes everything that follows from the weights, after they were replaced.
    pub(super) fn refresh(&mut self) {
        for slice in &mut self.slices {
            slice.table.refresh();
            slice.bias.refresh();
        }
        self.direct.table.refresh();
        self.direct.bias.refresh();
        self.dense.transpose();
    }
}
