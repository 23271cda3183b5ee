//! The journal of samples in the making. A run that is killed continues after the last game in its journal.

use std::path::Path;

use tesuji_store::{Journal, StoreError};
use thiserror::Error;

use crate::Model;
use crate::sample::{self, Sample};

const KIND: &str = "samples";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// Why a journal of samples cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleJournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It belongs to a run with other settings.
    #[error(
        "{path} was started with other settings ({found}): finish it with the command that started it, or remove it"
    )]
    OtherTask {
        /// The journal.
        path: String,
        /// The settings it was started with.
        found: String,
    },
    /// A line that is not from this program.
    #[error("{path}, line {line}: expected samples that continue those before")]
    Line {
        /// The journal.
        path: String,
        /// Counted from 1; the header is line 1.
        line: usize,
    },
}

/// A journal of samples that is open for writing.
#[derive(Debug)]
pub struct SampleJournal {
    journal: Journal,
    games: u32,
}

/// A journal and the samples it held when it was opened.
pub type JournalWithSamples<M> = (SampleJournal, Vec<Sample<<M as Model>::Position>>);

impl SampleJournal {
    /// Starts a journal of a task, or continues one of the same task. `task` is one line of text. Returns the samples
    /// it already holds.
    pub fn open<M: Model>(model: &M, path: &Path, task: &str) -> Result<JournalWithSamples<M>, SampleJournalError> {
        if !path.exists() {
            let mut journal = Journal::create(path, KIND)?;
            journal.append(task)?;
            return Ok((SampleJournal { journal, games: 0 }, Vec::new()));
        }
        let (mut journal, lines) = Journal::open(path, KIND)?;
        let name = path.display().to_string();
        match lines.first() {
            // Killed between the header and the first line.
            None => journal.append(task)?,
            Some(found) if found != task => {
                return Err(SampleJournalError::OtherTask { path: name, found: found.clone() });
            }
            Some(_) => {}
        }
        let (mut games, mut samples) = (0, Vec::new());
        for (index, line) in lines.iter().enumerate().skip(1) {
            games = read(model, line, games, &mut samples)
                .ok_or_else(|| SampleJournalError::Line { path: name.clone(), line: index + 2 })?;
        }
        Ok((SampleJournal { journal, games }, samples))
    }

    /// Number of games it holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Appends the samples of further games. They are on disk when this returns.
    pub fn append<M: Model>(
        &mut self,
        model: &M,
        games: u32,
        samples: &[Sample<M::Position>],
    ) -> Result<(), SampleJournalError> {
        let mut line = format!("{} {games} ", self.games);
        let mut bytes = vec![0; sample::size::<M>()];
        for one in samples {
            sample::write(model, one, &mut bytes);
            for byte in &bytes {
                line.extend([byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)])));
            }
        }
        self.journal.append(&line)?;
        self.games += games;
        Ok(())
    }
}

/// Reads a line that follows `before` games. Returns the number of games including it.
fn read<M: Model>(model: &M, line: &str, before: u32, samples: &mut Vec<Sample<M::Position>>) -> Option<u32> {
    let (first, rest) = line.split_once(' ')?;
    let (games, digits) = rest.split_once(' ')?;
    if first.parse() != Ok(before) {
        return None;
    }
    let games = before.checked_add(games.parse().ok()?)?;
    let digit = |sign: u8| char::from(sign).to_digit(16);
    let pairs = digits.as_bytes().as_chunks::<2>().0.iter();
    let bytes: Vec<u8> =
        pairs.map(|&[high, low]| Some((digit(high)? << 4 | digit(low)?) as u8)).collect::<Option<_>>()?;
    let whole = bytes.chunks_exact(sample::size::<M>());
    if digits.len() % 2 != 0 || !whole.remainder().is_empty() {
        return None;
    }
    for bytes in whole {
        samples.push(sample::read(model, bytes)?);
    }
    Some(games)
}
