//! Opening books: built, shown, merged, exported and imported.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engines::othello::{Book, BookMove, MoveSource};
pub use tesuji_engines::othello::{BookBuildEvent, BookBuildJob};
use tesuji_game::{Game, Notation, Record};
use tesuji_learn::job::write_new;
use tesuji_othello::{Move, Othello};
use tesuji_task::Context;

use crate::board::legal_moves;
use crate::training::check_output;
use crate::{BoardDescription, Error, Playable, Registration, SideName};

/// A book that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookResponse {
    /// `final`, `merged` or `imported`.
    pub event: String,
    /// The file.
    pub book: String,
    /// Number of positions.
    pub positions: usize,
    /// Number of positions whose leaf has not been searched.
    pub unsearched: usize,
}

/// Asks a book about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BookShowRequest {
    /// The position, or moves from the start; empty for the start.
    pub at: String,
    /// The file of the book; the one that ships if absent.
    pub book: Option<PathBuf>,
}

/// A position in a book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "position")]
pub struct BookShowResponse {
    /// The position in the game's notation.
    pub position: String,
    /// Whether the book holds it.
    pub in_book: bool,
    /// Whether no move can be better than those listed.
    #[serde(rename = "whole")]
    pub complete: bool,
    /// The score for the side to move.
    #[serde(rename = "value")]
    pub score: Option<i32>,
    /// Number of positions of the book that can be reached from here.
    pub positions: usize,
    /// The moves that the book knows, best first.
    pub moves: Vec<BookMoveResponse>,
    /// The principal variation.
    #[serde(rename = "line")]
    pub principal_variation: Vec<String>,
    /// What a front end shows besides; not part of the JSON.
    #[serde(skip)]
    pub page: Option<BookPage>,
}

/// What a front end shows of a position besides its book moves.
#[derive(Clone, PartialEq, Debug)]
pub struct BookPage {
    /// The board.
    pub board: BoardDescription,
    /// The side to move.
    pub mover: SideName,
    /// Number of legal moves.
    pub legal_moves: usize,
    /// Number of positions in the book.
    pub book_positions: usize,
}

/// A move that a book knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookMoveResponse {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score for the side to move.
    #[serde(rename = "value")]
    pub score: i32,
    /// Number of positions of the book that it leads to.
    pub positions: usize,
    /// The search depth of a move out of the book.
    pub depth: Option<u32>,
    /// The selectivity of that search, in percent.
    pub percent: Option<u32>,
    /// Depth and selectivity as text.
    #[serde(skip)]
    pub depth_text: Option<String>,
}

/// Opening books. Every method fails for a game without them.
///
/// # Errors
/// Bad input, failed reading or writing, and cancellation.
pub trait BookApi {
    /// Whether the game has opening books.
    fn has_opening_books(&self) -> bool;

    /// Builds a book, or extends an existing one.
    fn build_book(
        &self,
        job: &BookBuildJob,
        context: Context<'_>,
        events: &mut dyn FnMut(BookBuildEvent),
    ) -> Result<BookResponse, Error>;

    /// Looks a position up.
    fn show_book(&self, request: &BookShowRequest) -> Result<BookShowResponse, Error>;

    /// Merges books into a new file.
    fn merge_books(&self, books: &[PathBuf], out: &Path) -> Result<BookResponse, Error>;

    /// A book as text; the one that ships if there is no file.
    fn export_book(&self, book: Option<&Path>) -> Result<String, Error>;

    /// Reads a book from text and writes it to a new file. `name` names the text in messages.
    fn import_book(&self, text: &[u8], name: &str, out: &Path) -> Result<BookResponse, Error>;
}

impl<G: Playable> Registration<G> {
    /// The game has opening books.
    pub fn books(mut self) -> Registration<G> {
        self.has_books = true;
        self
    }

    fn check_books(&self) -> Result<(), Error> {
        let missing = || Error::invalid(format!("{} has no opening books; othello has", G::NAME));
        self.has_books.then_some(()).ok_or_else(missing)
    }
}

impl<G: Playable> BookApi for Registration<G> {
    fn has_opening_books(&self) -> bool {
        self.has_books
    }

    fn build_book(
        &self,
        job: &BookBuildJob,
        context: Context<'_>,
        events: &mut dyn FnMut(BookBuildEvent),
    ) -> Result<BookResponse, Error> {
        self.check_books()?;
        check_output(&job.out)?;
        Ok(response("final", &job.run(context, events)?, &job.out))
    }

    fn show_book(&self, request: &BookShowRequest) -> Result<BookShowResponse, Error> {
        self.check_books()?;
        show(request)
    }

    fn merge_books(&self, books: &[PathBuf], out: &Path) -> Result<BookResponse, Error> {
        self.check_books()?;
        let books = books.iter().map(|path| load(path)).collect::<Result<Vec<Book>, Error>>()?;
        write("merged", &Book::merge(&books), out)
    }

    fn export_book(&self, book: Option<&Path>) -> Result<String, Error> {
        self.check_books()?;
        Ok(match book {
            Some(path) => load(path)?.text(),
            None => Book::shipped().text(),
        })
    }

    fn import_book(&self, text: &[u8], name: &str, out: &Path) -> Result<BookResponse, Error> {
        self.check_books()?;
        let invalid = |error: &dyn std::fmt::Display| Error::invalid(format!("{name}: {error}"));
        let text = std::str::from_utf8(text)
            .map_err(|_| invalid(&"not text: give a book that `tesuji book export othello` wrote"))?;
        let book = Book::parse_text(text).map_err(|error| invalid(&error))?;
        if book.is_empty() {
            return Err(invalid(&"no positions: give one per line, 64 squares and a side"));
        }
        write("imported", &book, out)
    }
}

fn load(path: &Path) -> Result<Book, Error> {
    Book::load(path).map_err(|error| Error::invalid(format!("{}: {error}", path.display())))
}

fn write(event: &str, book: &Book, path: &Path) -> Result<BookResponse, Error> {
    write_new(path, &book.bytes())?;
    Ok(response(event, book, path))
}

fn response(event: &str, book: &Book, path: &Path) -> BookResponse {
    BookResponse {
        event: event.to_owned(),
        book: path.display().to_string(),
        positions: book.len(),
        unsearched: book.unsearched(),
    }
}

fn show(request: &BookShowRequest) -> Result<BookShowResponse, Error> {
    let record = record(&request.at)?;
    let own = request.book.as_deref().map(load).transpose()?;
    let book = own.as_ref().unwrap_or_else(|| Book::shipped());
    let game = record.now();
    let known = book.probe(game);
    let words = |moves: Vec<Move>| moves.iter().map(ToString::to_string).collect();
    Ok(BookShowResponse {
        position: game.print(),
        in_book: known.is_some(),
        complete: known.as_ref().is_some_and(|known| known.complete),
        score: book.score(game),
        positions: book.reachable(game),
        moves: known.iter().flat_map(|known| &known.moves).map(|mv| book_move(book, game, mv)).collect(),
        principal_variation: words(book.principal_variation(game).0),
        page: Some(BookPage {
            board: BoardDescription::of(&record),
            mover: game.mover().into(),
            legal_moves: legal_moves(&record).len(),
            book_positions: book.len(),
        }),
    })
}

/// The game at a position, or after moves from the start.
fn record(text: &str) -> Result<Record<Othello>, Error> {
    let invalid = |error: String| Error::invalid(format!("{text:?} is neither a position nor moves: {error}"));
    // Moves contain digits, boards do not.
    if text.len() >= 64 && !text.contains(|letter: char| letter.is_ascii_digit()) {
        return Othello::parse(text).map(Record::new).map_err(|error| invalid(error.to_string()));
    }
    let mut record = Record::new(Othello::start());
    Othello::read_moves(&mut record, text).map_err(|fault| invalid(fault.to_string()))?;
    Ok(record)
}

fn book_move(book: &Book, game: &Othello, &BookMove { mv, score, source }: &BookMove) -> BookMoveResponse {
    let (positions, depth, percent) = match source {
        MoveSource::Book => {
            let mut after = *game;
            after.play(mv);
            (book.reachable(&after), None, None)
        }
        MoveSource::Leaf(depth, selectivity) => (0, Some(depth), Some(selectivity.percent())),
    };
    BookMoveResponse { mv: mv.to_string(), score, positions, depth, percent, depth_text: source.depth_text() }
}
