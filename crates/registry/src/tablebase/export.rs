//! A class of a tablebase as a table, a row per board: comma-separated values or Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_solve::reachability::{DistanceTable, UNREACHED};
use tesuji_solve::tablebase::query::QueryError;
use tesuji_solve::tablebase::{PositionValue, Tablebase, TablebaseError};
use tesuji_task::{Context, cores, fold};

use super::parquet::{Cell, Column, ColumnKind, ParquetWriter};
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
    /// The kind of file.
    pub format: TableFormat,
    /// The index to begin with.
    pub first: u32,
    /// Only every `step`th index; 0 and 1 for all.
    pub step: u32,
    /// At most this many rows.
    pub rows: Option<u64>,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
}

/// A kind of file for tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableFormat {
    /// Comma-separated values.
    #[default]
    Csv,
    /// Apache Parquet.
    Parquet,
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

/// The columns; the last only where the distances from the start are known.
const COLUMNS: [Column; 8] = [
    column("index", ColumnKind::Number, false),
    column("position", ColumnKind::Text, false),
    column("value", ColumnKind::Text, false),
    column("plies", ColumnKind::Number, true),
    column("ko_move", ColumnKind::Text, true),
    column("ko_value", ColumnKind::Text, true),
    column("ko_plies", ColumnKind::Number, true),
    column("reached_in", ColumnKind::Number, true),
];

const fn column(name: &'static str, kind: ColumnKind, is_optional: bool) -> Column {
    Column { name, kind, is_optional }
}

pub(super) fn export<G: Playable + HasPerfectIndex>(
    request: &ClassExportRequest,
    out: &mut dyn Write,
    context: Context<'_>,
) -> Result<ClassExportResponse, ClassExportError> {
    let (dir, index, given) = (directory(request.directory.as_deref()), Arc::new(G::index()), &request.directory);
    let broken = |error: TablebaseError| failure::<G>(&index, given.as_deref(), error.into());
    let class = class(&*index, &request.class)?;
    let rows = ClassRows::<'_, G> {
        table: Tablebase::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?,
        distances: DistanceTable::open(&dir, Arc::clone(&index), &id::<G>()).map_err(broken)?,
        class,
        step: request.step.max(1),
        given: given.as_deref(),
    };
    if !rows.table.has(class) {
        return Err(broken(TablebaseError::MissingClass { dir, class: request.class.clone() }).into());
    }
    let columns = &COLUMNS[..COLUMNS.len() - usize::from(rows.distances.is_none())];
    let count = match request.format {
        TableFormat::Csv => {
            let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
            writeln!(out, "{}", names.join(","))?;
            let count = rows.each_part::<CsvRows>(request, context, |part| out.write_all(&part.text))?;
            out.flush()?;
            count
        }
        TableFormat::Parquet => {
            let mut writer = ParquetWriter::new(out, columns.to_vec())?;
            let add = |part: Vec<Row>| part.iter().try_for_each(|row| writer.row(&row.cells()[..columns.len()]));
            let count = rows.each_part::<Vec<Row>>(request, context, add)?;
            writer.finish()?;
            count
        }
    };
    let columns = columns.iter().map(|column| column.name.to_owned()).collect();
    Ok(ClassExportResponse { game: G::NAME.to_owned(), class: request.class.clone(), rows: count, columns })
}

/// The class of a name.
fn class<I: PerfectIndex>(index: &I, name: &str) -> Result<u8, Error> {
    let classes = || index.stages().iter().flat_map(|classes| classes.iter().copied());
    classes().find(|&class| index.class_name(class) == name).ok_or_else(|| {
        let names: Vec<String> = classes().map(|class| index.class_name(class)).collect();
        Error::field("class", format!("there is no class {name:?}; there are: {}", names.join(", ")))
    })
}

/// A row of the table.
struct Row {
    index: u32,
    position: String,
    value: PositionValue,
    ko: Option<(String, PositionValue)>,
    /// The plies from the start, where the distances are known and the board is reached.
    reached_in: Option<u32>,
}

impl Row {
    fn cells(&self) -> [Cell<'_>; COLUMNS.len()] {
        let plies = |value: PositionValue| value.plies.map(u32::from);
        let ko = self.ko.as_ref();
        [
            Cell::Number(Some(self.index)),
            Cell::Text(Some(&self.position)),
            Cell::Text(Some(outcome_name(self.value.outcome))),
            Cell::Number(plies(self.value)),
            Cell::Text(ko.map(|(mv, _)| mv.as_str())),
            Cell::Text(ko.map(|(_, value)| outcome_name(value.outcome))),
            Cell::Number(ko.and_then(|(_, value)| plies(*value))),
            Cell::Number(self.reached_in),
        ]
    }
}

/// Rows that one task has made, in the form in which they are written.
trait Rows: Default + Send {
    /// Adds a row with this number of columns.
    fn push(&mut self, row: Row, columns: usize);
    fn count(&self) -> u64;
    /// Drops all but the first rows.
    fn keep(&mut self, count: u64);
}

impl Rows for Vec<Row> {
    fn push(&mut self, row: Row, _: usize) {
        Vec::push(self, row);
    }

    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn keep(&mut self, count: u64) {
        self.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    }
}

/// Rows as lines of text.
#[derive(Default)]
struct CsvRows {
    text: Vec<u8>,
    count: u64,
}

impl Rows for CsvRows {
    fn push(&mut self, row: Row, columns: usize) {
        for (number, cell) in row.cells().into_iter().take(columns).enumerate() {
            if number > 0 {
                self.text.push(b',');
            }
            // Writing to memory does not fail.
            let _ = match cell {
                Cell::Number(Some(number)) => write!(self.text, "{number}"),
                Cell::Text(Some(text)) => self.text.write_all(text.as_bytes()),
                Cell::Number(None) | Cell::Text(None) => Ok(()),
            };
        }
        self.text.push(b'\n');
        self.count += 1;
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn keep(&mut self, count: u64) {
        if count < self.count {
            let ends = self.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let end =
                usize::try_from(count).ok().and_then(|count| ends.map(|(at, _)| at + 1).nth(count.checked_sub(1)?));
            self.text.truncate(end.unwrap_or(0));
            self.count = count;
        }
    }
}

struct ClassRows<'a, G: HasPerfectIndex> {
    table: Tablebase<G::Index>,
    distances: Option<DistanceTable<G::Index>>,
    class: u8,
    step: u32,
    /// The directory of the request, for messages.
    given: Option<&'a str>,
}

impl<G: Playable + HasPerfectIndex> ClassRows<'_, G> {
    /// Makes the rows in parallel and hands them to `write` in order. Returns their number.
    fn each_part<R: Rows>(
        &self,
        request: &ClassExportRequest,
        context: Context<'_>,
        mut write: impl FnMut(R) -> io::Result<()>,
    ) -> Result<u64, ClassExportError> {
        let (size, threads) = (self.table.game().size(self.class), request.threads.unwrap_or_else(cores).max(1));
        let counter = context.counter(u64::from(size.saturating_sub(request.first)));
        let most = request.rows.unwrap_or(u64::MAX);
        let (mut next, mut left) = (request.first, most);
        while next < size && left > 0 {
            let starts = (next..size).step_by(TASK as usize).take(AHEAD * threads);
            let tasks: Vec<(u32, u32)> = starts.map(|start| (start, start.saturating_add(TASK).min(size))).collect();
            next = tasks.last().map_or(size, |&(_, end)| end);
            let parts = fold(threads, tasks, |(start, end), parts: &mut Vec<(u32, Result<R, QueryError>)>| {
                parts.push((start, self.part(start, end, request.first)));
                counter.add(u64::from(end - start));
            });
            if context.is_cancelled() {
                return Err(Error::Cancelled.into());
            }
            let mut parts: Vec<(u32, Result<R, QueryError>)> = parts.into_iter().flatten().collect();
            parts.sort_by_key(|(start, _)| *start);
            for (_, part) in parts {
                let mut part = part.map_err(|error| failure::<G>(self.table.game(), self.given, error))?;
                part.keep(left);
                left -= part.count();
                write(part)?;
            }
        }
        Ok(most - left)
    }

    fn part<R: Rows>(&self, start: u32, end: u32, first: u32) -> Result<R, QueryError> {
        let mut part = R::default();
        let columns = COLUMNS.len() - usize::from(self.distances.is_none());
        for index in (start..end).filter(|index| (index - first).is_multiple_of(self.step)) {
            let Some(board) = self.table.game().unrank(self.class, index) else { continue };
            part.push(self.row(index, board)?, columns);
        }
        Ok(part)
    }

    fn row(&self, index: u32, board: G) -> Result<Row, QueryError> {
        let found = self.table.probe(board)?;
        let ko = found.exception.map(|(mv, value)| (board.print_move(G::move_from_number(mv)), value));
        let distance = self.distances.as_ref().map(|distances| distances.get(self.class, index)).transpose()?;
        let reached_in = distance.map(|distance| distance.first).filter(|&plies| plies != UNREACHED).map(u32::from);
        Ok(Row { index, position: board.print(), value: found.value, ko, reached_in })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_cuts_after_whole_rows() {
        for (count, kept) in [(9, "1,a\n2,b\n3,c\n"), (3, "1,a\n2,b\n3,c\n"), (2, "1,a\n2,b\n"), (0, "")] {
            let mut rows = CsvRows { text: b"1,a\n2,b\n3,c\n".to_vec(), count: 3 };
            rows.keep(count);
            assert_eq!((rows.text, rows.count), (kept.as_bytes().to_vec(), count.min(3)));
        }
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
