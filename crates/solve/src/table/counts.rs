//! How often each symbol comes in each context of a class.

use super::cell::{Past, Source, Sums};

/// Counts of one task or of a whole class.
pub(super) struct Counts<S: Source> {
    symbols: Vec<u32>,
    /// What else is counted.
    pub(super) sums: S::Sums,
}

impl<S: Source> Default for Counts<S> {
    fn default() -> Counts<S> {
        Counts { symbols: vec![0; S::Past::CONTEXTS * 256], sums: S::Sums::default() }
    }
}

impl<S: Source> Counts<S> {
    #[inline(always)]
    pub(super) fn symbol(&mut self, context: usize, symbol: u8) {
        self.symbols[context * 256 + usize::from(symbol)] += 1;
    }

    /// The counts of all contexts, 256 symbols each.
    pub(super) fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    pub(super) fn add(&mut self, other: &Counts<S>) {
        for (sum, count) in self.symbols.iter_mut().zip(&other.symbols) {
            *sum += count;
        }
        self.sums.add(&other.sums);
    }
}
