//! Replacing a file as one step that has happened or has not, whatever happens meanwhile.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::disk::{Disk, Os};

/// How often a temporary swept away by another run is begun again.
const ATTEMPTS: usize = 8;

/// Makes `bytes` the whole content of the file `path`. When this returns they survive a power cut; when it fails,
/// or never returns, the file holds what it held before, or all of `bytes`, and nothing else.
pub fn save(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), StoreError> {
    save_on(&Os, path.as_ref(), bytes)
}

/// [`save`] on any file system.
pub fn save_on(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let Some(name) = path.file_name() else {
        let nameless = io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
        return Err(StoreError::io(path, "write")(nameless));
    };
    let dir = directory(path);
    sweep(disk, dir, name);
    for attempt in 1.. {
        match replace(disk, dir, name, path, bytes) {
            // Between being made and being held, a temporary looks like one of a killed run and may be swept away.
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => {}
            Err(error) => return Err(StoreError::io(path, "write")(error)),
            Ok(()) => break,
        }
    }
    // Until the directory is synced, a power cut may still bring the old file back.
    disk.sync_names(dir).map_err(StoreError::io(path, "sync the directory of"))
}

/// The directory a file lives in.
pub(crate) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

/// Writes and syncs a temporary, then lets it take the name.
fn replace(disk: &dyn Disk, dir: &Path, name: &OsStr, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = loop {
        let temporary = dir.join(temporary(name));
        match disk.create(&temporary) {
            Ok(file) => break (temporary, file),
            // Left behind by a killed run of the same process number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    };
    // Held so that another run does not take it for a left-over; a file system without locks has to do without.
    let _ = file.hold();
    let written = file.append(bytes).and_then(|()| file.sync()).and_then(|()| disk.rename(&temporary, path));
    if written.is_err() {
        let _ = disk.remove(&temporary);
    }
    written
}

/// A name beside `name` that no other save uses.
pub(crate) fn temporary(name: &OsStr) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{}.tmp", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    temporary.into()
}

/// Whether `entry` is a temporary of `name`, of this run or another.
fn is_temporary(entry: &OsStr, name: &OsStr) -> bool {
    let middle = entry
        .as_encoded_bytes()
        .strip_prefix(b".")
        .and_then(|rest| rest.strip_prefix(name.as_encoded_bytes()))
        .and_then(|rest| rest.strip_prefix(b"."))
        .and_then(|rest| rest.strip_suffix(b".tmp"));
    let number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    middle.is_some_and(|middle| {
        let mut parts = middle.splitn(2, |&byte| byte == b'-');
        matches!((parts.next(), parts.next()), (Some(run), Some(count)) if number(run) && number(count))
    })
}

/// Removes temporaries that killed runs left beside `name`. They do no harm, so nothing here is an error.
pub(crate) fn sweep(disk: &dyn Disk, dir: &Path, name: &OsStr) {
    for entry in disk.names(dir).unwrap_or_default() {
        if is_temporary(&entry, name) {
            let left = dir.join(entry);
            // A run that still lives holds its temporary.
            if let Ok(mut file) = disk.open(&left)
                && let Ok(true) = file.hold()
            {
                let _ = disk.remove(&left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporaries_are_told_from_neighbours() {
        let name = OsStr::new("a.bin");
        assert!(is_temporary(temporary(name).as_os_str(), name));
        assert!(is_temporary(OsStr::new(".a.bin.17-0.tmp"), name));
        for other in ["a.bin", ".a.bin", ".a.bin.tmp", ".a.bin.1.tmp", ".a.bin.x-1.tmp", ".b.bin.1-1.tmp", ""]
        {
            assert!(!is_temporary(OsStr::new(other), name), "{other}");
        }
    }

    #[test]
    fn a_bare_name_lives_here() {
        assert_eq!(directory(Path::new("x")), Path::new("."));
        assert_eq!(directory(Path::new("a/x")), Path::new("a"));
        assert_eq!(directory(Path::new("/x")), Path::new("/"));
    }
}
