//! The journal of samples that are being made, game by game: what is in it is not made again.

use std::path::Path;

use tesuji_store::{Journal, StoreError};
use thiserror::Error;

use crate::Model;
use crate::sample::{self, Sample};

const KIND: &str = "samples";

/// Why samples cannot be logged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was begun with other settings.
    #[error(
        "{path} was begun with other settings ({found}): end it by the command that began it, or remove it"
    )]
    Other {
        /// The journal.
        path: String,
        /// What it was begun with.
        found: String,
    },
    /// A line that nothing here wrote.
    #[error("{path}, line {line}: these are no samples that follow on those before")]
    Line {
        /// The journal.
        path: String,
        /// Counted from 1; the header is line 1.
        line: usize,
    },
}

/// A journal of samples that is being written.
#[derive(Debug)]
pub struct Log {
    journal: Journal,
    games: u32,
}

/// A journal and what it held when it was opened.
pub type Opened<M> = (Log, Vec<Sample<<M as Model>::Position>>);

impl Log {
    /// Begins a journal for a task, in one line of words, or goes on with one of the same task. What it holds is
    /// returned.
    pub fn open<M: Model>(model: &M, path: &Path, task: &str) -> Result<Opened<M>, LogError> {
        if !path.exists() {
            let mut journal = Journal::create(path, KIND)?;
            journal.append(task)?;
            return Ok((Log { journal, games: 0 }, Vec::new()));
        }
        let (mut journal, lines) = Journal::open(path, KIND)?;
        let name = path.display().to_string();
        match lines.first() {
            // Killed between the header and the first line.
            None => journal.append(task)?,
            Some(found) if found != task => {
                return Err(LogError::Other { path: name, found: found.clone() });
            }
            Some(_) => {}
        }
        let (mut games, mut samples) = (0, Vec::new());
        for (at, line) in lines.iter().enumerate().skip(1) {
            games = read(model, line, games, &mut samples)
                .ok_or_else(|| LogError::Line { path: name.clone(), line: at + 2 })?;
        }
        Ok((Log { journal, games }, samples))
    }

    /// How many games it holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Adds the samples of so many further games. When this returns they survive a power cut.
    pub fn append<M: Model>(
        &mut self,
        model: &M,
        games: u32,
        samples: &[Sample<M::Position>],
    ) -> Result<(), LogError> {
        let mut line = format!("{} {games} ", self.games);
        let mut bytes = vec![0; sample::bytes::<M>()];
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

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Reads a line that follows on so many games; how many there are with it is returned.
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
    let whole = bytes.chunks_exact(sample::bytes::<M>());
    if digits.len() % 2 != 0 || !whole.remainder().is_empty() {
        return None;
    }
    for bytes in whole {
        samples.push(sample::read(model, bytes)?);
    }
    Some(games)
}
