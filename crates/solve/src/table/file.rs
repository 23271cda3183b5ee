//! The file of a class, open for reading: any block of it alone, or all.

use std::path::{Path, PathBuf};

use tesuji_game::PerfectIndex;
use tesuji_store::blocks::Blocks;

use super::block::Decoded;
use super::cell::{Cell, Past};
use super::error::TableError;
use super::head::{About, Lines};
use super::model::Model;

/// A file, its head read.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) class: u8,
    /// The name of the class.
    pub(crate) name: String,
    /// How many numbers the class has.
    pub(crate) size: u32,
    /// Boards in a block.
    pub(crate) block: u32,
    model: Model,
    blocks: Blocks,
}

impl File {
    /// Opens the file of a class, with what its head says; `None` when there is no such file.
    pub(crate) fn open<P: Past>(dir: &Path, about: About<'_>) -> Result<Option<(File, Lines)>, TableError> {
        let path = about.path(dir);
        if !path.exists() {
            return Ok(None);
        }
        let blocks = Blocks::open(&path)?;
        let (lines, model) = about.read(&path, blocks.head())?;
        let block = lines.number("block")?;
        let model = Model::read(model, P::CONTEXTS);
        let (Some(model), true) = (model, block > 0) else { return Err(TableError::Head { path }) };
        let About { class, name, size, .. } = about;
        if blocks.count() != size.div_ceil(block) as usize {
            return Err(TableError::Head { path });
        }
        Ok(Some((File { path, class, name, size, block, model, blocks }, lines)))
    }

    /// Bytes of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.blocks.bytes()
    }

    /// The block that holds a number, and its place there; `None` when the class has no such number.
    pub(crate) fn find(&self, index: u32) -> Option<(u32, usize)> {
        (index < self.size).then(|| (index / self.block, (index % self.block) as usize))
    }

    /// Reads a block.
    pub(crate) fn decode<G: PerfectIndex, P: Past>(
        &self,
        game: &G,
        block: u32,
    ) -> Result<Decoded, TableError> {
        let bytes = self.blocks.block(block as usize)?;
        let start = block * self.block;
        let span = start..start.saturating_add(self.block).min(self.size);
        Decoded::new::<G, P>(game, self.class, span, bytes, &self.model).ok_or_else(|| self.senseless(block))
    }

    /// Reads all blocks into planes of one byte a board each. `fill` makes the bytes of a board.
    pub(crate) fn load<G: PerfectIndex, P: Past>(
        &self,
        game: &G,
        planes: [&mut [u8]; 3],
        threads: usize,
        fill: impl Fn(u32, Cell) -> Option<[u8; 3]> + Sync,
    ) -> Result<(), TableError> {
        let [first, second, third] = planes.map(|plane| plane.chunks_mut(self.block as usize));
        let tasks: Vec<_> = (0..).zip(first.zip(second).zip(third)).collect();
        let trouble =
            tesuji_task::fold(threads, tasks, |(block, bytes), trouble: &mut Vec<(u32, TableError)>| {
                let ((first, second), third) = bytes;
                let mut read = || {
                    let decoded = self.decode::<G, P>(game, block)?;
                    for at in 0..first.len() {
                        let cell =
                            decoded.cell(at).and_then(|cell| fill(block * self.block + at as u32, cell));
                        [first[at], second[at], third[at]] = cell.ok_or_else(|| self.senseless(block))?;
                    }
                    Ok(())
                };
                if let Err(error) = read() {
                    trouble.push((block, error));
                }
            });
        let least = trouble.into_iter().flatten().min_by_key(|&(block, _)| block);
        least.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// A block whose checksum fits, and which makes no sense.
    pub(crate) fn senseless(&self, block: u32) -> TableError {
        TableError::Senseless { path: self.path.clone(), block: block as usize }
    }
}
