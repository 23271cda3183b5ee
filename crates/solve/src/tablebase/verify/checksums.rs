//! Checksums of tablebase and distance files, block by block. The values themselves are not checked here.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use tesuji_store::blocks::{BlockError, BlockFile};
use tesuji_task::Context;

use super::VerifyError;

/// File extensions: DTW, WDL and distances.
const EXTENSIONS: [&str; 3] = ["table", "wdl", "reach"];
/// BlockFile per task.
const TASK: usize = 1024;

/// The block files at a path: the file itself, or those in the directory.
pub fn block_files(path: &Path) -> Vec<PathBuf> {
    let named = |path: &Path| EXTENSIONS.iter().any(|known| path.extension().is_some_and(|own| own == *known));
    if !path.is_dir() {
        return if named(path) || has_magic(path) { vec![path.to_owned()] } else { Vec::new() };
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| named(path) && path.is_file()).collect();
    found.sort();
    found
}

/// Whether a file with another extension starts like a block file.
fn has_magic(path: &Path) -> bool {
    let mut start = [0; 6];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"tesuji"
        && !matches!(BlockFile::open(path), Err(BlockError::Magic { .. }))
}

/// The result of checking block files.
#[derive(Debug)]
pub struct ChecksumReport {
    /// Files checked.
    pub files: usize,
    /// BlockFile checked.
    pub blocks: u64,
    /// Total size in bytes.
    pub bytes: u64,
    /// All damage, by file and block.
    pub damaged: Vec<BlockError>,
}

/// Compares every block of these files with its checksum.
///
/// # Errors
/// Only cancellation; damage is part of the report.
pub fn verify_checksums(
    files: &[PathBuf],
    threads: usize,
    context: Context<'_>,
) -> Result<ChecksumReport, VerifyError> {
    let (mut opened, mut found) = (Vec::new(), Vec::new());
    for (file, path) in files.iter().enumerate() {
        match BlockFile::open(path) {
            Ok(blocks) => opened.push((file, blocks)),
            Err(error) => found.push((file, 0, error)),
        }
    }
    let blocks: u64 = opened.iter().map(|(_, blocks)| blocks.count() as u64).sum();
    let bytes = opened.iter().map(|(_, blocks)| blocks.bytes()).sum();
    let tasks: Vec<(usize, &BlockFile, usize)> = opened
        .iter()
        .flat_map(|(file, blocks)| (0..blocks.count()).step_by(TASK).map(move |start| (*file, blocks, start)))
        .collect();
    let counter = context.counter(blocks);
    let parts = tesuji_task::fold(threads, tasks, |(file, blocks, start), found: &mut Vec<_>| {
        if context.is_cancelled() {
            return;
        }
        let end = (start + TASK).min(blocks.count());
        found.extend((start..end).filter_map(|block| Some((file, block, blocks.block(block).err()?))));
        counter.add((end - start) as u64);
    });
    if context.is_cancelled() {
        return Err(VerifyError::Cancelled);
    }
    found.extend(parts.into_iter().flatten());
    found.sort_by_key(|&(file, block, _)| (file, block));
    let damaged = found.into_iter().map(|(_, _, error)| error).collect();
    Ok(ChecksumReport { files: files.len(), blocks, bytes, damaged })
}
