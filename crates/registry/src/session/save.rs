//! The file of a game, written after every move.

use std::path::PathBuf;

use tesuji_game::{Format, Formats, Record};
use tesuji_store::{check_target, save};

use crate::Error;

/// The file that a game is saved to.
pub(super) struct SavedGame {
    path: PathBuf,
    format: Format,
    written: bool,
}

impl SavedGame {
    /// This file, in the format of its ending; without an ending in the first format. Refused if it could not be written.
    pub(super) fn at<G: Formats>(file: &str) -> Result<SavedGame, Error> {
        let path = PathBuf::from(file);
        if path.is_dir() {
            return Err(Error::field("save", format!("{file:?} is a folder; name a file in it")));
        }
        check_target(&path).map_err(|error| Error::field("save", error))?;
        let Some(ending) = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()) else {
            return Ok(SavedGame { path, format: G::FORMATS[0], written: false });
        };
        match G::FORMATS.iter().find(|format| format.extensions.contains(&ending.as_str())) {
            Some(&format) => Ok(SavedGame { path, format, written: false }),
            None => {
                let known = known_endings::<G>().join(", ");
                let message = format!("{file:?}: {} has no format for \".{ending}\"; use {known}", G::NAME);
                Err(Error::field("save", message))
            }
        }
    }

    /// The file, once it was written.
    pub(super) fn path(&self) -> Option<String> {
        self.written.then(|| self.path.display().to_string())
    }

    /// Writes the game. If the format cannot express how it ended, that is omitted.
    pub(super) fn write<G: Formats>(&mut self, record: &Record<G>) -> Result<(), Error> {
        let body = G::write(self.format, record)
            .or_else(|_| G::write(self.format, &without_ending(record)))
            .map_err(Error::failed)?;
        let bytes = [G::head(self.format, 1), body].concat();
        save(&self.path, &bytes).map_err(Error::failed)?;
        self.written = true;
        Ok(())
    }
}

/// The endings of the game's record formats, each once.
fn known_endings<G: Formats>() -> Vec<String> {
    let mut endings: Vec<String> = Vec::new();
    for ending in G::FORMATS.iter().flat_map(|format| format.extensions) {
        let ending = format!(".{ending}");
        if !endings.contains(&ending) {
            endings.push(ending);
        }
    }
    endings
}

/// The game without an ending that did not happen on the board.
fn without_ending<G: Formats>(record: &Record<G>) -> Record<G> {
    let mut moves = Record::with_rules(record.start().clone(), record.path().rules.clone());
    for mv in record.moves() {
        if moves.push(mv).is_err() {
            break;
        }
    }
    moves
}
