//! The blocks used last, decoded, in bounded memory.

use std::sync::{Arc, Mutex};

use lru::LruCache;

use super::block::Decoded;
use super::cell::Cell;

/// Parts that are locked on their own, so that threads seldom wait for each other.
const SHARDS: usize = 16;

type Key = (u8, u32);

/// A class and the number of a block lead to its boards.
pub(crate) struct Cache {
    shards: Vec<Mutex<LruCache<Key, Arc<Decoded>>>>,
    /// Blocks in a shard.
    room: usize,
}

impl Cache {
    /// Room for so many bytes of blocks of so many boards, or a few more.
    pub(crate) fn of_bytes(bytes: usize, block: u32) -> Cache {
        let blocks = bytes / (block as usize * size_of::<Cell>());
        // Bounded by us: a bounded list takes all its memory at once.
        let shards = (0..SHARDS).map(|_| Mutex::new(LruCache::unbounded())).collect();
        Cache { shards, room: blocks.div_ceil(SHARDS).max(1) }
    }

    /// The block, if it is here; else what `decode` makes of it. While one thread decodes, others do not wait.
    pub(crate) fn get<E>(
        &self,
        key: Key,
        decode: impl FnOnce() -> Result<Decoded, E>,
    ) -> Result<Arc<Decoded>, E> {
        let shard = &self.shards[(usize::from(key.0) + key.1 as usize) % SHARDS];
        let lock = || shard.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(found) = lock().get(&key) {
            return Ok(Arc::clone(found));
        }
        let decoded = Arc::new(decode()?);
        let mut shard = lock();
        shard.put(key, Arc::clone(&decoded));
        if shard.len() > self.room {
            shard.pop_lru();
        }
        Ok(decoded)
    }
}
