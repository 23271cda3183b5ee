//! How far estimates are from labels.

/// Errors of many estimates, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Errors {
    /// How many estimates.
    pub count: u64,
    /// The sum of the errors without their signs.
    pub absolute: f64,
    /// The sum of their squares.
    pub squared: f64,
}

impl Errors {
    /// Adds an estimate that was off by so much.
    pub fn add(&mut self, error: f64) {
        self.count += 1;
        self.absolute += error.abs();
        self.squared += error * error;
    }

    /// Adds those of others.
    pub fn join(&mut self, other: &Errors) {
        self.count += other.count;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    /// The mean without signs; 0 where there is nothing.
    pub fn mean(&self) -> f64 {
        self.absolute / self.count.max(1) as f64
    }

    /// The root of the mean square; 0 where there is nothing.
    pub fn rms(&self) -> f64 {
        (self.squared / self.count.max(1) as f64).sqrt()
    }
}
