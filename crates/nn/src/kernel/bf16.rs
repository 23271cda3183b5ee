//! The trunk of a network in bfloat16, for inference on processors with a matrix unit.
//!
//! Convolutions are direct: a matrix product for each of the nine taps. Boards are stored with one column of zeros after
//! each row and one row of zeros after each board, which are the borders of their neighbours as well. So a tap is a fixed
//! distance for every square. Products are summed in single precision, and so are the inputs of residual blocks.

use super::amx::{Amx, PRODUCT_ROWS, RIGHT_BLOCKS, TILE_ROWS};
use super::{Block, InstructionSet, Kernel, LANES, Simd, blocks, to_blocks};
use crate::half::to_bf16;
use crate::network::Network;

/// Numbers of a [`Bf16Block`].
pub(super) const WIDE: usize = 32;
const TAPS: usize = 9;
/// The number of a place that is not on a board.
const OUTSIDE: usize = usize::MAX;

/// Numbers in bfloat16 in one cache line.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Bf16Block([u16; WIDE]);

impl Bf16Block {
    const ZERO: Bf16Block = Bf16Block([0; WIDE]);
}

/// The convolutions of a network, with their batch norms folded in.
#[derive(Clone, Debug)]
pub(crate) struct Bf16Trunk {
    amx: Amx,
    planes: usize,
    channels: usize,
    /// Squares of a board.
    squares: usize,
    /// The square at each place of a board with its borders.
    places: Vec<usize>,
    /// Places from the first square of a neighbourhood to its middle.
    reach: usize,
    layers: Vec<Bf16Layer>,
}

#[derive(Clone, Debug)]
struct Bf16Layer {
    /// Input blocks of a place.
    inputs: usize,
    /// For each pair of blocks of outputs the steps of the product.
    weights: Vec<Bf16Block>,
    /// The first block of the left matrix in each step.
    steps: Vec<usize>,
    bias: Vec<Block>,
    /// Adds the single-precision output of two layers ago.
    add: bool,
    /// Keeps the output in single precision, too.
    keep: bool,
}

/// The activations of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bf16Scratch {
    buffers: [Vec<Bf16Block>; 2],
}

impl Bf16Trunk {
    /// Prepares a network; `None` without AMX.
    pub(crate) fn new(network: &Network) -> Option<Bf16Trunk> {
        let amx = Amx::detect()?;
        let (encoding, architecture) = (network.encoding(), network.architecture());
        let (height, width, channels) = (encoding.height, encoding.width, architecture.channels);
        let place = |p: usize| {
            let (y, x) = (p / (width + 1), p % (width + 1));
            if y < height && x < width { y * width + x } else { OUTSIDE }
        };
        let count = architecture.convolutions();
        let layer = |layer: usize| {
            let inputs = if layer == 0 { encoding.planes } else { channels };
            let (weights, bias) = network.folded(network.layer(layer));
            let blocks = inputs.div_ceil(WIDE);
            let tap = |tap: usize| (tap / 3 * (width + 1) + tap % 3) * blocks;
            Bf16Layer {
                inputs: blocks,
                weights: pack(&weights, inputs, channels),
                steps: (0..TAPS)
                    .flat_map(|t| (0..blocks).map(move |block| (t, block)))
                    .map(|(t, b)| tap(t) + b)
                    .collect(),
                bias: to_blocks(&bias),
                add: network.ends_block(layer),
                // The inputs of residual blocks, and what the heads read.
                keep: layer + 1 == count || layer + 2 < count && network.ends_block(layer + 2),
            }
        };
        Some(Bf16Trunk {
            amx,
            planes: encoding.planes,
            channels,
            squares: encoding.squares(),
            places: (0..(height + 1) * (width + 1)).map(place).collect(),
            reach: width + 2,
            layers: (0..count).map(layer).collect(),
        })
    }

    /// Evaluates the trunk for the planes of some boards, squares × channels, and writes its output in the same form.
    pub(crate) fn forward(&self, input: &[Block], output: &mut [Block], scratch: &mut Bf16Scratch) {
        let boards = output.len() / (self.squares * blocks(self.channels));
        let places = boards * self.places.len();
        // Zeros before the first board, and whole products after the last one.
        let rows = places.next_multiple_of(PRODUCT_ROWS) + 2 * self.reach;
        let widest = self.layers.iter().map(|layer| layer.inputs).max().unwrap_or(1).max(self.channels.div_ceil(WIDE));
        let [from, to] = &mut scratch.buffers;
        for buffer in [&mut *from, &mut *to] {
            buffer.resize(rows * widest, Bf16Block::ZERO);
        }
        from.fill(Bf16Block::ZERO);
        InstructionSet::Avx512.run(Narrow { trunk: self, input, output: &mut *from });
        let (mut from, mut to) = (from, to);
        for layer in &self.layers {
            // The borders of the planes have another distance.
            to.fill(Bf16Block::ZERO);
            InstructionSet::Avx512.run(Convolve {
                trunk: self,
                layer,
                input: from,
                output: to,
                single: output,
                places,
            });
            std::mem::swap(&mut from, &mut to);
        }
    }
}

/// The weights of 3×3 filters, outputs × inputs × 9, as the right matrices of products.
fn pack(weights: &[f32], inputs: usize, outputs: usize) -> Vec<Bf16Block> {
    let (wide, pairs) = (inputs.div_ceil(WIDE), outputs.div_ceil(WIDE));
    let mut packed = vec![Bf16Block::ZERO; pairs * TAPS * wide * RIGHT_BLOCKS];
    for output in 0..outputs {
        for input in 0..inputs {
            for tap in 0..TAPS {
                let step = (output / WIDE * TAPS + tap) * wide + input / WIDE;
                let row = output % WIDE / LANES * TILE_ROWS + input % WIDE / 2;
                let column = output % LANES * 2 + input % 2;
                packed[step * RIGHT_BLOCKS + row].0[column] = to_bf16(weights[(output * inputs + input) * TAPS + tap]);
            }
        }
    }
    packed
}

/// Copies planes to a buffer with borders.
struct Narrow<'a> {
    trunk: &'a Bf16Trunk,
    input: &'a [Block],
    output: &'a mut [Bf16Block],
}

impl Kernel for Narrow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Narrow { trunk, input, output } = self;
        let (blocks, wide) = (blocks(trunk.planes), trunk.planes.div_ceil(WIDE));
        for (b, board) in input.chunks_exact(trunk.squares * blocks).enumerate() {
            for (p, &square) in trunk.places.iter().enumerate().filter(|(_, square)| **square != OUTSIDE) {
                let place = trunk.reach + b * trunk.places.len() + p;
                let source = board[square * blocks..][..blocks].iter().enumerate();
                for (c, block) in source {
                    narrow(block, c, &mut output[place * wide..][..wide]);
                }
            }
        }
    }
}

/// Rounds a block of channels.
#[inline(always)]
fn narrow(block: &Block, number: usize, place: &mut [Bf16Block]) {
    let half = &mut place[number / 2].0[number % 2 * LANES..][..LANES];
    for (half, x) in half.iter_mut().zip(block.0) {
        *half = to_bf16(x);
    }
}

/// One layer.
struct Convolve<'a> {
    trunk: &'a Bf16Trunk,
    layer: &'a Bf16Layer,
    input: &'a [Bf16Block],
    output: &'a mut [Bf16Block],
    single: &'a mut [Block],
    /// Places of all boards.
    places: usize,
}

impl Kernel for Convolve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Convolve { trunk, layer, input, output, single, places } = self;
        let (channels, wide) = (blocks(trunk.channels), trunk.channels.div_ceil(WIDE));
        let zero = simd.splat(0.0);
        let mut tiles = [Block::ZERO; 2 * PRODUCT_ROWS];
        let weights = layer.weights.chunks_exact(layer.steps.len() * RIGHT_BLOCKS);
        for (pair, weights) in weights.enumerate() {
            let own = pair * 2..(pair * 2 + 2).min(channels);
            for first in (0..places).step_by(PRODUCT_ROWS) {
                let left = &input[first * layer.inputs..];
                trunk.amx.product((left, layer.inputs), &layer.steps, weights, &mut tiles);
                for (row, place) in (first..places.min(first + PRODUCT_ROWS)).enumerate() {
                    let (board, square) = (place / trunk.places.len(), trunk.places[place % trunk.places.len()]);
                    if square == OUTSIDE {
                        continue;
                    }
                    let target = &mut output[(trunk.reach + place) * wide..][..wide];
                    let kept = &mut single[(board * trunk.squares + square) * channels..][..channels];
                    for block in own.clone() {
                        let tile = row / TILE_ROWS * 2 + block % 2;
                        let sum = simd.load(&tiles[tile * TILE_ROWS + row % TILE_ROWS]);
                        let mut sum = simd.add(sum, simd.load(&layer.bias[block]));
                        if layer.add {
                            sum = simd.add(sum, simd.load(&kept[block]));
                        }
                        let mut result = Block::ZERO;
                        simd.store(simd.max(sum, zero), &mut result);
                        if layer.keep {
                            kept[block] = result;
                        }
                        narrow(&result, block, target);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half::from_bf16;
    use crate::kernel::reference::{close, numbers};
    use crate::random::Random;

    #[test]
    fn products_agree_with_the_definition() {
        let Some(amx) = Amx::detect() else { return };
        let mut random = Random::new(6);
        for (steps, stride) in [(1, 1), (5, 3), (18, 2)] {
            let mut matrix = |count: usize| -> Vec<Bf16Block> {
                (0..count).map(|_| Bf16Block(std::array::from_fn(|_| to_bf16(numbers(&mut random, 1)[0])))).collect()
            };
            let (left, right) = (matrix(PRODUCT_ROWS * stride + 40), matrix(steps * RIGHT_BLOCKS));
            let starts: Vec<usize> = (0..steps).map(|step| step * 7 % 41).collect();
            let mut result = [Block([7.0; LANES]); 2 * PRODUCT_ROWS];
            amx.product((&left, stride), &starts, &right, &mut result);
            for (row, column) in (0..PRODUCT_ROWS).flat_map(|row| (0..WIDE).map(move |column| (row, column))) {
                let term = |step: usize, k: usize| {
                    let left = left[starts[step] + row * stride].0[k];
                    let line = step * RIGHT_BLOCKS + column / LANES * TILE_ROWS + k / 2;
                    let right = right[line].0[column % LANES * 2 + k % 2];
                    f64::from(from_bf16(left)) * f64::from(from_bf16(right))
                };
                let sum = (0..steps).map(|step| (0..WIDE).map(|k| term(step, k)).sum::<f64>()).sum::<f64>();
                let tile = row / TILE_ROWS * 2 + column / LANES;
                close(result[tile * TILE_ROWS + row % TILE_ROWS].0[column % LANES], sum, 1e-4);
            }
        }
    }
}
