//! Whether files of blocks are as they were written, block by block. What they say is not known here.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};
use tesuji_store::blocks::{BlockError, BlockFile};

use super::crew::{Gauge, share};
use super::interrupted;
use crate::command::counted;
use crate::command::solve::summary::grouped;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think;

/// Blocks per task.
const TASK: usize = 1024;
/// Damaged parts that are named.
const NAMED: usize = 5;
/// How the names of our files of blocks end.
const ENDINGS: [&str; 3] = ["table", "wdl", "reach"];

/// The files of blocks that a path means: itself, or those in it.
pub(super) fn files(path: &Path) -> Vec<PathBuf> {
    let named = |path: &Path| ENDINGS.iter().any(|ending| path.extension().is_some_and(|own| own == *ending));
    if !path.is_dir() {
        return if named(path) || begins_with_blocks(path) { vec![path.to_owned()] } else { Vec::new() };
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| named(path) && path.is_file()).collect();
    found.sort();
    found
}

/// Whether a file under another name begins as a file of blocks does.
fn begins_with_blocks(path: &Path) -> bool {
    let mut begin = [0; 6];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && begin == *b"tesuji"
        && !matches!(BlockFile::open(path), Err(BlockError::Magic { .. }))
}

/// What was found.
pub(super) struct Sums {
    files: usize,
    blocks: u64,
    bytes: u64,
    /// Damaged parts.
    count: usize,
    /// The first of them.
    named: Vec<String>,
}

impl Sums {
    /// Compares all blocks of these files with their sums.
    pub(super) fn of(files: &[PathBuf], threads: usize, out: &Out) -> Result<Sums, Failure> {
        let (mut opened, mut found) = (Vec::new(), Vec::new());
        for (file, path) in files.iter().enumerate() {
            match BlockFile::open(path) {
                Ok(blocks) => opened.push((file, blocks)),
                Err(error) => found.push((file, 0, error)),
            }
        }
        let tasks: Vec<(usize, &BlockFile, usize)> = opened
            .iter()
            .flat_map(|(file, blocks)| {
                (0..blocks.count()).step_by(TASK).map(move |start| (*file, blocks, start))
            })
            .collect();
        let blocks: u64 = opened.iter().map(|(_, blocks)| blocks.count() as u64).sum();
        let (gauge, found) = (Gauge::new(out, blocks), Mutex::new(found));
        share(threads, tasks.len(), &|task| {
            let (file, blocks, start) = tasks[task];
            let end = (start + TASK).min(blocks.count());
            let damaged: Vec<_> =
                (start..end).filter_map(|block| Some((file, block, blocks.block(block).err()?))).collect();
            found.lock().unwrap_or_else(|broken| broken.into_inner()).extend(damaged);
            gauge.add((end - start) as u64)
        });
        drop(gauge);
        if think::interrupted() {
            return Err(interrupted());
        }
        let mut found = found.into_inner().unwrap_or_else(|broken| broken.into_inner());
        found.sort_by_key(|&(file, block, _)| (file, block));
        let named = found.iter().take(NAMED).map(|(_, _, error)| error.to_string()).collect();
        let bytes = opened.iter().map(|(_, blocks)| blocks.bytes()).sum();
        Ok(Sums { files: files.len(), blocks, bytes, count: found.len(), named })
    }

    /// Whether nothing is damaged.
    pub(super) fn right(&self) -> bool {
        self.count == 0
    }

    pub(super) fn json(&self) -> Value {
        json!({ "files": self.files, "blocks": self.blocks, "bytes": self.bytes, "damaged": self.count,
            "damage": self.named })
    }

    pub(super) fn tell(&self, out: &mut Out) -> Done {
        let Sums { files, blocks, bytes, count, named } = self;
        let (blocks, bytes) = (grouped(*blocks), grouped(*bytes));
        let verdict = if *count == 0 {
            "all sums right".to_owned()
        } else {
            format!("{} damaged", counted(*count, "part"))
        };
        out.line(format_args!("{}, {blocks} blocks, {bytes} bytes: {verdict}", counted(*files, "file")))?;
        named.iter().try_for_each(|damage| out.line(format_args!("  {damage}")))?;
        if *count > named.len() {
            out.line(format_args!("  and {} more", count - named.len()))
        } else {
            Ok(())
        }
    }
}
