//! Probing a tablebase.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex};
use tesuji_task::CancelToken;

use super::coding::{CodedEntry, reversible};
use super::error::TablebaseError;
use super::file::{BlockCache, ClassFile};
use super::header::{ClassInfo, Metric, TablebaseId};
use super::value_coding::{AT_ONCE, NO_SECOND, ValueContext};
use crate::retrograde::{BoardValue, ClassValues};

/// The value of a position for the side to move under best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PositionValue {
    /// Win, draw or loss.
    pub outcome: Outcome,
    /// Plies to the end; `None` for a draw and for WDL tablebases. A win in one is always known.
    pub plies: Option<u8>,
}

impl PositionValue {
    /// Converts a DTW: odd for a win, even for a loss, 0 for a draw.
    pub(super) fn of(value: u8, exact: bool) -> PositionValue {
        let outcome = match value {
            0 => Outcome::Draw,
            won if won % 2 == 1 => Outcome::Win,
            _ => Outcome::Loss,
        };
        PositionValue { outcome, plies: (value == 1 || exact && value != 0).then_some(value) }
    }
}

/// `win in 23`, `draw`, `loss`.
impl fmt::Display for PositionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        })?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}

/// The result of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProbeResult {
    /// The value when nothing is forbidden, or a move other than the exceptional one.
    pub value: PositionValue,
    /// The exceptional move in the probed board's own frame, and the value without it.
    pub exception: Option<(u8, PositionValue)>,
}

impl ProbeResult {
    /// The value when this move is forbidden, in the probed board's own frame; [`NO_MOVE`] for none.
    pub fn when_forbidden(&self, mv: u8) -> PositionValue {
        match self.exception {
            Some((matters, without)) if mv == matters && mv != NO_MOVE => without,
            _ => self.value,
        }
    }

    pub(super) fn of(value: BoardValue, exact: bool) -> ProbeResult {
        let exception = (value.mv != NO_MOVE).then(|| (value.mv, PositionValue::of(value.second, exact)));
        ProbeResult { value: PositionValue::of(value.first, exact), exception }
    }
}

/// Default size of the block cache in bytes.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// The tablebase of a game. Any number of threads may probe it.
pub struct Tablebase<G: PerfectIndex> {
    game: Arc<G>,
    dir: PathBuf,
    metric: Metric,
    classes: Vec<Option<(ClassFile, ClassInfo)>>,
    cache: BlockCache,
}

impl<G: PerfectIndex + Send> Tablebase<G> {
    /// Opens the tablebase in a directory: DTW if present, else WDL. Some classes may be missing, but not
    /// all.
    pub fn open(dir: impl AsRef<Path>, game: Arc<G>, id: &TablebaseId) -> Result<Tablebase<G>, TablebaseError> {
        match Tablebase::open_metric(&dir, Arc::clone(&game), id, Metric::Dtw, DEFAULT_CACHE) {
            Err(TablebaseError::NotFound { .. }) => Tablebase::open_metric(dir, game, id, Metric::Wdl, DEFAULT_CACHE),
            other => other,
        }
    }

    /// Opens a tablebase of this metric with `cache` bytes of decoded blocks.
    pub fn open_metric(
        dir: impl AsRef<Path>,
        game: Arc<G>,
        id: &TablebaseId,
        metric: Metric,
        cache: usize,
    ) -> Result<Tablebase<G>, TablebaseError> {
        let dir = dir.as_ref().to_owned();
        let mut classes: Vec<Option<(ClassFile, ClassInfo)>> = (0..=u8::MAX).map(|_| None).collect();
        for class in game.stages().iter().flat_map(|classes| classes.iter().copied()) {
            let header = metric.header(&*game, class, id);
            if let Some((file, lines)) = ClassFile::open::<ValueContext>(&dir, header)? {
                let info = ClassInfo::read(metric, &file, &lines)?;
                classes[usize::from(class)] = Some((file, info));
            }
        }
        let Some(block) = classes.iter().flatten().map(|(file, _)| file.block).max() else {
            return Err(TablebaseError::NotFound { dir, game: id.game.clone() });
        };
        let count = classes.iter().flatten().count();
        tracing::info!(directory = %dir.display(), ?metric, classes = count, "tablebase opened");
        let cache = BlockCache::of_bytes(cache, block);
        Ok(Tablebase { game, dir, metric, classes, cache })
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What it stores.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The headers of its classes.
    pub fn info(&self) -> impl Iterator<Item = &ClassInfo> {
        self.classes.iter().flatten().map(|(_, info)| info)
    }

    /// Whether it holds a class.
    pub fn has(&self, class: u8) -> bool {
        self.classes[usize::from(class)].is_some()
    }

    /// Probes a board in play.
    pub fn probe(&self, board: G::Board) -> Result<ProbeResult, TablebaseError> {
        let mut value = self.find(board)?;
        if value.0.mv != NO_MOVE {
            value.0.mv = self.inverse_image(value.0.mv, value.1);
        }
        Ok(ProbeResult::of(value.0, self.metric == Metric::Dtw))
    }

    /// The value of a board in play when this move, in its own frame, is forbidden; [`NO_MOVE`] for none.
    pub fn value(&self, board: G::Board, forbidden: u8) -> Result<PositionValue, TablebaseError> {
        let (value, symmetry) = self.find(board)?;
        let forbidden = if forbidden == NO_MOVE { forbidden } else { self.game.image(forbidden, symmetry) };
        Ok(PositionValue::of(value.when_forbidden(forbidden), self.metric == Metric::Dtw))
    }

    /// The value in the frame of the representative, and the symmetry that leads there.
    fn find(&self, board: G::Board) -> Result<(BoardValue, u8), TablebaseError> {
        let file = self.class(self.game.class(board))?;
        if self.game.wins_in_one(board) {
            return Ok((AT_ONCE, 0));
        }
        let place = self.game.rank(board);
        let found = file.find(place.index).filter(|_| place.class == file.class);
        let Some((block, at)) = found else {
            return Err(TablebaseError::NotInPlay { class: file.name.clone() });
        };
        let decode = || file.decode::<G, ValueContext>(&*self.game, block);
        let decoded = self.cache.get((place.class, block), decode)?;
        let value = decoded.entry(at).and_then(|entry| value(&*self.game, place.class, place.index, entry));
        Ok((value.ok_or_else(|| file.invalid(block))?, place.symmetry))
    }

    /// The move that the symmetry maps to this one.
    fn inverse_image(&self, mv: u8, symmetry: u8) -> u8 {
        (0..NO_MOVE).find(|&before| self.game.image(before, symmetry) == mv).unwrap_or(mv)
    }

    fn class(&self, class: u8) -> Result<&ClassFile, TablebaseError> {
        let found = self.classes[usize::from(class)].as_ref().map(|(file, _)| file);
        found.ok_or_else(|| TablebaseError::MissingClass { dir: self.dir.clone(), class: self.game.class_name(class) })
    }

    /// The values of a class as stored; in a WDL tablebase, 3 for a win and 2 for a loss. [`TablebaseError::Stopped`]
    /// when cancelled.
    pub fn values(&self, class: u8, threads: usize, cancel: &CancelToken) -> Result<ClassValues, TablebaseError> {
        let file = self.class(class)?;
        let mut values = ClassValues::new(file.size as usize).map_err(TablebaseError::Allocation)?;
        let planes: [&mut [u8]; 3] = [&mut values.first, &mut values.mv, &mut values.second];
        file.load::<G, ValueContext>(&*self.game, planes, (threads, cancel), |index, entry| {
            let BoardValue { first, mv, second } = value(&*self.game, class, index, entry)?;
            Some([first, mv, second])
        })?;
        Ok(values)
    }
}

/// Decodes the value of a ranked board; `None` when it has no such move.
fn value<G: PerfectIndex>(game: &G, class: u8, index: u32, [first, second, order]: CodedEntry) -> Option<BoardValue> {
    if second == NO_SECOND {
        return Some(BoardValue { first, mv: NO_MOVE, second: 0 });
    }
    let mv = reversible(game, game.unrank(class, index)?, order)?;
    Some(BoardValue { first, mv, second })
}

impl<G: PerfectIndex> fmt::Debug for Tablebase<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tablebase").field("dir", &self.dir).field("kind", &self.metric).finish_non_exhaustive()
    }
}
