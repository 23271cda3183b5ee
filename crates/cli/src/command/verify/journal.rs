//! Journals: the chain of their sums, and in those of tournaments every line. The file is only read.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::json;
use tesuji_arena::{JOURNAL, SavedTournament, TournamentJournal};
use tesuji_store::journal;

use super::wrong;
use crate::args;
use crate::command::counted;
use crate::failure::Done;
use crate::out::Out;

/// What journals begin with.
const MAGIC: &str = "tesuji-journal";
/// The kind of journal that tournaments have.
const TOURNAMENT: &str = "tournament";
/// More than any first line has.
const LONGEST: u64 = 200;

/// The journal that a path means: itself, or that of a tournament in this directory.
pub(super) fn find(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.join(JOURNAL)).filter(|journal| journal.exists());
    }
    let named = path.file_name().is_some_and(|name| name == JOURNAL);
    (named || first_line(path)?.starts_with(MAGIC)).then(|| path.to_owned())
}

/// The first line of a file, if it is text.
fn first_line(path: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(fs::File::open(path).ok()?.take(LONGEST)).read_line(&mut line).ok()?;
    Some(line)
}

/// Reads a journal from one end to the other.
pub(super) fn verify(path: &Path, args: &args::Verify, out: &mut Out) -> Done {
    match check(path, Path::new(&args.path).is_dir()) {
        Err(message) => Err(wrong(path, &message, args, out)),
        Ok(Whole { kind, lines, torn, games }) if args.json.json => out.json(
            "verify",
            json!({ "event": "final", "path": path.display().to_string(), "kind": kind, "lines": lines,
                "games": games, "torn": torn, "right": true }),
        ),
        Ok(Whole { kind, lines, torn, games }) => {
            let games = games.map_or(String::new(), |games| format!(", {}", counted(games, "game")));
            let path = path.display();
            out.line(format_args!(
                "{path}: a whole journal of kind {kind}, {}{games}",
                counted(lines, "line")
            ))?;
            if torn {
                out.line("its last line was cut short and does not count; whoever goes on drops it")?;
            }
            Ok(())
        }
    }
}

/// A journal without fault.
struct Whole {
    kind: String,
    /// Lines after the header.
    lines: usize,
    /// Whether it ends in a line that was cut short.
    torn: bool,
    /// The games of a tournament.
    games: Option<usize>,
}

fn check(path: &Path, folder: bool) -> Result<Whole, String> {
    let first = first_line(path).unwrap_or_default();
    let kind = first.split(' ').nth(2).unwrap_or(TOURNAMENT).to_owned();
    let reading = journal::read(path, &kind).map_err(|error| error.to_string())?;
    let mut whole = Whole { kind, lines: reading.lines.len(), torn: reading.torn, games: None };
    if whole.kind == TOURNAMENT && !reading.lines.is_empty() {
        let archive = SavedTournament::read(path).map_err(|error| error.to_string())?;
        whole.games = Some(archive.journal.all().count());
        if let Some(dir) = path.parent().filter(|_| folder) {
            let settings = TournamentJournal::config(dir).map_err(|error| error.to_string())?;
            if settings.print() != archive.header.config {
                return Err(format!(
                    "{}: the settings there are not those the tournament began with: undo the change",
                    dir.display()
                ));
            }
        }
    }
    Ok(whole)
}
