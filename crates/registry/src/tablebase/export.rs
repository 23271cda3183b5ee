//! A class of a tablebase as a table of comma-separated values, a row per board.

use std::io::{self, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_solve::reachability::DistanceTable;
use tesuji_solve::tablebase::query::QueryError;
use tesuji_solve::tablebase::{PositionValue, Tablebase, TablebaseError};
use tesuji_task::{Context, cores, fold};

use super::query::{failure, outcome_name};
use super::{directory, id};
use crate::{Error, Playable};

/// What to export.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClassExportRequest {
    /// The directory of the tablebase; `tables` in the user's data folder when absent.
    pub directory: Option<String>,
    /// The class.
    pub class: String,
    /// The index to begin with.
    pub first: u32,
    /// Only every `step`th index; 0 and 1 for all.
    pub step: u32,
    /// At most this many rows.
    pub rows: Option<u64>,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
}

/// What was exported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClassExportResponse {
    /// The game.
    pub game: String,
    /// The class.
    pub class: String,
    /// Rows, without the header.
    pub rows: u64,
    /// The columns.
    pub columns: Vec<String>,
}

/// Why an export failed: a request, a tablebase, or the output.
#[derive(Debug, thiserror::Error)]
pub enum ClassExportError {
    /// The request or the tablebase.
    #[error(transparent)]
    Request(#[from] Error),
    /// The output.
    #[error("cannot write the rows: {0}")]
    Write(#[from] io::Error),
}

/// Indices per task.
const TASK: u32 = 1 << 13;
/// Tasks per thread that are in memory at once.
const AHEAD: usize = 8;

const COLUMNS: [&str; 7] = ["index", "position", "value", "plies", "ko_move", "ko_value", "ko_plies"];

pub(super) fn export<G: Playable + HasPerfectIndex>(
    request: &ClassExportRequest,
    out: &mut dyn Write,
    context: Context<'_>,
) -> Result<ClassExportResponse, ClassExportError> {
    let (dir, index, given) = (directory(request.directory.as_deref()), Arc::new(G::index()), &request.directory);
    let broken = |error: TablebaseError| failure::<G>(&index, given.as_deref(), error.into());
    let class = class(&*index, &request.class)?;
    let rows = ClassRows::<G> {
        table: Tablebase::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?,
        distances: DistanceTable::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?,
        class,
        step: request.step.max(1),
    };
    if !rows.table.has(class) {
        return Err(broken(TablebaseError::MissingClass { dir, class: request.class.clone() }).into());
    }
    let mut columns = COLUMNS.to_vec();
    columns.extend(rows.distances.is_some().then_some("reached_in"));
    writeln!(out, "{}", columns.join(","))?;
    let (size, threads) = (index.size(class), request.threads.unwrap_or_else(cores).max(1));
    let counter = context.counter(u64::from(size.saturating_sub(request.first)));
    let (mut next, mut left) = (request.first, request.rows.unwrap_or(u64::MAX));
    while next < size && left > 0 {
        let starts = (next..size).step_by(TASK as usize).take(AHEAD * threads);
        let tasks: Vec<(u32, u32)> = starts.map(|start| (start, start.saturating_add(TASK).min(size))).collect();
        next = tasks.last().map_or(size, |&(_, end)| end);
        let parts = fold(threads, tasks, |(start, end), parts: &mut Vec<(u32, RowChunk)>| {
            parts.push((start, rows.text(start, end, request.first)));
            counter.add(u64::from(end - start));
        });
        if context.is_cancelled() {
            return Err(Error::Cancelled.into());
        }
        let mut parts: Vec<(u32, RowChunk)> = parts.into_iter().flatten().collect();
        parts.sort_by_key(|(start, _)| *start);
        for (_, chunk) in parts {
            let (text, count) = chunk.map_err(|error| failure::<G>(&index, given.as_deref(), error))?;
            out.write_all(first_lines(&text, count, left))?;
            left = left.saturating_sub(count);
        }
    }
    out.flush()?;
    let rows = request.rows.unwrap_or(u64::MAX) - left;
    let columns = columns.into_iter().map(str::to_owned).collect();
    Ok(ClassExportResponse { game: G::NAME.to_owned(), class: request.class.clone(), rows, columns })
}

/// The class of a name.
fn class<I: PerfectIndex>(index: &I, name: &str) -> Result<u8, Error> {
    let classes = || index.stages().iter().flat_map(|classes| classes.iter().copied());
    classes().find(|&class| index.class_name(class) == name).ok_or_else(|| {
        let names: Vec<String> = classes().map(|class| index.class_name(class)).collect();
        Error::field("class", format!("there is no class {name:?}; there are: {}", names.join(", ")))
    })
}

/// The first `left` of `count` lines.
fn first_lines(text: &[u8], count: u64, left: u64) -> &[u8] {
    if count <= left {
        return text;
    }
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let end = usize::try_from(left).ok().and_then(|left| ends.map(|(at, _)| at + 1).nth(left.checked_sub(1)?));
    &text[..end.unwrap_or(0)]
}

/// The rows of some indices, and their number.
type RowChunk = Result<(Vec<u8>, u64), QueryError>;

struct ClassRows<G: HasPerfectIndex> {
    table: Tablebase<G::Index>,
    distances: Option<DistanceTable<G::Index>>,
    class: u8,
    step: u32,
}

impl<G: Playable + HasPerfectIndex> ClassRows<G> {
    fn text(&self, start: u32, end: u32, first: u32) -> RowChunk {
        let mut text = Vec::with_capacity((end - start) as usize / self.step as usize * 64);
        let mut count = 0;
        for index in (start..end).filter(|index| (index - first).is_multiple_of(self.step)) {
            let Some(board) = self.table.game().unrank(self.class, index) else { continue };
            self.row(index, board, &mut text)?;
            count += 1;
        }
        Ok((text, count))
    }

    fn row(&self, index: u32, board: G, text: &mut Vec<u8>) -> Result<(), QueryError> {
        let found = self.table.probe(board)?;
        // Writing to memory does not fail.
        let _ = write!(text, "{index},{},", board.print());
        cells(text, Some(found.value));
        text.push(b',');
        if let Some((mv, _)) = found.exception {
            text.extend_from_slice(board.print_move(G::move_from_number(mv)).as_bytes());
        }
        text.push(b',');
        cells(text, found.exception.map(|(_, value)| value));
        if let Some(distances) = &self.distances {
            text.push(b',');
            if let Some(plies) = distances.get(self.class, index).map(|distance| distance.first)?.checked_add(1) {
                let _ = write!(text, "{}", plies - 1);
            }
        }
        text.push(b'\n');
        Ok(())
    }
}

/// `win,23`, `draw,` or two empty cells.
fn cells(text: &mut Vec<u8>, value: Option<PositionValue>) {
    let plies = value.and_then(|value| value.plies).map_or(String::new(), |plies| plies.to_string());
    let _ = write!(text, "{},{plies}", value.map_or("", |value| outcome_name(value.outcome)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_cuts_after_whole_rows() {
        let text = b"1,a\n2,b\n3,c\n";
        assert_eq!(first_lines(text, 3, 9), text);
        assert_eq!(first_lines(text, 3, 3), text);
        assert_eq!(first_lines(text, 3, 2), b"1,a\n2,b\n");
        assert_eq!(first_lines(text, 3, 0), b"");
    }

    #[test]
    fn classes_are_found_by_name() {
        let index = tesuji_ostle::Index::new();
        for name in ["4-4", "5-4", "4-5", "5-5"] {
            assert_eq!(class(&index, name).map(|class| index.class_name(class)), Ok(name.to_owned()));
        }
        let wrong = class(&index, "3-3").expect_err("no class").to_string();
        assert!(wrong.contains("3-3") && wrong.contains("4-4, "), "{wrong}");
    }
}
