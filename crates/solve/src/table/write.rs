//! Writing the table of a solved class.

use std::path::PathBuf;

use tesuji_game::PerfectIndex;

use super::context::PastValues;
use super::error::TableError;
use super::facts::{self, Facts, Kind};
use super::file::File;
use super::head::Title;
use super::make::{BLOCK, Maker, Progress};
use super::solved::Solved;
use crate::retrograde::Values;

/// Writes tables into a directory.
#[derive(Clone, Debug)]
pub struct Writer {
    dir: PathBuf,
    title: Title,
    kind: Kind,
    maker: Maker,
}

impl Writer {
    /// A writer into this directory, which is made if need be. The files do not depend on the number of threads.
    pub fn new(dir: impl Into<PathBuf>, title: Title, kind: Kind, threads: usize) -> Writer {
        Writer { dir: dir.into(), title, kind, maker: Maker { threads, block: BLOCK } }
    }

    /// The same with other than 2048 boards in a block, as small tables in tests want it.
    #[must_use]
    pub fn block(mut self, boards: u32) -> Writer {
        self.maker.block = boards.max(1);
        self
    }

    /// Writes the file of a class, in the place of the one that was there. `watch` may say `false` to stop; then, and
    /// after any error, the directory is as it was.
    pub fn write<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        values: &Values,
        watch: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Facts, TableError> {
        let about = self.kind.about(game, class, &self.title);
        let (found, expected) = (values.len(), about.size as usize);
        if found != expected {
            return Err(TableError::Size { class: about.name, found, expected });
        }
        let mut progress = Progress { done: 0, total: 2 * u64::from(self.maker.blocks(about.size)) };
        let source = Solved { values, kind: self.kind };
        let lines = |sums: &_| facts::lines(self.kind, sums);
        self.maker.make(game, &source, &about, &self.dir, lines, &mut |more| {
            progress.done += more as u64;
            watch(progress)
        })?;
        let path = about.path(&self.dir);
        match File::open::<PastValues>(&self.dir, about)? {
            Some((file, lines)) => Facts::read(self.kind, &file, &lines),
            None => Err(TableError::Head { path }),
        }
    }
}
