//! What a training keeps on the way: the state of each stage, from which it goes on as if nothing had happened.
//!
//! ```text
//! magic, 8 bytes | format, 4 | length of the task, 4 | task
//! lengths of the curve and of four lists, 4 each | curve | lists | checksum of all that, 4
//! ```

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tesuji_store::save;

use super::descent::Descent;
use super::{Task, TrainError};
use crate::Errors;

const MAGIC: &[u8; 8] = b"tesujiT\n";
const FORMAT: u32 = 1;

/// Where states are kept, and of which task.
pub(super) struct Keep<'k> {
    pub(super) dir: &'k Path,
    pub(super) task: &'k Task,
}

impl Keep<'_> {
    fn path(&self, stage: usize) -> PathBuf {
        self.dir.join(format!("stage-{stage:03}"))
    }

    /// Saves the state of a stage.
    pub(super) fn save(&self, stage: usize, state: &Descent) -> Result<(), TrainError> {
        fs::create_dir_all(self.dir)
            .map_err(|source| TrainError::Folder { path: self.dir.to_owned(), source })?;
        Ok(save(self.path(stage), &bytes(self.task, state))?)
    }

    /// The state of a stage, if there is one.
    pub(super) fn load(&self, stage: usize) -> Result<Option<Descent>, TrainError> {
        let path = self.path(stage);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|source| TrainError::Folder { path: path.clone(), source })?,
        };
        let (task, state) = parse(&bytes).ok_or_else(|| TrainError::Damaged { path: path.clone() })?;
        if task != self.task.0.as_bytes() {
            return Err(TrainError::Other { path: self.dir.to_owned() });
        }
        Ok(Some(state))
    }
}

fn bytes(task: &Task, state: &Descent) -> Vec<u8> {
    let lists = [&state.moved, &state.errors, &state.direction, &state.slope];
    let mut bytes = MAGIC.to_vec();
    // No list is anywhere near 4 G numbers long.
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
    number(&mut bytes, FORMAT as usize);
    number(&mut bytes, task.0.len());
    bytes.extend(task.0.as_bytes());
    number(&mut bytes, state.curve.len());
    lists.iter().for_each(|list| number(&mut bytes, list.len()));
    for errors in state.curve.iter().flatten() {
        bytes.extend(errors.count.to_le_bytes());
        bytes.extend(errors.absolute.to_le_bytes());
        bytes.extend(errors.squared.to_le_bytes());
    }
    for list in lists {
        list.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The task and the state of a file, if it is whole.
fn parse(bytes: &[u8]) -> Option<(&[u8], Descent)> {
    let (all, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(all) != u32::from_le_bytes(*sum) {
        return None;
    }
    let mut rest = all.strip_prefix(MAGIC)?;
    if number(&mut rest)? != FORMAT as usize {
        return None;
    }
    let length = number(&mut rest)?;
    let (task, mut rest) = rest.split_at_checked(length)?;
    let mut lengths = [0; 5];
    for length in &mut lengths {
        *length = number(&mut rest)?;
    }
    let [points, moved, errors, direction, slope] = lengths;
    let mut curve = Vec::new();
    for _ in 0..points {
        curve.push([point(&mut rest)?, point(&mut rest)?]);
    }
    let state = Descent {
        moved: list(&mut rest, moved)?,
        errors: list(&mut rest, errors)?,
        direction: list(&mut rest, direction)?,
        slope: list(&mut rest, slope)?,
        curve,
    };
    rest.is_empty().then_some((task, state))
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn eight(rest: &mut &[u8]) -> Option<[u8; 8]> {
    take(rest, 8)?.try_into().ok()
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize)
}

fn point(rest: &mut &[u8]) -> Option<Errors> {
    let count = u64::from_le_bytes(eight(rest)?);
    let (absolute, squared) = (f64::from_le_bytes(eight(rest)?), f64::from_le_bytes(eight(rest)?));
    Some(Errors { count, absolute, squared })
}

fn list(rest: &mut &[u8], length: usize) -> Option<Vec<f32>> {
    let bytes = take(rest, length.checked_mul(4)?)?;
    Some(bytes.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_read() {
        let point = Errors { count: 3, absolute: 1.5, squared: 2.25 };
        let state = Descent {
            moved: vec![1.0, -2.0],
            errors: vec![0.5, 0.25, -0.125],
            direction: vec![f32::MIN_POSITIVE, 3.0],
            slope: vec![0.0, -0.0],
            curve: vec![[point, Errors::default()], [Errors::default(), point]],
        };
        let task = Task("toys".to_owned());
        let whole = bytes(&task, &state);
        assert_eq!(parse(&whole), Some((&b"toys"[..], state)));
        for cut in 0..whole.len() {
            assert_eq!(parse(&whole[..cut]), None, "cut to {cut} bytes");
        }
        for bit in 0..8 * whole.len() {
            let mut hit = whole.clone();
            hit[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&hit), None, "bit {bit}");
        }
    }
}
