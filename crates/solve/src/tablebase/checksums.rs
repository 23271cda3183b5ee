//! Whether the files of a table are as they were written, distances among them. What they say is not looked at: that
//! every value is right is for [`verify`](crate::retrograde::verify), and for its [twin](crate::reachability::verify).

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_store::blocks::{BlockError, BlockFile};

use super::error::TablebaseError;

/// How the names of files end: tables, those of outcomes, and distances.
const ENDINGS: [&str; 3] = ["table", "wdl", "reach"];
/// Blocks per task.
const TASK: usize = 1024;

/// What was found.
#[derive(Debug, Default)]
pub struct ChecksumReport {
    /// Files of tables and of distances in the directory.
    pub files: usize,
    /// Blocks checked.
    pub blocks: u64,
    /// All that is damaged, by file and block.
    pub damaged: Vec<TablebaseError>,
}

/// Compares every block of every table in a directory, and of all distances, with its checksum. `watch` is told how many blocks are done and
/// how many there are, from any thread, and may say `false` to stop.
pub fn verify_files(
    dir: impl AsRef<Path>,
    threads: usize,
    watch: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Result<ChecksumReport, TablebaseError> {
    let dir = dir.as_ref();
    let reading = |source| TablebaseError::Read { path: dir.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        let ending = path.extension().unwrap_or_default();
        if ENDINGS.iter().any(|known| ending == *known) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut checked = ChecksumReport { files: paths.len(), ..ChecksumReport::default() };
    let (mut opened, mut found) = (Vec::new(), Vec::new());
    for (file, path) in paths.iter().enumerate() {
        match BlockFile::open(path) {
            Ok(blocks) => opened.push((file, blocks)),
            Err(error) => found.push((file, 0, error)),
        }
    }
    let total = opened.iter().map(|(_, blocks)| blocks.count() as u64).sum();
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let tasks: Vec<(usize, &BlockFile, usize)> = opened
        .iter()
        .flat_map(|(file, blocks)| (0..blocks.count()).step_by(TASK).map(move |start| (*file, blocks, start)))
        .collect();
    let parts = tesuji_task::fold(
        threads,
        tasks,
        |(file, blocks, start), found: &mut Vec<(usize, usize, BlockError)>| {
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            let end = (start + TASK).min(blocks.count());
            found.extend((start..end).filter_map(|block| Some((file, block, blocks.block(block).err()?))));
            let looked = (end - start) as u64;
            if !watch(done.fetch_add(looked, Ordering::Relaxed) + looked, total) {
                stopped.store(true, Ordering::Relaxed);
            }
        },
    );
    found.extend(parts.into_iter().flatten());
    found.sort_by_key(|&(file, block, _)| (file, block));
    checked.damaged.extend(found.into_iter().map(|(_, _, error)| error.into()));
    checked.blocks = done.into_inner();
    Ok(checked)
}
