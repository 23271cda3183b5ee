//! The file of a new game, named after the game and the time.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use tesuji_registry::GameHandle;
use tesuji_store::home;

/// A file in the data folder that does not exist yet; none if there can be no such folder.
pub(super) fn new_file(game: &GameHandle) -> Option<String> {
    let folder = home().join("games");
    if let Err(error) = fs::create_dir_all(&folder) {
        eprintln!("the game will not be saved: {}: {error}; --save FILE saves it elsewhere", folder.display());
        return None;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (stem, extension) = (format!("{}-{}", game.name(), stamp(now)), game.record_extension());
    let path = |number: u32| match number {
        1 => folder.join(format!("{stem}.{extension}")),
        _ => folder.join(format!("{stem}-{number}.{extension}")),
    };
    let unused = (1..1000).map(path).find(|path| !path.exists());
    Some(unused.unwrap_or_else(|| path(1)).display().to_string())
}

/// Seconds since 1970 as `20260131-235959`, in UTC.
pub(crate) fn stamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that the leap day is the last day of its year.
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
