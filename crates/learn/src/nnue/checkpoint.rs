//! Checkpoints: everything that a training needs to go on as if it had never ended.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use tesuji_store::frame::{Fields, FileFrame, FrameError};
use tesuji_store::save;

use super::job::{NnuePoint, NnueProgress};
use super::trainer::{Metrics, Slice, Trainer};
use crate::JobError;

const FRAME: FileFrame = FileFrame { magic: b"tesujiV\n", version: 1 };

/// Calls `visit` with all numbers of a training, list by list.
fn lists(trainer: &mut Trainer, visit: &mut dyn FnMut(&mut [f32])) {
    fn slice<const L: usize>(slice: &mut Slice<L>, visit: &mut dyn FnMut(&mut [f32])) {
        for table in [&mut slice.table, &mut slice.bias] {
            visit(table.weights.as_flattened_mut());
            for moments in &mut table.moments {
                visit(&mut moments.first);
                visit(&mut moments.second);
            }
        }
    }
    trainer.slices.iter_mut().for_each(|table| slice(table, visit));
    slice(&mut trainer.direct, visit);
    visit(trainer.dense.rows.as_flattened_mut());
    for moments in &mut trainer.dense.moments {
        visit(&mut moments.first);
        visit(&mut moments.second);
    }
}

pub(crate) fn write_metrics(out: &mut Vec<u8>, m: &Metrics) {
    for number in [m.positions, m.loss.to_bits(), m.entropy.to_bits(), m.decided, m.hits, m.result_loss.to_bits()] {
        out.extend(number.to_le_bytes());
    }
}

pub(crate) fn read_metrics(fields: &mut Fields<'_>) -> Result<Metrics, FrameError> {
    Ok(Metrics {
        positions: fields.u64()?,
        loss: f64::from_bits(fields.u64()?),
        entropy: f64::from_bits(fields.u64()?),
        decided: fields.u64()?,
        hits: fields.u64()?,
        result_loss: f64::from_bits(fields.u64()?),
    })
}

/// Writes a checkpoint of the training of `task`.
pub(super) fn save_checkpoint(
    path: &Path,
    task: &str,
    trainer: &mut Trainer,
    progress: &NnueProgress,
) -> Result<(), JobError> {
    let bytes = FRAME.write(|out| {
        out.extend((task.len() as u32).to_le_bytes());
        out.extend(task.as_bytes());
        out.extend(trainer.step.to_le_bytes());
        write_metrics(out, &progress.since);
        out.extend((progress.points.len() as u32).to_le_bytes());
        for point in &progress.points {
            out.extend(point.step.to_le_bytes());
            out.extend(point.positions.to_le_bytes());
            write_metrics(out, &point.train);
            write_metrics(out, &point.test);
        }
        lists(trainer, &mut |list| out.extend(list.iter().flat_map(|number| number.to_le_bytes())));
    });
    save(path, &bytes).map_err(JobError::failed)
}

/// Reads a checkpoint of the training of `task` into a new trainer, if there is one.
pub(super) fn load_checkpoint(
    path: &Path,
    task: &str,
    trainer: &mut Trainer,
) -> Result<Option<NnueProgress>, JobError> {
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

fn read(fields: &mut Fields<'_>, trainer: &mut Trainer) -> Result<NnueProgress, FrameError> {
    let step = fields.u64()?;
    let since = read_metrics(fields)?;
    let mut points = Vec::new();
    for _ in 0..fields.u32()? {
        let (step, positions) = (fields.u64()?, fields.u64()?);
        points.push(NnuePoint { step, positions, train: read_metrics(fields)?, test: read_metrics(fields)? });
    }
    let mut failed = None;
    lists(trainer, &mut |list| {
        for number in list {
            match fields.array() {
                Ok(bytes) => *number = f32::from_le_bytes(bytes),
                Err(error) => failed = Some(error),
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if !fields.is_empty() {
        return Err(FrameError::Short);
    }
    trainer.step = step;
    trainer.refresh();
    Ok(NnueProgress { since, points })
}
