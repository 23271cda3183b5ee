//! Asking a table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::cache::Cache;
use super::cell::{Cell, reversible};
use super::context::{NO_SECOND, PastValues};
use super::error::TableError;
use super::facts::{Facts, Kind};
use super::file::File;
use super::head::Title;
use super::solved::AT_ONCE;
use super::verdict::{Verdict, Worth};
use crate::retrograde::{Value, Values};

/// How many bytes of decoded blocks are kept unless told otherwise.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// The table of a game. It may be asked by many threads at once.
pub struct Table<G: PerfectIndex> {
    game: Arc<G>,
    dir: PathBuf,
    kind: Kind,
    classes: Vec<Option<(File, Facts)>>,
    cache: Cache,
}

impl<G: PerfectIndex + Send> Table<G> {
    /// Opens the table of a game in a directory: the exact one if there is one, else that of outcomes. Classes that
    /// were not solved may be missing, not all of them.
    pub fn open(dir: impl AsRef<Path>, game: Arc<G>, title: &Title) -> Result<Table<G>, TableError> {
        match Table::open_kind(&dir, Arc::clone(&game), title, Kind::Exact, DEFAULT_CACHE) {
            Err(TableError::Nothing { .. }) => {
                Table::open_kind(dir, game, title, Kind::Outcomes, DEFAULT_CACHE)
            }
            other => other,
        }
    }

    /// Opens a table of this kind, with so many bytes for decoded blocks.
    pub fn open_kind(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        title: &Title,
        kind: Kind,
        cache: usize,
    ) -> Result<Table<G>, TableError> {
        let dir = dir.as_ref().to_owned();
        let mut classes: Vec<Option<(File, Facts)>> = (0..=u8::MAX).map(|_| None).collect();
        for class in game.stages().iter().flat_map(|classes| classes.iter().copied()) {
            let about = kind.about(&*game, class, title);
            if let Some((file, lines)) = File::open::<PastValues>(&dir, about)? {
                let facts = Facts::read(kind, &file, &lines)?;
                classes[usize::from(class)] = Some((file, facts));
            }
        }
        let Some(block) = classes.iter().flatten().map(|(file, _)| file.block).max() else {
            return Err(TableError::Nothing { dir, game: title.game.clone() });
        };
        let cache = Cache::of_bytes(cache, block);
        Ok(Table { game, dir, kind, classes, cache })
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Where it lies.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How much it tells.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What is known of the classes it holds.
    pub fn info(&self) -> impl Iterator<Item = &Facts> {
        self.classes.iter().flatten().map(|(_, facts)| facts)
    }

    /// Whether it holds the boards of a class.
    pub fn has(&self, class: u8) -> bool {
        self.classes[usize::from(class)].is_some()
    }

    /// What a board in play is worth.
    pub fn probe(&self, board: G::Board) -> Result<Verdict, TableError> {
        let mut value = self.find(board)?;
        if value.0.mv != NO_MOVE {
            value.0.mv = self.turned_back(value.0.mv, value.1);
        }
        Ok(Verdict::of(value.0, self.kind == Kind::Exact))
    }

    /// What a board in play is worth when this move, as the board sees it, is forbidden; [`NO_MOVE`] for none.
    pub fn worth(&self, board: G::Board, forbidden: u8) -> Result<Worth, TableError> {
        let (value, symmetry) = self.find(board)?;
        let forbidden = if forbidden == NO_MOVE { forbidden } else { self.game.image(forbidden, symmetry) };
        Ok(Worth::of(value.when_forbidden(forbidden), self.kind == Kind::Exact))
    }

    /// The value of a board as its numbered image sees it, and the symmetry that leads there.
    fn find(&self, board: G::Board) -> Result<(Value, u8), TableError> {
        let file = self.class(self.game.class(board))?;
        if self.game.wins_in_one(board) {
            return Ok((AT_ONCE, 0));
        }
        let place = self.game.rank(board);
        let found = file.find(place.index).filter(|_| place.class == file.class);
        let Some((block, at)) = found else { return Err(TableError::Board { class: file.name.clone() }) };
        let decode = || file.decode::<G, PastValues>(&*self.game, block);
        let decoded = self.cache.get((place.class, block), decode)?;
        let value = decoded.cell(at).and_then(|cell| value(&*self.game, place.class, place.index, cell));
        Ok((value.ok_or_else(|| file.senseless(block))?, place.symmetry))
    }

    /// The move that a symmetry takes to this one.
    fn turned_back(&self, mv: u8, symmetry: u8) -> u8 {
        (0..NO_MOVE).find(|&before| self.game.image(before, symmetry) == mv).unwrap_or(mv)
    }

    fn class(&self, class: u8) -> Result<&File, TableError> {
        let found = self.classes[usize::from(class)].as_ref().map(|(file, _)| file);
        found.ok_or_else(|| TableError::Class { dir: self.dir.clone(), class: self.game.class_name(class) })
    }

    /// The values of a whole class, as they were written; of a table of outcomes, 3 for a win and 2 for a loss.
    pub fn values(&self, class: u8, threads: usize) -> Result<Values, TableError> {
        let file = self.class(class)?;
        let mut values = Values::new(file.size as usize).map_err(TableError::Allocation)?;
        let planes: [&mut [u8]; 3] = [&mut values.first, &mut values.mv, &mut values.second];
        file.load::<G, PastValues>(&*self.game, planes, threads, |index, cell| {
            let Value { first, mv, second } = value(&*self.game, class, index, cell)?;
            Some([first, mv, second])
        })?;
        Ok(values)
    }
}

/// The value of a numbered board; `None` when it has no such move.
fn value<G: PerfectIndex>(game: &G, class: u8, index: u32, [first, second, order]: Cell) -> Option<Value> {
    if second == NO_SECOND {
        return Some(Value { first, mv: NO_MOVE, second: 0 });
    }
    let mv = reversible(game, game.unrank(class, index)?, order)?;
    Some(Value { first, mv, second })
}

impl<G: PerfectIndex> std::fmt::Debug for Table<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Table").field("dir", &self.dir).field("kind", &self.kind).finish_non_exhaustive()
    }
}
