//! Making a data set of positions by numbered games on several threads, with a journal from which an interrupted run
//! continues.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tesuji_store::Journal;
use tesuji_task::{Context, ordered_map};

use super::{PositionBlock, PositionGame, PositionSet, PositionSetWriter, SavedPositionSet};
use crate::JobError;
use crate::job::{beside, removal_warning};

const KIND: &str = "positions";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// Positions of numbered games in the making.
#[derive(Debug)]
pub struct PositionCollector<'a, G> {
    out: &'a Path,
    journal: Journal,
    games: Vec<PositionBlock<G>>,
}

impl<'a, G: PositionGame> PositionCollector<'a, G> {
    /// What an earlier run of the same job wrote, if it is complete.
    ///
    /// # Errors
    /// Another file has the name.
    pub fn existing(out: &Path, provenance: &str) -> Result<Option<SavedPositionSet>, JobError> {
        if !out.exists() {
            return Ok(None);
        }
        let same = PositionSet::<G>::open(out).ok().filter(|set| set.provenance() == provenance);
        let set = same.ok_or_else(|| JobError::exists(out))?;
        let bytes = fs::metadata(out).map_or(0, |about| about.len());
        Ok(Some(SavedPositionSet { positions: set.len() as u64, games: set.games(), bytes }))
    }

    /// Starts to collect for the data set `out`, or continues an interrupted run of the same task. `task` is one line.
    ///
    /// # Errors
    /// The journal cannot be read, is damaged, or belongs to another task.
    pub fn open(out: &'a Path, task: &str) -> Result<PositionCollector<'a, G>, JobError> {
        let path = beside(out, ".journal");
        if !path.exists() {
            let mut journal = Journal::create(&path, KIND).map_err(JobError::input)?;
            journal.append(task).map_err(JobError::failed)?;
            return Ok(PositionCollector { out, journal, games: Vec::new() });
        }
        let (mut journal, lines) = Journal::open(&path, KIND).map_err(JobError::input)?;
        match lines.first() {
            // Killed between the header and the first line.
            None => journal.append(task).map_err(JobError::failed)?,
            Some(found) if found != task => {
                let path = path.display();
                return Err(JobError::Input(format!(
                    "{path} was started with other settings ({found}): finish it with the command that started it, or \
                     remove it"
                )));
            }
            Some(_) => {}
        }
        let wrong = |at: usize| JobError::Input(format!("{}, line {}: no positions of a game", path.display(), at + 3));
        let games = lines.iter().skip(1).enumerate();
        let games =
            games.map(|(at, line)| read_hex(line).and_then(|bytes| PositionBlock::from_bytes(&bytes)).ok_or(at));
        let games = games.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        Ok(PositionCollector { out, journal, games })
    }

    /// The number of games that are done.
    pub fn done(&self) -> u32 {
        self.games.len() as u32
    }

    /// Plays the remaining games up to a total of `total`. Each thread makes its own worker, which plays the game of a
    /// number; it returns `None` when it was cancelled. Nothing depends on the number of threads.
    ///
    /// # Errors
    /// The first error of a worker or of the journal, and [`JobError::Cancelled`].
    pub fn run<W>(
        &mut self,
        threads: usize,
        total: u32,
        worker: impl Fn() -> Result<W, JobError> + Sync,
        context: Context<'_>,
    ) -> Result<(), JobError>
    where
        W: FnMut(u32) -> Result<Option<PositionBlock<G>>, JobError>,
    {
        let first = self.done();
        let numbers = Mutex::new(first..total);
        let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next().map(|number| (number, ()));
        let counter = context.counter(u64::from(total));
        counter.raise_to(u64::from(first));
        let counted_worker = || {
            let (mut play, counter) = (worker()?, &counter);
            Ok(move |number: u32, ()| {
                let made = play(number);
                counter.add(1);
                made
            })
        };
        ordered_map(threads, first, next, counted_worker, context.cancel, |games: Vec<PositionBlock<G>>| {
            for game in games {
                self.journal.append(&hex(&game.bytes())).map_err(JobError::failed)?;
                self.games.push(game);
            }
            Ok(())
        })?;
        if context.is_cancelled() {
            let done = tesuji_game::counted(self.games.len(), "game");
            return Err(JobError::Cancelled(format!("interrupted; {done} are saved, the same command continues")));
        }
        Ok(())
    }

    /// Writes the data set of the first `total` games. The journal is removed if it holds no more. Returns what was
    /// written, and a warning if the journal could not be removed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(self, provenance: &str, total: u32) -> Result<(SavedPositionSet, Option<String>), JobError> {
        let PositionCollector { out, journal, games } = self;
        let mut writer = PositionSetWriter::create(out, provenance).map_err(JobError::failed)?;
        for game in games.iter().take(total as usize) {
            writer.append_game(game).map_err(JobError::failed)?;
        }
        let saved = writer.finish().map_err(JobError::failed)?;
        drop(journal);
        let path = beside(out, ".journal");
        let removed = if games.len() == total as usize { fs::remove_file(&path) } else { Ok(()) };
        Ok((saved, removal_warning(&path, removed)))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(HEX[usize::from(digit)])).collect()
}

fn read_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |sign: u8| char::from(sign).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}
