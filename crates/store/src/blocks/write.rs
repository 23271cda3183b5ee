//! Writing a file of blocks, one after the other, of which nothing is seen before the last is safe.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{BEFORE, END, FORMAT, MAGIC, checksum};
use crate::StoreError;
use crate::disk::{Disk, DiskFile};
use crate::save::{directory, sweep, temporary};

/// How much is gathered before it goes to the file.
const GATHER: usize = 1 << 20;
/// How often a temporary swept away by another run is begun again.
const ATTEMPTS: usize = 64;

/// A file of blocks that is being written. Dropped before [`finish`](BlockWriter::finish), it leaves the name as it
/// was.
pub struct BlockWriter<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
    /// Where it is written.
    part: PathBuf,
    file: Option<Box<dyn DiskFile>>,
    gathered: Vec<u8>,
    written: u64,
    head_sum: u32,
    list: Vec<u8>,
}

/// Begins a file on any file system; the head is what is to be known of all blocks.
pub fn write_on<'d>(disk: &'d dyn Disk, path: &Path, head: &[u8]) -> Result<BlockWriter<'d>, StoreError> {
    let failed = || StoreError::io(path, "write");
    let (Some(name), Ok(length)) = (path.file_name(), u32::try_from(head.len())) else {
        let what = io::Error::new(ErrorKind::InvalidInput, "the path names no file, or the head is too long");
        return Err(failed()(what));
    };
    let dir = directory(path);
    sweep(disk, dir, name);
    let (part, file) = begin(disk, dir, name).map_err(failed())?;
    let mut gathered = Vec::with_capacity(BEFORE + head.len() + 4);
    gathered.extend_from_slice(MAGIC);
    gathered.extend_from_slice(&FORMAT.to_le_bytes());
    gathered.extend_from_slice(&length.to_le_bytes());
    gathered.extend_from_slice(head);
    let head_sum = crc32fast::hash(&gathered);
    gathered.extend_from_slice(&head_sum.to_le_bytes());
    let path = path.to_owned();
    Ok(BlockWriter { disk, path, part, file: Some(file), gathered, written: 0, head_sum, list: Vec::new() })
}

/// Makes a temporary that no other run takes for a left-over.
fn begin(disk: &dyn Disk, dir: &Path, name: &OsStr) -> io::Result<(PathBuf, Box<dyn DiskFile>)> {
    for _ in 0..ATTEMPTS {
        let hidden = temporary(name);
        let part = dir.join(&hidden);
        let mut file = match disk.create(&part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // Held so that nobody sweeps it away; a file system without locks has to do without. Before that moment
        // somebody may have done so.
        let _ = file.hold();
        if disk.names(dir)?.iter().any(|entry| **entry == *hidden) {
            return Ok((part, file));
        }
    }
    Err(io::Error::other("other runs take every temporary name away"))
}

impl BlockWriter<'_> {
    /// Adds a block.
    pub fn append(&mut self, block: &[u8]) -> Result<(), StoreError> {
        let length = u32::try_from(block.len()).map_err(|_| {
            let what = io::Error::new(ErrorKind::InvalidInput, "a block must be shorter than 4 GiB");
            StoreError::io(&self.path, "write")(what)
        })?;
        self.list.extend_from_slice(&length.to_le_bytes());
        self.list.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        self.gathered.extend_from_slice(block);
        if self.gathered.len() >= GATHER { self.flush() } else { Ok(()) }
    }

    /// Gives the file its name, in the place of whatever had it. When this returns all of it survives a power cut;
    /// the number of its bytes is returned.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        let mut end = std::mem::take(&mut self.list);
        end.extend_from_slice(&(end.len() as u64 / 8).to_le_bytes());
        let sum = checksum(self.head_sum, &end);
        end.extend_from_slice(&sum.to_le_bytes());
        end.extend_from_slice(END);
        self.gathered.extend_from_slice(&end);
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
        file.append(&self.gathered).map_err(StoreError::io(&self.path, "write"))?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }
}

impl Drop for BlockWriter<'_> {
    fn drop(&mut self) {
        // Still open: not finished, and of no use to anybody.
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
