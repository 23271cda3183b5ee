//! Expanding a book: positions without a leaf are searched, then the positions nearest to best play are added.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tesuji_search::CancelToken;
use tesuji_task::for_each;

use super::{Book, BookGame, BookLeaf, BookSearcher, Canonical};

/// Positions that are added together. A constant, so that books do not depend on the number of threads.
const BATCH: usize = 16;
/// Size of a search's transposition table in MiB. Each search has its own, so that its result depends on its position
/// only.
const TABLE_MIB: usize = 16;

/// The target of an expansion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpansionConfig {
    /// The level of leaf searches.
    pub level: u32,
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
pub struct BookExpander<G: BookGame> {
    book: Book<G>,
    eval: G::Evaluation,
    config: ExpansionConfig,
    /// Positions to search before others are added, in the order of files.
    pending: Vec<G::Key>,
}

impl<G: BookGame> BookExpander<G> {
    /// Expands a book with searches by this evaluation.
    pub fn new(book: Book<G>, eval: G::Evaluation, config: ExpansionConfig) -> BookExpander<G> {
        let mut expander = BookExpander { book, eval, config, pending: Vec::new() };
        expander.list_pending();
        expander
    }

    /// The book in its present state.
    pub fn book(&self) -> &Book<G> {
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
        let found = self.search(&self.pending[..count], cancel);
        if found.is_empty() {
            return cancel.is_cancelled();
        }
        self.settle(found.into_iter().collect());
        true
    }

    /// Takes the leaves that searches found.
    pub(super) fn settle(&mut self, found: HashMap<G::Key, BookLeaf<G::Move>>) {
        self.pending.retain(|key| !found.contains_key(key));
        for (key, leaf) in found {
            if let Some(entry) = self.book.entries.get_mut(&key) {
                entry.leaf = Some(leaf);
            }
        }
        if self.pending.is_empty() {
            self.book.propagate();
        }
    }

    /// The searches to do before others are added.
    pub(super) fn searches(&self) -> Vec<LeafSearch<G>> {
        self.pending.iter().filter_map(|&key| self.leaf_search(key)).collect()
    }

    /// Positions that may still be added, at most.
    pub(super) fn left(&self) -> usize {
        self.config.positions.saturating_sub(self.book.len())
    }

    /// The book with all scores up to date.
    pub fn into_book(mut self) -> Book<G> {
        self.book.propagate();
        self.book
    }

    /// Adds the positions nearest to best play. Returns whether there are any.
    pub(super) fn add_positions(&mut self) -> bool {
        let count = self.left().min(BATCH);
        if count == 0 {
            return false;
        }
        let before = self.book.len();
        if self.book.contains(&G::start()) {
            let next = self.book.deviations(self.config.plies);
            next.iter().take(count).for_each(|position| self.book.add(position, None));
        } else {
            self.book.add(&G::start().stored(), None);
        }
        self.book.propagate();
        self.list_pending();
        self.book.len() > before
    }

    /// Lists the positions to search: those without a leaf, and those whose leaf was searched less deeply than the
    /// configured level.
    fn list_pending(&mut self) {
        let book = &self.book;
        let pending = book.sorted().into_iter().filter(|(_, entry)| {
            let wanted = G::restore(&entry.position).level_depth(self.config.level);
            entry.leaf.map_or_else(|| book.has_exit(entry), |leaf| leaf.depth < wanted)
        });
        self.pending = pending.map(|(key, _)| key).collect();
    }

    /// The leaves of positions, as far as they were found before a cancellation.
    fn search(&self, keys: &[G::Key], cancel: &CancelToken) -> Vec<(G::Key, BookLeaf<G::Move>)> {
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
    fn leaf(&self, key: G::Key, cancel: &CancelToken) -> Option<BookLeaf<G::Move>> {
        self.leaf_search(key)?.run(&self.eval, &self.config, cancel)
    }

    fn leaf_search(&self, key: G::Key) -> Option<LeafSearch<G>> {
        let entry = self.book.entries.get(&key)?;
        Some(LeafSearch { position: entry.position.clone(), excluded: self.book.internal_moves(entry) })
    }
}

/// The search of a leaf: it depends on nothing else of the book.
pub(super) struct LeafSearch<G: BookGame> {
    pub(super) position: G::Stored,
    /// The moves that lead to positions of the book.
    pub(super) excluded: Vec<G::Move>,
}

impl<G: BookGame> LeafSearch<G> {
    /// The best of the other moves; `None` if there is none, or if the search was cancelled.
    pub(super) fn run(
        &self,
        eval: &G::Evaluation,
        config: &ExpansionConfig,
        cancel: &CancelToken,
    ) -> Option<BookLeaf<G::Move>> {
        let game = G::restore(&self.position);
        let mut searcher = G::searcher(eval, config.hash.unwrap_or(TABLE_MIB));
        let (mv, score) = searcher.best_excluding(&game, config.level, &self.excluded, cancel)?;
        let depth = game.level_depth(config.level);
        game.check_leaf(score, depth).ok().map(|()| BookLeaf { mv, score, depth })
    }
}

/// A position that a leaf leads to, ordered by how far it deviates from best play.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Deviation<S> {
    /// What the moves from the start lose, by both sides together.
    loss: i32,
    pieces: u32,
    to: S,
}

impl<G: BookGame> Book<G> {
    /// The positions just outside the book of up to this number of moves, those nearest to best play first. The distance
    /// is the sum of the losses of all moves from the start, by either side. Of equal ones those with fewer pieces come
    /// first.
    fn deviations(&self, plies: u32) -> Vec<G::Stored> {
        let mut found: HashMap<G::Key, Deviation<G::Stored>> = HashMap::new();
        for (key, loss) in self.losses() {
            let Some(entry) = self.entries.get(&key) else { continue };
            let (Some(leaf), Some(score)) = (entry.leaf, entry.score) else { continue };
            let mut after = G::restore(&entry.position);
            after.play(leaf.mv);
            let Some(Canonical { key, game, .. }) = Canonical::of(&after).filter(|to| to.game.turns() <= plies) else {
                continue;
            };
            let loss = loss + score - leaf.score;
            let deviation = Deviation { loss, pieces: game.pieces(), to: game.stored() };
            // The smallest loss of all ways, and the least image: neither depends on the order of the visits.
            let known = found.entry(key).or_insert_with(|| deviation.clone());
            known.loss = known.loss.min(deviation.loss);
            if deviation.to < known.to {
                known.to = deviation.to;
            }
        }
        let mut found: Vec<Deviation<G::Stored>> = found.into_values().collect();
        found.sort_unstable();
        found.into_iter().map(|deviation| deviation.to).collect()
    }

    /// The smallest loss from the start to each position, through the book.
    fn losses(&self) -> HashMap<G::Key, i32> {
        let mut losses: HashMap<G::Key, i32> = HashMap::new();
        let start = Canonical::of(&G::start()).map(|canonical| canonical.key);
        losses.extend(start.map(|start| (start, 0)));
        let mut keys: Vec<(u32, G::Key)> =
            self.entries.iter().map(|(&key, entry)| (G::restore(&entry.position).pieces(), key)).collect();
        // By number of pieces, so that all paths to a position are known when it is visited.
        keys.sort_unstable_by_key(|&(pieces, _)| pieces);
        for (_, key) in keys {
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
