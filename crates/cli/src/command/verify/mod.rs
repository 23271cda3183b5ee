//! `tesuji verify`: whether files of ours are whole, of the right version, and right in what they say.

mod book;
mod crew;
mod cuts;
mod entries;
mod journal;
mod outcomes;
mod reach;
mod sums;
mod table;
mod tell;
#[cfg(test)]
mod tests;
mod totals;
mod verdict;
mod weights;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use serde_json::json;
use tesuji_search::CancelToken;

use crate::Entry;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use sums::Sums;
pub(crate) use table::table;

pub(crate) fn run(games: &[Entry], args: &args::Verify, out: &mut Out) -> Done {
    let path = Path::new(&args.path);
    if let Err(error) = fs::metadata(path) {
        return Err(Failure::usage(format!("cannot read {}: {error}", path.display())));
    }
    raise_on_interrupt(&CancelToken::new());
    if let Some(done) = games.iter().find_map(|entry| entry.tool().verify(path, args, out)) {
        return done;
    }
    if let Some(journal) = journal::find(path) {
        return journal::verify(&journal, args, out);
    }
    if let Some(bytes) = weights::find(path) {
        return weights::verify(path, &bytes, args, out);
    }
    if let Some(bytes) = book::find(path) {
        return book::verify(path, &bytes, args, out);
    }
    if let Some(text) = cuts::find(path) {
        return cuts::verify(path, &text, args, out);
    }
    let files = sums::files(path);
    if !files.is_empty() {
        return alone(&files, args, out);
    }
    Err(Failure::usage(format!(
        "{}: nothing of ours: name a directory that `tesuji solve` or `tesuji tournament` wrote, or a file of one",
        path.display()
    )))
}

/// Files of blocks that no game here knows by name: only their sums can be looked at.
fn alone(files: &[PathBuf], args: &args::Verify, out: &mut Out) -> Done {
    let sums = Sums::of(files, threads(args), out)?;
    if args.json.json {
        let mut fields = sums.json();
        fields["event"] = "final".into();
        fields["right"] = sums.right().into();
        out.json("verify", fields)?;
    } else {
        sums.tell(out)?;
        out.line("what they say was not looked at: no game here has a table with files of these names")?;
    }
    if sums.right() { Ok(()) } else { Err(Failure::No) }
}

/// How many threads to use.
fn threads(args: &args::Verify) -> usize {
    args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

/// What is told when somebody wants the work to end before it is done.
fn interrupted() -> Failure {
    Failure::Failed("interrupted: not everything was looked at".to_owned())
}

/// A wrong file: told on standard error, or as the last object.
fn wrong(path: &Path, message: &str, args: &args::Verify, out: &mut Out) -> Failure {
    if !args.json.json {
        return Failure::Failed(message.to_owned());
    }
    let fields =
        json!({ "event": "final", "path": path.display().to_string(), "right": false, "error": message });
    out.json("verify", fields).err().unwrap_or(Failure::No)
}
