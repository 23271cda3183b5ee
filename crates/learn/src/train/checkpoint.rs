//! Checkpoints of a training: one file per stage, from which it resumes with the same result to the last bit.
//!
//! ```text
//! length of the task, 4 bytes | task | lengths of the curve and of four lists, 4 each | curve | lists
//! ```
//!
//! This is the payload of a [`FileFrame`].

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tesuji_store::frame::{Fields, FileFrame};
use tesuji_store::save;

use super::TrainError;
use super::conjugate_gradient::ConjugateGradient;
use crate::ErrorStats;

const FRAME: FileFrame = FileFrame { magic: b"tesujiT\n", version: 1 };

/// The checkpoints of one task in a folder.
pub(super) struct CheckpointFolder<'a> {
    pub(super) dir: &'a Path,
    /// What is trained, on what and how: equal tasks give equal weights.
    pub(super) task: &'a str,
}

impl CheckpointFolder<'_> {
    fn path(&self, stage: usize) -> PathBuf {
        self.dir.join(format!("stage-{stage:03}"))
    }

    /// Writes the checkpoint of a stage.
    pub(super) fn save(&self, stage: usize, state: &ConjugateGradient) -> Result<(), TrainError> {
        fs::create_dir_all(self.dir).map_err(|source| TrainError::Folder { path: self.dir.to_owned(), source })?;
        Ok(save(self.path(stage), &bytes(self.task, state))?)
    }

    /// Reads the checkpoint of a stage, if there is one.
    pub(super) fn load(&self, stage: usize) -> Result<Option<ConjugateGradient>, TrainError> {
        let path = self.path(stage);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|source| TrainError::Folder { path: path.clone(), source })?,
        };
        let (task, state) = parse(&bytes).ok_or_else(|| TrainError::Damaged { path: path.clone() })?;
        if task != self.task.as_bytes() {
            return Err(TrainError::OtherTask { path: self.dir.to_owned() });
        }
        Ok(Some(state))
    }
}

fn bytes(task: &str, state: &ConjugateGradient) -> Vec<u8> {
    let lists = [&state.change, &state.residuals, &state.direction, &state.gradient];
    FRAME.write(|out| {
        // No list is anywhere near 4 G numbers long.
        let number = |out: &mut Vec<u8>, number: usize| out.extend((number as u32).to_le_bytes());
        number(out, task.len());
        out.extend(task.as_bytes());
        number(out, state.curve.len());
        lists.iter().for_each(|list| number(out, list.len()));
        for errors in state.curve.iter().flatten() {
            out.extend(errors.count.to_le_bytes());
            out.extend(errors.absolute.to_le_bytes());
            out.extend(errors.squared.to_le_bytes());
        }
        for list in lists {
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
    })
}

/// The task and the state in a file; `None` if it is damaged.
fn parse(bytes: &[u8]) -> Option<(&[u8], ConjugateGradient)> {
    let mut fields = Fields::new(FRAME.read(bytes).ok()?);
    let length = fields.u32().ok()? as usize;
    let task = fields.bytes(length).ok()?;
    let mut lengths = [0; 5];
    for length in &mut lengths {
        *length = fields.u32().ok()? as usize;
    }
    let [points, change, residuals, direction, gradient] = lengths;
    let mut curve = Vec::new();
    for _ in 0..points {
        curve.push([errors(&mut fields)?, errors(&mut fields)?]);
    }
    let state = ConjugateGradient {
        change: list(&mut fields, change)?,
        residuals: list(&mut fields, residuals)?,
        direction: list(&mut fields, direction)?,
        gradient: list(&mut fields, gradient)?,
        curve,
    };
    fields.is_empty().then_some((task, state))
}

fn errors(fields: &mut Fields<'_>) -> Option<ErrorStats> {
    let count = fields.u64().ok()?;
    let [absolute, squared] = [fields.array().ok()?, fields.array().ok()?].map(f64::from_le_bytes);
    Some(ErrorStats { count, absolute, squared })
}

fn list(fields: &mut Fields<'_>, length: usize) -> Option<Vec<f32>> {
    let bytes = fields.bytes(length.checked_mul(4)?).ok()?;
    Some(bytes.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_damaged_checkpoint_is_accepted() {
        let point = ErrorStats { count: 3, absolute: 1.5, squared: 2.25 };
        let state = ConjugateGradient {
            change: vec![1.0, -2.0],
            residuals: vec![0.5, 0.25, -0.125],
            direction: vec![f32::MIN_POSITIVE, 3.0],
            gradient: vec![0.0, -0.0],
            curve: vec![[point, ErrorStats::default()], [ErrorStats::default(), point]],
        };
        let whole = bytes("toys", &state);
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
