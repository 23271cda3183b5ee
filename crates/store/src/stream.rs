//! Atomic replacement of a file that is too large for memory.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::blocks::create_temporary;
use crate::disk::{Disk, DiskFile, Os};
use crate::save::{directory, remove_abandoned};

/// A file that grows beside its name and replaces it at the end. Dropped before [`finish`](FileStream::finish), it leaves
/// the old file as it was.
///
/// ```
/// use std::io::Write;
/// use tesuji_store::FileStream;
///
/// let path = std::env::temp_dir().join(format!("tesuji-stream-{}.txt", std::process::id()));
/// let mut file = FileStream::create(&path)?;
/// file.write_all(b"many rows")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"many rows");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FileStream {
    path: PathBuf,
    temporary: PathBuf,
    file: Box<dyn DiskFile>,
    finished: bool,
}

impl FileStream {
    /// Begins a file.
    ///
    /// # Errors
    /// The directory does not exist or cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<FileStream, StoreError> {
        let path = path.as_ref().to_owned();
        let Some(name) = path.file_name() else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
            return Err(StoreError::io(&path, "write")(error));
        };
        remove_abandoned(&Os, directory(&path), name);
        let made = create_temporary(&Os, directory(&path), name);
        let (temporary, file) = made.map_err(StoreError::io(&path, "write"))?;
        Ok(FileStream { path, temporary, file, finished: false })
    }

    /// Syncs what was written and puts it in place of the old file.
    ///
    /// # Errors
    /// The file system failed; the old file is as it was.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let renamed = self.file.sync().and_then(|()| Os.rename(&self.temporary, &self.path));
        renamed.map_err(StoreError::io(&self.path, "write"))?;
        self.finished = true;
        Os.sync_names(directory(&self.path)).map_err(StoreError::io(&self.path, "sync the directory of"))
    }
}

impl Write for FileStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.append(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for FileStream {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing is left to do if this fails: the next writer of the file removes it.
            let _ = Os.remove(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let dir = std::env::temp_dir().join(format!("tesuji-store-stream-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        let path = dir.join("rows");
        std::fs::write(&path, "old").expect("written");
        let mut file = FileStream::create(&path).expect("begun");
        file.write_all(b"new").expect("written");
        drop(file);
        assert_eq!(std::fs::read(&path).expect("read"), b"old");
        let mut file = FileStream::create(&path).expect("begun");
        file.write_all(b"new ").and_then(|()| file.write_all(b"rows")).expect("written");
        file.finish().expect("finished");
        assert_eq!(std::fs::read(&path).expect("read"), b"new rows");
        assert_eq!(std::fs::read_dir(&dir).expect("a directory").count(), 1);
        assert!(FileStream::create(dir.join("no/such/folder")).is_err());
        std::fs::remove_dir_all(&dir).expect("removed");
    }
}
