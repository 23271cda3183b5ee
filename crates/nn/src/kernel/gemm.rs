//! Matrix products. The right matrix is packed in panels of one or two blocks of columns; a micro-kernel keeps a tile
//! of the result in registers (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008).

use super::{Block, InstructionSet, Kernel, LANES, Simd, blocks};

/// Right-hand matrices of a product, packed for one instruction set: for each panel of columns all matrices, each row
/// by row. Padded with zeros to whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// Rows of a matrix, in blocks.
    pub(crate) inputs: usize,
    /// Columns of a matrix, in blocks.
    pub(crate) outputs: usize,
    /// Columns of a panel, in blocks.
    pub(crate) columns: usize,
    matrices: usize,
    data: Vec<Block>,
}

impl Packed {
    /// Matrices of zeros with so many rows and columns.
    pub(crate) fn zeros(isa: InstructionSet, matrices: usize, inputs: usize, outputs: usize) -> Packed {
        let (inputs, outputs, columns) = (blocks(inputs), blocks(outputs), isa.columns());
        let length = outputs.div_ceil(columns) * columns * matrices * inputs * LANES;
        Packed { inputs, outputs, columns, matrices, data: vec![Block::ZERO; length] }
    }

    /// One matrix whose element (row, column) is `weights[row * strides.0 + column * strides.1]`.
    pub(crate) fn matrix(
        isa: InstructionSet,
        weights: &[f32],
        (inputs, outputs): (usize, usize),
        strides: (usize, usize),
    ) -> Packed {
        let mut packed = Packed::zeros(isa, 1, inputs, outputs);
        for row in 0..inputs {
            for block in 0..packed.outputs {
                let slot = packed.slot(0, row, block);
                let lanes = (outputs - block * LANES).min(LANES);
                for (lane, value) in packed.data[slot].0[..lanes].iter_mut().enumerate() {
                    *value = weights[row * strides.0 + (block * LANES + lane) * strides.1];
                }
            }
        }
        packed
    }

    /// Where the block of a matrix at a row and a block of columns is stored.
    #[inline]
    fn slot(&self, matrix: usize, row: usize, block: usize) -> usize {
        let (panel, column) = (block / self.columns, block % self.columns);
        ((panel * self.matrices + matrix) * self.inputs * LANES + row) * self.columns + column
    }

    /// The block of a matrix at a row and a block of columns.
    #[inline]
    pub(crate) fn block_mut(&mut self, matrix: usize, row: usize, block: usize) -> &mut Block {
        let slot = self.slot(matrix, row, block);
        &mut self.data[slot]
    }

    /// The number of panels.
    #[inline]
    pub(crate) fn panels(&self) -> usize {
        self.outputs.div_ceil(self.columns)
    }

    /// One panel of a matrix.
    #[inline]
    pub(crate) fn panel(&self, matrix: usize, panel: usize) -> &[Block] {
        let length = self.inputs * LANES * self.columns;
        &self.data[(panel * self.matrices + matrix) * length..][..length]
    }

    /// The panel that is stored after this one; empty after the last.
    #[inline]
    pub(crate) fn following(&self, matrix: usize, panel: usize) -> &[Block] {
        let length = self.inputs * LANES * self.columns;
        self.data
            .get((panel * self.matrices + matrix + 1) * length..)
            .and_then(|rest| rest.get(..length))
            .unwrap_or_default()
    }

    /// Real columns of a panel, in blocks.
    #[inline]
    pub(crate) fn real_columns(&self, panel: usize) -> usize {
        (self.outputs - panel * self.columns).min(self.columns)
    }
}

/// What happens to a result before it is stored.
#[derive(Clone, Copy, Default)]
pub(crate) struct Epilogue<'a> {
    /// Added to every row; nothing if empty.
    pub(crate) bias: &'a [Block],
    /// Adds the former content of the result.
    pub(crate) add: bool,
    /// Replaces negative results by zero, last of all.
    pub(crate) relu: bool,
}

impl Epilogue<'_> {
    /// The least result.
    #[inline(always)]
    pub(crate) fn floor(&self) -> f32 {
        if self.relu { 0.0 } else { f32::NEG_INFINITY }
    }
}

/// `result = left · right` with an epilogue. The rows of both begin `stride` blocks apart.
pub(crate) fn matmul(
    isa: InstructionSet,
    (left, left_stride): (&[Block], usize),
    right: &Packed,
    (result, result_stride): (&mut [Block], usize),
    rows: usize,
    epilogue: Epilogue<'_>,
) {
    for panel in 0..right.panels() {
        let first = panel * right.columns;
        isa.run(Gemm {
            left,
            left_stride,
            right: right.panel(0, panel),
            next: right.following(0, panel),
            rows,
            result: &mut result[first..],
            result_stride,
            columns: right.real_columns(panel),
            epilogue: Epilogue { bias: epilogue.bias.get(first..).unwrap_or_default(), ..epilogue },
        });
    }
}

/// The product with one panel.
pub(super) struct Gemm<'a> {
    pub(super) left: &'a [Block],
    pub(super) left_stride: usize,
    pub(super) right: &'a [Block],
    /// The panel that is needed next. It is prefetched, since small batches wait for the weights.
    pub(super) next: &'a [Block],
    pub(super) rows: usize,
    pub(super) result: &'a mut [Block],
    pub(super) result_stride: usize,
    /// Blocks of a row that are stored.
    pub(super) columns: usize,
    pub(super) epilogue: Epilogue<'a>,
}

impl Kernel for Gemm<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if S::COLUMNS == 1 { self.columns::<S, 1>(simd) } else { self.columns::<S, 2>(simd) }
    }
}

impl Gemm<'_> {
    #[inline(always)]
    fn columns<S: Simd, const N: usize>(mut self, simd: S) {
        let panels = self.rows.div_ceil(S::ROWS);
        let mut row = 0;
        // Tiles of nearly the same height: 18 rows are 9 + 9, not 14 + 4.
        for panel in 0..panels {
            let count = (self.rows - row).div_ceil(panels - panel);
            macro_rules! tiles {
                ($($rows:literal)*) => {
                    match count {
                        $($rows if $rows <= S::ROWS => self.tile::<S, $rows, N>(simd, row),)*
                        _ => unreachable!("a tile has 1 to ROWS rows"),
                    }
                };
            }
            tiles!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
            row += count;
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const R: usize, const N: usize>(&mut self, simd: S, first: usize) {
        let right = self.right.as_chunks::<N>().0.as_chunks::<LANES>().0;
        let next = if first == 0 { self.next.as_chunks::<N>().0.as_chunks::<LANES>().0 } else { &[] };
        let mut left: [&[Block]; R] = [&[]; R];
        for (r, row) in left.iter_mut().enumerate() {
            *row = &self.left[(first + r) * self.left_stride..][..right.len()];
        }
        let mut sums = [[simd.splat(0.0); N]; R];
        for (k, right) in right.iter().enumerate() {
            let next = next.get(k);
            for lane in 0..LANES {
                if let Some(next) = next {
                    for n in 0..N {
                        simd.prefetch(&next[lane][n]);
                    }
                }
                let mut columns = [simd.splat(0.0); N];
                for n in 0..N {
                    columns[n] = simd.load(&right[lane][n]);
                }
                for r in 0..R {
                    let x = simd.splat(left[r][k].0[lane]);
                    for n in 0..N {
                        sums[r][n] = simd.fma(x, columns[n], sums[r][n]);
                    }
                }
            }
        }
        let floor = simd.splat(self.epilogue.floor());
        for r in 0..R {
            let row = &mut self.result[(first + r) * self.result_stride..][..self.columns];
            // No loop up to a number that is unknown here: it would move the sums to the stack.
            for n in 0..N {
                let Some(slot) = row.get_mut(n) else { continue };
                let mut sum = sums[r][n];
                if let Some(bias) = self.epilogue.bias.get(n) {
                    sum = simd.add(sum, simd.load(bias));
                }
                if self.epilogue.add {
                    sum = simd.add(sum, simd.load(slot));
                }
                simd.store(simd.max(sum, floor), slot);
            }
        }
    }
}

/// `result += leftᵀ · right` for two matrices of `depth` rows; the rows begin `stride` blocks apart. The result has a
/// row per column of the left matrix, and `right_columns` blocks in each.
pub(crate) fn matmul_transposed(
    isa: InstructionSet,
    (left, left_stride): (&[Block], usize),
    (right, right_stride): (&[Block], usize),
    depth: usize,
    (left_columns, right_columns): (usize, usize),
    result: &mut [Block],
) {
    isa.run(Transposed { left, left_stride, right, right_stride, depth, left_columns, right_columns, result });
}

/// The transposed product, as a kernel.
pub(super) struct Transposed<'a> {
    pub(super) left: &'a [Block],
    pub(super) left_stride: usize,
    pub(super) right: &'a [Block],
    pub(super) right_stride: usize,
    pub(super) depth: usize,
    pub(super) left_columns: usize,
    pub(super) right_columns: usize,
    pub(super) result: &'a mut [Block],
}

impl Kernel for Transposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for column in (0..self.right_columns).step_by(S::COLUMNS) {
            let pair = S::COLUMNS == 2 && column + 1 < self.right_columns;
            for row in (0..self.left_columns * LANES).step_by(S::TRANSPOSED_ROWS) {
                match (S::TRANSPOSED_ROWS, pair) {
                    (8, true) => self.tile::<S, 8, 2>(simd, row, column),
                    (8, false) => self.tile::<S, 8, 1>(simd, row, column),
                    _ => self.tile::<S, 4, 1>(simd, row, column),
                }
            }
        }
    }
}

impl Transposed<'_> {
    #[inline(always)]
    fn tile<S: Simd, const R: usize, const N: usize>(&mut self, simd: S, first: usize, column: usize) {
        let (block, lane) = (first / LANES, first % LANES);
        let mut sums = [[simd.splat(0.0); N]; R];
        for r in 0..R {
            let row = &self.result[(first + r) * self.right_columns + column..][..N];
            for n in 0..N {
                sums[r][n] = simd.load(&row[n]);
            }
        }
        for depth in 0..self.depth {
            let left = &self.left[depth * self.left_stride + block].0[lane..][..R];
            let right = &self.right[depth * self.right_stride + column..][..N];
            let mut columns = [simd.splat(0.0); N];
            for n in 0..N {
                columns[n] = simd.load(&right[n]);
            }
            for r in 0..R {
                let x = simd.splat(left[r]);
                for n in 0..N {
                    sums[r][n] = simd.fma(x, columns[n], sums[r][n]);
                }
            }
        }
        for r in 0..R {
            let row = &mut self.result[(first + r) * self.right_columns + column..][..N];
            for n in 0..N {
                simd.store(sums[r][n], &mut row[n]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::reference::{available, close, numbers, pad_rows};
    use crate::random::Random;

    #[test]
    fn products_agree_with_the_definition_on_every_instruction_set() {
        let mut random = Random::new(1);
        for isa in available() {
            for _ in 0..40 {
                let (rows, inner, columns) = (1 + random.below(40), 1 + random.below(70), 1 + random.below(70));
                let (left, right) = (numbers(&mut random, rows * inner), numbers(&mut random, inner * columns));
                let bias = numbers(&mut random, columns);
                let relu = random.below(2) == 0;
                let packed = Packed::matrix(isa, &right, (inner, columns), (columns, 1));
                let mut result = vec![Block([7.0; LANES]); rows * blocks(columns)];
                let padded = pad_rows(&left, inner);
                let epilogue = Epilogue { bias: &super::super::to_blocks(&bias), add: false, relu };
                let (inputs, outputs) = (blocks(inner), blocks(columns));
                matmul(isa, (&padded, inputs), &packed, (&mut result, outputs), rows, epilogue);
                for row in 0..rows {
                    for column in 0..columns {
                        let product = |k: usize| f64::from(left[row * inner + k] * right[k * columns + column]);
                        let sum = (0..inner).map(product).sum::<f64>() + f64::from(bias[column]);
                        let expected = if relu { sum.max(0.0) } else { sum };
                        close(result[row * outputs + column / LANES].0[column % LANES], expected, 1e-4);
                    }
                }
            }
        }
    }

    #[test]
    fn transposed_products_agree_with_the_definition_and_are_added() {
        let mut random = Random::new(2);
        for isa in available() {
            for _ in 0..20 {
                let (depth, rows, columns) = (1 + random.below(40), 1 + random.below(70), 1 + random.below(70));
                let (left, right) = (numbers(&mut random, depth * rows), numbers(&mut random, depth * columns));
                let (a, b) = (pad_rows(&left, rows), pad_rows(&right, columns));
                let (left_blocks, right_blocks) = (blocks(rows), blocks(columns));
                let mut result = vec![Block([0.5; LANES]); left_blocks * LANES * right_blocks];
                let shape = (left_blocks, right_blocks);
                matmul_transposed(isa, (&a, left_blocks), (&b, right_blocks), depth, shape, &mut result);
                for row in 0..rows {
                    for column in 0..columns {
                        let product = |k: usize| f64::from(left[k * rows + row] * right[k * columns + column]);
                        let expected = 0.5 + (0..depth).map(product).sum::<f64>();
                        close(result[row * right_blocks + column / LANES].0[column % LANES], expected, 1e-4);
                    }
                }
            }
        }
    }
}
