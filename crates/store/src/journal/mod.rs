//! Journals: append-only text files with one checksummed line per event.
//!
//! ```text
//! tesuji-journal 1 tournament c016f372
//! 2a466a48 the first event
//! af142be7 the second event
//! ```
//!
//! Each checksum covers the checksum before it and the text of its line. So a line that was changed, removed, repeated
//! or moved is detected at its place. Only the loss of whole lines at the end cannot be detected.

mod format;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::StoreError;
use crate::disk::{Disk, DiskFile, Os};
use crate::save::directory;

/// The content of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalContent {
    /// The texts in the order of the appends.
    pub lines: Vec<String>,
    /// Whether the file ends with an incomplete append, which is ignored.
    pub torn: bool,
}

/// Reads a journal, even while another process writes it.
///
/// # Errors
/// The file cannot be read, is damaged, or has another kind or version.
pub fn read(path: impl AsRef<Path>, kind: &str) -> Result<JournalContent, StoreError> {
    read_on(&Os, path.as_ref(), kind)
}

/// [`read`] on any file system.
pub fn read_on(disk: &dyn Disk, path: &Path, kind: &str) -> Result<JournalContent, StoreError> {
    let bytes = disk.read(path).map_err(StoreError::io(path, "read"))?;
    let content = format::parse(path, kind, &bytes)?;
    Ok(JournalContent { lines: content.lines, torn: content.torn })
}

/// A journal open for writing. It is locked against other processes.
pub struct Journal {
    path: PathBuf,
    file: Box<dyn DiskFile>,
    length: u64,
    sum: u32,
    mended: bool,
    broken: bool,
}

impl Journal {
    /// Creates a journal of this kind.
    ///
    /// # Errors
    /// The file exists, or the file system failed.
    pub fn create(path: impl AsRef<Path>, kind: &str) -> Result<Journal, StoreError> {
        Journal::create_on(&Os, path.as_ref(), kind)
    }

    /// [`Journal::create`] on any file system.
    pub fn create_on(disk: &dyn Disk, path: &Path, kind: &str) -> Result<Journal, StoreError> {
        let (header, sum) = format::header(path, kind)?;
        let mut file = disk.create(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_owned() },
            _ => StoreError::io(path, "create")(error),
        })?;
        lock(&mut *file, path)?;
        let begun =
            file.append(header.as_bytes()).and_then(|()| file.sync()).and_then(|()| disk.sync_names(directory(path)));
        if let Err(error) = begun {
            // Nothing is acknowledged yet, and a remaining file would make the next attempt fail.
            let _ = disk.remove(path);
            return Err(StoreError::io(path, "write")(error));
        }
        Ok(Journal::at(path, file, header.len() as u64, sum, false))
    }

    /// Opens a journal for more appends, and returns its lines. An incomplete last line was never acknowledged and is
    /// removed.
    ///
    /// # Errors
    /// The file is locked or damaged, or has another kind or version. Damage names the line.
    pub fn open(path: impl AsRef<Path>, kind: &str) -> Result<(Journal, Vec<String>), StoreError> {
        Journal::open_on(&Os, path.as_ref(), kind)
    }

    /// [`Journal::open`] on any file system.
    pub fn open_on(disk: &dyn Disk, path: &Path, kind: &str) -> Result<(Journal, Vec<String>), StoreError> {
        let (header, header_sum) = format::header(path, kind)?;
        let mut file = disk.open(path).map_err(StoreError::io(path, "open"))?;
        lock(&mut *file, path)?;
        let bytes = file.read().map_err(StoreError::io(path, "read"))?;
        let content = format::parse(path, kind, &bytes)?;
        let (mut length, mut sum) = (content.length, content.sum);
        if content.torn {
            file.truncate(length).map_err(StoreError::io(path, "repair the end of"))?;
        }
        if length == 0 {
            file.append(header.as_bytes()).map_err(StoreError::io(path, "write"))?;
            (length, sum) = (header.len() as u64, header_sum);
        }
        // Always: the last process may have been killed between write and sync, and the caller relies on the lines.
        file.sync().map_err(StoreError::io(path, "sync"))?;
        disk.sync_names(directory(path)).map_err(StoreError::io(path, "sync the directory of"))?;
        Ok((Journal::at(path, file, length, sum, content.torn), content.lines))
    }

    fn at(path: &Path, file: Box<dyn DiskFile>, length: u64, sum: u32, mended: bool) -> Journal {
        Journal { path: path.to_owned(), file, length, sum, mended, broken: false }
    }

    /// Appends one event: a text without line breaks. After a success the event survives a power cut. After a failure
    /// it does not count.
    ///
    /// # Errors
    /// The text has a line break, or the file system failed.
    pub fn append(&mut self, text: &str) -> Result<(), StoreError> {
        if self.broken {
            return Err(StoreError::Broken { path: self.path.clone() });
        }
        let (line, sum) = format::line(&self.path, self.sum, text)?;
        if let Err(error) = self.file.append(line.as_bytes()) {
            // Usually a full disk. Remove the partial line, so that appends work again when there is space.
            self.broken = self.file.truncate(self.length).and_then(|()| self.file.sync()).is_err();
            return Err(StoreError::io(&self.path, "write")(error));
        }
        if let Err(error) = self.file.sync() {
            // After a failed sync the system may treat unwritten pages as clean. Only reading the file again shows its
            // content.
            let _ = self.file.truncate(self.length);
            self.broken = true;
            return Err(StoreError::io(&self.path, "sync")(error));
        }
        self.length += line.len() as u64;
        self.sum = sum;
        Ok(())
    }

    /// Whether opening removed an incomplete line.
    pub fn mended(&self) -> bool {
        self.mended
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Journal").field("path", &self.path).field("length", &self.length).finish_non_exhaustive()
    }
}

/// Locks a journal. A lock that was just released may live on for a moment: a process that was started meanwhile holds
/// it until it has become the other program. So this waits up to half a second.
fn lock(file: &mut dyn DiskFile, path: &Path) -> Result<(), StoreError> {
    for _ in 0..50 {
        if file.lock_exclusive().map_err(StoreError::io(path, "lock"))? {
            return Ok(());
        }
        sleep(Duration::from_millis(10));
    }
    Err(StoreError::Locked { path: path.to_owned() })
}
