//! Memory-mapped files.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::StoreError;

/// A memory-mapped file.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a file that this crate wrote, for random access.
    ///
    /// Such files are only replaced as a whole, and an existing map stays valid. The file must not be one that
    /// another program truncates or writes to.
    ///
    /// # Errors
    /// The file cannot be opened or mapped.
    pub fn open(path: impl AsRef<Path>) -> Result<Map, StoreError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(StoreError::io(path, "open"))?;
        // SAFETY: the bytes do not change while mapped. Data files are written under a temporary name and never
        // modified after the rename (`save`, `BlockFile`); a new file with the same name is another file.
        let map = unsafe { Mmap::map(&file) }.map_err(StoreError::io(path, "map"))?;
        // Only a hint: read-ahead would load pages that are not needed.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Map(map))
    }
}

impl Deref for Map {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
