//! Writing a block file. The file appears under its name only when it is complete.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{BEFORE, END, FORMAT, MAGIC, checksum};
use crate::StoreError;
use crate::disk::{Disk, DiskFile};
use crate::save::{directory, remove_abandoned, temporary};

/// The size of the write buffer.
const BUFFER: usize = 1 << 20;
/// Retries after another process removed the temporary file.
const ATTEMPTS: usize = 64;

/// A block file that is being written. Without [`finish`](BlockWriter::finish) the target stays unchanged.
pub struct BlockWriter<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
    /// The temporary file.
    part: PathBuf,
    file: Option<Box<dyn DiskFile>>,
    buffer: Vec<u8>,
    written: u64,
    /// The length of the head.
    head: u32,
    head_sum: u32,
    list: Vec<u8>,
}

/// Starts a block file on a file system, with the head.
///
/// # Errors
/// The temporary file cannot be created.
pub fn write_on<'d>(disk: &'d dyn Disk, path: &Path, head: &[u8]) -> Result<BlockWriter<'d>, StoreError> {
    let failed = || StoreError::io(path, "write");
    let (Some(name), Ok(length)) = (path.file_name(), u32::try_from(head.len())) else {
        let what = io::Error::new(ErrorKind::InvalidInput, "the path has no file name, or the head is too long");
        return Err(failed()(what));
    };
    let dir = directory(path);
    remove_abandoned(disk, dir, name);
    let (part, file) = create_temporary(disk, dir, name).map_err(failed())?;
    let (buffer, head_sum) = head_bytes(head, length);
    let path = path.to_owned();
    Ok(BlockWriter { disk, path, part, file: Some(file), buffer, written: 0, head: length, head_sum, list: Vec::new() })
}

/// The beginning of a file with this head, and its checksum.
fn head_bytes(head: &[u8], length: u32) -> (Vec<u8>, u32) {
    let mut bytes = Vec::with_capacity(BEFORE + head.len() + 4);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(head);
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    (bytes, sum)
}

/// Creates a locked temporary file.
pub(crate) fn create_temporary(disk: &dyn Disk, dir: &Path, name: &OsStr) -> io::Result<(PathBuf, Box<dyn DiskFile>)> {
    for _ in 0..ATTEMPTS {
        let hidden = temporary(name);
        let part = dir.join(&hidden);
        let mut file = match disk.create(&part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // The lock shows other processes that the file is in use. Some file systems have no locks. Another process
        // may have removed the file before the lock.
        let _ = file.lock_exclusive();
        if disk.names(dir)?.iter().any(|entry| **entry == *hidden) {
            return Ok((part, file));
        }
    }
    Err(io::Error::other("other processes keep removing the temporary file"))
}

impl BlockWriter<'_> {
    /// Appends a block.
    ///
    /// # Errors
    /// The block is too long, or the file system failed.
    pub fn append(&mut self, block: &[u8]) -> Result<(), StoreError> {
        let length = u32::try_from(block.len()).map_err(|_| {
            let what = io::Error::new(ErrorKind::InvalidInput, "a block must be shorter than 4 GiB");
            StoreError::io(&self.path, "write")(what)
        })?;
        self.list.extend_from_slice(&length.to_le_bytes());
        self.list.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        self.buffer.extend_from_slice(block);
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Replaces the head by one of the same length, for instance with counts that are known only now.
    ///
    /// # Errors
    /// The length differs, or the file system failed.
    pub fn replace_head(&mut self, head: &[u8]) -> Result<(), StoreError> {
        let failed = || StoreError::io(&self.path, "write");
        if u32::try_from(head.len()) != Ok(self.head) {
            let what = io::Error::new(ErrorKind::InvalidInput, "the new head has another length");
            return Err(failed()(what));
        }
        let (bytes, sum) = head_bytes(head, self.head);
        self.head_sum = sum;
        if self.written == 0 {
            self.buffer[..bytes.len()].copy_from_slice(&bytes);
            return Ok(());
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.overwrite(0, &bytes).map_err(failed())
    }

    /// Completes the file and renames it to the target. After a success it survives a power cut. Returns the size in
    /// bytes.
    ///
    /// # Errors
    /// The file system failed.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        let mut end = std::mem::take(&mut self.list);
        end.extend_from_slice(&(end.len() as u64 / 8).to_le_bytes());
        let sum = checksum(self.head_sum, &end);
        end.extend_from_slice(&sum.to_le_bytes());
        end.extend_from_slice(END);
        self.buffer.extend_from_slice(&end);
        self.flush()?;
        let failed = || StoreError::io(&self.path, "write");
        if let Some(file) = &mut self.file {
            file.sync().map_err(failed())?;
        }
        self.disk.rename(&self.part, &self.path).map_err(failed())?;
        self.file = None;
        let synced = self.disk.sync_names(directory(&self.path));
        synced.map_err(StoreError::io(&self.path, "sync the directory of"))?;
        Ok(self.written)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.append(&self.buffer).map_err(StoreError::io(&self.path, "write"))?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl Drop for BlockWriter<'_> {
    fn drop(&mut self) {
        // Not finished.
        if self.file.take().is_some() {
            let _ = self.disk.remove(&self.part);
        }
    }
}

impl std::fmt::Debug for BlockWriter<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("BlockWriter").field("path", &self.path).finish_non_exhaustive()
    }
}
