//! Whether an opening book is whole.

use std::fs;
use std::path::Path;

use serde_json::json;
use tesuji_engines::othello::Book;

use super::wrong;
use crate::args;
use crate::command::counted;
use crate::failure::Done;
use crate::out::Out;

/// The bytes of a book, if that is what lies there.
pub(super) fn find(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok().filter(|_| path.is_file()).filter(|bytes| Book::has_magic(bytes))
}

pub(super) fn verify(path: &Path, bytes: &[u8], args: &args::Verify, out: &mut Out) -> Done {
    let book = match Book::parse(bytes) {
        Ok(book) => book,
        Err(error) => return Err(wrong(path, &format!("{}: {error}", path.display()), args, out)),
    };
    let (positions, unsearched) = (book.len(), book.unsearched());
    if args.json.json {
        let fields = json!({ "event": "final", "path": path.display().to_string(), "right": true,
            "positions": positions, "unsearched": unsearched });
        return out.json("verify", fields);
    }
    let positions = counted(positions, "position");
    out.line(format_args!(
        "{}: whole; an opening book of othello, {positions}, {unsearched} not searched yet",
        path.display()
    ))
}
