//! Small dense symmetric matrices.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
    }

    pub(super) fn add_everywhere(&mut self, value: f64) {
        self.entries.iter_mut().for_each(|entry| *entry += value);
    }

    pub(super) fn trace(&self) -> f64 {
        (0..self.size).map(|at| self.at(at, at)).sum()
    }

    /// The Cholesky factor. A pivot that vanished by rounding is replaced by a tiny one, so everything stays finite.
    pub(super) fn cholesky(mut self) -> CholeskyFactor {
        for column in 0..self.size {
            let whole = self.at(column, column);
            let taken: f64 = (0..column).map(|k| self.at(column, k).powi(2)).sum();
            let pivot = (whole - taken).max(whole * 1e-15).max(f64::MIN_POSITIVE).sqrt();
            self.entries[column * self.size + column] = pivot;
            for row in column + 1..self.size {
                let taken: f64 = (0..column).map(|k| self.at(row, k) * self.at(column, k)).sum();
                self.entries[row * self.size + column] = (self.at(row, column) - taken) / pivot;
            }
        }
        CholeskyFactor(self)
    }
}

/// The Cholesky factor of a matrix.
pub(super) struct CholeskyFactor(Matrix);

impl CholeskyFactor {
    /// Solves `matrix * x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.0.size;
        let mut solution = right.to_vec();
        for row in 0..size {
            let taken: f64 = (0..row).map(|k| self.0.at(row, k) * solution[k]).sum();
            solution[row] = (solution[row] - taken) / self.0.at(row, row);
        }
        for row in (0..size).rev() {
            let taken: f64 = (row + 1..size).map(|k| self.0.at(k, row) * solution[k]).sum();
            solution[row] = (solution[row] - taken) / self.0.at(row, row);
        }
        solution
    }

    /// The inverse matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        let mut unit = vec![0.0; size];
        for column in 0..size {
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
            unit[column] = 0.0;
        }
        inverse
    }
}
