//! Writes the file of a class in two passes: the first counts symbols, the second codes them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tesuji_game::PerfectIndex;
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use super::block::{CodingError, SymbolCounts, code, count};
use super::coding::EntrySource;
use super::error::TablebaseError;
use super::file::ClassFile;
use super::header::{self, ClassHeader, ClassInfo, Metric, TablebaseId};
use super::model::SymbolModel;
use super::value_coding::{CodedValues, ValueContext};
use crate::retrograde::ClassValues;

/// Boards per block. Doubling it doubles the decoding time and saves little space, because the model belongs
/// to the class: 0.8 % on a class of Ostle.
pub(crate) const BLOCK: u32 = 2048;
/// Blocks per counting task.
const TASK: usize = 16;
/// Blocks counted or coded before the next report.
const ROUND: usize = 512;

/// Progress of writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteProgress {
    /// Blocks processed; each is processed twice.
    pub done: u64,
    /// Blocks to process.
    pub total: u64,
}

/// Writes class files, which do not depend on the number of threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileWriter {
    pub(crate) threads: usize,
    /// Boards per block.
    pub(crate) block: u32,
}

impl FileWriter {
    /// The number of blocks of a class of this size.
    pub(crate) fn blocks(self, size: u32) -> u32 {
        size.div_ceil(self.block)
    }

    /// Writes the file of a class; `facts` are header lines derived from its totals. `watch` gets the number
    /// of blocks just processed and returns `false` to stop; then, and after any error, the directory is
    /// unchanged.
    pub(crate) fn make<G: PerfectIndex, S: EntrySource>(
        self,
        game: &G,
        source: &S,
        header: &ClassHeader<'_>,
        dir: &Path,
        info: impl FnOnce(&S::EntryCounts) -> String,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), TablebaseError> {
        let ClassHeader { class, size, .. } = *header;
        let failed = |misfit: CodingError| {
            let CodingError { index, what } = misfit;
            TablebaseError::InvalidValue { class: header.name.clone(), index, what }
        };
        let mut report = |more: usize| if watch(more) { Ok(()) } else { Err(TablebaseError::Stopped) };

        let mut counts = SymbolCounts::<S>::default();
        let numbers: Vec<u32> = (0..self.blocks(size)).collect();
        for round in numbers.chunks(ROUND) {
            let work = |task: &[u32], counts: &mut SymbolCounts<S>| {
                task.iter().try_for_each(|&block| count(game, class, self.span(block, size), source, counts))
            };
            let parts = self.range(round.chunks(TASK).collect(), work).map_err(failed)?;
            parts.iter().for_each(|part| counts.add(part));
            report(round.len())?;
        }

        let model = SymbolModel::of(counts.symbols());
        let mut head = header.write(self.block, &info(&counts.totals));
        model.write(&mut head);
        fs::create_dir_all(dir).map_err(|source| TablebaseError::Read { path: dir.to_owned(), source })?;
        let mut file = write_on(&Os, &header.path(dir), &head)?;
        let mut coded = vec![Vec::new(); ROUND];
        for round in numbers.chunks(ROUND) {
            let tasks = round.iter().copied().zip(&mut coded).collect();
            let work = |(block, place): (u32, &mut Vec<u8>), _: &mut ()| {
                *place = code(game, class, self.span(block, size), source, &model)?;
                Ok(())
            };
            self.range(tasks, work).map_err(failed)?;
            for block in &coded[..round.len()] {
                file.append(block)?;
            }
            report(round.len())?;
        }
        file.finish()?;
        Ok(())
    }

    /// The indices of a block.
    fn span(self, block: u32, size: u32) -> Range<u32> {
        let start = block * self.block;
        start..start.saturating_add(self.block).min(size)
    }

    /// Runs fallible tasks in parallel; of several errors the one with the least index is returned.
    fn range<T: Send, S: Default + Send>(
        self,
        tasks: Vec<T>,
        work: impl Fn(T, &mut S) -> Result<(), CodingError> + Sync,
    ) -> Result<Vec<S>, CodingError> {
        let least = Mutex::new(None::<CodingError>);
        let totals = tesuji_task::fold(self.threads, tasks, |task, sum| {
            if let Err(misfit) = work(task, sum) {
                let mut least = least.lock().unwrap_or_else(|broken| broken.into_inner());
                if least.as_ref().is_none_or(|known| misfit.index < known.index) {
                    *least = Some(misfit);
                }
            }
        });
        least.into_inner().unwrap_or_else(|broken| broken.into_inner()).map_or(Ok(totals), Err)
    }
}

/// Writes tablebases into a directory.
#[derive(Clone, Debug)]
pub struct TablebaseWriter {
    dir: PathBuf,
    id: TablebaseId,
    metric: Metric,
    maker: FileWriter,
}

impl TablebaseWriter {
    /// A writer into this directory, which is created if needed. The files do not depend on the number of
    /// threads.
    pub fn new(dir: impl Into<PathBuf>, id: TablebaseId, metric: Metric, threads: usize) -> TablebaseWriter {
        TablebaseWriter { dir: dir.into(), id, metric, maker: FileWriter { threads, block: BLOCK } }
    }

    /// Sets the boards per block, for tests of small games.
    #[must_use]
    pub fn block(mut self, boards: u32) -> TablebaseWriter {
        self.maker.block = boards.max(1);
        self
    }

    /// Writes the file of a class. `watch` returns `false` to stop; then, and after any error, the directory
    /// is unchanged.
    pub fn write<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        values: &ClassValues,
        watch: &mut dyn FnMut(WriteProgress) -> bool,
    ) -> Result<ClassInfo, TablebaseError> {
        let header = self.metric.header(game, class, &self.id);
        let (found, expected) = (values.len(), header.size as usize);
        if found != expected {
            return Err(TablebaseError::WrongSize { class: header.name, found, expected });
        }
        let mut progress = WriteProgress { done: 0, total: 2 * u64::from(self.maker.blocks(header.size)) };
        let source = CodedValues { values, metric: self.metric };
        let lines = |totals: &_| header::lines(self.metric, totals);
        self.maker.make(game, &source, &header, &self.dir, lines, &mut |more| {
            progress.done += more as u64;
            watch(progress)
        })?;
        let path = header.path(&self.dir);
        match ClassFile::open::<ValueContext>(&self.dir, header)? {
            Some((file, lines)) => ClassInfo::read(self.metric, &file, &lines),
            None => Err(TablebaseError::InvalidHeader { path }),
        }
    }
}
