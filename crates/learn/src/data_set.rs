//! Data sets: immutable files of samples in checksummed blocks of up to 65,536.
//!
//! The header is text: title and version, kind of positions, number of samples, provenance.

use std::path::Path;

use tesuji_store::StoreError;
use tesuji_store::blocks::{BlockError, BlockFile, write_on};
use tesuji_store::disk::Os;
use thiserror::Error;

use crate::Model;
use crate::sample::{self, Sample};

const TITLE: &str = "tesuji-samples";
const VERSION: u32 = 1;
/// Samples in a block.
const BLOCK: usize = 1 << 16;

/// Why a data set cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataSetError {
    /// The file, or a block of it, cannot be read.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not a data set of this game.
    #[error("{path} {what}")]
    Foreign {
        /// The file.
        path: String,
        /// What it is, and what is needed.
        what: String,
    },
}

/// What is said of any other file.
const FOREIGN: &str = "is not a data set: give one made by `tesuji train data` or `tesuji selfplay`";

/// The header of a data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSetHeader {
    /// The kind of positions: the game and the bytes of a position.
    pub positions: String,
    /// Number of samples.
    pub count: u64,
    /// How the samples were made.
    pub provenance: String,
}

impl DataSetHeader {
    fn bytes(&self) -> Vec<u8> {
        let DataSetHeader { positions, count, provenance } = self;
        format!("{TITLE} {VERSION}\n{positions}\n{count}\n{provenance}").into_bytes()
    }

    /// Reads a header. The error completes the sentence "this file …".
    fn parse(bytes: &[u8]) -> Result<DataSetHeader, String> {
        let foreign = || FOREIGN.to_owned();
        let text = std::str::from_utf8(bytes).map_err(|_| foreign())?;
        let mut parts = text.splitn(4, '\n');
        let version = parts.next().and_then(|title| title.strip_prefix(TITLE)).ok_or_else(foreign)?;
        if version.trim_start() != VERSION.to_string() {
            return Err(format!("is a data set of format{version}; this program reads format {VERSION}"));
        }
        let (Some(positions), Some(count), Some(provenance)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(foreign());
        };
        let count = count.parse().map_err(|_| foreign())?;
        Ok(DataSetHeader { positions: positions.to_owned(), count, provenance: provenance.to_owned() })
    }
}

/// The kind of a model's positions. Feature sets may change while positions stay, so it names only the game.
fn position_kind<M: Model>(model: &M) -> String {
    let game = model.name().split('/').next().unwrap_or_default();
    format!("{game}/{}", M::BYTES)
}

/// A data set that is open for reading.
#[derive(Debug)]
pub struct DataSet {
    blocks: BlockFile,
    header: DataSetHeader,
}

impl DataSet {
    /// Opens a data set of a model's positions.
    pub fn open<M: Model>(model: &M, path: impl AsRef<Path>) -> Result<DataSet, DataSetError> {
        let blocks = BlockFile::open(path).map_err(|error| match error {
            BlockError::Magic { path } => {
                DataSetError::Foreign { path: path.display().to_string(), what: FOREIGN.to_owned() }
            }
            error => error.into(),
        })?;
        let header = DataSetHeader::parse(blocks.head()).map_err(|what| foreign(&blocks, what))?;
        let wanted = position_kind(model);
        if header.positions != wanted {
            let what = format!("holds positions of {:?}; those of {wanted:?} are needed", header.positions);
            return Err(foreign(&blocks, what));
        }
        Ok(DataSet { header, blocks })
    }

    /// The header.
    pub fn header(&self) -> &DataSetHeader {
        &self.header
    }

    /// Visits all samples in their order.
    pub fn for_each<M: Model>(
        &self,
        model: &M,
        mut visit: impl FnMut(Sample<M::Position>),
    ) -> Result<(), DataSetError> {
        let wrong = |what: String| foreign(&self.blocks, what);
        let mut count = 0;
        for block in 0..self.blocks.count() {
            let samples = self.blocks.block(block)?.chunks_exact(sample::size::<M>());
            if !samples.remainder().is_empty() {
                return Err(wrong(format!("block {block} ends inside a sample: write the file again")));
            }
            for bytes in samples {
                let sample = sample::read(model, bytes).ok_or_else(|| {
                    wrong(format!("sample {}: there is no such position: write the file again", count + 1))
                })?;
                visit(sample);
                count += 1;
            }
        }
        let promised = self.header.count;
        if count != promised {
            return Err(wrong(format!("promises {promised} samples and holds {count}: write the file again")));
        }
        Ok(())
    }

    /// Writes a data set, replacing any file of that name.
    pub fn save<M: Model>(
        model: &M,
        path: impl AsRef<Path>,
        provenance: &str,
        samples: &[Sample<M::Position>],
    ) -> Result<(), DataSetError> {
        let header = DataSetHeader {
            positions: position_kind(model),
            count: samples.len() as u64,
            provenance: provenance.to_owned(),
        };
        let mut writer = write_on(&Os, path.as_ref(), &header.bytes())?;
        let size = sample::size::<M>();
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
}

fn foreign(blocks: &BlockFile, what: String) -> DataSetError {
    DataSetError::Foreign { path: blocks.path().display().to_string(), what }
}
