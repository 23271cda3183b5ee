//! Opening books.
//!
//! A position is stored once for all its symmetries, with its *leaf*: the best of the moves that lead out of the book, as
//! a search found it. The score of a position is the maximum of its leaf and of its moves within the book, by negamax.
//! Transpositions share entries. Every move adds discs or tiles and none are removed, so the graph has no cycles. `expand`
//! extends a book, `file` and `text` store it. A game with books implements [`BookGame`].

mod engine;
mod expand;
mod file;
mod game;
mod games;
mod job;
mod parts;
mod probe;
mod source;
mod text;

use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_game::{Move, MoveList};

pub use engine::BookEngine;
pub use expand::{BookExpander, ExpansionConfig};
pub use file::BookError;
use game::Canonical;
pub use game::{BookGame, BookSearcher, StoredEntry};
pub use games::{BookSelfPlay, PositionCounts};
pub use job::{BookBuildEvent, BookBuildJob};
pub use parts::{BookCourse, BookParts};
pub use probe::{BookDepth, BookLeaf, BookMove, BookMoves, MoveSource};
pub use source::{BookLine, BookSource, ForeignBook};
pub use text::BookTextError;

/// An opening book.
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
#[derive(Clone, PartialEq, Debug)]
pub struct Book<G: BookGame> {
    entries: HashMap<G::Key, BookEntry<G>>,
}

impl<G: BookGame> Default for Book<G> {
    fn default() -> Book<G> {
        Book { entries: HashMap::new() }
    }
}

/// A position of the book. Moves are those of the stored position.
#[derive(Clone, PartialEq, Debug)]
struct BookEntry<G: BookGame> {
    position: G::Stored,
    edges: Vec<BookEdge<G::Move, G::Key>>,
    /// The best move out of the book. `None` before a search, and where all moves stay within the book.
    leaf: Option<BookLeaf<G::Move>>,
    /// The negamax score. `None` where neither the position nor one below has been searched.
    score: Option<i32>,
}

/// A move of a position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BookEdge<M, K> {
    mv: M,
    /// The position after it; `None` when the game ends.
    to: Option<K>,
    /// Whether the opponent had to pass.
    passed: bool,
}

impl<G: BookGame> Book<G> {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a position, or an image of it, is in the book.
    pub fn contains(&self, game: &G) -> bool {
        Canonical::of(game).is_some_and(|canonical| self.entries.contains_key(&canonical.key))
    }

    /// Number of positions whose leaf has not been searched.
    pub fn unsearched(&self) -> usize {
        self.entries.values().filter(|entry| entry.leaf.is_none() && self.has_exit(entry)).count()
    }

    /// All positions of all books. Of several leaves of a position, those whose move leads into the merged book are
    /// dropped, and the one of the deepest, then least selective search is kept. Where none is left, [`BookExpander`]
    /// searches again. The order of the books does not matter.
    pub fn merge<'a>(books: impl IntoIterator<Item = &'a Book<G>>) -> Book<G> {
        let mut least: HashMap<G::Key, &G::Stored> = HashMap::new();
        let mut leaves: HashMap<G::Key, Vec<_>> = HashMap::new();
        for book in books {
            for (&key, entry) in &book.entries {
                let position = least.entry(key).or_insert(&entry.position);
                *position = (*position).min(&entry.position);
                leaves.entry(key).or_default().extend(entry.leaf.iter().map(|leaf| (&entry.position, leaf)));
            }
        }
        let mut merged = Book::<G>::default();
        for position in least.into_values() {
            merged.add(position, None);
        }
        for (key, found) in leaves {
            let Some(entry) = merged.entries.get(&key) else { continue };
            let (position, inside) = (entry.position.clone(), merged.internal_moves(entry));
            // A leaf of another image of the position.
            let turned = |(from, leaf): (&G::Stored, &BookLeaf<G::Move>)| {
                let to = Canonical::of(&G::restore(from))?.to_stored(&G::restore(&position), leaf.mv)?;
                Some(BookLeaf { mv: to, ..*leaf })
            };
            let exits = found.into_iter().filter_map(turned).filter(|leaf| !inside.contains(&leaf.mv));
            let leaf = exits.max_by_key(|leaf| (leaf.depth, leaf.score, leaf.mv.to_bits()));
            merged.add(&position, leaf);
        }
        merged.propagate();
        merged
    }

    /// All positions in the order of files.
    fn sorted(&self) -> Vec<(G::Key, &BookEntry<G>)> {
        let mut entries: Vec<(G::Key, &BookEntry<G>)> = self.entries.iter().map(|(&key, entry)| (key, entry)).collect();
        entries.sort_unstable_by_key(|(_, entry)| &entry.position);
        entries
    }

    /// Adds a position if it is new, and sets its leaf if there is one. After all additions [`Book::propagate`] is
    /// needed. The position must be one in which the mover has a choice.
    fn add(&mut self, position: &G::Stored, leaf: Option<BookLeaf<G::Move>>) {
        let game = G::restore(position);
        let Some(key) = Canonical::of(&game).map(|canonical| canonical.key) else { return };
        let new = || BookEntry { position: position.clone(), edges: edges(&game), leaf: None, score: None };
        let entry = self.entries.entry(key).or_insert_with(new);
        entry.leaf = leaf.or(entry.leaf);
    }

    /// Whether a move leads to a position of the book.
    fn is_internal(&self, edge: &BookEdge<G::Move, G::Key>) -> bool {
        edge.to.is_some_and(|to| self.entries.contains_key(&to))
    }

    /// Whether a move leads out of the book.
    fn has_exit(&self, entry: &BookEntry<G>) -> bool {
        entry.edges.iter().any(|edge| !self.is_internal(edge))
    }

    /// The moves that lead to positions of the book.
    fn internal_moves(&self, entry: &BookEntry<G>) -> Vec<G::Move> {
        entry.edges.iter().filter(|edge| self.is_internal(edge)).map(|edge| edge.mv).collect()
    }

    /// Updates the book after additions: drops leaves whose move leads into the book by now, and computes all scores from
    /// the fullest boards up.
    fn propagate(&mut self) {
        let is_stale = |entry: &BookEntry<G>| {
            let mv = entry.leaf.map(|leaf| leaf.mv);
            entry.edges.iter().any(|edge| Some(edge.mv) == mv && self.is_internal(edge))
        };
        let mut keys: Vec<(u32, G::Key, bool)> = self
            .entries
            .iter()
            .map(|(&key, entry)| (G::restore(&entry.position).pieces(), key, is_stale(entry)))
            .collect();
        keys.sort_unstable_by_key(|&(pieces, _, _)| Reverse(pieces));
        for (_, key, is_stale) in keys {
            let score = self.entries.get(&key).and_then(|entry| {
                let inside = entry.edges.iter().filter_map(|edge| self.edge_score(edge));
                inside.chain(entry.leaf.filter(|_| !is_stale).map(|leaf| leaf.score)).max()
            });
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.score = score;
                entry.leaf = entry.leaf.filter(|_| !is_stale);
            }
        }
    }

    /// The score of a move within the book for the side that makes it.
    fn edge_score(&self, edge: &BookEdge<G::Move, G::Key>) -> Option<i32> {
        let score = self.entries.get(&edge.to?)?.score?;
        // After a pass the same side moves again.
        Some(if edge.passed { score } else { -score })
    }
}

/// All moves of a position.
fn edges<G: BookGame>(game: &G) -> Vec<BookEdge<G::Move, G::Key>> {
    let (mut game, mut list) = (game.clone(), G::Moves::default());
    game.moves(&mut list);
    let edge = |mv: G::Move| {
        let undo = game.play(mv);
        let canonical = Canonical::of(&game);
        let passed = canonical.as_ref().is_some_and(|canonical| canonical.passed);
        let to = canonical.map(|canonical| canonical.key);
        game.undo(undo);
        BookEdge { mv, to, passed }
    };
    list.each().map(edge).collect()
}
