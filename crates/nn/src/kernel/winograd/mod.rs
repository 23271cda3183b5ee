//! 3×3 convolutions with padding 1 by Winograd's minimal filtering (Lavin and Gray, "Fast algorithms for
//! convolutional neural networks", 2016).
//!
//! A board is covered by tiles of 3×3 outputs, 9×9 squares exactly. Each tile is transformed to 25 points; at each
//! point the convolution is a matrix product over the channels. That takes 25 multiplications instead of 81.

mod backward;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod bf16;
mod filter;
mod transform;

use super::pairs::HalfBlock;
use super::{Block, Epilogue, InstructionSet, Kernel, Packed, Simd, gemm::Gemm, reserve};
pub(crate) use backward::{OutputGradient, backward};
#[cfg(target_arch = "x86_64")]
pub(crate) use bf16::{Bf16Filters, convolve_bf16};
pub(crate) use filter::{filter_gradient, pack_filters};
pub(crate) use transform::POINTS;

/// So much memory may the transformed inputs of a chunk of boards need: half of a common level-2 cache.
const CHUNK_BYTES: usize = 1 << 20;
/// Most boards in a chunk.
const CHUNK_BOARDS: usize = 16;
/// The number of a square that is not on the board.
const OUTSIDE: usize = usize::MAX;

/// How a board is covered by tiles.
#[derive(Clone, Debug)]
pub(crate) struct Tiling {
    /// Squares of a board.
    pub(crate) squares: usize,
    /// For each tile the 5×5 squares it reads; the inner 3×3 are those it writes.
    tiles: Vec<[[usize; 5]; 5]>,
}

impl Tiling {
    /// The tiles of a board.
    pub(crate) fn new(height: usize, width: usize) -> Tiling {
        let square = |y: usize, x: usize| {
            let inside = (1..=height).contains(&y) && (1..=width).contains(&x);
            if inside { (y - 1) * width + x - 1 } else { OUTSIDE }
        };
        let tile = |y: usize, x: usize| std::array::from_fn(|dy| std::array::from_fn(|dx| square(y + dy, x + dx)));
        let rows = (0..height).step_by(3);
        let tiles = rows.flat_map(|y| (0..width).step_by(3).map(move |x| (y, x))).map(|(y, x)| tile(y, x)).collect();
        Tiling { squares: height * width, tiles }
    }

    /// How many boards are transformed at a time.
    pub(crate) fn chunk(&self, channel_blocks: usize) -> usize {
        let board = POINTS * self.tiles.len() * channel_blocks * size_of::<Block>();
        (CHUNK_BYTES / board).clamp(1, CHUNK_BOARDS)
    }
}

/// Buffers of a convolution, reused from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    inputs: Vec<Block>,
    products: Vec<Block>,
    gradients: Vec<Block>,
    halves: Vec<HalfBlock>,
}

/// The distance of two points in a transformed buffer. The extra block keeps equal tiles of different points out of
/// the same cache set.
const fn point_stride(rows: usize, blocks: usize) -> usize {
    rows * blocks + 1
}

/// `output = input ∗ weights` with an epilogue, for so many boards.
pub(crate) fn convolve(
    isa: InstructionSet,
    tiling: &Tiling,
    weights: &Packed,
    (input, output): (&[Block], &mut [Block]),
    epilogue: Epilogue<'_>,
    scratch: &mut Scratch,
) {
    let chunk = tiling.chunk(weights.inputs);
    let inputs = input.chunks(chunk * tiling.squares * weights.inputs);
    for (input, output) in inputs.zip(output.chunks_mut(chunk * tiling.squares * weights.outputs)) {
        isa.run(Forward { tiling, weights, input, output, epilogue, scratch });
    }
}

/// The convolution of one chunk.
struct Forward<'a> {
    tiling: &'a Tiling,
    weights: &'a Packed,
    input: &'a [Block],
    output: &'a mut [Block],
    epilogue: Epilogue<'a>,
    scratch: &'a mut Scratch,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Forward { tiling, weights, input, output, epilogue, scratch } = self;
        let rows = input.len() / (tiling.squares * weights.inputs) * tiling.tiles.len();
        let (stride, product_stride) = (point_stride(rows, weights.inputs), point_stride(rows, S::COLUMNS));
        let points = reserve(&mut scratch.inputs, POINTS * stride);
        let products = reserve(&mut scratch.products, POINTS * product_stride);
        transform_input(simd, tiling, weights.inputs, input, points, SinglePoints(simd));
        for panel in 0..weights.panels() {
            multiply(simd, points, weights, panel, rows, products);
            let first = panel * S::COLUMNS;
            let bias = epilogue.bias.get(first..).unwrap_or_default();
            let target = Target { output, stride: weights.outputs, first, count: weights.real_columns(panel) };
            let epilogue = Epilogue { bias, ..epilogue };
            transform_output(simd, tiling, (products, S::COLUMNS), target, epilogue, SinglePoints(simd));
        }
    }
}

/// The matrix products of one panel at every point.
#[inline(always)]
fn multiply<S: Simd>(simd: S, points: &[Block], weights: &Packed, panel: usize, rows: usize, products: &mut [Block]) {
    let stride = point_stride(rows, weights.inputs);
    let products = products.chunks_exact_mut(point_stride(rows, S::COLUMNS));
    for (point, (left, result)) in points.chunks_exact(stride).zip(products).enumerate() {
        simd.run(Gemm {
            left,
            left_stride: weights.inputs,
            right: weights.panel(point, panel),
            next: weights.following(point, panel),
            rows,
            result,
            result_stride: S::COLUMNS,
            columns: S::COLUMNS,
            epilogue: Epilogue::default(),
        });
    }
}

/// The points of the transforms, and how the inputs are stored there.
trait PointSet<S: Simd>: Copy {
    type Point;
    fn input(self, tile: &[[S::V; 5]; 5]) -> [[S::V; 5]; 5];
    fn store(self, value: S::V, point: &mut Self::Point);
    fn output(self, products: &[[S::V; 5]; 5]) -> [[S::V; 3]; 3];
}

/// Those of single precision.
#[derive(Clone, Copy)]
struct SinglePoints<S>(S);

impl<S: Simd> PointSet<S> for SinglePoints<S> {
    type Point = Block;

    #[inline(always)]
    fn input(self, tile: &[[S::V; 5]; 5]) -> [[S::V; 5]; 5] {
        transform::input(self.0, tile)
    }

    #[inline(always)]
    fn store(self, value: S::V, point: &mut Block) {
        self.0.store(value, point);
    }

    #[inline(always)]
    fn output(self, products: &[[S::V; 5]; 5]) -> [[S::V; 3]; 3] {
        transform::output(self.0, products)
    }
}

/// Transforms every tile of the input: `points` is points × tiles of all boards × channels.
#[inline(always)]
fn transform_input<S: Simd, T: PointSet<S>>(
    simd: S,
    tiling: &Tiling,
    channels: usize,
    input: &[Block],
    points: &mut [T::Point],
    set: T,
) {
    let boards = input.chunks_exact(tiling.squares * channels);
    let stride = point_stride(boards.len() * tiling.tiles.len(), channels);
    let zeros = [Block::ZERO; 32];
    for (b, board) in boards.enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let row = (b * tiling.tiles.len() + t) * channels;
            // Channels by the length of `zeros`, which stands for the squares outside.
            for first in (0..channels).step_by(zeros.len()) {
                let count = (channels - first).min(zeros.len());
                let mut squares = [[&zeros[..count]; 5]; 5];
                for (from, to) in tile.as_flattened().iter().zip(squares.as_flattened_mut()) {
                    if *from != OUTSIDE {
                        *to = &board[from * channels + first..][..count];
                    }
                }
                let mut rest = points.chunks_exact_mut(stride);
                let targets: [&mut [T::Point]; POINTS] = std::array::from_fn(|_| {
                    rest.next().map_or_else(Default::default, |point| &mut point[row + first..][..count])
                });
                for c in 0..count {
                    let mut values = [[simd.splat(0.0); 5]; 5];
                    for y in 0..5 {
                        for x in 0..5 {
                            values[y][x] = simd.load(&squares[y][x][c]);
                        }
                    }
                    let values = set.input(&values);
                    for y in 0..5 {
                        for x in 0..5 {
                            set.store(values[y][x], &mut targets[y * 5 + x][c]);
                        }
                    }
                }
            }
        }
    }
}

/// The part of the channels that the products of one panel belong to.
struct Target<'a> {
    output: &'a mut [Block],
    /// Channels of a square, in blocks.
    stride: usize,
    first: usize,
    count: usize,
}

/// Transforms the products of one panel back and stores the squares on the board.
#[inline(always)]
fn transform_output<S: Simd>(
    simd: S,
    tiling: &Tiling,
    (products, columns): (&[Block], usize),
    target: Target<'_>,
    epilogue: Epilogue<'_>,
    set: impl PointSet<S>,
) {
    let floor = simd.splat(epilogue.floor());
    let mut bias = [simd.splat(0.0); 2];
    for (bias, block) in bias.iter_mut().zip(epilogue.bias) {
        *bias = simd.load(block);
    }
    let boards = target.output.chunks_exact_mut(tiling.squares * target.stride);
    let stride = point_stride(boards.len() * tiling.tiles.len(), columns);
    for (b, board) in boards.enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let row = (b * tiling.tiles.len() + t) * columns;
            for n in 0..target.count {
                let mut values = [[simd.splat(0.0); 5]; 5];
                for y in 0..5 {
                    for x in 0..5 {
                        values[y][x] = simd.load(&products[(y * 5 + x) * stride + row + n]);
                    }
                }
                let values = set.output(&values);
                for y in 0..3 {
                    for x in 0..3 {
                        let square = tile[y + 1][x + 1];
                        if square == OUTSIDE {
                            continue;
                        }
                        let slot = &mut board[square * target.stride + target.first + n];
                        let mut value = simd.add(values[y][x], bias[n]);
                        if epilogue.add {
                            value = simd.add(value, simd.load(slot));
                        }
                        simd.store(simd.max(value, floor), slot);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::reference::{Convolution, available, close, numbers, pad_rows, strip_rows};
    use crate::kernel::{blocks, to_blocks};
    use crate::random::Random;

    /// A random shape with boards that fill chunks of every kind.
    fn shape(random: &mut Random) -> (Convolution, usize) {
        let (height, width) = (1 + random.below(10), 1 + random.below(10));
        let (inputs, outputs) = (1 + random.below(70), 1 + random.below(70));
        (Convolution { height, width, inputs, outputs }, 1 + random.below(4))
    }

    #[test]
    fn convolutions_agree_with_the_definition_on_every_instruction_set() {
        let mut random = Random::new(3);
        for isa in available() {
            for _ in 0..12 {
                let (shape, boards) = shape(&mut random);
                let tiling = Tiling::new(shape.height, shape.width);
                let rows = boards * shape.height * shape.width;
                let input = numbers(&mut random, rows * shape.inputs);
                let weights = numbers(&mut random, shape.inputs * shape.outputs * 9);
                let (bias, before) = (numbers(&mut random, shape.outputs), numbers(&mut random, rows * shape.outputs));
                let (add, relu) = (random.below(2) == 0, random.below(2) == 0);
                let expected = shape.forward(&input, &weights);
                let packed = pack_filters(isa, &weights, (shape.inputs, shape.outputs), (9, shape.inputs * 9));
                let mut output = pad_rows(&before, shape.outputs);
                let epilogue = Epilogue { bias: &to_blocks(&bias), add, relu };
                let padded = pad_rows(&input, shape.inputs);
                convolve(isa, &tiling, &packed, (&padded, &mut output), epilogue, &mut Scratch::default());
                for (i, found) in strip_rows(&output, shape.outputs).into_iter().enumerate() {
                    let sum =
                        expected[i] + f64::from(bias[i % shape.outputs]) + if add { f64::from(before[i]) } else { 0.0 };
                    close(found, if relu { sum.max(0.0) } else { sum }, 1e-4);
                }
            }
        }
    }

    #[test]
    fn boards_do_not_depend_on_the_chunk_they_are_in() {
        let mut random = Random::new(4);
        let (boards, channels) = (37, 40);
        let tiling = Tiling::new(9, 9);
        let input = pad_rows(&numbers(&mut random, boards * 81 * channels), channels);
        for isa in available() {
            let weights = numbers(&mut random, channels * channels * 9);
            let packed = pack_filters(isa, &weights, (channels, channels), (9, channels * 9));
            let mut all = vec![Block::ZERO; input.len()];
            let mut scratch = Scratch::default();
            convolve(isa, &tiling, &packed, (&input, &mut all), Epilogue::default(), &mut scratch);
            let board = 81 * blocks(channels);
            for (input, expected) in input.chunks(board).zip(all.chunks(board)) {
                let mut alone = vec![Block::ZERO; board];
                convolve(isa, &tiling, &packed, (input, &mut alone), Epilogue::default(), &mut scratch);
                assert_eq!(alone, expected);
            }
        }
    }

    #[test]
    fn gradients_agree_with_the_definition_on_every_instruction_set() {
        let mut random = Random::new(5);
        for isa in available() {
            for _ in 0..12 {
                let (shape, boards) = shape(&mut random);
                let tiling = Tiling::new(shape.height, shape.width);
                let rows = boards * shape.height * shape.width;
                let input = numbers(&mut random, rows * shape.inputs);
                let weights = numbers(&mut random, shape.inputs * shape.outputs * 9);
                let (g, y) = (numbers(&mut random, rows * shape.outputs), numbers(&mut random, rows * shape.outputs));
                let before = numbers(&mut random, rows * shape.inputs);
                let [a, b, c] = std::array::from_fn(|_| numbers(&mut random, shape.outputs));
                let output_gradient: Vec<f32> = (0..g.len())
                    .map(|i| (i, i % shape.outputs))
                    .map(|(i, o)| a[o] * g[i] + b[o] * y[i] + c[o])
                    .collect();
                let (d_input, d_weights) = shape.backward(&input, &weights, &output_gradient);
                let packed = pack_filters(isa, &weights, (shape.outputs, shape.inputs), (shape.inputs * 9, 9));
                let (g, y) = (pad_rows(&g, shape.outputs), pad_rows(&y, shape.outputs));
                let (a, b, c) = (to_blocks(&a), to_blocks(&b), to_blocks(&c));
                let gradient = OutputGradient { g: &g, y: &y, a: &a, b: &b, c: &c };
                let mut found = pad_rows(&before, shape.inputs);
                let size = POINTS * blocks(shape.inputs) * 16 * blocks(shape.outputs);
                let mut points = vec![Block::ZERO; size];
                let add = random.below(2) == 0;
                let padded = pad_rows(&input, shape.inputs);
                let target = Some((found.as_mut_slice(), add));
                backward(isa, &tiling, &packed, &padded, gradient, target, &mut points, &mut Scratch::default());
                for (i, found) in strip_rows(&found, shape.inputs).into_iter().enumerate() {
                    // Rounding grows with the number of terms and with the factors of the transforms.
                    let tolerance = 2e-5 * (9.0 * shape.outputs as f64).sqrt();
                    close(found, d_input[i] + if add { f64::from(before[i]) } else { 0.0 }, tolerance);
                }
                let mut found = vec![0.0; weights.len()];
                filter_gradient(isa, &points, (shape.inputs, shape.outputs), &mut found);
                for (found, expected) in found.into_iter().zip(d_weights) {
                    close(found, expected, 2e-5 * (rows as f64).sqrt());
                }
            }
        }
    }
}
