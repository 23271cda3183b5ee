//! The job that makes a data set of positions for networks from records, other data sets and files of other programs.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{Formats, MoveList, Outcome, ParsedRecord, Side};
use tesuji_learn::JobError;
use tesuji_learn::job::file_name;
use tesuji_learn::positions::{
    KnownFields, PositionBlock, PositionEntry, PositionGame, PositionSet, PositionSetWriter,
};
use tesuji_store::FileStream;
use tesuji_task::{Context, cores};

use crate::corpus::{Corpus, FileError};

/// What a server writes about a game whose result says nothing, such as one that ended by a broken connection.
const ABNORMAL: &str = "abnormal";
/// What data sets begin with.
const BLOCK_FILE: &[u8] = b"tesujiB\n";
/// The steps of a stored value that multiply the odds of winning by e, as a shogi player's centipawns do.
pub const ODDS: f64 = 600.0;

/// A file of another program: entries of a fixed size without a header.
pub struct ForeignPositions<G> {
    /// The name on the command line, and the extension of the files.
    pub name: &'static str,
    /// The bytes of an entry.
    pub bytes: usize,
    /// Reads an entry; the game, and the ply if it is unknown, are filled in later. The error says what is wrong.
    pub read: fn(&[u8]) -> Result<PositionEntry<G>, String>,
    /// Whether every entry has the result of its game.
    pub needs_result: bool,
    /// Writes an entry; `None` if the format cannot express it.
    pub write: fn(&PositionEntry<G>) -> Option<Vec<u8>>,
}

/// Makes a data set of positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionDataJob {
    /// Files of records, folders and lists of such files, data sets of positions, files of other programs.
    pub files: Vec<PathBuf>,
    /// The file for the data set.
    pub out: PathBuf,
    /// The format of the files; detected if absent.
    pub format: Option<String>,
    /// The format of the new file: a data set, or a file of another program.
    pub to: Option<String>,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// What was used, and what was left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PositionCounts {
    /// Positions in the data set.
    pub positions: u64,
    /// Games they come from.
    pub games: u64,
    /// Positions with the value of a search.
    pub with_value: u64,
    /// Positions of games with a result.
    pub with_result: u64,
    /// Positions with visit counts.
    pub with_visits: u64,
    /// Games whose result is not used, because the server calls it abnormal; their moves are used.
    pub abnormal_games: u64,
    /// Games without a result; their moves are used.
    pub open_games: u64,
    /// Records left out because a move or the ending cannot be read.
    pub faulty_records: u64,
    /// Records left out because they give no position.
    pub empty_records: u64,
    /// Positions left out because the move played has no label: a forced pass, or a move beyond the encoded window.
    pub unlabeled: u64,
    /// Positions left out because the file needs the result of the game, which is unknown.
    #[serde(default)]
    pub without_result: u64,
    /// Positions left out because the file cannot express them.
    pub inexpressible: u64,
    /// Files that cannot be read or hold nothing of the game; the others are used.
    pub file_errors: Vec<FileError>,
}

/// Where entries go.
enum Sink<'f, G> {
    Set(Box<PositionSetWriter<G>>),
    Foreign(FileStream, &'f ForeignPositions<G>),
}

/// The positions of a record, with counts for these alone.
struct RecordPositions<G> {
    block: PositionBlock<G>,
    counts: PositionCounts,
}

impl PositionDataJob {
    /// Makes the data set. `step` is what one unit of the game's values counts in it, where [`ODDS`] multiply the odds
    /// of winning by e. `foreign` are the files of other programs that the game reads and writes.
    ///
    /// # Errors
    /// Bad input, nothing to write, failed reading or writing, cancellation.
    pub fn run<G: Formats + PositionGame>(
        &self,
        step: f64,
        foreign: &[ForeignPositions<G>],
        context: Context<'_>,
    ) -> Result<PositionCounts, JobError> {
        let names: Vec<String> = self.files.iter().map(|path| file_name(path)).collect();
        let provenance = format!("positions of {}", names.join(", "));
        let mut sink = match self.to.as_deref().filter(|&to| to != "set") {
            None => {
                let writer = PositionSetWriter::create(&self.out, &provenance).map_err(JobError::failed)?;
                Sink::Set(Box::new(writer))
            }
            Some(to) => {
                let format = foreign.iter().find(|format| format.name == to).ok_or_else(|| {
                    let known: Vec<&str> =
                        ["set"].into_iter().chain(foreign.iter().map(|format| format.name)).collect();
                    JobError::field("to", format_args!("{to:?}: {} has {}", G::NAME, known.join(", ")))
                })?;
                Sink::Foreign(FileStream::create(&self.out).map_err(JobError::failed)?, format)
            }
        };
        let mut counts = PositionCounts::default();
        for source in self.sources(foreign)? {
            match source {
                Source::Records(files) => {
                    let format = self.format.as_deref();
                    let corpus = Corpus::open::<G>(&files, format)?;
                    self.add_records(&corpus, step, &mut sink, &mut counts, context)?;
                }
                Source::Set(path) => add_set(&path, &mut sink, &mut counts, context)?,
                Source::Foreign(path, format) => add_foreign(&path, format, &mut sink, &mut counts, context)?,
            }
            if context.is_cancelled() {
                return Err(JobError::Cancelled("interrupted; nothing was written".to_owned()));
            }
        }
        if counts.positions == 0 {
            let mut message = format!("these files give no positions: {}", counts.left_out().join(", "));
            counts.file_errors.first().into_iter().for_each(|error| message.push_str(&format!("; {error}")));
            return Err(JobError::Input(message));
        }
        sink.finish()?;
        Ok(counts)
    }

    /// The files in the order given, neighbouring files of records together.
    fn sources<'f, G>(&self, foreign: &'f [ForeignPositions<G>]) -> Result<Vec<Source<'f, G>>, JobError> {
        let mut sources = Vec::new();
        for path in &self.files {
            let named = |format: &&ForeignPositions<G>| match &self.format {
                Some(name) => format.name == name,
                None => path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(format.name)),
            };
            if let Some(format) = foreign.iter().find(named) {
                sources.push(Source::Foreign(path.clone(), format));
            } else if is_block_file(path) {
                sources.push(Source::Set(path.clone()));
            } else if let Some(Source::Records(files)) = sources.last_mut() {
                files.push(path.clone());
            } else {
                sources.push(Source::Records(vec![path.clone()]));
            }
        }
        Ok(sources)
    }

    fn add_records<G: Formats + PositionGame>(
        &self,
        corpus: &Corpus<'_>,
        step: f64,
        sink: &mut Sink<'_, G>,
        counts: &mut PositionCounts,
        context: Context<'_>,
    ) -> Result<(), JobError> {
        let mut failed = Ok(());
        corpus.read::<G, _, _>(
            self.threads.unwrap_or_else(cores),
            context,
            |_| |_, parsed| record_positions::<G>(&parsed, step),
            |result| {
                match result {
                    Ok(positions) => {
                        counts.add(&positions.counts);
                        failed = sink.add_game(&positions.block, counts);
                    }
                    Err(error) => counts.file_errors.push(error),
                }
                failed.is_ok()
            },
        );
        failed
    }
}

/// Where positions come from.
enum Source<'f, G> {
    Records(Vec<PathBuf>),
    Set(PathBuf),
    Foreign(PathBuf, &'f ForeignPositions<G>),
}

fn is_block_file(path: &Path) -> bool {
    let mut start = [0; BLOCK_FILE.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == BLOCK_FILE
}

/// The positions of a record before each of its moves.
fn record_positions<G: Formats + PositionGame>(parsed: &ParsedRecord<G>, step: f64) -> RecordPositions<G> {
    let (mut block, mut counts) = (PositionBlock::default(), PositionCounts::default());
    if parsed.fault.is_some() {
        counts.faulty_records = 1;
        return RecordPositions { block, counts };
    }
    let record = &parsed.record;
    let is_abnormal = record.summary() == Some(ABNORMAL);
    let ending = record.ending().filter(|_| !is_abnormal);
    let mut entry = PositionEntry::of(record.start().clone());
    for (ply, played) in record.plies().iter().enumerate() {
        let mover = entry.position.mover();
        entry.label = label(&entry.position, played.mv);
        entry.value = played.value.map(|value| stored_value(value * step));
        entry.result = ending.map(|ending| Outcome::of(ending.winner, mover));
        entry.second = mover == Side::Second;
        entry.ply = ply.min(usize::from(u16::MAX)) as u16;
        if entry.label.is_none() {
            counts.unlabeled += 1;
        } else if !block.push(&entry) {
            counts.inexpressible += 1;
        }
        entry.position.play(played.mv);
    }
    if block.is_empty() {
        counts.empty_records = 1;
    } else {
        counts.abnormal_games = u64::from(is_abnormal);
        counts.open_games = u64::from(ending.is_none() && !is_abnormal);
    }
    RecordPositions { block, counts }
}

/// The label of a move as a data set stores it.
pub(crate) fn label<G: PositionGame>(position: &G, mv: G::Move) -> Option<u16> {
    position.label(mv).and_then(|label| u16::try_from(label).ok())
}

/// A value as a data set stores it: never the number that stands for none.
pub(crate) fn stored_value(value: f64) -> i16 {
    value.round().clamp(-32000.0, 32000.0) as i16
}

/// The legal move of a label.
pub fn labeled_move<G: PositionGame>(position: &G, wanted: u16) -> Option<G::Move> {
    let (mut position, mut moves) = (position.clone(), G::Moves::default());
    position.moves(&mut moves);
    moves.each().find(|&mv| label(&position, mv) == Some(wanted))
}

/// Adds the entries of another data set.
fn add_set<G: PositionGame>(
    path: &Path,
    sink: &mut Sink<'_, G>,
    counts: &mut PositionCounts,
    context: Context<'_>,
) -> Result<(), JobError> {
    let set = PositionSet::<G>::open(path).map_err(JobError::input)?;
    let counter = context.counter(set.len() as u64);
    // The positions of a game stand together.
    let (mut game, mut block) = (None, PositionBlock::default());
    for number in 0..set.blocks() {
        let mut added = Ok(());
        let read = set.for_each_in_block(number, |_, entry| {
            if game.is_some_and(|game| game != entry.game) && added.is_ok() {
                added = sink.add_game(&block, counts);
                block.clear();
            }
            game = Some(entry.game);
            if entry.label.is_none() && entry.visits.is_empty() {
                counts.unlabeled += 1;
            } else if !block.push(entry) {
                counts.inexpressible += 1;
            }
            counter.add(1);
        });
        read.map_err(JobError::input)?;
        added?;
        if context.is_cancelled() {
            return Ok(());
        }
    }
    sink.add_game(&block, counts)
}

/// Adds the entries of a file of another program. An entry continues a game when its position is the one after the move
/// of the entry before.
fn add_foreign<G: PositionGame>(
    path: &Path,
    format: &ForeignPositions<G>,
    sink: &mut Sink<'_, G>,
    counts: &mut PositionCounts,
    context: Context<'_>,
) -> Result<(), JobError> {
    let unreadable = |error| JobError::Input(format!("{}: cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size % format.bytes as u64 != 0 {
        let (path, name, bytes) = (path.display(), format.name, format.bytes);
        return Err(JobError::Input(format!(
            "{path}: no {name} file: its {size} bytes are not a multiple of the {bytes} bytes of a position"
        )));
    }
    let counter = context.counter(size / format.bytes as u64);
    let (mut reader, mut bytes) = (std::io::BufReader::with_capacity(1 << 20, file), vec![0; format.bytes]);
    let (mut next, mut block): (Option<G>, _) = (None, PositionBlock::default());
    for number in 1..=size / format.bytes as u64 {
        reader.read_exact(&mut bytes).map_err(unreadable)?;
        let wrong = |what| JobError::Input(format!("{}, position {number}: {what}", path.display()));
        let mut entry = (format.read)(&bytes).map_err(wrong)?;
        let continues =
            next.as_ref().is_some_and(|next| *next == entry.position && next.mover() == entry.position.mover());
        if !continues {
            sink.add_game(&block, counts)?;
            block.clear();
        }
        if entry.ply == 0 && continues {
            entry.ply = block.len().min(usize::from(u16::MAX)) as u16;
        }
        next = entry.label.and_then(|label| labeled_move(&entry.position, label)).map(|mv| {
            let mut next = entry.position.clone();
            next.play(mv);
            next
        });
        if entry.label.is_none() {
            counts.unlabeled += 1;
        } else if !block.push(&entry) {
            counts.inexpressible += 1;
        }
        counter.add(1);
        if context.is_cancelled() {
            return Ok(());
        }
    }
    sink.add_game(&block, counts)
}

impl<G: PositionGame> Sink<'_, G> {
    /// Adds the positions of one game and counts what was added.
    fn add_game(&mut self, block: &PositionBlock<G>, counts: &mut PositionCounts) -> Result<(), JobError> {
        if block.is_empty() {
            return Ok(());
        }
        match self {
            Sink::Set(writer) => {
                writer.append_game(block).map_err(JobError::failed)?;
                counts.count(&block.known(), block.len());
            }
            Sink::Foreign(file, format) => {
                let (mut written, mut kept) = (Ok(()), PositionBlock::default());
                let read = block.for_each(|entry| match (format.write)(entry).filter(|_| kept.push(entry)) {
                    Some(bytes) if written.is_ok() => written = file.write_all(&bytes),
                    Some(_) => {}
                    None if entry.result.is_none() && format.needs_result => counts.without_result += 1,
                    None => counts.inexpressible += 1,
                });
                read.map_err(JobError::failed)?;
                written.map_err(JobError::failed)?;
                counts.count(&kept.known(), kept.len());
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), JobError> {
        match self {
            Sink::Set(writer) => writer.finish().map(|_| ()).map_err(JobError::failed),
            Sink::Foreign(file, _) => file.finish().map_err(JobError::failed),
        }
    }
}

impl PositionCounts {
    /// Adds the counts of a record.
    fn add(&mut self, other: &PositionCounts) {
        self.abnormal_games += other.abnormal_games;
        self.open_games += other.open_games;
        self.faulty_records += other.faulty_records;
        self.empty_records += other.empty_records;
        self.unlabeled += other.unlabeled;
        self.without_result += other.without_result;
        self.inexpressible += other.inexpressible;
    }

    /// Counts the positions of a game.
    fn count(&mut self, known: &KnownFields, positions: usize) {
        self.positions += positions as u64;
        self.games += u64::from(positions > 0);
        self.with_value += known.values as u64;
        self.with_result += known.results as u64;
        self.with_visits += known.visits as u64;
    }

    /// What was left out, in words; empty if nothing was.
    pub fn left_out(&self) -> Vec<String> {
        let counted = |count: u64, word: &str, why: &str| {
            (count > 0).then(|| format!("{} {why}", tesuji_game::counted(count as usize, word)))
        };
        [
            counted(self.faulty_records, "record", "with a fault"),
            counted(self.empty_records, "record", "without a position to learn from"),
            counted(self.unlabeled, "position", "whose move has no label"),
            counted(self.without_result, "position", "of games without a result, which the file needs"),
            counted(self.inexpressible, "position", "that the file cannot express"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
