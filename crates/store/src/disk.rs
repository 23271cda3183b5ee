//! The few things this room asks of a file system. [`Os`] is the real one; the laws bring one that loses whatever
//! was not synced.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// A file system: names that lead to files.
pub trait Disk {
    /// Makes an empty file; an error of kind `AlreadyExists` when the name is taken.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Opens a file that exists.
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// All bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Gives a file another name, in the place of whatever had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes a name away.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory.
    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>>;

    /// Returns when the names of a directory will survive a power cut.
    fn sync_names(&self, dir: &Path) -> io::Result<()>;
}

/// An open file that grows at its end.
pub trait DiskFile: Send {
    /// All its bytes.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Adds bytes at the end; after an error some of them may be there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts it to `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Returns when the bytes will survive a power cut.
    fn sync(&mut self) -> io::Result<()>;

    /// Holds it until this is dropped, also against other processes; `false` when somebody else holds it.
    fn hold(&mut self) -> io::Result<bool>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Os;

impl Disk for Os {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().read(true).append(true).create_new(true).open(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().read(true).append(true).open(path)?))
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

    // Elsewhere a directory cannot be opened as a file; the system keeps its own journal of names.
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
        self.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn hold(&mut self) -> io::Result<bool> {
        match self.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
