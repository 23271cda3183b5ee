//! The book as text: one position per line, for people and for other programs. `docs/book.md` describes it.

use std::collections::HashMap;

use tesuji_game::Notation;
use tesuji_othello::{Othello, Square};
use thiserror::Error;

use super::leaf::Sight;
use super::{Book, Key, Leaf, Place};
use crate::othello::Selectivity;

/// What the first line begins with; the version of the form follows.
const HEAD: &str = "% tesuji othello book, format ";
/// The version of this form.
const FORMAT: &str = "1";

/// Why a text is no book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct TextFault {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Book {
    /// The book as text, in the order of the boards. What positions are worth follows from the rest and stands behind
    /// `%` for people only.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}{FORMAT}\n");
        for key in self.keys() {
            let Some(page) = self.pages.get(&key) else { continue };
            text += &key.game().print();
            text.push(';');
            if let Some(leaf) = page.leaf {
                let square = Square::new(leaf.square).map_or(String::new(), |square| square.to_string());
                text += &format!(" {square}:{:+}@{}", leaf.value, Sight(leaf.depth.into(), leaf.level));
            }
            if let Some(worth) = page.worth {
                text += &format!(" % worth {worth:+}");
            }
            text.push('\n');
        }
        text
    }

    /// The book of a text. Boards may be turned in any way and either side may be to move; everything is checked.
    pub fn parse_text(text: &str) -> Result<Book, TextFault> {
        let mut book = Book::default();
        let mut lines: HashMap<Key, usize> = HashMap::new();
        for (line, words) in text.lines().enumerate().map(|(index, words)| (index + 1, words.trim())) {
            let fault = |message: String| TextFault { line, message };
            if words.strip_prefix(HEAD).is_some_and(|format| format.trim() != FORMAT) {
                let message = format!("a book of another format than {FORMAT}, which this program reads");
                return Err(fault(message));
            }
            let words = words.split('%').next().unwrap_or_default().trim();
            if words.is_empty() {
                continue;
            }
            let (key, leaf) = read(words).map_err(fault)?;
            if let Some(before) = lines.insert(key, line) {
                return Err(fault(format!("the same position as on line {before}, perhaps turned")));
            }
            book.add(key, leaf);
        }
        for key in book.keys() {
            let Some((page, leaf)) = book.pages.get(&key).and_then(|page| Some((page, page.leaf?))) else {
                continue;
            };
            let step = page.steps.iter().find(|step| step.square == leaf.square);
            let inside = step.and_then(|step| step.to).and_then(|to| lines.get(&to));
            if let (Some(inside), Some(&line)) = (inside, lines.get(&key)) {
                let message = format!(
                    "the leaf leads to line {inside}; one that leads out of the book is needed, or none"
                );
                return Err(TextFault { line, message });
            }
        }
        book.settle();
        Ok(book)
    }
}

/// A line without its comment.
fn read(words: &str) -> Result<(Key, Option<Leaf>), String> {
    let (board, leaf) = words.split_once(';').unwrap_or((words, ""));
    let mut game = Othello::parse(board).map_err(|error| error.to_string())?;
    let place = Place::of(&game).ok_or("the game is over here: such positions are in no book")?;
    if place.passed {
        return Err("whoever is to move must pass here: write the position after the pass".to_owned());
    }
    let leaf = leaf.trim().trim_end_matches(';').trim();
    if leaf.is_empty() {
        return Ok((place.key, None));
    }
    let form = || format!("{leaf:?}: a leaf is written as move, value and depth: f5:+2@12, or f5:+2@21/73");
    let (mv, rest) = leaf.split_once(':').ok_or_else(form)?;
    let (value, sight) = rest.split_once('@').ok_or_else(form)?;
    let (depth, level) = match sight.split_once('/') {
        None => (sight, Selectivity::EXACT),
        Some((depth, percent)) => {
            let percent = percent.trim().parse();
            let level = Selectivity::ALL.into_iter().find(|level| Ok(level.percent()) == percent);
            (depth, level.ok_or("a search is as sure as 73, 87, 95, 98, 99 or 100 per cent")?)
        }
    };
    let value: i32 = value.trim().parse().map_err(|_| form())?;
    let depth: u32 = depth.trim().parse().map_err(|_| form())?;
    let mv = game.parse_move(mv.trim()).map_err(|error| error.to_string())?;
    let square = mv.square().ok_or_else(form)?;
    let leaf = Leaf::new(place.to_book(square), value, depth, level, place.key.empties());
    let leaf = leaf.ok_or_else(|| {
        let empties = place.key.empties();
        format!(
            "{leaf:?}: a value is from -64 to +64, and a depth here from 1 to {empties}, the empty squares"
        )
    })?;
    Ok((place.key, Some(leaf)))
}
