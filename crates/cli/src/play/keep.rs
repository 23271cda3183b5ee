//! Where a game is kept: written after every move, so that nothing can lose it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tesuji_game::{Format, Formats, Record};
use tesuji_store::{StoreError, home, save};

use crate::failure::Failure;

/// The file of a game.
#[derive(Debug)]
pub(super) struct Keeper {
    path: PathBuf,
    format: Format,
    written: bool,
}

impl Keeper {
    /// This file, in the format its ending names.
    pub(super) fn at<G: Formats>(file: &str) -> Result<Keeper, Failure> {
        let path = PathBuf::from(file);
        if path.is_dir() {
            return Err(Failure::usage(format!("--save {file:?} is a folder; name a file in it")));
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let fits =
            |format: &&Format| ending.as_deref().is_some_and(|ending| format.extensions.contains(&ending));
        let format = G::FORMATS.iter().find(fits).unwrap_or(&G::FORMATS[0]);
        Ok(Keeper { path, format: *format, written: false })
    }

    /// A new file in the user's own folder, named after the game and the hour.
    pub(super) fn anywhere<G: Formats>() -> Keeper {
        let format = G::FORMATS[0];
        let ending = format.extensions.first().unwrap_or(&"txt");
        let folder = home().join("games");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let stem = format!("{}-{}", G::NAME, stamp(now));
        let path = |number: u32| match number {
            1 => folder.join(format!("{stem}.{ending}")),
            _ => folder.join(format!("{stem}-{number}.{ending}")),
        };
        let free = (1..1000).map(path).find(|path| !path.exists());
        Keeper { path: free.unwrap_or_else(|| path(1)), format, written: false }
    }

    /// Where the game lies, once it does.
    pub(super) fn path(&self) -> Option<&Path> {
        self.written.then_some(self.path.as_path())
    }

    /// Writes the game, whole or not at all. A format that cannot tell how it ended leaves that out.
    pub(super) fn keep<G: Formats>(&mut self, record: &Record<G>) -> Result<(), String> {
        let body = G::write(self.format, record).or_else(|_| G::write(self.format, &moves_alone(record)))?;
        let bytes = [G::head(self.format, 1), body].concat();
        self.write(&bytes).map_err(|error| error.to_string())?;
        self.written = true;
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            // Where there is no folder, saving says so.
            let _ = fs::create_dir_all(folder);
        }
        save(&self.path, bytes)
    }
}

/// The game without an ending that was agreed off the board.
fn moves_alone<G: Formats>(record: &Record<G>) -> Record<G> {
    let mut alone = Record::with_rules(record.start().clone(), record.path().rules.clone());
    for mv in record.moves() {
        if alone.push(mv).is_err() {
            break;
        }
    }
    alone
}

/// Seconds since 1970 as `20260131-235959`, by Greenwich.
pub(crate) fn stamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that the odd day of a leap year comes last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}{month:02}{date:02}-{:02}{:02}{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_399), "20000228-235959");
        assert_eq!(stamp(951_868_799), "20000229-235959");
        assert_eq!(stamp(1_767_225_599), "20251231-235959");
    }
}
