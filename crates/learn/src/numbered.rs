//! Jobs cut into numbered parts. A part depends on the job and its number alone, so parts can be done in any order, on
//! any number of machines; put together in the order of their numbers they are what one machine makes.

use std::path::Path;

use tesuji_task::CancelToken;

use crate::positions::{PositionBlock, PositionGame, PositionSetWriter};
use crate::sample::{self, Sample};
use crate::{DataSet, JobError, Model};

/// Hands out the numbers of parts and takes the results.
pub trait NumberFeed {
    /// The next part, and what cancels it; `None` when there is nothing more to do. A part without a result is abandoned.
    fn next(&mut self) -> Option<(u32, CancelToken)>;

    /// The result of the part that was handed out last.
    fn done(&mut self, result: Vec<u8>);
}

/// A job cut into numbered parts.
pub struct NumberedJob {
    /// Everything that the parts depend on, in one line.
    pub task: String,
    /// The number of parts.
    pub parts: u32,
    /// Does parts as long as the feed has some.
    pub work: PartWorker,
    /// Writes the data set from the results of all parts, in the order of their numbers.
    pub save: PartSaver,
}

/// Does parts as long as the feed has some; fails with the part that was handed out last.
pub type PartWorker = Box<dyn Fn(&mut dyn NumberFeed) -> Result<(), JobError> + Send + Sync>;

/// The results of all parts, in the order of their numbers.
pub type PartResults<'a> = &'a mut dyn Iterator<Item = Result<Vec<u8>, JobError>>;

/// Writes a data set and returns its number of positions.
pub type PartSaver = Box<dyn Fn(&Path, PartResults<'_>) -> Result<u64, JobError> + Send + Sync>;

/// Does parts as long as the feed has some. `part` returns `None` when it was cancelled.
///
/// # Errors
/// The first error of a part.
pub fn work_through(
    feed: &mut dyn NumberFeed,
    mut part: impl FnMut(u32, &CancelToken) -> Result<Option<Vec<u8>>, JobError>,
) -> Result<(), JobError> {
    while let Some((number, cancel)) = feed.next() {
        if let Some(result) = part(number, &cancel)?.filter(|_| !cancel.is_cancelled()) {
            feed.done(result);
        }
    }
    Ok(())
}

/// Samples as the result of a part.
pub fn samples_to_bytes<M: Model>(model: &M, samples: &[Sample<M::Position>]) -> Vec<u8> {
    let mut bytes = vec![0; samples.len() * sample::size::<M>()];
    for (sample, to) in samples.iter().zip(bytes.chunks_exact_mut(sample::size::<M>())) {
        sample::write(model, sample, to);
    }
    bytes
}

/// Saves a data set of samples from the results of its parts.
///
/// # Errors
/// A result is damaged, or the file cannot be written.
pub fn save_samples<M: Model>(
    model: &M,
    out: &Path,
    provenance: &str,
    results: PartResults<'_>,
) -> Result<u64, JobError> {
    let mut samples: Vec<Sample<M::Position>> = Vec::new();
    for (number, result) in results.enumerate() {
        let damaged = || damaged(number);
        let result = result?;
        let whole = result.chunks_exact(sample::size::<M>());
        if !whole.remainder().is_empty() {
            return Err(damaged());
        }
        for bytes in whole {
            samples.push(sample::read(model, bytes).ok_or_else(damaged)?);
        }
    }
    DataSet::save(model, out, provenance, &samples).map_err(JobError::failed)?;
    Ok(samples.len() as u64)
}

/// Saves a data set of positions from the results of its parts, which are the blocks of games.
///
/// # Errors
/// A result is damaged, or the file cannot be written.
pub fn save_positions<G: PositionGame>(
    out: &Path,
    provenance: &str,
    results: PartResults<'_>,
) -> Result<u64, JobError> {
    let mut writer = PositionSetWriter::<G>::create(out, provenance).map_err(JobError::failed)?;
    for (number, result) in results.enumerate() {
        let game = PositionBlock::from_bytes(&result?).ok_or_else(|| damaged(number))?;
        writer.append_game(&game).map_err(JobError::failed)?;
    }
    Ok(writer.finish().map_err(JobError::failed)?.positions)
}

fn damaged(number: usize) -> JobError {
    JobError::Failed(format!("the result of part {number} is damaged"))
}
