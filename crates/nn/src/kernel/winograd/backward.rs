//! Gradients of a convolution: every step of the forward pass transposed.

use super::{OUTSIDE, POINTS, Scratch, SinglePoints, Tiling, multiply, point_stride, transform, transform_input};
use crate::kernel::gemm::Transposed;
use crate::kernel::{Block, InstructionSet, Kernel, LANES, Packed, Simd, reserve};

/// The gradient of the output: `a·g + b·y + c` with `a`, `b` and `c` per channel. So the backward pass of a batch norm
/// that follows needs no pass of its own.
#[derive(Clone, Copy)]
pub(crate) struct OutputGradient<'a> {
    pub(crate) g: &'a [Block],
    pub(crate) y: &'a [Block],
    pub(crate) a: &'a [Block],
    pub(crate) b: &'a [Block],
    pub(crate) c: &'a [Block],
}

/// The gradients of a convolution. `weights` are packed as outputs × inputs. The gradient of the filters is added to
/// `filters`, at the points: points × inputs × outputs. That of the input is stored, or added if `target.1` says so.
#[allow(clippy::too_many_arguments)]
pub(crate) fn backward(
    isa: InstructionSet,
    tiling: &Tiling,
    weights: &Packed,
    input: &[Block],
    gradient: OutputGradient<'_>,
    mut target: Option<(&mut [Block], bool)>,
    filters: &mut [Block],
    scratch: &mut Scratch,
) {
    let (inputs, outputs) = (weights.outputs * tiling.squares, weights.inputs * tiling.squares);
    let chunk = tiling.chunk(weights.inputs.max(weights.outputs));
    for (n, input) in input.chunks(chunk * inputs).enumerate() {
        let part = n * chunk * outputs..(n * chunk + input.len() / inputs) * outputs;
        let gradient = OutputGradient { g: &gradient.g[part.clone()], y: &gradient.y[part], ..gradient };
        let target = target.as_mut().map(|(all, add)| (&mut all[n * chunk * inputs..][..input.len()], *add));
        isa.run(Backward { tiling, weights, input, gradient, target, filters, scratch });
    }
}

/// The gradients of one chunk.
struct Backward<'a> {
    tiling: &'a Tiling,
    weights: &'a Packed,
    input: &'a [Block],
    gradient: OutputGradient<'a>,
    target: Option<(&'a mut [Block], bool)>,
    filters: &'a mut [Block],
    scratch: &'a mut Scratch,
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Backward { tiling, weights, input, gradient, target, filters, scratch } = self;
        let (inputs, outputs) = (weights.outputs, weights.inputs);
        let rows = input.len() / (tiling.squares * inputs) * tiling.tiles.len();
        let (stride, gradient_stride) = (point_stride(rows, inputs), point_stride(rows, outputs));
        let points = reserve(&mut scratch.inputs, POINTS * stride);
        let gradients = reserve(&mut scratch.gradients, POINTS * gradient_stride);
        transform_input(simd, tiling, inputs, input, points, SinglePoints(simd));
        transform_gradient(simd, tiling, outputs, gradient, gradients);
        let parts = filters.chunks_exact_mut(inputs * LANES * outputs);
        let pairs = points.chunks_exact(stride).zip(gradients.chunks_exact(gradient_stride));
        for ((left, right), result) in pairs.zip(parts) {
            simd.run(Transposed {
                left,
                left_stride: inputs,
                right,
                right_stride: outputs,
                depth: rows,
                left_columns: inputs,
                right_columns: outputs,
                result,
            });
        }
        let Some((target, add)) = target else { return };
        if !add {
            target.fill(Block::ZERO);
        }
        let products = reserve(&mut scratch.products, POINTS * point_stride(rows, S::COLUMNS));
        for panel in 0..weights.panels() {
            multiply(simd, gradients, weights, panel, rows, products);
            let channels = panel * S::COLUMNS..panel * S::COLUMNS + weights.real_columns(panel);
            add_input_gradient(simd, tiling, products, target, inputs, channels);
        }
    }
}

/// Transforms the gradient of every tile of the output to the points.
#[inline(always)]
fn transform_gradient<S: Simd>(
    simd: S,
    tiling: &Tiling,
    channels: usize,
    gradient: OutputGradient<'_>,
    points: &mut [Block],
) {
    let board = tiling.squares * channels;
    let boards = gradient.g.chunks_exact(board).zip(gradient.y.chunks_exact(board));
    let stride = point_stride(boards.len() * tiling.tiles.len(), channels);
    for (number, (g, y)) in boards.enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let row = (number * tiling.tiles.len() + t) * channels;
            for channel in 0..channels {
                let (a, b) = (simd.load(&gradient.a[channel]), simd.load(&gradient.b[channel]));
                let c = simd.load(&gradient.c[channel]);
                let mut values = [[simd.splat(0.0); 3]; 3];
                for dy in 0..3 {
                    for dx in 0..3 {
                        let square = tile[dy + 1][dx + 1];
                        if square != OUTSIDE {
                            let slot = square * channels + channel;
                            let constant = simd.fma(b, simd.load(&y[slot]), c);
                            values[dy][dx] = simd.fma(a, simd.load(&g[slot]), constant);
                        }
                    }
                }
                let values = transform::output_gradient(simd, &values);
                for dy in 0..5 {
                    for dx in 0..5 {
                        simd.store(values[dy][dx], &mut points[(dy * 5 + dx) * stride + row + channel]);
                    }
                }
            }
        }
    }
}

/// Transforms the gradients of one panel at the points back and adds them to the squares that the tiles read.
#[inline(always)]
fn add_input_gradient<S: Simd>(
    simd: S,
    tiling: &Tiling,
    products: &[Block],
    target: &mut [Block],
    channels: usize,
    panel: std::ops::Range<usize>,
) {
    let boards = target.chunks_exact_mut(tiling.squares * channels);
    let stride = point_stride(boards.len() * tiling.tiles.len(), S::COLUMNS);
    for (b, board) in boards.enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let row = (b * tiling.tiles.len() + t) * S::COLUMNS;
            for (n, channel) in panel.clone().enumerate() {
                let mut values = [[simd.splat(0.0); 5]; 5];
                for y in 0..5 {
                    for x in 0..5 {
                        values[y][x] = simd.load(&products[(y * 5 + x) * stride + row + n]);
                    }
                }
                let values = transform::input_gradient(simd, &values);
                for y in 0..5 {
                    for x in 0..5 {
                        if tile[y][x] != OUTSIDE {
                            let slot = &mut board[tile[y][x] * channels + channel];
                            simd.store(simd.add(simd.load(slot), values[y][x]), slot);
                        }
                    }
                }
            }
        }
    }
}
