//! Queries to a tablebase: positions, lines, and remarkable positions.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, NO_MOVE, Notation, Outcome, PerfectIndex, Record, TextError};
use tesuji_solve::reachability::DistanceTable;
use tesuji_solve::tablebase::query::{
    BestLine, MoveStatus, QueryError, QueryResult, farthest_positions, longest_positions, unreachable_boards,
};
use tesuji_solve::tablebase::{ShellCommand, Tablebase, TablebaseError};
use tesuji_task::{Context, cores};

use super::build::value_word;
use super::{directory, id};
use crate::board::outcome_word;
use crate::{BoardDescription, Error, Playable, PositionSpec, SideName};

/// Asks for the value of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryRequest {
    /// The position.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// Also the best line to the end.
    pub line: bool,
    /// The directory of the tablebase; `tables` in the user's data folder when absent.
    pub directory: Option<String>,
}

/// The value of a position and of its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct QueryResponse {
    /// The game.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The side to move.
    pub mover: SideName,
    /// The outcome of a finished game: `first`, `second` or `draw`.
    pub outcome: Option<String>,
    /// Why the game is over.
    pub reason: Option<String>,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: Option<String>,
    /// Plies to the end, where they are known.
    pub plies: Option<u8>,
    /// The moves, the best first and a forbidden one last.
    pub moves: Vec<MoveEntry>,
    /// The plies from the start, `null` when no game reaches the position; absent when distances are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_in: Option<Option<u8>>,
    /// What to draw.
    #[serde(skip)]
    pub board: Option<BoardDescription>,
    /// A past that is impossible, and therefore ignored.
    #[serde(skip)]
    pub warning: Option<String>,
    /// The best line, if requested.
    #[serde(skip)]
    pub line: Option<LineResponse>,
}

/// A move and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveEntry {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw` or `loss` for the side that plays it.
    pub value: String,
    /// Plies to the end, including this move.
    pub plies: Option<u8>,
    /// Whether the move is forbidden; then the value is what it would be otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forbidden: bool,
}

/// A best line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineResponse {
    /// The plies.
    pub plies: Vec<LineEntry>,
    /// The last board.
    pub board: BoardDescription,
    /// The last position.
    pub position: String,
}

/// A ply of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineEntry {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The position before it.
    pub position: String,
    /// The side to move.
    pub mover: SideName,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: String,
    /// Plies to the end.
    pub plies: Option<u8>,
    /// All best moves.
    pub equal: Vec<String>,
    /// All moves with their values, the best first and a forbidden one last.
    pub moves: Vec<MoveEntry>,
    /// How the line ends; on the last ply only.
    #[serde(flatten)]
    pub end: Option<LineEnd>,
}

/// The end of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineEnd {
    /// The last position.
    pub after: String,
    /// The outcome.
    pub outcome: Option<String>,
    /// Why the game is over.
    pub reason: Option<String>,
    /// The ply before which the last position occurred already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<usize>,
}

/// The positions with the longest distance to the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LongestResponse {
    /// The positions, the longest first.
    pub positions: Vec<LongestPosition>,
    /// Whether all boards are solved.
    pub complete: bool,
    /// The command that continues an incomplete tablebase.
    pub command: String,
    /// The first board.
    pub board: Option<BoardDescription>,
}

/// A position with a long distance to the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LongestPosition {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// `win` or `loss` for the side to move.
    pub value: String,
    /// Plies to the end.
    pub plies: u8,
}

/// Boards that no game reaches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreachableResponse {
    /// The boards listed.
    pub boards: Vec<UnreachableBoard>,
    /// The number of all such boards.
    pub count: u64,
    /// Whether distances are known; otherwise these are only the boards without predecessors.
    pub distances: bool,
    /// The command that finds the distances.
    pub command: String,
    /// The first board.
    pub board: Option<BoardDescription>,
}

/// A board that no game reaches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreachableBoard {
    /// The game.
    pub game: String,
    /// The board.
    pub position: String,
    /// Always `null`: there is no game that leads there.
    pub reached_in: Option<u8>,
}

/// The positions farthest from the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FarthestResponse {
    /// The positions, up to symmetry.
    pub positions: Vec<FarthestPosition>,
    /// Their plies from the start.
    pub plies: u8,
    /// The number of boards that no game reaches.
    pub unreached: u64,
    /// The first board.
    pub board: Option<BoardDescription>,
}

/// A position far from the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FarthestPosition {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// Plies from the start.
    pub reached_in: u8,
}

pub(super) fn query<G: Playable + HasPerfectIndex>(request: &QueryRequest) -> Result<QueryResponse, Error> {
    let asked = QueriedPosition::<G>::read(&request.at)?;
    // A finished game needs no tablebase.
    if asked.record.ending().is_some() {
        return Ok(response(&asked, None, None, None));
    }
    let dir = directory(request.directory.as_deref());
    let index = Arc::new(G::index());
    let failed = |error: QueryError| failure::<G>(&index, request.directory.as_deref(), error);
    let broken = |error: TablebaseError| failed(error.into());
    let table = Tablebase::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?;
    let position = *asked.record.now();
    let result = QueryResult::new(&table, position).map_err(failed)?;
    let line = request.line.then(|| BestLine::new(&table, &asked.record, &result));
    let line = line.transpose().map_err(failed)?;
    let distances = DistanceTable::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?;
    let board = position.forbidding(NO_MOVE);
    let reached_in = distances.map(|distances| {
        // Without a known past the forbidden move does not matter.
        match asked.past {
            true => distances.plies_with(board, position.forbidden()),
            false => distances.plies(board),
        }
    });
    Ok(response(&asked, Some(&result), line.as_ref(), reached_in.transpose().map_err(broken)?))
}

fn response<G: Playable + HasPerfectIndex>(
    asked: &QueriedPosition<G>,
    result: Option<&QueryResult<G>>,
    line: Option<&BestLine<G>>,
    reached_in: Option<Option<u8>>,
) -> QueryResponse {
    let now = asked.record.now();
    let value = result.map_or(now.outcome(), |result| Some(result.value.outcome));
    QueryResponse {
        game: G::NAME.to_owned(),
        position: now.print(),
        mover: now.mover().into(),
        outcome: outcome_word(&asked.record),
        reason: asked.record.ending().map(|ending| ending.reason.to_owned()),
        value: value.map(|outcome| outcome_name(outcome).to_owned()),
        plies: result.map_or(Some(0), |result| result.value.plies),
        moves: result.map_or_else(Vec::new, |result| moves(now, result)),
        reached_in,
        board: Some(BoardDescription::of(&asked.record)),
        warning: asked.warning.clone(),
        line: line.map(line_response),
    }
}

fn moves<G: Playable + HasPerfectIndex>(position: &G, result: &QueryResult<G>) -> Vec<MoveEntry> {
    let entry = |mv: &tesuji_solve::tablebase::query::MoveValue<G>| MoveEntry {
        mv: position.print_move(mv.mv),
        value: outcome_name(mv.value.outcome).to_owned(),
        plies: mv.value.plies,
        forbidden: mv.status == MoveStatus::Forbidden,
    };
    result.moves.iter().map(entry).collect()
}

fn line_response<G: Playable + HasPerfectIndex>(line: &BestLine<G>) -> LineResponse {
    let after = line.record.now().print();
    let end = || match line.repeats {
        Some(ply) => LineEnd {
            after: after.clone(),
            outcome: Some("draw".to_owned()),
            reason: Some("repetition".to_owned()),
            repeats: Some(ply),
        },
        None => LineEnd {
            after: after.clone(),
            outcome: outcome_word(&line.record),
            reason: line.record.ending().map(|ending| ending.reason.to_owned()),
            repeats: None,
        },
    };
    let entries = (1..).zip(&line.plies).map(|(number, ply)| LineEntry {
        ply: number,
        position: ply.position.print(),
        mover: ply.position.mover().into(),
        mv: ply.position.print_move(ply.mv),
        value: outcome_name(ply.result.value.outcome).to_owned(),
        plies: ply.result.value.plies,
        equal: ply.result.best().map(|mv| ply.position.print_move(mv.mv)).collect(),
        moves: moves(&ply.position, &ply.result),
        end: (number == line.plies.len()).then(end),
    });
    LineResponse { plies: entries.collect(), board: BoardDescription::of(&line.record), position: after.clone() }
}

pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

pub(super) fn longest<G: Playable + HasPerfectIndex>(given: Option<&str>) -> Result<LongestResponse, Error> {
    let dir = directory(given);
    let found = longest_positions::<G>(&dir, &id::<G>()).map_err(|error| list_failure::<G>(given, error))?;
    let entry = |(plies, position): &(u8, G)| LongestPosition {
        game: G::NAME.to_owned(),
        position: position.print(),
        value: value_word(*plies).to_owned(),
        plies: *plies,
    };
    Ok(LongestResponse {
        positions: found.positions.iter().map(entry).collect(),
        complete: found.complete,
        command: solve_command::<G>(given).to_string(),
        board: found.positions.first().map(|(_, position)| BoardDescription::of(&Record::new(*position))),
    })
}

pub(super) fn unreachable<G: Playable + HasPerfectIndex>(given: Option<&str>) -> Result<UnreachableResponse, Error> {
    let dir = directory(given);
    let found = unreachable_boards::<G>(&dir, &id::<G>()).map_err(|error| list_failure::<G>(given, error))?;
    let entry = |board: &G| UnreachableBoard { game: G::NAME.to_owned(), position: board.print(), reached_in: None };
    Ok(UnreachableResponse {
        boards: found.boards.iter().map(entry).collect(),
        count: found.count,
        distances: found.distances,
        command: solve_command::<G>(given).to_string(),
        board: found.boards.first().map(|board| BoardDescription::of(&Record::new(*board))),
    })
}

pub(super) fn farthest<G: Playable + HasPerfectIndex>(
    given: Option<&str>,
    context: Context<'_>,
) -> Result<FarthestResponse, Error> {
    let (dir, index) = (directory(given), G::index());
    let boards = index.stages().iter().flat_map(|classes| classes.iter()).map(|&class| u64::from(index.size(class)));
    let counter = context.counter(boards.sum());
    let found = farthest_positions::<G>(&dir, &id::<G>(), cores(), &|done| counter.raise_to(done));
    let found = found.map_err(|error| list_failure::<G>(given, error))?.ok_or(Error::Cancelled)?;
    let entry = |position: &G| FarthestPosition {
        game: G::NAME.to_owned(),
        position: position.print(),
        reached_in: found.plies,
    };
    Ok(FarthestResponse {
        positions: found.positions.iter().map(entry).collect(),
        plies: found.plies,
        unreached: found.unreached,
        board: found.positions.first().map(|position| BoardDescription::of(&Record::new(*position))),
    })
}

/// The command that builds the tablebase in the directory of a request.
fn solve_command<G: HasPerfectIndex>(given: Option<&str>) -> ShellCommand {
    let command = ShellCommand::solve(G::NAME);
    match given {
        Some(dir) => command.out(dir),
        None => command,
    }
}

/// A failed query, with the command that helps.
pub(super) fn failure<G: HasPerfectIndex>(index: &G::Index, given: Option<&str>, error: QueryError) -> Error {
    let command = solve_command::<G>(given);
    Error::failed(match error {
        QueryError::Tablebase(TablebaseError::NotFound { game, dir }) => {
            format!("there is no table of {game} in {}: `{command}` makes one, --table names another", dir.display())
        }
        QueryError::Tablebase(TablebaseError::MissingClass { dir, class }) => {
            let stage = index.stages().iter().position(|classes| {
                let mut names = classes.iter().map(|&number| index.class_name(number));
                names.any(|name| name == class)
            });
            let pieces = stage.and_then(|stage| G::STAGES.get(stage));
            let command = pieces.map_or(command.clone(), |pieces| command.option("--pieces", pieces));
            format!("the table in {} holds no boards of class {class}: `{command}` adds them", dir.display())
        }
        QueryError::Contradiction { .. } => {
            let dir = directory(given).display().to_string();
            format!("{error}; `{}` finds what is wrong", ShellCommand::verify(&dir))
        }
        QueryError::NoDistances => format!("{error}: `{command}` makes a tablebase that does"),
        error => error.to_string(),
    })
}

/// A failed list, with the command that helps.
fn list_failure<G: HasPerfectIndex>(given: Option<&str>, error: QueryError) -> Error {
    let command = solve_command::<G>(given);
    Error::failed(match error {
        QueryError::NoStatistics { .. } => {
            format!("{error}: `{command}` makes them, --table names another directory")
        }
        QueryError::Unsolved { .. } => format!("{error}: `{command}` goes on"),
        QueryError::NoReach { .. } => format!("{error}: `{}` finds them", command.flag("--reach-only")),
        error => error.to_string(),
    })
}

/// The queried position and what is known of its past.
pub(super) struct QueriedPosition<G: Notation> {
    /// The game up to the position.
    pub(super) record: Record<G>,
    /// Whether the last move is known, and with it the forbidden one.
    pub(super) past: bool,
    /// A past that is impossible.
    pub(super) warning: Option<String>,
}

impl<G: Notation> QueriedPosition<G> {
    fn read(at: &PositionSpec) -> Result<QueriedPosition<G>, Error> {
        let mut asked = match (&at.position, &at.previous) {
            (None, _) => QueriedPosition::board(G::start()),
            (Some(text), None) => QueriedPosition::text(text).map_err(|error| misread(text, "the position", &error))?,
            (Some(text), Some(_)) if text.contains('/') => {
                return Err(Error::invalid(format!(
                    "the position {text:?} already contains the board before: leave out --previous or what follows \
                     the slash"
                )));
            }
            (Some(board), Some(previous)) => {
                let alone = read(board, "the position")?;
                read::<G>(previous, "--previous")?;
                QueriedPosition::after(G::parse(&format!("{board}/{previous}")), alone)
            }
        };
        if let Some(moves) = &at.moves {
            G::read_moves(&mut asked.record, moves).map_err(|error| Error::field("moves", error))?;
            asked.past |= !asked.record.plies().is_empty();
        }
        Ok(asked)
    }

    /// A position, with its past if the text tells it.
    pub(super) fn text(text: &str) -> Result<QueriedPosition<G>, TextError> {
        let Some((board, previous)) = text.split_once('/') else { return Ok(QueriedPosition::board(G::parse(text)?)) };
        let whole = G::parse(text);
        match (G::parse(board), G::parse(previous)) {
            (Ok(alone), Ok(_)) => Ok(QueriedPosition::after(whole, alone)),
            _ => whole.map(QueriedPosition::board),
        }
    }

    fn board(position: G) -> QueriedPosition<G> {
        QueriedPosition { record: Record::new(position), past: false, warning: None }
    }

    /// A board after another. Both are valid, but one may not lead to the other.
    fn after(position: Result<G, TextError>, board: G) -> QueriedPosition<G> {
        match position {
            Ok(position) => QueriedPosition { past: true, ..QueriedPosition::board(position) },
            Err(error) => {
                let warning = format!("{error}; nothing is forbidden here");
                QueriedPosition { warning: Some(warning), ..QueriedPosition::board(board) }
            }
        }
    }
}

fn read<G: Notation>(text: &str, what: &str) -> Result<G, Error> {
    G::parse(text).map_err(|error| misread(text, what, &error))
}

/// What is wrong with a position, and where.
fn misread(text: &str, what: &str, error: &TextError) -> Error {
    Error::invalid(format!("{what}, character {}: {error}", character(text, error.at)))
}

/// The number of the character, from 1, at a byte of a text.
pub(super) fn character(text: &str, at: usize) -> usize {
    text.get(..at).map_or(0, |before| before.chars().count()) + 1
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
