//! The text format of a book, one position per line. See `docs/book.md`.

use std::collections::HashMap;

use tesuji_game::Notation;
use tesuji_othello::{Othello, Square};
use thiserror::Error;

use super::probe::DepthText;
use super::{Book, BookKey, BookLeaf, Canonical};
use crate::othello::Selectivity;

/// The start of the first line; the version follows.
const TITLE: &str = "% tesuji othello book, format ";
/// The version of this format.
const VERSION: &str = "1";

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct BookTextError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl Book {
    /// The book as text, sorted by board. The scores of positions follow from the leaves; they are comments, after `%`.
    pub fn text(&self) -> String {
        let mut text = format!("{TITLE}{VERSION}\n");
        for key in self.sorted_keys() {
            let Some(entry) = self.entries.get(&key) else { continue };
            text += &key.game().print();
            text.push(';');
            if let Some(leaf) = entry.leaf {
                let square = Square::new(leaf.square).map_or(String::new(), |square| square.to_string());
                text += &format!(" {square}:{:+}@{}", leaf.score, DepthText(leaf.depth.into(), leaf.selectivity));
            }
            if let Some(score) = entry.score {
                text += &format!(" % worth {score:+}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads a text. Bitboards may have any orientation, and either side may be to move.
    pub fn parse_text(text: &str) -> Result<Book, BookTextError> {
        let mut book = Book::default();
        let mut lines: HashMap<BookKey, usize> = HashMap::new();
        for (line, words) in text.lines().enumerate().map(|(index, words)| (index + 1, words.trim())) {
            let error = |message: String| BookTextError { line, message };
            if words.strip_prefix(TITLE).is_some_and(|format| format.trim() != VERSION) {
                let message = format!("a book of another format; this program reads format {VERSION}");
                return Err(error(message));
            }
            let words = words.split('%').next().unwrap_or_default().trim();
            if words.is_empty() {
                continue;
            }
            let (key, leaf) = read(words).map_err(error)?;
            if let Some(before) = lines.insert(key, line) {
                return Err(error(format!("the same position as on line {before}, up to symmetry")));
            }
            book.add(key, leaf);
        }
        for key in book.sorted_keys() {
            let Some((entry, leaf)) = book.entries.get(&key).and_then(|entry| Some((entry, entry.leaf?))) else {
                continue;
            };
            let edge = entry.edges.iter().find(|edge| edge.square == leaf.square);
            let inside = edge.and_then(|edge| edge.to).and_then(|to| lines.get(&to));
            if let (Some(inside), Some(&line)) = (inside, lines.get(&key)) {
                let message =
                    format!("the leaf leads to line {inside}: give a move that leads out of the book, or none");
                return Err(BookTextError { line, message });
            }
        }
        book.propagate();
        Ok(book)
    }
}

/// Reads a line without its comment.
fn read(words: &str) -> Result<(BookKey, Option<BookLeaf>), String> {
    let (board, leaf) = words.split_once(';').unwrap_or((words, ""));
    let mut game = Othello::parse(board).map_err(|error| error.to_string())?;
    let canonical = Canonical::of(&game).ok_or("the game is over: a book holds no such positions")?;
    if canonical.passed {
        return Err("the side to move must pass: give the position after the pass".to_owned());
    }
    let leaf = leaf.trim().trim_end_matches(';').trim();
    if leaf.is_empty() {
        return Ok((canonical.key, None));
    }
    let form = || format!("{leaf:?}: expected move, score and depth of a leaf, such as f5:+2@12 or f5:+2@21/73");
    let (mv, rest) = leaf.split_once(':').ok_or_else(form)?;
    let (score, search) = rest.split_once('@').ok_or_else(form)?;
    let (depth, selectivity) = match search.split_once('/') {
        None => (search, Selectivity::EXACT),
        Some((depth, percent)) => {
            let percent = percent.trim().parse();
            let selectivity = Selectivity::ALL.into_iter().find(|selectivity| Ok(selectivity.percent()) == percent);
            (depth, selectivity.ok_or("the selectivity of a search is 73, 87, 95, 98, 99 or 100 percent")?)
        }
    };
    let score: i32 = score.trim().parse().map_err(|_| form())?;
    let depth: u32 = depth.trim().parse().map_err(|_| form())?;
    let mv = game.parse_move(mv.trim()).map_err(|error| error.to_string())?;
    let square = mv.square().ok_or_else(form)?;
    let leaf = BookLeaf::new(canonical.to_book(square), score, depth, selectivity, canonical.key.empties());
    let leaf = leaf.ok_or_else(|| {
        let empties = canonical.key.empties();
        format!(
            "{leaf:?}: expected a score from -64 to +64 and a depth from 1 to {empties}, the number of empty squares"
        )
    })?;
    Ok((canonical.key, Some(leaf)))
}
