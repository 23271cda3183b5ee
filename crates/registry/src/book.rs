//! Opening books: built, shown, merged, exported and imported.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engines::book::BookParts;
use tesuji_engines::book::{Book, BookGame, BookMove, MoveSource};
pub use tesuji_engines::book::{BookBuildEvent, BookBuildJob};
use tesuji_game::Record;
use tesuji_learn::JobError;
use tesuji_learn::job::write_new;
use tesuji_task::{CancelToken, Context};

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
    /// The score for the side to move: discs, or thousandths of a win in Trax.
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
    /// The score as text.
    pub score_text: Option<String>,
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
    /// The score as text.
    #[serde(skip)]
    pub score_text: String,
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

    /// Cuts the building of a book into parts for other machines.
    fn book_parts(&self, job: &BookBuildJob) -> Result<Box<dyn BookParts>, Error>;

    /// Looks a position up.
    fn show_book(&self, request: &BookShowRequest) -> Result<BookShowResponse, Error>;

    /// Merges books into a new file.
    fn merge_books(&self, books: &[PathBuf], out: &Path) -> Result<BookResponse, Error>;

    /// A book as text; the one that ships if there is no file.
    fn export_book(&self, book: Option<&Path>) -> Result<String, Error>;

    /// Reads a book from text and writes it to a new file. `name` names the text in messages.
    fn import_book(&self, text: &[u8], name: &str, out: &Path) -> Result<BookResponse, Error>;
}

type BookBuilder = fn(&BookBuildJob, Context<'_>, &mut dyn FnMut(BookBuildEvent)) -> Result<BookResponse, Error>;

/// The book commands of one game.
pub struct BookCapability {
    build: BookBuilder,
    parts: fn(&BookBuildJob) -> Result<Box<dyn BookParts>, JobError>,
    show: fn(&BookShowRequest) -> Result<BookShowResponse, Error>,
    merge: fn(&[PathBuf], &Path) -> Result<BookResponse, Error>,
    export: fn(Option<&Path>) -> Result<String, Error>,
    import: fn(&[u8], &str, &Path) -> Result<BookResponse, Error>,
}

impl<G: Playable> Registration<G> {
    /// The game has opening books.
    pub fn books(mut self) -> Registration<G>
    where
        G: BookGame,
    {
        self.books = Some(BookCapability {
            build: |job, context, events| Ok(response("final", &job.run::<G>(context, events)?, &job.out)),
            parts: |job| job.parts::<G>(Context::silent(&CancelToken::new())),
            show: show::<G>,
            merge: merge::<G>,
            export: export::<G>,
            import: import::<G>,
        });
        self
    }

    fn book_capability(&self) -> Result<&BookCapability, Error> {
        self.books
            .as_ref()
            .ok_or_else(|| Error::invalid(format!("{} has no opening books; othello, trax and shogi have", G::NAME)))
    }
}

impl<G: Playable> BookApi for Registration<G> {
    fn has_opening_books(&self) -> bool {
        self.books.is_some()
    }

    fn build_book(
        &self,
        job: &BookBuildJob,
        context: Context<'_>,
        events: &mut dyn FnMut(BookBuildEvent),
    ) -> Result<BookResponse, Error> {
        let books = self.book_capability()?;
        check_output(&job.out)?;
        (books.build)(job, context, events)
    }

    fn book_parts(&self, job: &BookBuildJob) -> Result<Box<dyn BookParts>, Error> {
        Ok((self.book_capability()?.parts)(job)?)
    }

    fn show_book(&self, request: &BookShowRequest) -> Result<BookShowResponse, Error> {
        (self.book_capability()?.show)(request)
    }

    fn merge_books(&self, books: &[PathBuf], out: &Path) -> Result<BookResponse, Error> {
        (self.book_capability()?.merge)(books, out)
    }

    fn export_book(&self, book: Option<&Path>) -> Result<String, Error> {
        (self.book_capability()?.export)(book)
    }

    fn import_book(&self, text: &[u8], name: &str, out: &Path) -> Result<BookResponse, Error> {
        (self.book_capability()?.import)(text, name, out)
    }
}

fn merge<G: BookGame>(books: &[PathBuf], out: &Path) -> Result<BookResponse, Error> {
    let books = books.iter().map(|path| load(path)).collect::<Result<Vec<Book<G>>, Error>>()?;
    write("merged", &Book::merge(&books), out)
}

fn export<G: BookGame>(book: Option<&Path>) -> Result<String, Error> {
    match book {
        Some(path) => Ok(load::<G>(path)?.text()),
        None => Ok(shipped::<G>()?.text()),
    }
}

fn import<G: BookGame>(text: &[u8], name: &str, out: &Path) -> Result<BookResponse, Error> {
    let invalid = |error: &dyn std::fmt::Display| Error::invalid(format!("{name}: {error}"));
    let text = std::str::from_utf8(text)
        .map_err(|_| invalid(&format_args!("not text: give a book that `tesuji book export {}` wrote", G::NAME)))?;
    let book = Book::<G>::parse_text(text).map_err(|error| invalid(&error))?;
    if book.is_empty() {
        return Err(invalid(&format_args!("no positions: give one per line, {}", G::POSITION_TEXT)));
    }
    write("imported", &book, out)
}

fn load<G: BookGame>(path: &Path) -> Result<Book<G>, Error> {
    Book::load(path).map_err(|error| Error::invalid(format!("{}: {error}", path.display())))
}

fn shipped<G: BookGame>() -> Result<&'static Book<G>, Error> {
    G::shipped_book()
        .ok_or_else(|| Error::invalid(format!("no book of {} ships: give one made by `tesuji book build`", G::NAME)))
}

fn write<G: BookGame>(event: &str, book: &Book<G>, path: &Path) -> Result<BookResponse, Error> {
    write_new(path, &book.bytes())?;
    Ok(response(event, book, path))
}

fn response<G: BookGame>(event: &str, book: &Book<G>, path: &Path) -> BookResponse {
    BookResponse {
        event: event.to_owned(),
        book: path.display().to_string(),
        positions: book.len(),
        unsearched: book.unsearched(),
    }
}

fn show<G: BookGame + Playable>(request: &BookShowRequest) -> Result<BookShowResponse, Error> {
    let record = record::<G>(&request.at)?;
    let own = request.book.as_deref().map(load).transpose()?;
    let book = match &own {
        Some(book) => book,
        None => shipped()?,
    };
    let game = record.now();
    let known = book.probe(game);
    let score = book.score(game);
    Ok(BookShowResponse {
        position: game.print(),
        in_book: known.is_some(),
        complete: known.as_ref().is_some_and(|known| known.complete),
        score,
        positions: book.reachable(game),
        moves: known.iter().flat_map(|known| &known.moves).map(|mv| book_move(book, game, mv)).collect(),
        principal_variation: game.print_line(&book.principal_variation(game).0),
        page: Some(BookPage {
            board: BoardDescription::of(&record),
            mover: game.mover().into(),
            legal_moves: legal_moves(&record).len(),
            book_positions: book.len(),
            score_text: score.map(G::score_text),
        }),
    })
}

/// The game at a position, or after moves from the start.
fn record<G: BookGame>(text: &str) -> Result<Record<G>, Error> {
    let mut record = Record::new(G::start());
    let Err(fault) = G::read_moves(&mut record, text) else { return Ok(record) };
    G::parse(text).map(Record::new).map_err(|error| {
        // The message of what it looks like.
        let error = if record.plies().is_empty() { error.to_string() } else { fault.to_string() };
        Error::invalid(format!("{text:?} is neither a position nor moves: {error}"))
    })
}

fn book_move<G: BookGame>(
    book: &Book<G>,
    game: &G,
    &BookMove { mv, score, source }: &BookMove<G::Move>,
) -> BookMoveResponse {
    let (positions, depth) = match source {
        MoveSource::Book => {
            let mut after = game.clone();
            after.play(mv);
            (book.reachable(&after), None)
        }
        MoveSource::Leaf(depth) => (0, Some(depth)),
    };
    BookMoveResponse {
        mv: game.print_move(mv),
        score,
        positions,
        depth: depth.map(|depth| depth.plies.into()),
        percent: depth.map(|depth| depth.percent.into()),
        depth_text: depth.map(|depth| depth.to_string()),
        score_text: G::score_text(score),
    }
}
