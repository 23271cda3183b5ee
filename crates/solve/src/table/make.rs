//! Making the file of a class, which is looked at twice: once to count and once to code.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use tesuji_game::PerfectIndex;
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use super::block::{Misfit, code, count};
use super::cell::Source;
use super::counts::Counts;
use super::error::TableError;
use super::head::About;
use super::model::Model;

/// Boards in a block. Twice as many take twice as long to decode and hardly less room, as frequencies belong to the
/// class: 0.8 % less on a class of Ostle.
pub(crate) const BLOCK: u32 = 2048;
/// Blocks to a task while counting.
const TASK: usize = 16;
/// Blocks that are coded before they are written.
const ROUND: usize = 512;

/// How far the writing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Blocks looked at, counting and coding each.
    pub done: u64,
    /// Blocks to look at: twice those that are written.
    pub total: u64,
}

/// How files are made. They do not depend on the number of threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maker {
    pub(crate) threads: usize,
    /// Boards in a block.
    pub(crate) block: u32,
}

impl Maker {
    /// How many blocks a class of this size has.
    pub(crate) fn blocks(self, size: u32) -> u32 {
        size.div_ceil(self.block)
    }

    /// Makes the file of a class in the place of the one that was there; `facts` are the lines that its head has about
    /// all boards. `watch` is told how many more blocks were looked at, each twice, and may say `false` to stop; then,
    /// and after any error, the directory is as it was.
    pub(crate) fn make<G: PerfectIndex, S: Source>(
        self,
        game: &G,
        source: &S,
        about: &About<'_>,
        dir: &Path,
        facts: impl FnOnce(&S::Sums) -> String,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), TableError> {
        let About { class, size, .. } = *about;
        let failed = |misfit: Misfit| {
            let Misfit { index, what } = misfit;
            TableError::Value { class: about.name.clone(), index, what }
        };
        let mut tell = |more: usize| if watch(more) { Ok(()) } else { Err(TableError::Stopped) };

        let mut counts = Counts::<S>::default();
        let numbers: Vec<u32> = (0..self.blocks(size)).collect();
        for round in numbers.chunks(TASK * ROUND) {
            let work = |task: &[u32], counts: &mut Counts<S>| {
                task.iter().try_for_each(|&block| count(game, class, self.span(block, size), source, counts))
            };
            let parts = self.share(round.chunks(TASK).collect(), work).map_err(failed)?;
            parts.iter().for_each(|part| counts.add(part));
            tell(round.len())?;
        }

        let model = Model::of(counts.symbols());
        let mut head = about.write(self.block, &facts(&counts.sums));
        model.write(&mut head);
        fs::create_dir_all(dir).map_err(|source| TableError::Read { path: dir.to_owned(), source })?;
        let mut file = write_on(&Os, &about.path(dir), &head)?;
        let mut coded = vec![Vec::new(); ROUND];
        for round in numbers.chunks(ROUND) {
            let tasks = round.iter().copied().zip(&mut coded).collect();
            let work = |(block, place): (u32, &mut Vec<u8>), _: &mut ()| {
                *place = code(game, class, self.span(block, size), source, &model)?;
                Ok(())
            };
            self.share(tasks, work).map_err(failed)?;
            for block in &coded[..round.len()] {
                file.append(block)?;
            }
            tell(round.len())?;
        }
        file.finish()?;
        Ok(())
    }

    /// The numbers of a block.
    fn span(self, block: u32, size: u32) -> Range<u32> {
        let start = block * self.block;
        start..start.saturating_add(self.block).min(size)
    }

    /// Shares tasks out, of which any may fail; of several failures the one with the least number is told.
    fn share<T: Send, S: Default + Send>(
        self,
        tasks: Vec<T>,
        work: impl Fn(T, &mut S) -> Result<(), Misfit> + Sync,
    ) -> Result<Vec<S>, Misfit> {
        let least = Mutex::new(None::<Misfit>);
        let sums = tesuji_task::fold(self.threads, tasks, |task, sum| {
            if let Err(misfit) = work(task, sum) {
                let mut least = least.lock().unwrap_or_else(|broken| broken.into_inner());
                if least.as_ref().is_none_or(|known| misfit.index < known.index) {
                    *least = Some(misfit);
                }
            }
        });
        least.into_inner().unwrap_or_else(|broken| broken.into_inner()).map_or(Ok(sums), Err)
    }
}
