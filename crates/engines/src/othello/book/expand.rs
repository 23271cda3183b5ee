//! Expanding a book: positions without a leaf are searched, then the positions nearest to best play are added.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tesuji_game::Game;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_task::for_each;

use super::{Book, BookKey, BookLeaf, Canonical};
use crate::othello::{PatternEval, Solver, Strength};

/// Positions that are added together. A constant, so that books do not depend on the number of threads.
const BATCH: usize = 16;
/// Size of a search's transposition table in MiB. Each search has its own, so that its result depends on its position
/// only.
const TABLE_MIB: usize = 16;

/// The target of an expansion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpansionConfig {
    /// The strength of leaf searches.
    pub strength: Strength,
    /// Positions are added up to this number of moves from the start.
    pub plies: u32,
    /// Positions are added until the book has this many.
    pub positions: usize,
    /// Threads.
    pub threads: usize,
    /// Size of a search's transposition table in MiB; 16 if absent.
    pub hash: Option<usize>,
}

/// A book that is expanded step by step. Each step depends only on the book, so saving and loading in between does not
/// change the result.
#[derive(Debug)]
pub struct BookExpander {
    book: Book,
    eval: PatternEval,
    config: ExpansionConfig,
    /// Positions to search before others are added, in the order of files.
    pending: Vec<BookKey>,
}

impl BookExpander {
    /// Expands a book with searches by this evaluation.
    pub fn new(book: Book, eval: PatternEval, config: ExpansionConfig) -> BookExpander {
        let mut expander = BookExpander { book, eval, config, pending: Vec::new() };
        expander.list_pending();
        expander
    }

    /// The book in its present state.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Number of positions to search before others are added.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// One step: a batch of searches, or a batch of new positions. Returns `false` when the target is reached or there is
    /// nothing to add. A step that is cancelled keeps the searches that finished.
    pub fn step(&mut self, cancel: &CancelToken) -> bool {
        if self.pending.is_empty() {
            return self.add_positions();
        }
        let count = BATCH.max(4 * self.config.threads).min(self.pending.len());
        let mut found = self.search(&self.pending[..count], cancel);
        if found.is_empty() {
            return cancel.is_cancelled();
        }
        found.sort_unstable_by_key(|(key, _)| *key);
        self.pending.retain(|key| found.binary_search_by_key(key, |(key, _)| *key).is_err());
        found.into_iter().for_each(|(key, leaf)| self.book.add(key, Some(leaf)));
        if self.pending.is_empty() {
            self.book.propagate();
        }
        true
    }

    /// The book with all scores up to date.
    pub fn into_book(mut self) -> Book {
        self.book.propagate();
        self.book
    }

    /// Adds the positions nearest to best play. Returns whether there are any.
    fn add_positions(&mut self) -> bool {
        let count = self.config.positions.saturating_sub(self.book.len()).min(BATCH);
        if count == 0 {
            return false;
        }
        let before = self.book.len();
        let start = Canonical::of(&Othello::start()).map(|canonical| canonical.key);
        match start.filter(|start| !self.book.entries.contains_key(start)) {
            Some(start) => self.book.add(start, None),
            None => {
                let next = self.book.deviations(self.config.plies);
                next.into_iter().take(count).for_each(|key| self.book.add(key, None));
            }
        }
        self.book.propagate();
        self.list_pending();
        self.book.len() > before
    }

    /// Lists the positions to search: those without a leaf, and those whose leaf was searched less deeply than the
    /// configured strength.
    fn list_pending(&mut self) {
        let is_pending = |key: &BookKey| {
            self.book.entries.get(key).is_some_and(|entry| {
                let wanted = self.config.strength.depth_and_selectivity(key.empties());
                entry.leaf.map_or_else(|| self.book.has_exit(entry), |leaf| leaf.search() < wanted)
            })
        };
        self.pending = self.book.sorted_keys().into_iter().filter(is_pending).collect();
    }

    /// The leaves of positions, as far as they were found before a cancellation.
    fn search(&self, keys: &[BookKey], cancel: &CancelToken) -> Vec<(BookKey, BookLeaf)> {
        let found = Mutex::new(Vec::with_capacity(keys.len()));
        for_each(self.config.threads.clamp(1, keys.len()), keys.len(), |index| {
            let leaf = self.leaf(keys[index], cancel).filter(|_| !cancel.is_cancelled());
            let Some(leaf) = leaf else { return false };
            found.lock().unwrap_or_else(PoisonError::into_inner).push((keys[index], leaf));
            true
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best of the moves that lead out of the book.
    fn leaf(&self, key: BookKey, cancel: &CancelToken) -> Option<BookLeaf> {
        let excluded = self.book.internal_moves(self.book.entries.get(&key)?);
        let mut solver = Solver::new(self.config.hash.unwrap_or(TABLE_MIB), self.eval.clone());
        let found = solver.best_excluding(&key.game(), self.config.strength, excluded, cancel)?;
        let (depth, selectivity) = self.config.strength.depth_and_selectivity(key.empties());
        let square = found.best()?.square()?.index() as u8;
        BookLeaf::new(square, found.score, depth, selectivity, key.empties())
    }
}

/// A position that a leaf leads to, ordered by how far it deviates from best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Deviation {
    /// Discs lost by the moves from the start, by both sides together.
    loss: i32,
    discs: u32,
    to: BookKey,
}

impl Book {
    /// The positions just outside the book of up to this number of moves, those nearest to best play first. The distance
    /// is the sum of the losses of all moves from the start, by either side. Of equal ones those with fewer discs come
    /// first.
    fn deviations(&self, plies: u32) -> Vec<BookKey> {
        let mut found: HashMap<BookKey, Deviation> = HashMap::new();
        for (key, loss) in self.losses() {
            let Some(entry) = self.entries.get(&key) else { continue };
            let (Some(leaf), Some(score)) = (entry.leaf, entry.score) else { continue };
            let to = entry.edges.iter().find(|edge| edge.square == leaf.square).and_then(|edge| edge.to);
            let Some(to) = to.filter(|to| to.plies() <= plies) else { continue };
            let loss = loss + score - i32::from(leaf.score);
            let deviation = Deviation { loss, discs: to.discs(), to };
            let known = found.entry(to).or_insert(deviation);
            *known = deviation.min(*known);
        }
        let mut found: Vec<Deviation> = found.into_values().collect();
        found.sort_unstable();
        found.into_iter().map(|deviation| deviation.to).collect()
    }

    /// The smallest loss from the start to each position, through the book.
    fn losses(&self) -> HashMap<BookKey, i32> {
        let mut losses: HashMap<BookKey, i32> = HashMap::new();
        let start = Canonical::of(&Othello::start()).map(|canonical| canonical.key);
        losses.extend(start.map(|start| (start, 0)));
        let mut keys: Vec<BookKey> = self.entries.keys().copied().collect();
        // By number of discs, so that all paths to a position are known when it is visited.
        keys.sort_unstable_by_key(|key| key.discs());
        for key in keys {
            let (Some(&loss), Some(entry)) = (losses.get(&key), self.entries.get(&key)) else { continue };
            for edge in &entry.edges {
                if let (Some(to), Some(score), Some(best)) = (edge.to, self.edge_score(edge), entry.score) {
                    let path = loss + best - score;
                    losses.entry(to).and_modify(|least| *least = path.min(*least)).or_insert(path);
                }
            }
        }
        losses
    }
}
