//! The convolution with products in bfloat16. Transforms and sums are in single precision.
//!
//! The points are those of `transform::bf16_*`, which lose half as much by rounding as those of single precision.

use super::transform::{self, POINTS};
use super::{PointSet, Scratch, Target, Tiling, point_stride, transform_input, transform_output};
use crate::half::to_bf16;
use crate::kernel::pairs::{COLUMNS, HalfBlock, PairBlock, PairGemm, PairKernel, Pairs};
use crate::kernel::{Block, Epilogue, LANES, Simd, blocks, reserve};

/// Filters at the points, for each panel of columns and each point a matrix of inputs × outputs.
#[derive(Clone, Debug)]
pub(crate) struct Bf16Filters {
    /// Rows of a matrix, in blocks.
    inputs: usize,
    /// Columns of a matrix, in blocks.
    outputs: usize,
    data: Vec<PairBlock>,
}

impl Bf16Filters {
    /// Transforms 3×3 filters, outputs × inputs × 9.
    pub(crate) fn new(weights: &[f32], inputs: usize, outputs: usize) -> Bf16Filters {
        let mut filters = Bf16Filters { inputs: blocks(inputs), outputs: blocks(outputs), data: Vec::new() };
        let panels = filters.outputs.div_ceil(COLUMNS);
        filters.data.resize(panels * POINTS * filters.length(), PairBlock::default());
        for output in 0..outputs {
            for input in 0..inputs {
                let taps = &weights[(output * inputs + input) * 9..][..9];
                let values = transform::bf16_filter(std::array::from_fn(|y| std::array::from_fn(|x| taps[y * 3 + x])));
                let (panel, column) = (output / LANES / COLUMNS, output / LANES % COLUMNS);
                for (point, value) in values.as_flattened().iter().enumerate() {
                    let slot = (panel * POINTS + point) * filters.length() + input / 2 * COLUMNS + column;
                    filters.data[slot].0[output % LANES] |= u32::from(to_bf16(*value)) << (input % 2 * 16);
                }
            }
        }
        filters
    }

    /// Blocks of a panel of a matrix.
    fn length(&self) -> usize {
        self.inputs * LANES / 2 * COLUMNS
    }

    /// A panel of a matrix, and the one that is stored after it.
    fn panel(&self, point: usize, panel: usize) -> (&[PairBlock], &[PairBlock]) {
        let (this, rest) = self.data[(panel * POINTS + point) * self.length()..].split_at(self.length());
        (this, rest.get(..self.length()).unwrap_or_default())
    }
}

/// The points of bfloat16.
#[derive(Clone, Copy)]
struct Bf16Points<P>(P);

/// A vector in the single precision of an instruction set.
type V<P> = <<P as Pairs>::Single as Simd>::V;

impl<P: Pairs> PointSet<P::Single> for Bf16Points<P> {
    type Point = HalfBlock;

    #[inline(always)]
    fn input(self, tile: &[[V<P>; 5]; 5]) -> [[V<P>; 5]; 5] {
        transform::bf16_input(self.0.single(), tile)
    }

    #[inline(always)]
    fn store(self, value: V<P>, point: &mut HalfBlock) {
        self.0.narrow(value, point);
    }

    #[inline(always)]
    fn output(self, products: &[[V<P>; 5]; 5]) -> [[V<P>; 3]; 3] {
        transform::bf16_output(self.0.single(), products)
    }
}

/// `output = input ∗ filters` with an epilogue, for so many boards.
pub(crate) fn convolve_bf16<P: Pairs>(
    pairs: P,
    tiling: &Tiling,
    filters: &Bf16Filters,
    (input, output): (&[Block], &mut [Block]),
    epilogue: Epilogue<'_>,
    scratch: &mut Scratch,
) {
    let chunk = tiling.chunk(filters.inputs);
    let inputs = input.chunks(chunk * tiling.squares * filters.inputs);
    for (input, output) in inputs.zip(output.chunks_mut(chunk * tiling.squares * filters.outputs)) {
        pairs.run(Bf16Forward { tiling, filters, input, output, epilogue, scratch });
    }
}

/// The convolution of one chunk.
struct Bf16Forward<'a> {
    tiling: &'a Tiling,
    filters: &'a Bf16Filters,
    input: &'a [Block],
    output: &'a mut [Block],
    epilogue: Epilogue<'a>,
    scratch: &'a mut Scratch,
}

impl PairKernel for Bf16Forward<'_> {
    #[inline(always)]
    fn run<P: Pairs>(self, pairs: P) {
        let Bf16Forward { tiling, filters, input, output, epilogue, scratch } = self;
        let (inputs, outputs, simd) = (filters.inputs, filters.outputs, pairs.single());
        let rows = input.len() / (tiling.squares * inputs) * tiling.tiles.len();
        let (stride, product_stride) = (point_stride(rows, inputs), point_stride(rows, COLUMNS));
        if scratch.halves.len() < POINTS * stride {
            scratch.halves.resize(POINTS * stride, HalfBlock::default());
        }
        let points = &mut scratch.halves[..POINTS * stride];
        let products = reserve(&mut scratch.products, POINTS * product_stride);
        transform_input(simd, tiling, inputs, input, points, Bf16Points(pairs));
        for panel in 0..outputs.div_ceil(COLUMNS) {
            let results = products.chunks_exact_mut(product_stride);
            for (point, (left, result)) in points.chunks_exact(stride).zip(results).enumerate() {
                let (right, next) = filters.panel(point, panel);
                pairs.run(PairGemm { left, inputs, right, next, rows, result });
            }
            let first = panel * COLUMNS;
            let bias = epilogue.bias.get(first..).unwrap_or_default();
            let target = Target { output, stride: outputs, first, count: (outputs - first).min(COLUMNS) };
            let epilogue = Epilogue { bias, ..epilogue };
            transform_output(simd, tiling, (products, COLUMNS), target, epilogue, Bf16Points(pairs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::pairs::portable::PortablePairs;
    use crate::kernel::reference::{Convolution, close, numbers, pad_rows, strip_rows};
    use crate::kernel::to_blocks;
    use crate::random::Random;

    #[test]
    fn convolutions_are_near_the_definition_and_the_same_with_and_without_instructions() {
        let mut random = Random::new(7);
        for _ in 0..12 {
            let (height, width) = (1 + random.below(10), 1 + random.below(10));
            let (inputs, outputs, boards) = (1 + random.below(70), 1 + random.below(70), 1 + random.below(4));
            let shape = Convolution { height, width, inputs, outputs };
            let tiling = Tiling::new(height, width);
            let rows = boards * height * width;
            let input = numbers(&mut random, rows * inputs);
            let weights = numbers(&mut random, inputs * outputs * 9);
            let (bias, before) = (numbers(&mut random, outputs), numbers(&mut random, rows * outputs));
            let (add, relu) = (random.below(2) == 0, random.below(2) == 0);
            let filters = Bf16Filters::new(&weights, inputs, outputs);
            let (padded, bias_blocks) = (pad_rows(&input, inputs), to_blocks(&bias));
            let epilogue = Epilogue { bias: &bias_blocks, add, relu };
            let mut output = pad_rows(&before, outputs);
            let mut scratch = Scratch::default();
            convolve_bf16(PortablePairs, &tiling, &filters, (&padded, &mut output), epilogue, &mut scratch);
            let found = strip_rows(&output, outputs);
            let expected = shape.forward(&input, &weights);
            let deviation = (found.iter().enumerate())
                .map(|(i, found)| {
                    let former = if add { f64::from(before[i]) } else { 0.0 };
                    let sum = expected[i] + f64::from(bias[i % outputs]) + former;
                    (f64::from(*found) - if relu { sum.max(0.0) } else { sum }).powi(2)
                })
                .sum::<f64>();
            let whole = expected.iter().map(|sum| sum * sum).sum::<f64>();
            assert!((deviation / whole).sqrt() < 0.02, "{inputs} to {outputs}: {deviation} of {whole}");
            #[cfg(target_arch = "x86_64")]
            if let Some(pairs) = crate::kernel::Avx512Bf16::detect() {
                let mut output = pad_rows(&before, outputs);
                convolve_bf16(pairs, &tiling, &filters, (&padded, &mut output), epilogue, &mut scratch);
                // A sum that is rounded differently in front of the narrowing may end at the neighbouring number.
                let tolerance = 2e-3 * (9.0 * inputs as f64).sqrt();
                for (found, portable) in strip_rows(&output, outputs).into_iter().zip(found) {
                    close(found, f64::from(portable), tolerance);
                }
            }
        }
    }
}
