//! Writing a data set of positions, entry by entry. The file appears when it is complete.

use std::path::Path;

use tesuji_store::blocks::{BlockWriter, write_on};
use tesuji_store::disk::Os;

use super::{PositionBlock, PositionEntry, PositionGame, PositionSetHeader};
use crate::DataSetError;

/// Entries of a block: with 50 bytes each, a checksum takes some 50 microseconds.
const BLOCK: usize = 8192;

/// A data set of positions in the making. Without [`finish`](PositionSetWriter::finish) the target stays as it is.
#[derive(Debug)]
pub struct PositionSetWriter<G> {
    writer: BlockWriter<'static>,
    header: PositionSetHeader,
    block: PositionBlock<G>,
}

/// What a finished set holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedPositionSet {
    /// The number of positions.
    pub positions: u64,
    /// The number of games.
    pub games: u64,
    /// The size of the file.
    pub bytes: u64,
}

impl<G: PositionGame> PositionSetWriter<G> {
    /// Begins a set.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written to.
    pub fn create(path: impl AsRef<Path>, provenance: &str) -> Result<PositionSetWriter<G>, DataSetError> {
        let header = PositionSetHeader::of::<G>(BLOCK, provenance);
        let writer = write_on(&Os, path.as_ref(), &header.bytes())?;
        Ok(PositionSetWriter { writer, header, block: PositionBlock::default() })
    }

    /// The number of positions so far.
    pub fn positions(&self) -> u64 {
        self.header.positions
    }

    /// The number of games so far: one more than the highest game number.
    pub fn games(&self) -> u64 {
        self.header.games
    }

    /// Adds a position. `false` if the packing cannot express it; it is left out then.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, entry: &PositionEntry<G>) -> Result<bool, DataSetError> {
        if !self.block.push(entry) {
            return Ok(false);
        }
        self.count(1, entry.game)?;
        Ok(true)
    }

    /// Adds the entries of a block with their game numbers.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, entries: &PositionBlock<G>) -> Result<(), DataSetError> {
        self.append_as(entries, |game| game)
    }

    /// Adds the entries of a block as those of the next game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append_game(&mut self, entries: &PositionBlock<G>) -> Result<(), DataSetError> {
        let game = self.header.games as u32;
        self.append_as(entries, |_| game)
    }

    fn append_as(&mut self, entries: &PositionBlock<G>, game: impl Fn(u32) -> u32) -> Result<(), DataSetError> {
        let mut from = 0;
        while from < entries.len() {
            let to = entries.len().min(from + BLOCK - self.block.len());
            self.block.append(entries, from..to, &game);
            let last = (from..to).map(|entry| game(entries.game(entry))).max().unwrap_or(0);
            self.count(to - from, last)?;
            from = to;
        }
        Ok(())
    }

    /// Counts entries that are in the block now, and writes it when it is full.
    fn count(&mut self, entries: usize, last_game: u32) -> Result<(), DataSetError> {
        self.header.positions += entries as u64;
        self.header.games = self.header.games.max(u64::from(last_game) + 1);
        if self.block.len() == BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), DataSetError> {
        self.writer.append(&self.block.bytes())?;
        self.block.clear();
        Ok(())
    }

    /// Completes the file and puts it in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<SavedPositionSet, DataSetError> {
        if !self.block.is_empty() {
            self.flush()?;
        }
        self.writer.replace_head(&self.header.bytes())?;
        let bytes = self.writer.finish()?;
        Ok(SavedPositionSet { positions: self.header.positions, games: self.header.games, bytes })
    }
}
