//! Atomic replacement of files.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::disk::{Disk, Os};

/// Retries after another process removed the temporary file.
const ATTEMPTS: usize = 8;

/// Replaces the content of a file atomically. After a success it survives a power cut. After a failure or a crash the
/// file has its old content or all of `bytes`.
///
/// # Errors
/// The file system failed.
pub fn save(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), StoreError> {
    save_on(&Os, path.as_ref(), bytes)
}

/// Checks that [`save`] could write a file, before work that would be lost otherwise: the path is no folder, and its
/// folder exists and takes new files. Nothing is left behind.
///
/// # Errors
/// The file could not be written.
pub fn check_target(path: impl AsRef<Path>) -> Result<(), StoreError> {
    let path = path.as_ref();
    let wrong = |kind, message: &str| StoreError::io(path, "write")(io::Error::new(kind, message.to_owned()));
    let Some(name) = path.file_name() else {
        return Err(wrong(io::ErrorKind::InvalidInput, "the path has no file name"));
    };
    if path.is_dir() {
        return Err(wrong(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let dir = directory(path);
    if !dir.is_dir() {
        return Err(wrong(io::ErrorKind::NotFound, &format!("there is no folder {}", dir.display())));
    }
    let temporary = dir.join(temporary(name));
    let created = Os.create(&temporary).and_then(|_| Os.remove(&temporary));
    created.map_err(StoreError::io(path, "write"))
}

/// [`save`] on any file system.
pub fn save_on(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let Some(name) = path.file_name() else {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
        return Err(StoreError::io(path, "write")(error));
    };
    let dir = directory(path);
    remove_abandoned(disk, dir, name);
    for attempt in 1.. {
        match replace(disk, dir, name, path, bytes) {
            // Between its creation and its lock, a temporary file looks abandoned and may be removed.
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => {}
            Err(error) => return Err(StoreError::io(path, "write")(error)),
            Ok(()) => break,
        }
    }
    // Before this sync a power cut may restore the old file.
    disk.sync_names(dir).map_err(StoreError::io(path, "sync the directory of"))?;
    tracing::info!(file = %path.display(), bytes = bytes.len(), "file written");
    Ok(())
}

/// The directory of a file.
pub(crate) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

/// Writes and syncs a temporary file, then renames it.
fn replace(disk: &dyn Disk, dir: &Path, name: &OsStr, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = loop {
        let temporary = dir.join(temporary(name));
        match disk.create(&temporary) {
            Ok(file) => break (temporary, file),
            // Left behind by a killed process with the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    };
    // The lock shows other processes that the file is in use. Some file systems have no locks.
    let _ = file.lock_exclusive();
    let written = file.append(bytes).and_then(|()| file.sync()).and_then(|()| disk.rename(&temporary, path));
    if written.is_err() {
        let _ = disk.remove(&temporary);
    }
    written
}

/// A unique name for a temporary file beside `name`.
pub(crate) fn temporary(name: &OsStr) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{}.tmp", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    temporary.into()
}

/// Whether `entry` is a temporary file of `name`, of any process.
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

/// Removes temporary files that killed processes left beside `name`. Errors are ignored: the files are harmless.
pub(crate) fn remove_abandoned(disk: &dyn Disk, dir: &Path, name: &OsStr) {
    for entry in disk.names(dir).unwrap_or_default() {
        if is_temporary(&entry, name) {
            let left = dir.join(entry);
            // A living process holds the lock of its temporary file.
            if let Ok(mut file) = disk.open(&left)
                && let Ok(true) = file.lock_exclusive()
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
    fn temporary_files_are_recognised() {
        let name = OsStr::new("a.bin");
        assert!(is_temporary(temporary(name).as_os_str(), name));
        assert!(is_temporary(OsStr::new(".a.bin.17-0.tmp"), name));
        for other in ["a.bin", ".a.bin", ".a.bin.tmp", ".a.bin.1.tmp", ".a.bin.x-1.tmp", ".b.bin.1-1.tmp", ""] {
            assert!(!is_temporary(OsStr::new(other), name), "{other}");
        }
    }

    #[test]
    fn a_target_is_checked_without_a_trace() {
        let home = tempfile::tempdir().expect("a folder");
        let target = home.path().join("x.svg");
        check_target(&target).expect("it can be written");
        assert_eq!(std::fs::read_dir(home.path()).expect("a folder").count(), 0);
        let refused = |path: &Path| check_target(path).expect_err("a refusal").to_string();
        assert!(refused(home.path()).ends_with("it is a folder"));
        assert!(refused(&home.path().join("none/x.svg")).contains("there is no folder"));
        assert!(refused(Path::new("/")).contains("no file name"));
    }

    #[test]
    fn a_bare_name_is_in_the_current_directory() {
        assert_eq!(directory(Path::new("x")), Path::new("."));
        assert_eq!(directory(Path::new("a/x")), Path::new("a"));
        assert_eq!(directory(Path::new("/x")), Path::new("/"));
    }
}
