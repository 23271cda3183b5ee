//! Reading a data set of positions.

use std::marker::PhantomData;
use std::path::Path;

use tesuji_store::blocks::{BlockError, BlockFile};

use super::entry::{BLOCK_HEAD, split_block};
use super::header::FOREIGN;
use super::{PositionEntry, PositionGame, PositionSetHeader};
use crate::DataSetError;

/// A data set of positions that is open for reading. Any number of threads may read it.
#[derive(Debug)]
pub struct PositionSet<G> {
    blocks: BlockFile,
    header: PositionSetHeader,
    game: PhantomData<fn() -> G>,
}

impl<G: PositionGame> PositionSet<G> {
    /// Opens a set. The header is checked now, each block when it is read first.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or holds something else.
    pub fn open(path: impl AsRef<Path>) -> Result<PositionSet<G>, DataSetError> {
        let path = path.as_ref();
        let blocks = BlockFile::open(path).map_err(|error| match error {
            BlockError::Magic { .. } => foreign(path, FOREIGN.to_owned()),
            error => error.into(),
        })?;
        let header = PositionSetHeader::parse(blocks.head()).and_then(|header| header.check::<G>().map(|()| header));
        let header = header.map_err(|what| foreign(path, what))?;
        let needed = header.positions.div_ceil(header.block as u64);
        if needed != blocks.count() as u64 {
            let (positions, found) = (header.positions, blocks.count());
            let what = format!("promises {positions} positions in {needed} blocks and has {found}: write it again");
            return Err(foreign(path, what));
        }
        Ok(PositionSet { blocks, header, game: PhantomData })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.header.positions as usize
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.header.positions == 0
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.header.games
    }

    /// The header.
    pub fn header(&self) -> &PositionSetHeader {
        &self.header
    }

    /// How the positions were made.
    pub fn provenance(&self) -> &str {
        &self.header.provenance
    }

    /// The checksum of the whole file.
    pub fn checksum(&self) -> u32 {
        self.blocks.checksum()
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.blocks.path()
    }

    /// Reads a position into `entry`, whose memory is used again.
    ///
    /// # Errors
    /// The block is damaged, or the bytes are no position. `entry` holds nothing useful then.
    ///
    /// # Panics
    /// If `index` is not less than [`PositionSet::len`].
    pub fn entry(&self, index: usize, entry: &mut PositionEntry<G>) -> Result<(), DataSetError> {
        let (bytes, tail) = self.raw(index)?;
        entry.read(bytes, tail).map_err(|what| self.wrong_entry(index, what))
    }

    /// The bytes of an entry and the tail of its block.
    ///
    /// # Errors
    /// The block is damaged.
    ///
    /// # Panics
    /// If `index` is not less than [`PositionSet::len`].
    #[inline]
    pub fn raw(&self, index: usize) -> Result<(&[u8], &[u8]), DataSetError> {
        assert!(index < self.len(), "position {index} of {}", self.len());
        let (block, at) = (index / self.header.block, index % self.header.block);
        let bytes = self.blocks.checked(block)?;
        // Cheap enough to be checked every time: the lengths at the beginning of the block.
        let Some((entries, tail)) = split_block::<G>(bytes) else { return Err(self.wrong_block(block)) };
        match entries.get(at * G::ENTRY..(at + 1) * G::ENTRY) {
            Some(bytes) => Ok((bytes, tail)),
            None => Err(self.wrong_block(block)),
        }
    }

    /// Visits all positions in their order.
    ///
    /// # Errors
    /// The first block that is damaged, or the first entry that is none.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &PositionEntry<G>)) -> Result<(), DataSetError> {
        let mut entry = PositionEntry::of(G::start());
        for block in 0..self.blocks.count() {
            self.read_block(block, &mut entry, &mut visit)?;
        }
        Ok(())
    }

    /// Visits the positions of one block: the unit of work for threads that read everything.
    ///
    /// # Errors
    /// The block is damaged, or an entry is none.
    pub fn for_each_in_block(
        &self,
        block: usize,
        mut visit: impl FnMut(usize, &PositionEntry<G>),
    ) -> Result<(), DataSetError> {
        self.read_block(block, &mut PositionEntry::of(G::start()), &mut visit)
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.count()
    }

    fn read_block(
        &self,
        block: usize,
        entry: &mut PositionEntry<G>,
        visit: &mut impl FnMut(usize, &PositionEntry<G>),
    ) -> Result<(), DataSetError> {
        let first = block * self.header.block;
        let count = self.header.block.min(self.len() - first);
        let bytes = self.blocks.checked(block)?;
        let split = split_block::<G>(bytes).filter(|(entries, _)| entries.len() == count * G::ENTRY);
        let (entries, tail) = split.ok_or_else(|| self.wrong_block(block))?;
        for (at, bytes) in entries.chunks_exact(G::ENTRY).enumerate() {
            entry.read(bytes, tail).map_err(|what| self.wrong_entry(first + at, what))?;
            visit(first + at, entry);
        }
        Ok(())
    }

    fn wrong_block(&self, block: usize) -> DataSetError {
        let bytes = self.blocks.checked(block).map_or(0, |bytes| bytes.len().saturating_sub(BLOCK_HEAD));
        let what = format!("block {block}: its {bytes} bytes are not the promised entries: write the file again");
        foreign(self.path(), what)
    }

    fn wrong_entry(&self, index: usize, what: &str) -> DataSetError {
        foreign(self.path(), format!("position {}: it {what}: write the file again", index + 1))
    }
}

fn foreign(path: &Path, what: String) -> DataSetError {
    DataSetError::Foreign { path: path.display().to_string(), what }
}
