//! Data sets: files of samples, in blocks that are believed only by their checksums.
//!
//! The head says what kind of positions there are, how many, and how they came about; each block holds up to
//! 65,536 samples. A set is never changed: more samples are another set.

mod head;

use std::path::Path;

use tesuji_store::StoreError;
use tesuji_store::blocks::{BlockError, Blocks, write_on};
use tesuji_store::disk::Os;
use thiserror::Error;

use crate::Model;
use crate::sample::{self, Sample};
pub use head::Head;

/// Samples in a block.
const BLOCK: usize = 1 << 16;

/// Why a data set is not to be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file, or a block of it, cannot be read.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something else, or of other positions.
    #[error("{path} {what}")]
    Foreign {
        /// The file.
        path: String,
        /// What it is, and what is needed.
        what: String,
    },
}

/// A data set that is open for reading.
#[derive(Debug)]
pub struct Data {
    blocks: Blocks,
    head: Head,
}

impl Data {
    /// Opens the data set of a model's positions.
    pub fn open<M: Model>(model: &M, path: impl AsRef<Path>) -> Result<Data, DataError> {
        let blocks = Blocks::open(path)?;
        let foreign = |what: String| DataError::Foreign { path: blocks.path().display().to_string(), what };
        let head = Head::parse(blocks.head()).map_err(foreign)?;
        let wanted = head::positions(model);
        if head.positions != wanted {
            let message = format!("holds positions of {:?}; those of {wanted:?} are needed", head.positions);
            return Err(foreign(message));
        }
        Ok(Data { head, blocks })
    }

    /// What it says of itself.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Hands out all samples, in their order.
    pub fn each<M: Model>(
        &self,
        model: &M,
        mut visit: impl FnMut(Sample<M::Position>),
    ) -> Result<(), DataError> {
        let wrong =
            |what: String| DataError::Foreign { path: self.blocks.path().display().to_string(), what };
        let mut count = 0;
        for block in 0..self.blocks.count() {
            let bytes = self.blocks.block(block)?;
            let samples = bytes.chunks_exact(sample::bytes::<M>());
            if !samples.remainder().is_empty() {
                return Err(wrong(format!("block {block} ends inside a sample: write it anew")));
            }
            for bytes in samples {
                let sample = sample::read(model, bytes).ok_or_else(|| {
                    wrong(format!("sample {}: there is no such position: write it anew", count + 1))
                })?;
                visit(sample);
                count += 1;
            }
        }
        if count != self.head.count {
            return Err(wrong(format!(
                "promises {} samples and holds {count}: write it anew",
                self.head.count
            )));
        }
        Ok(())
    }
}

/// Writes a data set, in the place of whatever has the name, with the story of how it came about.
pub fn save<M: Model>(
    model: &M,
    path: impl AsRef<Path>,
    story: &str,
    samples: &[Sample<M::Position>],
) -> Result<(), DataError> {
    let head =
        Head { positions: head::positions(model), count: samples.len() as u64, story: story.to_owned() };
    let mut writer = write_on(&Os, path.as_ref(), &head.bytes())?;
    let size = sample::bytes::<M>();
    let mut bytes = vec![0; size * BLOCK.min(samples.len())];
    for block in samples.chunks(BLOCK) {
        for (sample, bytes) in block.iter().zip(bytes.chunks_exact_mut(size)) {
            sample::write(model, sample, bytes);
        }
        writer.append(&bytes[..size * block.len()])?;
    }
    writer.finish()?;
    Ok(())
}
