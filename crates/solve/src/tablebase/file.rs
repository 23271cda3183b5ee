//! The file of a class, open for reading, and the cache of its decoded blocks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use lru::LruCache;
use tesuji_game::PerfectIndex;
use tesuji_store::blocks::BlockFile;
use tesuji_task::CancelToken;

use super::block::DecodedBlock;
use super::coding::{CodedEntry, CodingContext};
use super::error::TablebaseError;
use super::header::{ClassHeader, HeaderLines};
use super::model::SymbolModel;

/// The open file of a class.
pub(crate) struct ClassFile {
    pub(crate) path: PathBuf,
    pub(crate) class: u8,
    /// The name of the class.
    pub(crate) name: String,
    /// The number of indices in the class.
    pub(crate) size: u32,
    /// Boards per block.
    pub(crate) block: u32,
    model: SymbolModel,
    blocks: BlockFile,
}

impl ClassFile {
    /// Opens the file of a class and reads its header; `None` when there is no such file.
    pub(crate) fn open<P: CodingContext>(
        dir: &Path,
        header: ClassHeader<'_>,
    ) -> Result<Option<(ClassFile, HeaderLines)>, TablebaseError> {
        let path = header.path(dir);
        if !path.exists() {
            return Ok(None);
        }
        let blocks = BlockFile::open(&path)?;
        let (lines, model) = header.read(&path, blocks.head())?;
        let block = lines.number("block")?;
        let model = SymbolModel::read(model, P::CONTEXTS);
        let (Some(model), true) = (model, block > 0) else {
            return Err(TablebaseError::InvalidHeader { path });
        };
        let ClassHeader { class, name, size, .. } = header;
        if blocks.count() != size.div_ceil(block) as usize {
            return Err(TablebaseError::InvalidHeader { path });
        }
        Ok(Some((ClassFile { path, class, name, size, block, model, blocks }, lines)))
    }

    /// File size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.blocks.bytes()
    }

    /// The block of an index, and the position in it; `None` when the class has no such index.
    pub(crate) fn find(&self, index: u32) -> Option<(u32, usize)> {
        (index < self.size).then(|| (index / self.block, (index % self.block) as usize))
    }

    /// Decodes a block.
    pub(crate) fn decode<G: PerfectIndex, P: CodingContext>(
        &self,
        game: &G,
        block: u32,
    ) -> Result<DecodedBlock, TablebaseError> {
        let bytes = self.blocks.block(block as usize)?;
        let start = block * self.block;
        let span = start..start.saturating_add(self.block).min(self.size);
        DecodedBlock::new::<G, P>(game, self.class, span, bytes, &self.model).ok_or_else(|| self.invalid(block))
    }

    /// Decodes all blocks into planes of one byte per board. `fill` converts an entry. [`TablebaseError::Stopped`] when
    /// cancelled.
    pub(crate) fn load<G: PerfectIndex, P: CodingContext>(
        &self,
        game: &G,
        planes: [&mut [u8]; 3],
        (threads, cancel): (usize, &CancelToken),
        fill: impl Fn(u32, CodedEntry) -> Option<[u8; 3]> + Sync,
    ) -> Result<(), TablebaseError> {
        let [first, second, third] = planes.map(|plane| plane.chunks_mut(self.block as usize));
        let tasks: Vec<_> = (0..).zip(first.zip(second).zip(third)).collect();
        let trouble = tesuji_task::fold(threads, tasks, |(block, bytes), trouble: &mut Vec<(u32, TablebaseError)>| {
            if cancel.is_cancelled() {
                return;
            }
            let ((first, second), third) = bytes;
            let mut read = || {
                let decoded = self.decode::<G, P>(game, block)?;
                for at in 0..first.len() {
                    let entry = decoded.entry(at).and_then(|entry| fill(block * self.block + at as u32, entry));
                    [first[at], second[at], third[at]] = entry.ok_or_else(|| self.invalid(block))?;
                }
                Ok(())
            };
            if let Err(error) = read() {
                trouble.push((block, error));
            }
        });
        if cancel.is_cancelled() {
            return Err(TablebaseError::Stopped);
        }
        let least = trouble.into_iter().flatten().min_by_key(|&(block, _)| block);
        least.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The error for a block with a correct checksum that cannot be decoded.
    pub(crate) fn invalid(&self, block: u32) -> TablebaseError {
        TablebaseError::InvalidBlock { path: self.path.clone(), block: block as usize }
    }
}

/// Independently locked shards, to reduce contention.
const SHARDS: usize = 16;

type Key = (u8, u32);

/// A bounded LRU cache of decoded blocks by class and block number.
pub(crate) struct BlockCache {
    shards: Vec<Mutex<LruCache<Key, Arc<DecodedBlock>>>>,
    /// Blocks per shard.
    capacity: usize,
}

impl BlockCache {
    /// A cache of about `bytes` bytes for blocks of `block` boards.
    pub(crate) fn of_bytes(bytes: usize, block: u32) -> BlockCache {
        let blocks = bytes / (block as usize * size_of::<CodedEntry>());
        // The bound is enforced below: a bounded `LruCache` allocates all its memory at once.
        let shards = (0..SHARDS).map(|_| Mutex::new(LruCache::unbounded())).collect();
        BlockCache { shards, capacity: blocks.div_ceil(SHARDS).max(1) }
    }

    /// The cached block, or the result of `decode`. Other threads do not wait while one decodes.
    pub(crate) fn get<E>(
        &self,
        key: Key,
        decode: impl FnOnce() -> Result<DecodedBlock, E>,
    ) -> Result<Arc<DecodedBlock>, E> {
        let shard = &self.shards[(usize::from(key.0) + key.1 as usize) % SHARDS];
        let lock = || shard.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(found) = lock().get(&key) {
            return Ok(Arc::clone(found));
        }
        let decoded = Arc::new(decode()?);
        let mut shard = lock();
        shard.put(key, Arc::clone(&decoded));
        if shard.len() > self.capacity {
            shard.pop_lru();
        }
        Ok(decoded)
    }
}
