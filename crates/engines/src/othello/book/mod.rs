//! The opening book: positions with what was searched there, and what follows from it for all of them.
//!
//! Every position is kept once for all its images, and with it its *leaf*: the best of the moves that lead out of the
//! book, as a search found it. The worth of a position is the better of its leaf and of its moves within the book, and
//! those are worth what the positions behind them are: transpositions meet, and since discs only ever come onto the
//! board, nothing goes round in circles. How a book grows is in `grow`, how it is written in `file` and `text`.

mod file;
mod grow;
mod key;
mod leaf;
mod losses;
mod merge;
mod probe;
mod records;
mod shipped;
mod spar;
mod text;

use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_othello::Othello;

pub use file::BookError;
pub use grow::{Grower, Plan};
use key::{Key, Place, Step};
pub use leaf::Leaf;
pub use probe::{Choice, Opinion, Source};
pub use records::Tally;
pub use shipped::Shelved;
pub use spar::Sparring;
pub use text::TextFault;

/// An opening book of Othello.
///
/// ```
/// use tesuji_engines::othello::Book;
/// use tesuji_game::Game;
/// use tesuji_othello::Othello;
///
/// let book = Book::parse_text("---------------------------OX------XO--------------------------- X; f5:+1@8").unwrap();
/// let opinion = book.probe(&Othello::start()).unwrap();
/// assert_eq!(opinion.choices[0].value, 1);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    pages: HashMap<Key, Page>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
struct Page {
    steps: Vec<Step>,
    /// The best move out of the book; none where no search has told, or where all moves lead into the book.
    leaf: Option<Leaf>,
    /// What follows: none where nothing is known, neither here nor below.
    worth: Option<i32>,
}

impl Book {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Whether a position, or an image of it, is in the book.
    pub fn has(&self, game: &Othello) -> bool {
        Place::of(game).is_some_and(|place| self.pages.contains_key(&place.key))
    }

    /// How many positions lack the search that would tell their leaf.
    pub fn unsearched(&self) -> usize {
        self.pages.values().filter(|page| page.leaf.is_none() && self.is_open(page)).count()
    }

    /// All positions in the order of their boards, which is that of files.
    fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.pages.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// Opens a page for a position if it has none, and writes down its leaf if there is one. [`Book::settle`] comes
    /// after all additions.
    fn add(&mut self, key: Key, leaf: Option<Leaf>) {
        let page =
            self.pages.entry(key).or_insert_with(|| Page { steps: key.steps(), leaf: None, worth: None });
        page.leaf = leaf.or(page.leaf);
    }

    /// Whether a move leads to a position of the book.
    fn holds(&self, step: &Step) -> bool {
        step.to.is_some_and(|to| self.pages.contains_key(&to))
    }

    /// Whether a move leads out of the book.
    fn is_open(&self, page: &Page) -> bool {
        page.steps.iter().any(|step| !self.holds(step))
    }

    /// The squares whose moves lead into the book.
    fn inside(&self, page: &Page) -> u64 {
        page.steps.iter().filter(|step| self.holds(step)).map(|step| 1 << step.square).sum()
    }

    /// Makes good what additions have changed: a leaf whose move leads into the book by now says nothing any more of
    /// the moves that do not, and every worth is found anew.
    fn settle(&mut self) {
        let stale = |page: &Page| {
            let square = page.leaf.map(|leaf| leaf.square);
            page.steps.iter().any(|step| Some(step.square) == square && self.holds(step))
        };
        let mut keys: Vec<(Key, bool)> = self.pages.iter().map(|(&key, page)| (key, stale(page))).collect();
        // The fullest boards first: moves lead to fuller ones.
        keys.sort_unstable_by_key(|(key, _)| Reverse(key.discs()));
        for (key, stale) in keys {
            let worth = self.pages.get(&key).and_then(|page| {
                let inside = page.steps.iter().filter_map(|step| self.value(step));
                inside.chain(page.leaf.filter(|_| !stale).map(|leaf| i32::from(leaf.value))).max()
            });
            if let Some(page) = self.pages.get_mut(&key) {
                page.worth = worth;
                page.leaf = page.leaf.filter(|_| !stale);
            }
        }
    }

    /// What a move within the book is worth to whoever makes it.
    fn value(&self, step: &Step) -> Option<i32> {
        let worth = self.pages.get(&step.to?)?.worth?;
        // After a pass it is the same side that moves.
        Some(if step.passed { worth } else { -worth })
    }
}
