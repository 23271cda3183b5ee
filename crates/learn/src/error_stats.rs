//! Errors of an evaluation on labelled positions, and the linear regression that scales evaluations in other units.

/// Sums over the errors of many estimates, in points.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ErrorStats {
    /// Number of estimates.
    pub count: u64,
    /// Sum of the absolute errors.
    pub absolute: f64,
    /// Sum of the squared errors.
    pub squared: f64,
}

impl ErrorStats {
    /// Adds one error.
    pub fn add(&mut self, error: f64) {
        self.count += 1;
        self.absolute += error.abs();
        self.squared += error * error;
    }

    /// Adds the errors of another set.
    pub fn merge(&mut self, other: &ErrorStats) {
        self.count += other.count;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    /// The sum of several sets.
    pub fn total<'a>(parts: impl IntoIterator<Item = &'a ErrorStats>) -> ErrorStats {
        let mut total = ErrorStats::default();
        parts.into_iter().for_each(|part| total.merge(part));
        total
    }

    /// Mean absolute error; 0 for an empty set.
    pub fn mean(&self) -> f64 {
        self.absolute / self.count.max(1) as f64
    }

    /// Root mean square error; 0 for an empty set.
    pub fn rms(&self) -> f64 {
        (self.squared / self.count.max(1) as f64).sqrt()
    }
}

/// Simple linear regression of labels on estimates.
#[derive(Clone, Debug, Default)]
pub struct LinearRegression {
    pairs: Vec<(f64, f64)>,
}

impl LinearRegression {
    /// Adds an estimate and its label.
    pub fn add(&mut self, estimate: f64, label: f64) {
        self.pairs.push((estimate, label));
    }

    /// Slope and intercept of the least-squares line.
    pub fn line(&self) -> (f64, f64) {
        let count = self.pairs.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.pairs.iter().map(of).sum::<f64>() / count;
        let (estimate, label) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut covariance, mut variance) = (0.0, 0.0);
        for pair in &self.pairs {
            covariance += (pair.0 - estimate) * (pair.1 - label);
            variance += (pair.0 - estimate) * (pair.0 - estimate);
        }
        let slope = if variance > 0.0 { covariance / variance } else { 0.0 };
        (slope, label - slope * estimate)
    }

    /// The errors of a line of slope and intercept.
    pub fn errors(&self, (slope, intercept): (f64, f64)) -> ErrorStats {
        let mut errors = ErrorStats::default();
        self.pairs.iter().for_each(|(estimate, label)| errors.add(slope * estimate + intercept - label));
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_squares_line_is_found() {
        let mut regression = LinearRegression::default();
        (0..10).for_each(|x| regression.add(f64::from(x), 3.0 - 0.5 * f64::from(x)));
        let line = regression.line();
        assert!((line.0 + 0.5).abs() < 1e-9 && (line.1 - 3.0).abs() < 1e-9, "{line:?}");
        assert!(regression.errors(line).rms() < 1e-9);
        assert_eq!(regression.errors((0.0, 3.0)).mean(), 2.25);
        let mut flat = LinearRegression::default();
        flat.add(1.0, 5.0);
        flat.add(1.0, 7.0);
        assert_eq!(flat.line(), (0.0, 6.0));
        assert_eq!(LinearRegression::default().line(), (0.0, 0.0));
    }
}
