//! Distances on disk: one file per class, beside the tablebase.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_game::PerfectIndex;
use tesuji_task::CancelToken;

use super::coding::{self, CodedDistances, DistanceContext, DistanceInfo, distance};
use super::map::{depth, encode};
use super::{Distance, DistanceMap};
use crate::tablebase::coding::CodedEntry;
use crate::tablebase::file::{BlockCache, ClassFile};
use crate::tablebase::write::{BLOCK, FileWriter};
use crate::tablebase::{DEFAULT_CACHE, TablebaseError, TablebaseId, WriteProgress};

/// The distances of a game on disk. Any number of threads may probe it.
pub struct DistanceTable<G: PerfectIndex> {
    game: Arc<G>,
    dir: PathBuf,
    /// Class and index of the start.
    start: (u8, u32),
    /// All classes of the game.
    classes: Vec<Option<(ClassFile, DistanceInfo)>>,
    cache: BlockCache,
}

impl<G: PerfectIndex + Send> DistanceTable<G> {
    /// Opens the distances in a directory; `None` when there are none. An unusable file is an error, and so
    /// is a missing one beside others, because depths depend on boards of other classes.
    pub fn open(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        id: &TablebaseId,
    ) -> Result<Option<DistanceTable<G>>, TablebaseError> {
        DistanceTable::open_with(dir, game, id, DEFAULT_CACHE)
    }

    /// Opens the distances with `cache` bytes of decoded blocks.
    pub fn open_with(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        id: &TablebaseId,
        cache: usize,
    ) -> Result<Option<DistanceTable<G>>, TablebaseError> {
        let dir = dir.as_ref().to_owned();
        let mut classes: Vec<Option<(ClassFile, DistanceInfo)>> = (0..=u8::MAX).map(|_| None).collect();
        let (mut start, mut missing) = (None::<((u8, u32), String)>, None);
        for class in game.stages().iter().flat_map(|classes| classes.iter().copied()) {
            let header = coding::header(&*game, class, id);
            let path = header.path(&dir);
            let Some((file, lines)) = ClassFile::open::<DistanceContext>(&dir, header)? else {
                missing = missing.or(Some(path));
                continue;
            };
            let from = lines.word("start")?;
            match &start {
                Some((_, other)) if other != from => {
                    let (found, expected) = (from.to_owned(), other.clone());
                    return Err(TablebaseError::Mismatch { path, what: "start", found, expected });
                }
                Some(_) => {}
                None => {
                    let place = coding::place_of_start(&*game, from);
                    start = Some((place.ok_or(TablebaseError::InvalidHeader { path })?, from.to_owned()));
                }
            }
            let info = DistanceInfo::read(&file, &lines)?;
            classes[usize::from(class)] = Some((file, info));
        }
        let Some((start, _)) = start else { return Ok(None) };
        if let Some(path) = missing {
            return Err(TablebaseError::MissingFile { path });
        }
        let block = classes.iter().flatten().map(|(file, _)| file.block).max().unwrap_or(1);
        Ok(Some(DistanceTable { game, dir, start, classes, cache: BlockCache::of_bytes(cache, block) }))
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Class and index of the start.
    pub fn start(&self) -> (u8, u32) {
        self.start
    }

    /// The headers of the classes.
    pub fn info(&self) -> impl Iterator<Item = &DistanceInfo> {
        self.classes.iter().flatten().map(|(_, info)| info)
    }

    /// The fewest plies to this board, whatever is forbidden on it; `None` when it is unreachable.
    pub fn plies(&self, board: G::Board) -> Result<Option<u8>, TablebaseError> {
        // Only a board in play has a rank.
        self.class(self.game.class(board))?;
        let place = self.game.rank(board);
        let (_, _, [encode, ..]) = self.entry(place.class, place.index)?;
        // Stored plus one, 0 for unreached.
        Ok(encode.checked_sub(1))
    }

    /// The fewest plies to this board with this move forbidden, in the board's own frame;
    /// [`NO_MOVE`](tesuji_game::NO_MOVE) for none. See [`DistanceMap::depth`].
    pub fn plies_with(&self, board: G::Board, forbidden: u8) -> Result<Option<u8>, TablebaseError> {
        self.class(self.game.class(board))?;
        depth(&*self.game, |class, index| self.get(class, index), board, forbidden)
    }

    /// The distance of a ranked board.
    pub fn get(&self, class: u8, index: u32) -> Result<Distance, TablebaseError> {
        let (file, block, entry) = self.entry(class, index)?;
        distance(&*self.game, class, index, entry).ok_or_else(|| file.invalid(block))
    }

    fn entry(&self, class: u8, index: u32) -> Result<(&ClassFile, u32, CodedEntry), TablebaseError> {
        let file = self.class(class)?;
        let Some((block, at)) = file.find(index) else {
            return Err(TablebaseError::NotInPlay { class: file.name.clone() });
        };
        let decode = || file.decode::<G, DistanceContext>(&*self.game, block);
        let decoded = self.cache.get((class, block), decode)?;
        Ok((file, block, decoded.entry(at).ok_or_else(|| file.invalid(block))?))
    }

    fn class(&self, class: u8) -> Result<&ClassFile, TablebaseError> {
        let found = self.classes[usize::from(class)].as_ref().map(|(file, _)| file);
        found.ok_or_else(|| TablebaseError::MissingClass { dir: self.dir.clone(), class: self.game.class_name(class) })
    }

    /// Folds the distance of every board, on several threads. `watch` gets the number of boards read, from any thread,
    /// and returns `false` to stop; then the result is `None`.
    pub(super) fn scan<S: Default + Send>(
        &self,
        threads: usize,
        watch: &(dyn Fn(u64) -> bool + Sync),
        visit: impl Fn((u8, u32), Distance, &mut S) + Sync,
    ) -> Result<Option<Vec<S>>, TablebaseError> {
        let files = self.classes.iter().flatten().map(|(file, _)| file);
        let tasks: Vec<(&ClassFile, u32)> =
            files.flat_map(|file| (0..file.size.div_ceil(file.block)).map(move |block| (file, block))).collect();
        let (done, stopped, trouble) = (AtomicU64::new(0), AtomicBool::new(false), Mutex::new(None));
        let parts = tesuji_task::fold(threads, tasks, |(file, block), sum: &mut S| {
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            let mut read = || -> Result<u64, TablebaseError> {
                let decoded = file.decode::<G, DistanceContext>(&*self.game, block)?;
                let span = block * file.block..file.size.min(block.saturating_add(1).saturating_mul(file.block));
                for (at, index) in span.clone().enumerate() {
                    let entry = decoded.entry(at).and_then(|entry| distance(&*self.game, file.class, index, entry));
                    visit((file.class, index), entry.ok_or_else(|| file.invalid(block))?, sum);
                }
                Ok(span.len() as u64)
            };
            let go_on = match read() {
                Ok(boards) => watch(done.fetch_add(boards, Ordering::Relaxed) + boards),
                Err(error) => {
                    trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    false
                }
            };
            stopped.fetch_or(!go_on, Ordering::Relaxed);
        });
        match trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok((!stopped.into_inner()).then_some(parts)),
        }
    }

    /// Loads all distances into memory; [`TablebaseError::Stopped`] when cancelled.
    pub fn load(&self, threads: usize, cancel: &CancelToken) -> Result<DistanceMap, TablebaseError> {
        let mut distances = DistanceMap::new(&*self.game, self.start).map_err(TablebaseError::Allocation)?;
        for (file, _) in self.classes.iter().flatten() {
            let Some(planes) = distances.planes(file.class, file.size) else {
                return Err(TablebaseError::InvalidHeader { path: file.path.clone() });
            };
            file.load::<G, DistanceContext>(&*self.game, planes, (threads, cancel), |index, entry| {
                distance(&*self.game, file.class, index, entry).map(encode)
            })?;
        }
        Ok(distances)
    }
}

impl<G: PerfectIndex> std::fmt::Debug for DistanceTable<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("DistanceTable").field("dir", &self.dir).field("start", &self.start).finish_non_exhaustive()
    }
}

/// Writes the distances of all classes into a directory, which is created if needed. `watch` returns `false`
/// to stop; then, and after any error, each file is either old or complete. The files do not depend on the
/// number of threads.
pub fn write<G: PerfectIndex>(
    game: &G,
    distances: &DistanceMap,
    dir: impl AsRef<Path>,
    id: &TablebaseId,
    threads: usize,
    watch: &mut dyn FnMut(WriteProgress) -> bool,
) -> Result<Vec<DistanceInfo>, TablebaseError> {
    write_in_blocks(game, distances, dir, id, (threads, BLOCK), watch)
}

/// [`write()`] with another block size, for tests of small games.
pub fn write_in_blocks<G: PerfectIndex>(
    game: &G,
    distances: &DistanceMap,
    dir: impl AsRef<Path>,
    id: &TablebaseId,
    (threads, block): (usize, u32),
    watch: &mut dyn FnMut(WriteProgress) -> bool,
) -> Result<Vec<DistanceInfo>, TablebaseError> {
    distances.fits(game)?;
    let (dir, maker) = (dir.as_ref(), FileWriter { threads, block: block.max(1) });
    let classes: Vec<u8> = game.stages().iter().flat_map(|classes| classes.iter().copied()).collect();
    let blocks = classes.iter().map(|&class| u64::from(maker.blocks(game.size(class)))).sum::<u64>();
    let mut progress = WriteProgress { done: 0, total: 2 * blocks };
    let start = coding::start(game, distances.start);
    for &class in &classes {
        let header = coding::header(game, class, id);
        let source = CodedDistances { distances, class };
        maker.make(game, &source, &header, dir, |totals| coding::lines(&start, totals), &mut |more| {
            progress.done += more as u64;
            watch(progress)
        })?;
    }
    let read = |class: u8| {
        let header = coding::header(game, class, id);
        let path = header.path(dir);
        match ClassFile::open::<DistanceContext>(dir, header)? {
            Some((file, lines)) => DistanceInfo::read(&file, &lines),
            None => Err(TablebaseError::InvalidHeader { path }),
        }
    };
    classes.into_iter().map(read).collect()
}
