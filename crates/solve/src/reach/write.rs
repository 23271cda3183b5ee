//! Writing distances: a file for each class, beside the tables.

use std::path::Path;

use tesuji_game::PerfectIndex;

use super::Reached;
use super::cell::Class;
use super::context::PastDistances;
use super::facts::{self, DistanceFacts};
use crate::table::file::File;
use crate::table::make::{BLOCK, Maker};
use crate::table::{Progress, TableError, Title};

/// Writes all distances into a directory, which is made if need be, each class in the place of the file that was there.
/// `watch` may say `false` to stop; then, and after any error, each file is as it was or whole. The files do not
/// depend on the number of threads.
pub fn write<G: PerfectIndex>(
    game: &G,
    reached: &Reached,
    dir: impl AsRef<Path>,
    title: &Title,
    threads: usize,
    watch: &mut dyn FnMut(Progress) -> bool,
) -> Result<Vec<DistanceFacts>, TableError> {
    write_in_blocks(game, reached, dir, title, (threads, BLOCK), watch)
}

/// The same with other than 2048 boards in a block, as small games in tests want it.
pub fn write_in_blocks<G: PerfectIndex>(
    game: &G,
    reached: &Reached,
    dir: impl AsRef<Path>,
    title: &Title,
    (threads, block): (usize, u32),
    watch: &mut dyn FnMut(Progress) -> bool,
) -> Result<Vec<DistanceFacts>, TableError> {
    reached.fits(game)?;
    let (dir, maker) = (dir.as_ref(), Maker { threads, block: block.max(1) });
    let classes: Vec<u8> = game.stages().iter().flat_map(|classes| classes.iter().copied()).collect();
    let blocks = classes.iter().map(|&class| u64::from(maker.blocks(game.size(class)))).sum::<u64>();
    let mut progress = Progress { done: 0, total: 2 * blocks };
    let start = facts::start(game, reached.start);
    for &class in &classes {
        let about = facts::about(game, class, title);
        let source = Class { reached, class };
        maker.make(game, &source, &about, dir, |sums| facts::lines(&start, sums), &mut |more| {
            progress.done += more as u64;
            watch(progress)
        })?;
    }
    let read = |class: u8| {
        let about = facts::about(game, class, title);
        let path = about.path(dir);
        match File::open::<PastDistances>(dir, about)? {
            Some((file, lines)) => DistanceFacts::read(&file, &lines),
            None => Err(TableError::Head { path }),
        }
    };
    classes.into_iter().map(read).collect()
}
