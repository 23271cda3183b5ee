//! Checkpoints: everything that a training needs to go on as if it had never ended.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use tesuji_store::frame::{Fields, FileFrame, FrameError};
use tesuji_store::save;

use super::job::{SparsePoint, SparseProgress};
use super::trainer::SparseTrainer;
use crate::JobError;
use crate::nnue::{read_metrics, write_metrics};

const FRAME: FileFrame = FileFrame { magic: b"tesujiS\n", version: 1 };

/// Writes a checkpoint of the training of `task`.
pub(super) fn save_checkpoint(
    path: &Path,
    task: &str,
    trainer: &SparseTrainer,
    progress: &SparseProgress,
) -> Result<(), JobError> {
    let bytes = FRAME.write(|out| {
        out.extend((task.len() as u32).to_le_bytes());
        out.extend(task.as_bytes());
        out.extend(trainer.step.to_le_bytes());
        write_metrics(out, &progress.since);
        out.extend((progress.points.len() as u32).to_le_bytes());
        for point in &progress.points {
            out.extend(point.positions.to_le_bytes());
            write_metrics(out, &point.train);
            write_metrics(out, &point.test);
        }
        for list in [&trainer.weights, &trainer.squares] {
            out.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
    });
    save(path, &bytes).map_err(JobError::failed)
}

/// Reads a checkpoint of the training of `task` into a new trainer, if there is one.
pub(super) fn load_checkpoint(
    path: &Path,
    task: &str,
    trainer: &mut SparseTrainer,
) -> Result<Option<SparseProgress>, JobError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| JobError::Failed(format!("cannot read {}: {error}", path.display())))?,
    };
    let damaged = |_: FrameError| {
        let path = path.display();
        JobError::Input(format!("{path} is damaged, or of another version: remove it to train from the start"))
    };
    let mut fields = Fields::new(FRAME.read(&bytes).map_err(damaged)?);
    let length = fields.u32().map_err(damaged)? as usize;
    let found = String::from_utf8_lossy(fields.bytes(length).map_err(damaged)?).into_owned();
    if found != task {
        let command = found.lines().next().unwrap_or_default();
        return Err(JobError::Input(format!(
            "{} holds an unfinished training with other data or settings: finish it with `{command}`, or remove it",
            path.display()
        )));
    }
    read(&mut fields, trainer).map(Some).map_err(damaged)
}

fn read(fields: &mut Fields<'_>, trainer: &mut SparseTrainer) -> Result<SparseProgress, FrameError> {
    let step = fields.u64()?;
    let since = read_metrics(fields)?;
    let mut points = Vec::new();
    for _ in 0..fields.u32()? {
        let positions = fields.u64()?;
        points.push(SparsePoint { positions, train: read_metrics(fields)?, test: read_metrics(fields)? });
    }
    for list in [&mut trainer.weights, &mut trainer.squares] {
        for number in list {
            *number = f32::from_le_bytes(fields.array()?);
        }
    }
    if !fields.is_empty() {
        return Err(FrameError::Short);
    }
    trainer.step = step;
    Ok(SparseProgress { since, points })
}
