//! A file of many blocks, any of which is read alone and believed only by its checksum.
//!
//! ```text
//! magic, 8 bytes | format, 4 | length of the head, 4 | head | checksum of all that, 4
//! block, block, …
//! length and checksum of each block, 4 and 4
//! number of blocks, 8 | checksum of the lengths, the checksums, this number and the head's checksum, 4 | magic, 8
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. What head and blocks say is the caller's affair.

mod write;

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Map, StoreError};
pub use write::{BlockWriter, write_on};

/// The version of this layout.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"tesujiB\n";
const END: &[u8; 8] = b"tesujiE\n";
/// Bytes before the head.
const BEFORE: usize = 16;
/// Bytes after the lengths and checksums.
const AFTER: usize = 20;

/// Why a block is not to be had. Every kind names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The file system said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not a file of blocks.
    #[error("{} is not a file of blocks, or its beginning is damaged: write it anew", path.display())]
    Magic {
        /// The file.
        path: PathBuf,
    },
    /// A layout of another version of this program.
    #[error("{} has block format {found}; this program reads format {FORMAT}: write it anew", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: u32,
    },
    /// A part other than a block does not hold what was written.
    #[error("{}: its {part} is damaged: write it anew or bring it from a copy", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part.
        part: &'static str,
    },
    /// A block does not hold what was written.
    #[error("{}, block {block} of {count}: its bytes are not those that were written: write the file anew or bring it from a copy", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// Which, from 0.
        block: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no such block.
    #[error("{} has {count} blocks; there is no block {block}", path.display())]
    Absent {
        /// The file.
        path: PathBuf,
        /// Which, from 0.
        block: usize,
        /// How many there are.
        count: usize,
    },
}

/// A file of blocks, mapped.
#[derive(Debug)]
pub struct Blocks {
    path: PathBuf,
    map: Map,
    head: usize,
    /// Where each block begins, and after the last its end.
    starts: Vec<u64>,
}

impl Blocks {
    /// Opens a file and checks all of it but the blocks.
    pub fn open(path: impl AsRef<Path>) -> Result<Blocks, BlockError> {
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
        let starts = directory(&map, first, sum).ok_or_else(|| damaged("list of blocks"))?;
        Ok(Blocks { path, map, head, starts })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the writer said of all blocks.
    pub fn head(&self) -> &[u8] {
        &self.map[BEFORE..BEFORE + self.head]
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// A block, checked.
    pub fn block(&self, block: usize) -> Result<&[u8], BlockError> {
        let count = self.count();
        let end = self.starts[count] as usize;
        let found = (block < count).then(|| {
            (&self.map[self.starts[block] as usize..self.starts[block + 1] as usize], end + 8 * block + 4)
        });
        let Some((bytes, sum)) = found else {
            return Err(BlockError::Absent { path: self.path.clone(), block, count });
        };
        if word(&self.map, sum) != Some(crc32fast::hash(bytes)) {
            return Err(BlockError::Block { path: self.path.clone(), block, count });
        }
        Ok(bytes)
    }
}

/// The starts of the blocks, if what is said of them at the end is whole.
fn directory(bytes: &[u8], first: usize, head_sum: u32) -> Option<Vec<u64>> {
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

/// The checksum at the end, which depends on the head too: the end of one file does not fit another.
fn checksum(head_sum: u32, bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&head_sum.to_le_bytes());
    sum.update(bytes);
    sum.finalize()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
