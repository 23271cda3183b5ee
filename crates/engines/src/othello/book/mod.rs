//! The opening book.
//!
//! A position is stored once for all its symmetries, with its *leaf*: the best of the moves that lead out of the book, as
//! a search found it. The score of a position is the maximum of its leaf and of its moves within the book, by negamax.
//! Transpositions share entries. Discs are never removed, so the graph has no cycles. `expand` extends a book, `file` and
//! `text` store it.

mod expand;
mod file;
mod games;
mod job;
mod key;
mod probe;
mod shipped;
mod text;

use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_othello::Othello;

pub use expand::{BookExpander, ExpansionConfig};
pub use file::BookError;
pub use games::{BookSelfPlay, PositionCounts};
pub use job::{BookBuildEvent, BookBuildJob};
use key::{BookEdge, BookKey, Canonical};
pub use probe::{BookLeaf, BookMove, BookMoves, MoveSource};
pub use shipped::BookSource;
pub use text::BookTextError;

/// An opening book of Othello.
///
/// ```
/// use tesuji_engines::othello::Book;
/// use tesuji_game::Game;
/// use tesuji_othello::Othello;
///
/// let book = Book::parse_text("---------------------------OX------XO--------------------------- X; f5:+1@8").unwrap();
/// let known = book.probe(&Othello::start()).unwrap();
/// assert_eq!(known.moves[0].score, 1);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    entries: HashMap<BookKey, BookEntry>,
}

/// A position of the book.
#[derive(Clone, PartialEq, Debug)]
struct BookEntry {
    edges: Vec<BookEdge>,
    /// The best move out of the book. `None` before a search, and where all moves stay within the book.
    leaf: Option<BookLeaf>,
    /// The negamax score. `None` where neither the position nor one below has been searched.
    score: Option<i32>,
}

impl Book {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a position, or an image of it, is in the book.
    pub fn contains(&self, game: &Othello) -> bool {
        Canonical::of(game).is_some_and(|canonical| self.entries.contains_key(&canonical.key))
    }

    /// Number of positions whose leaf has not been searched.
    pub fn unsearched(&self) -> usize {
        self.entries.values().filter(|entry| entry.leaf.is_none() && self.has_exit(entry)).count()
    }

    /// All positions of all books. Of several leaves of a position, those whose move leads into the merged book are
    /// dropped, and the one of the deepest, then least selective search is kept. Where none is left, [`BookExpander`]
    /// searches again. The order of the books does not matter.
    pub fn merge<'a>(books: impl IntoIterator<Item = &'a Book>) -> Book {
        let mut merged = Book::default();
        let mut leaves: HashMap<BookKey, Vec<BookLeaf>> = HashMap::new();
        for book in books {
            for (&key, entry) in &book.entries {
                merged.add(key, None);
                leaves.entry(key).or_default().extend(entry.leaf);
            }
        }
        for (key, found) in leaves {
            let leaf = merged.entries.get(&key).and_then(|entry| {
                let inside = merged.internal_moves(entry);
                let exits = found.into_iter().filter(|leaf| inside >> leaf.square & 1 == 0);
                exits.max_by_key(|leaf| (leaf.search(), leaf.score, leaf.square))
            });
            merged.add(key, leaf);
        }
        merged.propagate();
        merged
    }

    /// All positions in the order of files: by their boards.
    fn sorted_keys(&self) -> Vec<BookKey> {
        let mut keys: Vec<BookKey> = self.entries.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// Adds a position if it is new, and sets its leaf if there is one. After all additions [`Book::propagate`] is
    /// needed.
    fn add(&mut self, key: BookKey, leaf: Option<BookLeaf>) {
        let new = || BookEntry { edges: key.edges(), leaf: None, score: None };
        let entry = self.entries.entry(key).or_insert_with(new);
        entry.leaf = leaf.or(entry.leaf);
    }

    /// Whether a move leads to a position of the book.
    fn is_internal(&self, edge: &BookEdge) -> bool {
        edge.to.is_some_and(|to| self.entries.contains_key(&to))
    }

    /// Whether a move leads out of the book.
    fn has_exit(&self, entry: &BookEntry) -> bool {
        entry.edges.iter().any(|edge| !self.is_internal(edge))
    }

    /// The squares whose moves lead to positions of the book.
    fn internal_moves(&self, entry: &BookEntry) -> u64 {
        entry.edges.iter().filter(|edge| self.is_internal(edge)).map(|edge| 1 << edge.square).sum()
    }

    /// Updates the book after additions: drops leaves whose move leads into the book by now, and computes all scores from
    /// the fullest boards up.
    fn propagate(&mut self) {
        let is_stale = |entry: &BookEntry| {
            let square = entry.leaf.map(|leaf| leaf.square);
            entry.edges.iter().any(|edge| Some(edge.square) == square && self.is_internal(edge))
        };
        let mut keys: Vec<(BookKey, bool)> = self.entries.iter().map(|(&key, entry)| (key, is_stale(entry))).collect();
        keys.sort_unstable_by_key(|(key, _)| Reverse(key.discs()));
        for (key, is_stale) in keys {
            let score = self.entries.get(&key).and_then(|entry| {
                let inside = entry.edges.iter().filter_map(|edge| self.edge_score(edge));
                inside.chain(entry.leaf.filter(|_| !is_stale).map(|leaf| i32::from(leaf.score))).max()
            });
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.score = score;
                entry.leaf = entry.leaf.filter(|_| !is_stale);
            }
        }
    }

    /// The score of a move within the book for the side that makes it.
    fn edge_score(&self, edge: &BookEdge) -> Option<i32> {
        let score = self.entries.get(&edge.to?)?.score?;
        // After a pass the same side moves again.
        Some(if edge.passed { score } else { -score })
    }
}
