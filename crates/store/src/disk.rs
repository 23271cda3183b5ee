//! The file system operations that the store uses. [`Os`] is the real file system; the tests bring a simulated one
//! that loses everything that was not synced.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file system.
pub trait Disk {
    /// Creates an empty file.
    ///
    /// # Errors
    /// `AlreadyExists` when the name is in use.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Opens an existing file.
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Reads a whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Renames a file and replaces the target.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory.
    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>>;

    /// Syncs a directory: afterwards its names survive a power cut.
    fn sync_names(&self, dir: &Path) -> io::Result<()>;
}

/// An open file, mostly for appending.
pub trait DiskFile: Send {
    /// Reads the whole file.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Appends bytes. After an error some of them may be written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Replaces bytes that were written before, from `at` on.
    fn overwrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates the file to `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Syncs the data: afterwards it survives a power cut.
    fn sync(&mut self) -> io::Result<()>;

    /// Locks the file, also against other processes, until it is dropped; `false` when it is locked elsewhere.
    fn lock_exclusive(&mut self) -> io::Result<bool>;
}

/// The file system of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Os;

impl Disk for Os {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().read(true).write(true).create_new(true).open(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().read(true).write(true).open(path)?))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    #[cfg(unix)]
    fn sync_names(&self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }

    // Elsewhere a directory cannot be opened as a file; the system journals names itself.
    #[cfg(not(unix))]
    fn sync_names(&self, _dir: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for File {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.rewind()?;
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::End(0))?;
        self.write_all(bytes)
    }

    fn overwrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(at))?;
        self.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn lock_exclusive(&mut self) -> io::Result<bool> {
        match self.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
