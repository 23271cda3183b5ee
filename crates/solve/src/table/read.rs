//! Asking a table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{NO_MOVE, Ranked};
use tesuji_store::blocks::Blocks;

use super::block::Decoded;
use super::cache::Cache;
use super::error::TableError;
use super::head::{self, Expected, Facts, Kind, Title};
use super::model::Model;
use super::verdict::{Verdict, Worth};
use crate::retrograde::{Value, Values, crew};

/// How many bytes of decoded blocks are kept unless told otherwise.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// The file of a class.
struct Class {
    facts: Facts,
    model: Model,
    blocks: Blocks,
}

/// The table of a game. It may be asked by many threads at once.
pub struct Table<G: Ranked> {
    game: Arc<G>,
    dir: PathBuf,
    kind: Kind,
    classes: Vec<Option<Class>>,
    cache: Cache,
}

impl<G: Ranked + Send> Table<G> {
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
        let mut classes: Vec<Option<Class>> = (0..=u8::MAX).map(|_| None).collect();
        let mut block = 0;
        for class in game.stages().iter().flat_map(|classes| classes.iter().copied()) {
            let name = game.class_name(class);
            let path = head::file(&dir, title, &name, kind);
            if !path.exists() {
                continue;
            }
            let blocks = Blocks::open(&path)?;
            let expected = Expected { title, kind, class, name, size: game.size(class) };
            let (facts, model) = head::read(&path, blocks.head(), blocks.bytes(), expected)?;
            if blocks.count() != facts.size.div_ceil(facts.block) as usize {
                return Err(TableError::Head { path });
            }
            block = block.max(facts.block as usize);
            classes[usize::from(class)] = Some(Class { facts, model, blocks });
        }
        if block == 0 {
            return Err(TableError::Nothing { dir, game: title.game.clone() });
        }
        let cache = Cache::new(cache / (block * size_of::<[u8; 3]>()));
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
        self.classes.iter().flatten().map(|class| &class.facts)
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
        let class = self.class(self.game.class(board))?;
        if self.game.wins_at_once(board) {
            return Ok((Value { first: 1, mv: NO_MOVE, second: 0 }, 0));
        }
        let place = self.game.rank(board);
        if place.class != class.facts.class || place.index >= class.facts.size {
            return Err(TableError::Board { class: class.facts.name.clone() });
        }
        let (block, at) = (place.index / class.facts.block, place.index % class.facts.block);
        let decoded = self.cache.get((place.class, block), || self.decode(class, block))?;
        let value = decoded.value(&*self.game, place.class, place.index, at as usize);
        Ok((value.ok_or_else(|| senseless(class, block))?, place.symmetry))
    }

    /// The move that a symmetry takes to this one.
    fn turned_back(&self, mv: u8, symmetry: u8) -> u8 {
        (0..NO_MOVE).find(|&before| self.game.image(before, symmetry) == mv).unwrap_or(mv)
    }

    fn class(&self, class: u8) -> Result<&Class, TableError> {
        self.classes[usize::from(class)]
            .as_ref()
            .ok_or_else(|| TableError::Class { dir: self.dir.clone(), class: self.game.class_name(class) })
    }

    fn decode(&self, class: &Class, block: u32) -> Result<Decoded, TableError> {
        let bytes = class.blocks.block(block as usize)?;
        let start = block * class.facts.block;
        let span = start..start.saturating_add(class.facts.block).min(class.facts.size);
        Decoded::new(&*self.game, class.facts.class, span, bytes, &class.model)
            .ok_or_else(|| senseless(class, block))
    }

    /// The values of a whole class, as they were written; of a table of outcomes, 3 for a win and 2 for a loss.
    pub fn values(&self, class: u8, threads: usize) -> Result<Values, TableError> {
        let class = self.class(class)?;
        let mut values = Values::new(class.facts.size as usize).map_err(TableError::Allocation)?;
        let block = class.facts.block as usize;
        let planes = values
            .first
            .chunks_mut(block)
            .zip(values.mv.chunks_mut(block))
            .zip(values.second.chunks_mut(block));
        let tasks: Vec<_> = (0..).zip(planes).collect();
        let trouble =
            crew::share(threads, tasks, |(number, planes), trouble: &mut Vec<(u32, TableError)>| {
                let ((first, mv), second) = planes;
                let mut fill = || {
                    let decoded = self.decode(class, number)?;
                    for at in 0..first.len() {
                        let index = number * class.facts.block + at as u32;
                        let value = decoded.value(&*self.game, class.facts.class, index, at);
                        let value = value.ok_or_else(|| senseless(class, number))?;
                        (first[at], mv[at], second[at]) = (value.first, value.mv, value.second);
                    }
                    Ok(())
                };
                if let Err(error) = fill() {
                    trouble.push((number, error));
                }
            });
        let first = trouble.into_iter().flatten().min_by_key(|&(number, _)| number);
        first.map_or(Ok(values), |(_, error)| Err(error))
    }
}

fn senseless(class: &Class, block: u32) -> TableError {
    TableError::Senseless { path: class.facts.path.clone(), block: block as usize }
}

impl<G: Ranked> std::fmt::Debug for Table<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Table").field("dir", &self.dir).field("kind", &self.kind).finish_non_exhaustive()
    }
}
