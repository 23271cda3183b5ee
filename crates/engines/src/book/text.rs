//! The text format of a book, one position per line. See `docs/book.md`.

use std::collections::HashMap;

use thiserror::Error;

use super::{Book, BookDepth, BookGame, BookLeaf, Canonical};

/// The version of this format.
const VERSION: &str = "1";

/// The start of the first line; the version follows.
fn title<G: BookGame>() -> String {
    format!("% tesuji {} book, format ", G::NAME)
}

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct BookTextError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl<G: BookGame> Book<G> {
    /// The book as text, in the order of files. The scores of positions follow from the leaves; they are comments, after
    /// `%`.
    pub fn text(&self) -> String {
        let mut text = format!("{}{VERSION}\n", title::<G>());
        for (_, entry) in self.sorted() {
            let game = G::restore(&entry.position);
            text += &game.print();
            text.push(';');
            if let Some(BookLeaf { mv, score, depth }) = entry.leaf {
                text += &format!(" {}:{score:+}@{depth}", game.print_move(mv));
            }
            if let Some(score) = entry.score {
                text += &format!(" % worth {score:+}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads a text. Positions may have any orientation, and either side may be to move.
    ///
    /// # Errors
    /// The first wrong line.
    pub fn parse_text(text: &str) -> Result<Book<G>, BookTextError> {
        let mut book = Book::default();
        let mut lines: HashMap<G::Key, usize> = HashMap::new();
        let title = title::<G>();
        for (line, words) in text.lines().enumerate().map(|(index, words)| (index + 1, words.trim())) {
            let error = |message: String| BookTextError { line, message };
            if words.strip_prefix(title.as_str()).is_some_and(|format| format.trim() != VERSION) {
                let message = format!("a book of another format; this program reads format {VERSION}");
                return Err(error(message));
            }
            let words = words.split('%').next().unwrap_or_default().trim();
            if words.is_empty() {
                continue;
            }
            let (key, position, leaf) = read::<G>(words).map_err(error)?;
            if let Some(before) = lines.insert(key, line) {
                return Err(error(format!("the same position as on line {before}, up to symmetry")));
            }
            book.add(&position, leaf);
        }
        for (key, entry) in book.sorted() {
            let Some(leaf) = entry.leaf else { continue };
            let edge = entry.edges.iter().find(|edge| edge.mv == leaf.mv);
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

/// The key, the position as it is stored, and its leaf.
type ReadLine<G> = (<G as BookGame>::Key, <G as BookGame>::Stored, Option<BookLeaf<<G as tesuji_game::Game>::Move>>);

/// Reads a line without its comment.
fn read<G: BookGame>(words: &str) -> Result<ReadLine<G>, String> {
    let (board, leaf) = words.split_once(';').unwrap_or((words, ""));
    let mut game = G::parse(board).map_err(|error| error.to_string())?;
    let canonical = Canonical::of(&game).ok_or("the game is over: a book holds no such positions")?;
    if canonical.passed {
        return Err("the side to move must pass: give the position after the pass".to_owned());
    }
    let (key, position) = (canonical.key, game.stored());
    let leaf = leaf.trim().trim_end_matches(';').trim();
    if leaf.is_empty() {
        return Ok((key, position, None));
    }
    let form = || format!("{leaf:?}: expected move, score and depth of a leaf, such as {}", G::LEAF_TEXT);
    let (mv, rest) = leaf.split_once(':').ok_or_else(form)?;
    let (score, search) = rest.split_once('@').ok_or_else(form)?;
    let (plies, percent) = search.split_once('/').unwrap_or((search, "100"));
    let score: i32 = score.trim().parse().map_err(|_| form())?;
    let plies: u8 = plies.trim().parse().map_err(|_| form())?;
    let depth = BookDepth { plies, percent: percent.trim().parse().map_err(|_| form())? };
    let mv = game.parse_move(mv.trim()).map_err(|error| error.to_string())?;
    game.check_leaf(score, depth).map_err(|expected| format!("{leaf:?}: {expected}"))?;
    let mv = canonical.to_stored(&G::restore(&position), mv).ok_or_else(form)?;
    Ok((key, position, Some(BookLeaf { mv, score, depth })))
}
