//! Queries: the value of a position and of each of its moves, the best line, and lists of remarkable positions.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{Game, HasPerfectIndex, MoveList, NO_MOVE, Notation, Outcome, PerfectIndex, Record, Successor};
use thiserror::Error;

use super::{PositionValue, Tablebase, TablebaseError, TablebaseId, TablebaseSummary};
use crate::reachability::{DistanceTable, DistantPosition};

/// Why a query failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The tablebase could not be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The values of a position and of its moves differ.
    #[error("the tablebase contradicts itself: {position} is {stored} and its best move is {best}")]
    Contradiction {
        /// The position.
        position: String,
        /// Its value in the tablebase.
        stored: PositionValue,
        /// The value of its best move.
        best: PositionValue,
    },
    /// A WDL tablebase has no line to the end.
    #[error("a WDL tablebase does not store distances, so there is no line to the end")]
    NoDistances,
    /// A move of the tablebase that the rules do not allow.
    #[error("{mv} cannot be played in {position}")]
    IllegalMove {
        /// The move.
        mv: String,
        /// The position.
        position: String,
    },
    /// There is no file of statistics.
    #[error("there are no statistics of {game} in {}", dir.display())]
    NoStatistics {
        /// The game.
        game: String,
        /// The directory.
        dir: PathBuf,
    },
    /// Reachability is unknown until all boards are solved.
    #[error("unreachable boards are known once all boards are solved, which is not the case in {}", dir.display())]
    Unsolved {
        /// The directory.
        dir: PathBuf,
    },
    /// The distances from the start are unknown.
    #[error("the distances from the start are not known in {}", dir.display())]
    NoReach {
        /// The directory.
        dir: PathBuf,
    },
    /// The file of statistics names a board that does not exist.
    #[error("{}: class {class} has no board {index} as named there", path.display())]
    NoSuchBoard {
        /// The file.
        path: PathBuf,
        /// The class.
        class: u8,
        /// The index.
        index: u32,
    },
}

/// Knows the value of every position in play: a tablebase, or a search in tests.
pub trait ValueOracle<G> {
    /// The value of a position in play for the side to move.
    fn value(&self, position: G) -> Result<PositionValue, QueryError>;
}

impl<G: HasPerfectIndex> ValueOracle<G> for Tablebase<G::Index> {
    fn value(&self, position: G) -> Result<PositionValue, QueryError> {
        Ok(Tablebase::value(self, position.forbidding(NO_MOVE), position.forbidden())?)
    }
}

/// The value of a position and of its moves.
#[derive(Clone, Debug)]
pub struct QueryResult<G: Game> {
    /// The value for the side to move.
    pub value: PositionValue,
    /// The best move first, suicides after other losses, and the forbidden move last.
    pub moves: Vec<MoveValue<G>>,
}

/// A move and its value for the side that plays it. The plies include the move.
#[derive(Clone, Debug)]
pub struct MoveValue<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Its value.
    pub value: PositionValue,
    /// Whether it may be played.
    pub status: MoveStatus,
}

/// The status of a move, better first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveStatus {
    /// A legal move.
    Legal,
    /// A legal move that loses at once.
    Suicide,
    /// It would take the last move back (ko). Its value is what it would be if it were allowed.
    Forbidden,
}

impl<G: HasPerfectIndex + Notation> QueryResult<G> {
    /// Looks up a position in play and all its moves.
    ///
    /// # Errors
    /// Besides failed lookups, a contradiction between the position and its moves.
    pub fn new(oracle: &impl ValueOracle<G>, position: G) -> Result<QueryResult<G>, QueryError> {
        let stored = oracle.value(position)?;
        let mut list = G::Moves::default();
        let mut now = position;
        now.moves(&mut list);
        let mut moves = Vec::with_capacity(list.len() + 1);
        for mv in list.each() {
            moves.push(MoveValue::new(oracle, position, mv)?);
        }
        let forbidden = position.forbidden();
        if forbidden != NO_MOVE {
            let open = position.forbidding(NO_MOVE);
            let value = MoveValue::new(oracle, open, G::move_from_number(forbidden))?;
            moves.push(MoveValue { status: MoveStatus::Forbidden, ..value });
        }
        moves.sort_by_key(|mv| (mv.status, Reverse(sort_key(mv.value))));
        let value = moves.first().map_or(stored, |best| best.value);
        let differ = value.outcome != stored.outcome
            || matches!((value.plies, stored.plies), (Some(one), Some(other)) if one != other);
        if differ {
            return Err(QueryError::Contradiction { position: position.print(), stored, best: value });
        }
        Ok(QueryResult { value, moves })
    }

    /// The best moves.
    pub fn best(&self) -> impl Iterator<Item = &MoveValue<G>> {
        self.moves.iter().filter(|mv| self.is_best(mv))
    }

    /// Whether a move is allowed and no move is better.
    pub fn is_best(&self, mv: &MoveValue<G>) -> bool {
        mv.status != MoveStatus::Forbidden && mv.value == self.value
    }
}

impl<G: HasPerfectIndex> MoveValue<G> {
    fn new(oracle: &impl ValueOracle<G>, position: G, mv: G::Move) -> Result<MoveValue<G>, QueryError> {
        let mut next = position;
        next.play(mv);
        let after = match next.outcome() {
            Some(outcome) => PositionValue { outcome, plies: (outcome != Outcome::Draw).then_some(0) },
            None => oracle.value(next)?,
        };
        let plies = after.plies.map(|plies| plies.saturating_add(1));
        let value = PositionValue { outcome: -after.outcome, plies };
        let suicide = next.outcome().is_some() && value.outcome == Outcome::Loss;
        Ok(MoveValue { mv, value, status: if suicide { MoveStatus::Suicide } else { MoveStatus::Legal } })
    }
}

/// Higher is better: a quick win, a draw, a slow loss. Where plies are unknown, known ones are the shortest.
fn sort_key(value: PositionValue) -> (Outcome, i16) {
    let plies = value.plies.map_or(i16::MAX, i16::from);
    match value.outcome {
        Outcome::Win => (Outcome::Win, -plies),
        Outcome::Draw => (Outcome::Draw, 0),
        Outcome::Loss => (Outcome::Loss, plies),
    }
}

/// A drawn line without a repetition ends after this many plies.
const MAX_DRAWN_LINE: usize = 500;

/// Best play of both sides from a position.
pub struct BestLine<G: HasPerfectIndex> {
    /// The plies, in order.
    pub plies: Vec<LinePly<G>>,
    /// The game after the last ply.
    pub record: Record<G>,
    /// In a draw, the ply (from 1) before which the last position occurred already.
    pub repeats: Option<usize>,
}

/// A ply of a line.
pub struct LinePly<G: HasPerfectIndex> {
    /// The position before the move.
    pub position: G,
    /// Its value and moves.
    pub result: QueryResult<G>,
    /// The move.
    pub mv: G::Move,
}

impl<G: HasPerfectIndex + Notation> BestLine<G> {
    /// Follows the best moves from the end of a record, whose value is `first`. Of equal moves the first is played; in
    /// a draw one that repeats an earlier position, so that the line ends.
    ///
    /// # Errors
    /// A lookup failed, or the values are WDL only.
    pub fn new(
        oracle: &impl ValueOracle<G>,
        from: &Record<G>,
        first: &QueryResult<G>,
    ) -> Result<BestLine<G>, QueryError> {
        let draw = first.value.outcome == Outcome::Draw;
        if !draw && first.value.plies.is_none() {
            return Err(QueryError::NoDistances);
        }
        let mut line = BestLine { plies: Vec::new(), record: Record::new(*from.now()), repeats: None };
        let mut result = first.clone();
        while let Some((mv, repeats)) = line.choose(&result) {
            let position = *line.record.now();
            line.record
                .push(mv)
                .map_err(|_| QueryError::IllegalMove { mv: position.print_move(mv), position: position.print() })?;
            line.plies.push(LinePly { position, result, mv });
            line.repeats = repeats;
            let long = draw && line.plies.len() == MAX_DRAWN_LINE;
            if repeats.is_some() || line.record.ending().is_some() || long {
                break;
            }
            result = QueryResult::new(oracle, *line.record.now())?;
        }
        Ok(line)
    }

    /// The next move, and the ply before which the position after it occurred.
    fn choose(&self, result: &QueryResult<G>) -> Option<(G::Move, Option<usize>)> {
        let occurred = |mv: G::Move| {
            let mut next = *self.record.now();
            next.play(mv);
            // Equal positions may have different sides to move.
            let same = |ply: &LinePly<G>| ply.position == next && ply.position.mover() == next.mover();
            self.plies.iter().position(same).map(|at| at + 1)
        };
        let best = || result.best().map(|mv| mv.mv);
        let repetition = if result.value.outcome == Outcome::Draw {
            best().find_map(|mv| Some((mv, Some(occurred(mv)?))))
        } else {
            None
        };
        repetition.or_else(|| best().next().map(|mv| (mv, None)))
    }
}

/// The positions with the longest distance to the end, and their plies.
pub struct LongestPositions<G> {
    /// Plies to the end, odd for a win, and the position.
    pub positions: Vec<(u8, G)>,
    /// Whether all boards are solved.
    pub complete: bool,
}

/// Lists the positions with the longest distance to the end.
///
/// # Errors
/// The statistics are missing or damaged.
pub fn longest_positions<G: HasPerfectIndex>(dir: &Path, id: &TablebaseId) -> Result<LongestPositions<G>, QueryError> {
    let (summary, index) = (load(dir, id)?, G::index());
    let boards = summary.longest.iter().map(|entry| {
        let board = board::<G>(&index, dir, id, (entry.class, entry.index), entry.forbidden)?;
        Ok((entry.plies, board))
    });
    Ok(LongestPositions { positions: boards.collect::<Result<_, QueryError>>()?, complete: summary.complete })
}

/// The boards that no game reaches, or, while distances are unknown, those without predecessors.
pub struct UnreachableBoards<G> {
    /// The boards listed.
    pub boards: Vec<G>,
    /// The number of all such boards.
    pub count: u64,
    /// Whether distances are known.
    pub distances: bool,
}

/// Lists the unreachable boards.
///
/// # Errors
/// The statistics are missing or damaged, or not all boards are solved.
pub fn unreachable_boards<G: HasPerfectIndex>(
    dir: &Path,
    id: &TablebaseId,
) -> Result<UnreachableBoards<G>, QueryError> {
    let summary = load(dir, id)?;
    if !summary.complete && summary.distances.is_none() {
        // A board without predecessors so far may have one among boards with more pieces.
        return Err(QueryError::Unsolved { dir: dir.to_owned() });
    }
    let index = G::index();
    let boards = summary.unreached.iter().map(|&place| board::<G>(&index, dir, id, place, NO_MOVE));
    let boards: Vec<G> = boards.collect::<Result<_, QueryError>>()?;
    let distances = summary.distances.is_some();
    let count = summary.distances.map_or(0, |distances| distances.unreached).max(boards.len() as u64);
    Ok(UnreachableBoards { boards, count, distances })
}

/// The positions farthest from the start.
pub struct FarthestPositions<G> {
    /// Their plies from the start.
    pub plies: u8,
    /// The positions, up to symmetry.
    pub positions: Vec<G>,
    /// The number of boards that no game reaches.
    pub unreached: u64,
}

/// Lists the positions farthest from the start. Statistics of an earlier version do not hold them; then all distances are
/// read, and `watch` gets the number of boards read and returns `false` to stop: the result is `None`.
///
/// # Errors
/// The statistics or the distances are missing or damaged.
pub fn farthest_positions<G: HasPerfectIndex>(
    dir: &Path,
    id: &TablebaseId,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<FarthestPositions<G>>, QueryError> {
    let (summary, index) = (load(dir, id)?, Arc::new(G::index()));
    let unknown = || QueryError::NoReach { dir: dir.to_owned() };
    let unreached = summary.distances.as_ref().map(|distances| distances.unreached).ok_or_else(unknown)?;
    let mut found = summary.farthest;
    if found.is_empty() {
        let table = DistanceTable::open(dir, Arc::clone(&index), id)?.ok_or_else(unknown)?;
        let Some(read) = table.farthest(threads, watch)? else { return Ok(None) };
        found = read;
    }
    let plies = found.first().map_or(0, |first| first.plies);
    let place = |far: &DistantPosition| board::<G>(&index, dir, id, (far.class, far.index), far.forbidden);
    let positions = found.iter().map(place).collect::<Result<_, QueryError>>()?;
    Ok(Some(FarthestPositions { plies, positions, unreached }))
}

fn load(dir: &Path, id: &TablebaseId) -> Result<TablebaseSummary, QueryError> {
    let missing = || QueryError::NoStatistics { game: id.game.clone(), dir: dir.to_owned() };
    TablebaseSummary::load(dir, id)?.ok_or_else(missing)
}

/// The board that the statistics name, with a forbidden move in the frame of the representative.
fn board<G: HasPerfectIndex>(
    ranks: &G::Index,
    dir: &Path,
    id: &TablebaseId,
    (class, index): (u8, u32),
    forbidden: u8,
) -> Result<G, QueryError> {
    let known = ranks.stages().iter().any(|classes| classes.contains(&class));
    let board = if known { ranks.unrank(class, index) } else { None };
    let mut reversible = forbidden == NO_MOVE;
    if let Some(board) = board {
        ranks.successors(board, |mv, step| {
            reversible |= mv == forbidden && matches!(step, Successor::Board(_, reply) if reply != NO_MOVE);
        });
    }
    board.filter(|_| reversible).map(|board| board.forbidding(forbidden)).ok_or_else(|| QueryError::NoSuchBoard {
        path: TablebaseSummary::path(dir, id),
        class,
        index,
    })
}
