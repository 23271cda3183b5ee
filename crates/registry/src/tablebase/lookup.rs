//! Many positions looked up in one open tablebase.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, NO_MOVE, TextError};
use tesuji_solve::reachability::DistanceTable;
use tesuji_solve::tablebase::query::QueryError;
use tesuji_solve::tablebase::{Tablebase, TablebaseError};
use tesuji_task::{cores, fold};

use super::query::{QueriedPosition, character, failure, outcome_name};
use super::{directory, id};
use crate::{Error, Playable, SideName};

/// Opens a tablebase for many positions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LookupRequest {
    /// The directory of the tablebase; `tables` in the user's data folder when absent.
    pub directory: Option<String>,
    /// Also the plies from the start, where distances are known. A second block per position takes as long again.
    pub reach: bool,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
}

/// An open tablebase.
pub trait TablebaseLookup: Send + Sync {
    /// The values of these positions, each with the number of its line, in order.
    fn look_up(&self, lines: &[(u64, &str)]) -> Vec<LookupAnswer>;
}

/// The answer to one line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LookupAnswer {
    /// The value of a position.
    Value(LookupValue),
    /// A line without a value.
    Error(LookupError),
}

/// The value of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LookupValue {
    /// The number of the line, from 1.
    pub line: u64,
    /// The position in the game's notation.
    pub position: String,
    /// The side to move.
    pub mover: SideName,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: String,
    /// Plies to the end, where they are known.
    pub plies: Option<u8>,
    /// The plies from the start, `null` when no game reaches the position; absent when they are unknown or not wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_in: Option<Option<u8>>,
    /// A past that is impossible, and therefore ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// A line without a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LookupError {
    /// The number of the line, from 1.
    pub line: u64,
    /// The line as it was given.
    pub position: String,
    /// What is wrong.
    pub error: LookupFault,
}

/// What is wrong with a line, or with the tablebase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LookupFault {
    /// The offending character of the line, from 1; absent when the tablebase has no answer.
    pub character: Option<usize>,
    /// The offending text.
    pub text: Option<String>,
    /// What is wrong, and what would be right.
    pub message: String,
}

pub(super) fn open<G: Playable + HasPerfectIndex>(request: &LookupRequest) -> Result<Box<dyn TablebaseLookup>, Error> {
    let (dir, index, given) = (directory(request.directory.as_deref()), Arc::new(G::index()), &request.directory);
    let broken = |error: TablebaseError| failure::<G>(&index, given.as_deref(), error.into());
    let table = Tablebase::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?;
    let distances = match request.reach {
        true => DistanceTable::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?,
        false => None,
    };
    let threads = request.threads.unwrap_or_else(cores);
    Ok(Box::new(OpenTablebase::<G> { table, distances, given: given.clone(), threads }))
}

struct OpenTablebase<G: HasPerfectIndex> {
    table: Tablebase<G::Index>,
    distances: Option<DistanceTable<G::Index>>,
    /// The directory as it was given, for messages.
    given: Option<String>,
    threads: usize,
}

/// Lines per task.
const TASK: usize = 128;

impl<G: Playable + HasPerfectIndex> TablebaseLookup for OpenTablebase<G> {
    fn look_up(&self, lines: &[(u64, &str)]) -> Vec<LookupAnswer> {
        let tasks: Vec<_> = lines.chunks(TASK).enumerate().collect();
        // A thread for a few lines costs more than it saves.
        let threads = self.threads.min(tasks.len());
        let parts = fold(threads, tasks, |(number, lines), parts: &mut Vec<(usize, Vec<LookupAnswer>)>| {
            parts.push((number, lines.iter().map(|&(line, text)| self.answer(line, text)).collect()));
        });
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_by_key(|(number, _)| *number);
        parts.into_iter().flat_map(|(_, answers)| answers).collect()
    }
}

impl<G: Playable + HasPerfectIndex> OpenTablebase<G> {
    fn answer(&self, line: u64, text: &str) -> LookupAnswer {
        let error = |error| LookupAnswer::Error(LookupError { line, position: text.to_owned(), error });
        let asked = match QueriedPosition::<G>::text(text) {
            Ok(asked) => asked,
            Err(fault) => return error(LookupFault::text(text, &fault)),
        };
        match self.value(line, asked) {
            Ok(value) => LookupAnswer::Value(value),
            Err(fault) => {
                let message = failure::<G>(self.table.game(), self.given.as_deref(), fault).to_string();
                error(LookupFault { character: None, text: None, message })
            }
        }
    }

    fn value(&self, line: u64, asked: QueriedPosition<G>) -> Result<LookupValue, QueryError> {
        let position = *asked.record.now();
        let board = position.forbidding(NO_MOVE);
        let (outcome, plies) = match position.outcome() {
            Some(outcome) => (outcome, Some(0)),
            None => {
                let value = self.table.value(board, position.forbidden())?;
                (value.outcome, value.plies)
            }
        };
        let reached_in = match &self.distances {
            Some(distances) if position.outcome().is_none() => Some(match asked.past {
                true => distances.plies_with(board, position.forbidden())?,
                false => distances.plies(board)?,
            }),
            _ => None,
        };
        Ok(LookupValue {
            line,
            position: position.print(),
            mover: position.mover().into(),
            value: outcome_name(outcome).to_owned(),
            plies,
            reached_in,
            warning: asked.warning,
        })
    }
}

impl LookupFault {
    fn text(line: &str, error: &TextError) -> LookupFault {
        let (character, text) = (Some(character(line, error.at)), Some(error.text.clone()));
        LookupFault { character, text, message: error.message.clone() }
    }
}
