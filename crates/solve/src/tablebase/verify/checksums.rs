//! Checksums of tablebase and distance files, block by block. The values themselves are not checked here.

use std::fs;
use std::io::Read;
use std::ops::Range;
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
    let opened = OpenedFiles::open(files);
    let counter = context.counter(opened.blocks());
    let parts = tesuji_task::fold(threads, opened.parts(), |part, found: &mut Vec<_>| {
        if context.is_cancelled() {
            return;
        }
        let blocks = part.1.len() as u64;
        found.extend(opened.damaged(&part));
        counter.add(blocks);
    });
    if context.is_cancelled() {
        return Err(VerifyError::Cancelled);
    }
    Ok(opened.into_report(parts.into_iter().flatten()))
}

/// A file, by its place in the list, and some of its blocks.
pub(super) type Blocks = (usize, Range<usize>);

/// Block files that were opened, and what is wrong with the others.
pub(super) struct OpenedFiles(Vec<Result<BlockFile, BlockError>>);

impl OpenedFiles {
    pub(super) fn open(files: &[PathBuf]) -> OpenedFiles {
        OpenedFiles(files.iter().map(BlockFile::open).collect())
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &Result<BlockFile, BlockError>> {
        self.0.iter()
    }

    fn blocks(&self) -> u64 {
        self.0.iter().flatten().map(|blocks| blocks.count() as u64).sum()
    }

    /// All blocks in parts that can be read by themselves.
    pub(super) fn parts(&self) -> Vec<Blocks> {
        let opened = self.0.iter().enumerate().filter_map(|(file, opened)| Some((file, opened.as_ref().ok()?.count())));
        opened.flat_map(|(file, count)| parts(count).map(move |blocks| (file, blocks))).collect()
    }

    /// The damaged ones of some blocks.
    pub(super) fn damaged<'a>(&'a self, (file, blocks): &Blocks) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (file, blocks) = (*file, blocks.clone());
        let opened = self.0.get(file).and_then(|opened| opened.as_ref().ok());
        let is_damaged = move |block: &usize| opened.is_some_and(|opened| opened.block(*block).is_err());
        blocks.filter(is_damaged).map(move |block| (file, block))
    }

    /// The report, with these damaged blocks.
    pub(super) fn into_report(self, damaged: impl Iterator<Item = (usize, usize)>) -> ChecksumReport {
        let blocks = self.blocks();
        let bytes = self.0.iter().flatten().map(BlockFile::bytes).sum();
        let files = self.0.len();
        let error =
            |(file, block): (usize, usize)| Some((file, block, self.0.get(file)?.as_ref().ok()?.block(block).err()?));
        let mut found: Vec<(usize, usize, BlockError)> = damaged.filter_map(error).collect();
        found.extend(self.0.into_iter().enumerate().filter_map(|(file, opened)| Some((file, 0, opened.err()?))));
        found.sort_by_key(|&(file, block, _)| (file, block));
        let damaged = found.into_iter().map(|(_, _, error)| error).collect();
        ChecksumReport { files, blocks, bytes, damaged }
    }
}

fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(TASK).map(move |start| start..(start + TASK).min(count))
}
