//! Writing a table: a class is looked at twice, once to count and once to code.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use tesuji_game::Ranked;
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use super::block::{Misfit, code, count};
use super::counts::Counts;
use super::error::TableError;
use super::head::{self, Facts, Kind, Title};
use super::model::Model;
use crate::retrograde::{Values, crew};

/// Boards in a block. Twice as many take twice as long to decode and hardly less room, as frequencies belong to the
/// class: 0.8 % less on a class of Ostle.
const BLOCK: u32 = 2048;
/// Blocks to a task while counting.
const TASK: usize = 16;
/// Blocks that are coded before they are written.
const ROUND: usize = 512;

/// How far the writing of a class is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Blocks looked at, counting and coding each.
    pub done: u64,
    /// Blocks to look at: twice those of the class.
    pub total: u64,
}

/// Writes tables into a directory.
#[derive(Clone, Debug)]
pub struct Writer {
    dir: PathBuf,
    title: Title,
    kind: Kind,
    threads: usize,
    block: u32,
}

impl Writer {
    /// A writer into this directory, which is made if need be. The files do not depend on the number of threads.
    pub fn new(dir: impl Into<PathBuf>, title: Title, kind: Kind, threads: usize) -> Writer {
        Writer { dir: dir.into(), title, kind, threads, block: BLOCK }
    }

    /// The same with other than 2048 boards in a block, as small tables in tests want it.
    #[must_use]
    pub fn block(self, boards: u32) -> Writer {
        Writer { block: boards.max(1), ..self }
    }

    /// Writes the file of a class, in the place of the one that was there. `watch` may say `false` to stop; then, and
    /// after any error, the directory is as it was.
    pub fn write<G: Ranked>(
        &self,
        game: &G,
        class: u8,
        values: &Values,
        watch: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Facts, TableError> {
        let (name, size) = (game.class_name(class), game.size(class));
        if values.len() != size as usize {
            return Err(TableError::Size { class: name, found: values.len(), expected: size as usize });
        }
        let failed = |misfit: Misfit| {
            let (class, Misfit { index, what }) = (name.clone(), misfit);
            TableError::Value { class, index, what }
        };
        let blocks = size.div_ceil(self.block);
        let mut seen = 0;
        let mut tell = |more: usize| {
            seen += more as u64;
            if watch(Progress { done: seen, total: 2 * u64::from(blocks) }) {
                Ok(())
            } else {
                Err(TableError::Stopped)
            }
        };

        let mut counts = Counts::default();
        let numbers: Vec<u32> = (0..blocks).collect();
        let work = |number: u32, counts: &mut Counts| {
            count(game, class, self.span(number, size), values, self.kind, counts)
        };
        for round in numbers.chunks(TASK * ROUND) {
            for part in self
                .share(round.chunks(TASK).collect(), |task, counts: &mut Counts| {
                    task.iter().try_for_each(|&number| work(number, counts))
                })
                .map_err(failed)?
            {
                counts.add(&part);
            }
            tell(round.len())?;
        }

        let model = Model::of(&counts);
        let path = head::file(&self.dir, &self.title, &name, self.kind);
        let [losses, draws, wins] = counts.outcomes;
        let mut facts = Facts {
            path: path.clone(),
            kind: self.kind,
            class,
            name: name.clone(),
            size,
            boards: counts.boards,
            wins_at_once: counts.wins_at_once,
            wins,
            losses,
            draws,
            exceptions: counts.exceptions,
            longest: if self.kind == Kind::Exact { counts.longest } else { 0 },
            block: self.block,
            bytes: 0,
        };
        let head = head::write(&self.title, &facts, &model);
        fs::create_dir_all(&self.dir)
            .map_err(|source| TableError::Read { path: self.dir.clone(), source })?;
        let mut file = write_on(&Os, &path, &head)?;
        let mut coded = vec![Vec::new(); ROUND];
        for round in numbers.chunks(ROUND) {
            let tasks = round.iter().copied().zip(&mut coded).collect();
            self.share(tasks, |(number, place): (u32, &mut Vec<u8>), _: &mut ()| {
                *place = code(game, class, self.span(number, size), values, self.kind, &model)?;
                Ok(())
            })
            .map_err(failed)?;
            for block in &coded[..round.len()] {
                file.append(block)?;
            }
            tell(round.len())?;
        }
        facts.bytes = file.finish()?;
        Ok(facts)
    }

    /// The numbers of a block.
    fn span(&self, number: u32, size: u32) -> std::ops::Range<u32> {
        let start = number * self.block;
        start..start.saturating_add(self.block).min(size)
    }

    /// Shares tasks out, of which any may fail; of several failures the one with the least number is told.
    fn share<T: Send, S: Default + Send>(
        &self,
        tasks: Vec<T>,
        work: impl Fn(T, &mut S) -> Result<(), Misfit> + Sync,
    ) -> Result<Vec<S>, Misfit> {
        let least = Mutex::new(None::<Misfit>);
        let sums = crew::share(self.threads, tasks, |task, sum| {
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
