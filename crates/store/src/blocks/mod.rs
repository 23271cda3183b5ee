//! Block files: many blocks, each read on its own and checked by its own checksum.
//!
//! ```text
//! magic, 8 bytes | format, 4 | length of the head, 4 | head | checksum of all that, 4
//! block, block, …
//! length and checksum of each block, 4 and 4
//! number of blocks, 8 | checksum of the lengths, the checksums, this number and the head's checksum, 4 | magic, 8
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. The meaning of head and blocks belongs to the caller.

mod write;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::{Map, StoreError};
pub(crate) use write::create_temporary;
pub use write::{BlockWriter, write_on};

/// The version of this layout.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"tesujiB\n";
const END: &[u8; 8] = b"tesujiE\n";
/// Bytes before the head.
const BEFORE: usize = 16;
/// Bytes after the lengths and checksums.
const AFTER: usize = 20;

/// Why a block cannot be read. Every variant names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The file system failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not a block file.
    #[error("{} is not a block file, or its beginning is damaged: create it again", path.display())]
    Magic {
        /// The file.
        path: PathBuf,
    },
    /// Another format version.
    #[error("{} has block format {found}; this program reads format {FORMAT}: create it again", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
    },
    /// A part other than a block is damaged.
    #[error("{}: the {part} is damaged: create the file again or restore it from a copy", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damaged part.
        part: &'static str,
    },
    /// A block is damaged.
    #[error("{}, block {block} of {count}: the checksum does not match: create the file again or restore it from a copy", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// The number of the block, from 0.
        block: usize,
        /// The number of blocks.
        count: usize,
    },
    /// The block does not exist.
    #[error("{} has {count} blocks; there is no block {block}", path.display())]
    Absent {
        /// The file.
        path: PathBuf,
        /// The number of the block, from 0.
        block: usize,
        /// The number of blocks.
        count: usize,
    },
}

/// A memory-mapped block file.
#[derive(Debug)]
pub struct BlockFile {
    path: PathBuf,
    map: Map,
    head: usize,
    /// The start of each block, and the end of the last.
    starts: Vec<u64>,
    /// Whether [`BlockFile::checked`] has checked a block.
    checked: Vec<AtomicBool>,
}

impl BlockFile {
    /// Opens a file and checks everything except the blocks.
    ///
    /// # Errors
    /// The file cannot be opened, or its head or list of blocks is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<BlockFile, BlockError> {
        let path = path.as_ref().to_owned();
        let map = Map::open(&path)?;
        let damaged = |part| BlockError::Damaged { path: path.clone(), part };
        if !map.starts_with(MAGIC) {
            return Err(BlockError::Magic { path });
        }
        let found = word(&map, 8).ok_or_else(|| damaged("head"))?;
        if found != FORMAT {
            return Err(BlockError::Format { path, found });
        }
        let head = word(&map, 12).ok_or_else(|| damaged("head"))? as usize;
        let first = BEFORE + head + 4;
        let sum = word(&map, BEFORE + head).ok_or_else(|| damaged("head"))?;
        if crc32fast::hash(&map[..first - 4]) != sum {
            return Err(damaged("head"));
        }
        let starts = block_starts(&map, first, sum).ok_or_else(|| damaged("list of blocks"))?;
        let checked = (1..starts.len()).map(|_| AtomicBool::new(false)).collect();
        Ok(BlockFile { path, map, head, starts, checked })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The head: data about all blocks.
    pub fn head(&self) -> &[u8] {
        &self.map[BEFORE..BEFORE + self.head]
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The checksum at the end of the file. It covers the head and the checksums of all blocks, so that files with the
    /// same one have the same content.
    pub fn checksum(&self) -> u32 {
        // Opening the file has checked that it is there.
        word(&self.map, self.map.len() - AFTER + 8).unwrap_or_default()
    }

    /// A block, after a check of its checksum.
    ///
    /// # Errors
    /// The block does not exist or is damaged.
    pub fn block(&self, block: usize) -> Result<&[u8], BlockError> {
        let count = self.count();
        let end = self.starts[count] as usize;
        let found = (block < count)
            .then(|| (&self.map[self.starts[block] as usize..self.starts[block + 1] as usize], end + 8 * block + 4));
        let Some((bytes, sum)) = found else {
            return Err(BlockError::Absent { path: self.path.clone(), block, count });
        };
        if word(&self.map, sum) != Some(crc32fast::hash(bytes)) {
            return Err(BlockError::Block { path: self.path.clone(), block, count });
        }
        Ok(bytes)
    }

    /// A block whose checksum was right when this function was called for it first: for readers that come back often.
    ///
    /// # Errors
    /// The block does not exist or is damaged.
    #[inline]
    pub fn checked(&self, block: usize) -> Result<&[u8], BlockError> {
        // Two threads may both check a block: that only costs time.
        if self.checked.get(block).is_none_or(|checked| !checked.load(Ordering::Relaxed)) {
            self.block(block)?;
            self.checked[block].store(true, Ordering::Relaxed);
        }
        Ok(&self.map[self.starts[block] as usize..self.starts[block + 1] as usize])
    }
}

/// The starts of the blocks; `None` when the list at the end of the file is damaged.
fn block_starts(bytes: &[u8], first: usize, head_sum: u32) -> Option<Vec<u64>> {
    let after = bytes.len().checked_sub(AFTER).filter(|&after| after >= first)?;
    let count = usize::try_from(u64::from_le_bytes(bytes[after..after + 8].try_into().ok()?)).ok()?;
    let list = after.checked_sub(count.checked_mul(8)?).filter(|&list| list >= first)?;
    let sum = checksum(head_sum, &bytes[list..after + 8]);
    if word(bytes, after + 8) != Some(sum) || bytes[after + 12..] != *END {
        return None;
    }
    let mut starts = Vec::with_capacity(count + 1);
    let mut start = first as u64;
    starts.push(start);
    for block in 0..count {
        start += u64::from(word(bytes, list + 8 * block)?);
        starts.push(start);
    }
    (start == list as u64).then_some(starts)
}

/// The checksum at the end. It includes the head, so that the end of one file does not match another.
fn checksum(head_sum: u32, bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&head_sum.to_le_bytes());
    sum.update(bytes);
    sum.finalize()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
