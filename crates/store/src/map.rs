//! A file seen as memory: read where it is touched, and kept by the system as long as there is room.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::StoreError;

/// All bytes of a file, as they are on the disk.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a file that this room wrote, to be read here and there.
    ///
    /// Such files are only ever replaced as a whole, and what was mapped before stays. A file that some other
    /// program cuts or writes to meanwhile must not be given here.
    pub fn open(path: impl AsRef<Path>) -> Result<Map, StoreError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(StoreError::io(path, "open"))?;
        // SAFETY: nobody changes the bytes under us. Data files are written under another name and never touched
        // again once they have theirs (`save`, `Blocks`); a new file of the name is another file.
        let map = unsafe { Mmap::map(&file) }.map_err(StoreError::io(path, "map"))?;
        // Only a wish: reading ahead would bring pages that nobody asked for.
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
