//! Asking for distances that lie on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::PerfectIndex;

use super::cell::distance;
use super::context::PastDistances;
use super::depth::depth;
use super::facts::{self, DistanceFacts};
use super::reached::kept;
use super::{Distance, Reached};
use crate::table::cache::Cache;
use crate::table::cell::Cell;
use crate::table::file::File;
use crate::table::{DEFAULT_CACHE, TableError, Title};

/// The distances of all boards of a game from its start. They may be asked for by many threads at once.
pub struct Distances<G: PerfectIndex> {
    game: Arc<G>,
    dir: PathBuf,
    /// The place of the start.
    start: (u8, u32),
    /// By class; those of the game are all here.
    classes: Vec<Option<(File, DistanceFacts)>>,
    cache: Cache,
}

impl<G: PerfectIndex + Send> Distances<G> {
    /// Opens the distances of a game in a directory; `None` when no file of them is there. A file that is there and not
    /// to be used is an error, and so is one that is missing beside others: whether a move was allowed is asked of
    /// boards of any class.
    pub fn open(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        title: &Title,
    ) -> Result<Option<Distances<G>>, TableError> {
        Distances::open_with(dir, game, title, DEFAULT_CACHE)
    }

    /// The same with so many bytes for decoded blocks.
    pub fn open_with(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        title: &Title,
        cache: usize,
    ) -> Result<Option<Distances<G>>, TableError> {
        let dir = dir.as_ref().to_owned();
        let mut classes: Vec<Option<(File, DistanceFacts)>> = (0..=u8::MAX).map(|_| None).collect();
        let (mut start, mut missing) = (None::<((u8, u32), String)>, None);
        for class in game.stages().iter().flat_map(|classes| classes.iter().copied()) {
            let about = facts::about(&*game, class, title);
            let path = about.path(&dir);
            let Some((file, lines)) = File::open::<PastDistances>(&dir, about)? else {
                missing = missing.or(Some(path));
                continue;
            };
            let from = lines.word("start")?;
            match &start {
                Some((_, other)) if other != from => {
                    let (found, expected) = (from.to_owned(), other.clone());
                    return Err(TableError::Other { path, what: "start", found, expected });
                }
                Some(_) => {}
                None => {
                    let place = facts::place_of_start(&*game, from);
                    start = Some((place.ok_or(TableError::Head { path })?, from.to_owned()));
                }
            }
            let facts = DistanceFacts::read(&file, &lines)?;
            classes[usize::from(class)] = Some((file, facts));
        }
        let Some((start, _)) = start else { return Ok(None) };
        if let Some(path) = missing {
            return Err(TableError::Missing { path });
        }
        let block = classes.iter().flatten().map(|(file, _)| file.block).max().unwrap_or(1);
        Ok(Some(Distances { game, dir, start, classes, cache: Cache::of_bytes(cache, block) }))
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Where they lie.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The class and the number of the board that distances are from.
    pub fn start(&self) -> (u8, u32) {
        self.start
    }

    /// What is known of the classes.
    pub fn facts(&self) -> impl Iterator<Item = &DistanceFacts> {
        self.classes.iter().flatten().map(|(_, facts)| facts)
    }

    /// The fewest plies after which this board stands before its mover, whatever is forbidden there; `None` when no game
    /// reaches it.
    pub fn plies(&self, board: G::Board) -> Result<Option<u8>, TableError> {
        // Before its number is asked for, which only a board in play has.
        self.class(self.game.class(board))?;
        let place = self.game.rank(board);
        let (_, _, [kept, ..]) = self.cell(place.class, place.index)?;
        // What is not reached is kept as 0, plies one higher than they are.
        Ok(kept.checked_sub(1))
    }

    /// The same when it stands there with this move forbidden, as the board given sees it, and with nothing forbidden for
    /// [`NO_MOVE`](tesuji_game::NO_MOVE); as [`Reached::depth`].
    pub fn plies_with(&self, board: G::Board, forbidden: u8) -> Result<Option<u8>, TableError> {
        self.class(self.game.class(board))?;
        depth(&*self.game, |class, index| self.get(class, index), board, forbidden)
    }

    /// The distance of a numbered board.
    pub fn get(&self, class: u8, index: u32) -> Result<Distance, TableError> {
        let (file, block, cell) = self.cell(class, index)?;
        distance(&*self.game, class, index, cell).ok_or_else(|| file.senseless(block))
    }

    fn cell(&self, class: u8, index: u32) -> Result<(&File, u32, Cell), TableError> {
        let file = self.class(class)?;
        let Some((block, at)) = file.find(index) else {
            return Err(TableError::Board { class: file.name.clone() });
        };
        let decode = || file.decode::<G, PastDistances>(&*self.game, block);
        let decoded = self.cache.get((class, block), decode)?;
        Ok((file, block, decoded.cell(at).ok_or_else(|| file.senseless(block))?))
    }

    fn class(&self, class: u8) -> Result<&File, TableError> {
        let found = self.classes[usize::from(class)].as_ref().map(|(file, _)| file);
        found.ok_or_else(|| TableError::Class { dir: self.dir.clone(), class: self.game.class_name(class) })
    }

    /// All distances, in memory as the search left them.
    pub fn load(&self, threads: usize) -> Result<Reached, TableError> {
        let mut reached = Reached::new(&*self.game, self.start).map_err(TableError::Allocation)?;
        for (file, _) in self.classes.iter().flatten() {
            let Some(planes) = reached.planes(file.class, file.size) else {
                return Err(TableError::Head { path: file.path.clone() });
            };
            file.load::<G, PastDistances>(&*self.game, planes, threads, |index, cell| {
                distance(&*self.game, file.class, index, cell).map(kept)
            })?;
        }
        Ok(reached)
    }
}

impl<G: PerfectIndex> std::fmt::Debug for Distances<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Distances")
            .field("dir", &self.dir)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}
