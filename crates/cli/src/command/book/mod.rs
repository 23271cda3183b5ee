//! `tesuji book`: opening books of Othello.

mod build;
mod show;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::json;
use tesuji_engines::othello::Book;
use tesuji_store::save;

use super::{counted, format_named, load};
use crate::args::{self, BookVerb};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(args: &args::Book, out: &mut Out) -> Done {
    match &args.verb {
        BookVerb::Build(args) => build::run(args, out),
        BookVerb::Show(args) => show::run(args, out),
        BookVerb::Merge(args) => merge(args, out),
        BookVerb::Export(args) => export(args, out),
        BookVerb::Import(args) => import(args, out),
    }
}

fn merge(args: &args::BookMerge, out: &mut Out) -> Done {
    let books = args.books.iter().map(|path| read(path)).collect::<Result<Vec<Book>, Failure>>()?;
    let merged = Book::merged(&books);
    keep(&merged, &args.out)?;
    tell("merged", &merged, &args.out, args.json.json, out)
}

fn export(args: &args::BookExport, out: &mut Out) -> Done {
    let text = match &args.book {
        Some(path) => read(path)?.text(),
        None => Book::shipped().text(),
    };
    out.bytes(text.as_bytes())
}

fn import(args: &args::BookImport, out: &mut Out) -> Done {
    let name = if args.text == "-" { "standard input" } else { &args.text };
    let text = String::from_utf8(load(&args.text)?).map_err(|_| {
        Failure::usage(format!("{name}: no text: a book as `tesuji book othello export` writes it is needed"))
    })?;
    let book = Book::parse_text(&text).map_err(|fault| Failure::usage(format!("{name}: {fault}")))?;
    if book.is_empty() {
        return Err(Failure::usage(format!("{name}: no positions: one a line, 64 squares and a side")));
    }
    keep(&book, &args.out)?;
    tell("imported", &book, &args.out, args.json.json, out)
}

/// The book of a file.
fn read(path: &Path) -> Result<Book, Failure> {
    Book::load(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Writes a new book; one that is there already would be lost.
fn keep(book: &Book, path: &Path) -> Done {
    let bytes = book.bytes();
    match fs::read(path) {
        Ok(there) if there == bytes => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => {
            let message = format!("{} is there already: choose another name", path.display());
            return Err(Failure::usage(message));
        }
    }
    save(path, &bytes).map_err(|error| Failure::Failed(error.to_string()))
}

/// Says what became of a book.
fn tell(event: &str, book: &Book, path: &Path, as_json: bool, out: &mut Out) -> Done {
    let (positions, unsearched) = (book.len(), book.unsearched());
    if as_json {
        let fields = json!({ "event": event, "book": path.display().to_string(), "positions": positions,
            "unsearched": unsearched });
        return out.json("book", fields);
    }
    out.line(format_args!("{} in {}", counted(positions, "position"), path.display()))?;
    if unsearched > 0 {
        out.line(format_args!(
            "{} to be searched: `tesuji book othello build --out {} --positions {positions}` does that",
            counted(unsearched, "position"),
            path.display()
        ))?;
    }
    Ok(())
}
