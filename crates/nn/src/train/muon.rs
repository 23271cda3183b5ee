//! The step of Muon: the momentum of a matrix, replaced by the nearest matrix whose singular values are all equal
//! (Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024).

use crate::kernel::{Block, Epilogue, InstructionSet, LANES, Packed, blocks, matmul, matmul_transposed};

/// Iterations of Newton and Schulz.
const ITERATIONS: usize = 5;

/// Their polynomial `a·x + b·x³ + c·x⁵`. It takes singular values from nearly zero to one to about 0.7 … 1.2 in five
/// iterations, which is near enough.
const POLYNOMIAL: (f32, f32, f32) = (3.4445, -4.775, 2.0315);

/// A matrix with no more rows than columns, in blocks.
struct Matrix {
    rows: usize,
    /// Columns, in blocks.
    columns: usize,
    data: Vec<Block>,
}

impl Matrix {
    fn zeros(rows: usize, columns: usize) -> Matrix {
        // Kernels write whole blocks of rows.
        Matrix { rows, columns, data: vec![Block::ZERO; blocks(rows) * LANES * columns] }
    }

    /// The product with a matrix to its right.
    fn times(&self, isa: InstructionSet, right: &Packed) -> Matrix {
        let mut result = Matrix::zeros(self.rows, right.outputs);
        let stride = result.columns;
        let epilogue = Epilogue::default();
        matmul(isa, (&self.data, self.columns), right, (&mut result.data, stride), self.rows, epilogue);
        result
    }

    /// The same matrix, packed to stand on the right of a product.
    fn packed(&self, isa: InstructionSet) -> Packed {
        let mut packed = Packed::zeros(isa, 1, self.rows, self.columns * LANES);
        for row in 0..self.rows {
            for column in 0..self.columns {
                *packed.block_mut(0, row, column) = self.data[row * self.columns + column];
            }
        }
        packed
    }

    /// The transposed matrix.
    fn transposed(&self) -> Matrix {
        let mut result = Matrix::zeros(self.columns * LANES, blocks(self.rows));
        for row in 0..self.rows {
            for column in 0..self.columns * LANES {
                result.data[column * result.columns + row / LANES].0[row % LANES] =
                    self.data[row * self.columns + column / LANES].0[column % LANES];
            }
        }
        result
    }

    /// Multiplies by a number and adds a multiple of another matrix.
    fn combine(&mut self, factor: f32, other: &Matrix, other_factor: f32) {
        for (x, y) in self.data.iter_mut().zip(&other.data) {
            for (x, y) in x.0.iter_mut().zip(&y.0) {
                *x = factor * *x + other_factor * y;
            }
        }
    }
}

/// Replaces a matrix of so many rows by its orthogonal factor, nearly: the singular vectors stay, the singular values
/// become about one. Zeros stay zeros.
pub(super) fn orthogonalize(isa: InstructionSet, values: &mut [f32], rows: usize) {
    let columns = values.len() / rows.max(1);
    let norm = values.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if norm == 0.0 || !norm.is_finite() {
        return;
    }
    let is_tall = rows > columns;
    let (short, long) = if is_tall { (columns, rows) } else { (rows, columns) };
    let place = |row: usize, column: usize| if is_tall { column * columns + row } else { row * columns + column };
    let mut x = Matrix::zeros(short, blocks(long));
    let scale = (1.0 / norm) as f32;
    for row in 0..short {
        for column in 0..long {
            x.data[row * x.columns + column / LANES].0[column % LANES] = values[place(row, column)] * scale;
        }
    }
    let (a, b, c) = POLYNOMIAL;
    for _ in 0..ITERATIONS {
        // X ← a·X + (b·XXᵀ + c·(XXᵀ)²)·X
        let transposed = x.transposed();
        let side = blocks(short);
        let mut square = Matrix::zeros(short, side);
        let (depth, view) = (x.columns * LANES, (&transposed.data[..], side));
        matmul_transposed(isa, view, view, depth, (side, side), &mut square.data);
        let mut polynomial = square.times(isa, &square.packed(isa));
        polynomial.combine(c, &square, b);
        let step = polynomial.times(isa, &x.packed(isa));
        x.combine(a, &step, 1.0);
    }
    for row in 0..short {
        for column in 0..long {
            values[place(row, column)] = x.data[row * x.columns + column / LANES].0[column % LANES];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The orthogonal factor by iterations of Newton in double precision: Y ← (3·Y − Y·Yᵀ·Y)/2.
    fn reference(values: &[f32], rows: usize) -> Vec<f64> {
        let columns = values.len() / rows;
        let norm = values.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let mut y: Vec<f64> = values.iter().map(|x| f64::from(*x) / norm).collect();
        for _ in 0..60 {
            let square: Vec<f64> = (0..rows * rows)
                .map(|i| (0..columns).map(|k| y[i / rows * columns + k] * y[i % rows * columns + k]).sum())
                .collect();
            y = (0..rows * columns)
                .map(|i| {
                    let (row, column) = (i / columns, i % columns);
                    let product: f64 = (0..rows).map(|k| square[row * rows + k] * y[k * columns + column]).sum();
                    1.5 * y[i] - 0.5 * product
                })
                .collect();
        }
        y
    }

    fn random(length: usize, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed);
        (0..length).map(|_| random.normal()).collect()
    }

    #[test]
    fn the_result_points_where_the_orthogonal_factor_does() {
        for (rows, columns) in [(16, 144), (5, 27), (1, 9), (20, 33)] {
            let values = random(rows * columns, 7);
            let exact = reference(&values, rows);
            for isa in InstructionSet::ALL.into_iter().filter(|isa| isa.is_available()) {
                let mut found = values.clone();
                orthogonalize(isa, &mut found, rows);
                let dot: f64 = found.iter().zip(&exact).map(|(x, y)| f64::from(*x) * y).sum();
                let length = |sum: f64| sum.sqrt();
                let ours = length(found.iter().map(|x| f64::from(*x).powi(2)).sum());
                let theirs = length(exact.iter().map(|x| x * x).sum());
                assert!(dot / (ours * theirs) > 0.97, "{rows}×{columns} on {isa}: {}", dot / (ours * theirs));
                assert!((0.65..1.25).contains(&(ours / theirs)), "{rows}×{columns} on {isa}: {}", ours / theirs);
            }
        }
    }

    #[test]
    fn a_tall_matrix_is_treated_as_its_transposed() {
        let (rows, columns) = (12, 40);
        let wide = random(rows * columns, 3);
        let transpose = |values: &[f32], rows: usize| -> Vec<f32> {
            let columns = values.len() / rows;
            (0..values.len()).map(|i| values[i % rows * columns + i / rows]).collect()
        };
        let (mut tall, mut wide) = (transpose(&wide, rows), wide);
        orthogonalize(InstructionSet::Portable, &mut tall, columns);
        orthogonalize(InstructionSet::Portable, &mut wide, rows);
        assert_eq!(transpose(&wide, rows), tall);
        assert!(wide.iter().any(|x| *x != 0.0));
    }

    #[test]
    fn zeros_stay_zeros() {
        let mut zeros = vec![0.0; 32];
        orthogonalize(InstructionSet::Portable, &mut zeros, 4);
        assert_eq!(zeros, vec![0.0; 32]);
    }
}
