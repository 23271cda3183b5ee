//! Journals: text files that only grow, one checked line per event. What a line says is the business of whoever
//! wrote it.
//!
//! ```text
//! tesuji-journal 1 tournament c016f372
//! 2a466a48 the first event
//! af142be7 the second event
//! ```
//!
//! Each sum covers the sum before it and the text of its line, so that a line that was changed, removed, repeated
//! or moved is noticed where it happened. Only the loss of whole lines at the very end leaves no trace.

mod format;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::disk::{Disk, DiskFile, Os};
use crate::save::directory;

/// What a journal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The texts, in the order they were appended.
    pub lines: Vec<String>,
    /// Whether it ends in the middle of an append, which does not count.
    pub torn: bool,
}

/// Reads a journal, also one that another run is writing.
pub fn read(path: impl AsRef<Path>, kind: &str) -> Result<Reading, StoreError> {
    read_on(&Os, path.as_ref(), kind)
}

/// [`read`] on any file system.
pub fn read_on(disk: &dyn Disk, path: &Path, kind: &str) -> Result<Reading, StoreError> {
    let bytes = disk.read(path).map_err(StoreError::io(path, "read"))?;
    let content = format::parse(path, kind, &bytes)?;
    Ok(Reading { lines: content.lines, torn: content.torn })
}

/// A journal open for writing. No other run can open it meanwhile.
pub struct Journal {
    path: PathBuf,
    file: Box<dyn DiskFile>,
    length: u64,
    sum: u32,
    mended: bool,
    broken: bool,
}

impl Journal {
    /// Begins a journal of this kind; an error when the file exists.
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
        hold(&mut *file, path)?;
        let begun = file
            .append(header.as_bytes())
            .and_then(|()| file.sync())
            .and_then(|()| disk.sync_names(directory(path)));
        if let Err(error) = begun {
            // Nothing has been promised yet, and a file in the way would make the next attempt fail too.
            let _ = disk.remove(path);
            return Err(StoreError::io(path, "write")(error));
        }
        Ok(Journal::at(path, file, header.len() as u64, sum, false))
    }

    /// Opens a journal to go on with it, and returns what it holds. A last line cut short by a crash was never
    /// acknowledged and is cut off; any other damage is an error that names the line.
    pub fn open(path: impl AsRef<Path>, kind: &str) -> Result<(Journal, Vec<String>), StoreError> {
        Journal::open_on(&Os, path.as_ref(), kind)
    }

    /// [`Journal::open`] on any file system.
    pub fn open_on(disk: &dyn Disk, path: &Path, kind: &str) -> Result<(Journal, Vec<String>), StoreError> {
        let (header, header_sum) = format::header(path, kind)?;
        let mut file = disk.open(path).map_err(StoreError::io(path, "open"))?;
        hold(&mut *file, path)?;
        let bytes = file.read().map_err(StoreError::io(path, "read"))?;
        let content = format::parse(path, kind, &bytes)?;
        let (mut length, mut sum) = (content.length, content.sum);
        if content.torn {
            file.truncate(length).map_err(StoreError::io(path, "mend the end of"))?;
        }
        if length == 0 {
            file.append(header.as_bytes()).map_err(StoreError::io(path, "write"))?;
            (length, sum) = (header.len() as u64, header_sum);
        }
        // Also without a torn end: what was read may come from a run that was killed between write and sync, and
        // the caller is about to rely on it.
        file.sync().map_err(StoreError::io(path, "sync"))?;
        disk.sync_names(directory(path)).map_err(StoreError::io(path, "sync the directory of"))?;
        Ok((Journal::at(path, file, length, sum, content.torn), content.lines))
    }

    fn at(path: &Path, file: Box<dyn DiskFile>, length: u64, sum: u32, mended: bool) -> Journal {
        Journal { path: path.to_owned(), file, length, sum, mended, broken: false }
    }

    /// Adds one event: a text without line breaks. When this returns, the event survives a power cut; when it
    /// fails, the event does not count.
    pub fn append(&mut self, text: &str) -> Result<(), StoreError> {
        if self.broken {
            return Err(StoreError::Broken { path: self.path.clone() });
        }
        let (line, sum) = format::line(&self.path, self.sum, text)?;
        if let Err(error) = self.file.append(line.as_bytes()) {
            // A full disk, mostly: take the half line back, so that the run can go on when there is space again.
            self.broken = self.file.truncate(self.length).and_then(|()| self.file.sync()).is_err();
            return Err(StoreError::io(&self.path, "write")(error));
        }
        if let Err(error) = self.file.sync() {
            // After a failed sync the system may believe that pages are clean which never reached the disk. Only
            // reading the file anew tells what is there.
            let _ = self.file.truncate(self.length);
            self.broken = true;
            return Err(StoreError::io(&self.path, "sync")(error));
        }
        self.length += line.len() as u64;
        self.sum = sum;
        Ok(())
    }

    /// Whether opening it cut off a line that a crash had left unfinished.
    pub fn mended(&self) -> bool {
        self.mended
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Journal")
            .field("path", &self.path)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

fn hold(file: &mut dyn DiskFile, path: &Path) -> Result<(), StoreError> {
    match file.hold() {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Locked { path: path.to_owned() }),
        Err(error) => Err(StoreError::io(path, "lock")(error)),
    }
}
