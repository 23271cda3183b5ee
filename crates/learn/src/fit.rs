//! The best straight line between what an evaluation says and what is true.

use crate::Errors;

/// Pairs of numbers, gathered until a line through them is asked for.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    pairs: Vec<(f64, f64)>,
}

impl Fit {
    /// Adds what was said and what is true.
    pub fn add(&mut self, said: f64, truth: f64) {
        self.pairs.push((said, truth));
    }

    /// The factor and the offset that make what was said least wrong, by squares.
    pub fn line(&self) -> (f64, f64) {
        let count = self.pairs.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.pairs.iter().map(of).sum::<f64>() / count;
        let (said, truth) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut both, mut square) = (0.0, 0.0);
        for pair in &self.pairs {
            both += (pair.0 - said) * (pair.1 - truth);
            square += (pair.0 - said) * (pair.0 - said);
        }
        let factor = if square > 0.0 { both / square } else { 0.0 };
        (factor, truth - factor * said)
    }

    /// The errors that are left after a factor and an offset.
    pub fn errors(&self, (factor, offset): (f64, f64)) -> Errors {
        let mut errors = Errors::default();
        self.pairs.iter().for_each(|(said, truth)| errors.add(factor * said + offset - truth));
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found() {
        let mut fit = Fit::default();
        (0..10).for_each(|x| fit.add(f64::from(x), 3.0 - 0.5 * f64::from(x)));
        let line = fit.line();
        assert!((line.0 + 0.5).abs() < 1e-9 && (line.1 - 3.0).abs() < 1e-9, "{line:?}");
        assert!(fit.errors(line).rms() < 1e-9);
        assert_eq!(fit.errors((0.0, 3.0)).mean(), 2.25);
        let mut flat = Fit::default();
        flat.add(1.0, 5.0);
        flat.add(1.0, 7.0);
        assert_eq!(flat.line(), (0.0, 6.0));
        assert_eq!(Fit::default().line(), (0.0, 0.0));
    }
}
