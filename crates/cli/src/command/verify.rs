//! `tesuji verify`: whether files of ours are whole and right.

use std::path::Path;

use tesuji_game::Numbered;
use tesuji_solve::table::verify_files;

use crate::Entry;
use crate::args;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(games: &[Entry], args: &args::Verify, out: &mut Out) -> Done {
    let path = Path::new(&args.path);
    let found = games.iter().find_map(|entry| entry.tool().verify(path, args, out));
    found.unwrap_or_else(|| Err(Failure::usage(format!("{}: nothing of ours", path.display()))))
}

/// Verifies the table of a game, if it lies there.
pub(crate) fn table<G: Playable + Numbered>(
    path: &Path,
    _args: &args::Verify,
    out: &mut Out,
) -> Option<Done> {
    let checked = verify_files(path, 2, &|_, _| true).ok()?;
    Some(out.line(format_args!("{checked:?}")))
}
