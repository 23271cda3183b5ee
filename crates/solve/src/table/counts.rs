//! How often each symbol comes in each context of a class, and how many boards are worth what.

use super::context::CONTEXTS;

/// Counts of one task or of a whole class.
pub(super) struct Counts {
    symbols: Vec<u32>,
    pub(super) boards: u64,
    pub(super) wins_at_once: u64,
    /// Losses, draws and wins, those at once included.
    pub(super) outcomes: [u64; 3],
    pub(super) exceptions: u64,
    pub(super) longest: u8,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            symbols: vec![0; CONTEXTS * 256],
            boards: 0,
            wins_at_once: 0,
            outcomes: [0; 3],
            exceptions: 0,
            longest: 0,
        }
    }
}

impl Counts {
    #[inline(always)]
    pub(super) fn symbol(&mut self, context: usize, symbol: u8) {
        self.symbols[context * 256 + usize::from(symbol)] += 1;
    }

    /// A board that wins with the next move.
    pub(super) fn at_once(&mut self) {
        self.boards += 1;
        self.wins_at_once += 1;
        self.outcomes[2] += 1;
        self.longest = self.longest.max(1);
    }

    /// A board that is coded.
    pub(super) fn board(&mut self, first: u8, exception: bool) {
        self.boards += 1;
        let outcome = if first == 0 { 1 } else { 2 * usize::from(first % 2) };
        self.outcomes[outcome] += 1;
        self.exceptions += u64::from(exception);
        self.longest = self.longest.max(first);
    }

    /// The counts of a context, by symbol.
    pub(super) fn context(&self, context: usize) -> &[u32] {
        &self.symbols[context * 256..][..256]
    }

    pub(super) fn add(&mut self, other: &Counts) {
        for (sum, count) in self.symbols.iter_mut().zip(&other.symbols) {
            *sum += count;
        }
        for (sum, count) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += count;
        }
        self.boards += other.boards;
        self.wins_at_once += other.wins_at_once;
        self.exceptions += other.exceptions;
        self.longest = self.longest.max(other.longest);
    }
}
