//! The data-set job for records: finished games become labelled positions.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{Format, Formats, ParsedRecord, Record};
use tesuji_learn::{DataSet, JobError, Sample, counted};
use tesuji_task::{Context, cores, fold};

use super::{LabeledPositions, Trainable, UnusableRecord};

/// Records that are labelled together.
const BATCH: usize = 4096;

/// Reads records and writes their positions as a data set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordDataJob {
    /// Files of records, or folders of such files.
    pub files: Vec<PathBuf>,
    /// The file for the data set.
    pub out: PathBuf,
    /// The record format; detected if absent.
    pub format: Option<String>,
    /// Positions with at most this many empty squares are solved.
    pub solve: u32,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// How many records were used, and why others were not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordDataOutcome {
    /// Positions in the data set.
    pub positions: usize,
    /// Records used.
    pub used: usize,
    /// Records with an illegal move.
    pub faulty: usize,
    /// Records with too few moves.
    pub short: usize,
    /// Records without an end and without a score.
    pub unscored: usize,
}

impl RecordDataOutcome {
    /// The counts as a sentence.
    pub fn summary(&self) -> String {
        let RecordDataOutcome { used, faulty, short, unscored, .. } = self;
        format!(
            "{} used; {faulty} do not replay, {short} are too short, {unscored} have neither an end nor a score",
            counted(*used, "game")
        )
    }
}

impl RecordDataJob {
    /// Labels the records and writes the data set.
    pub fn run<G: Trainable>(&self, context: Context<'_>) -> Result<RecordDataOutcome, JobError> {
        let format = self.format.as_deref().map(find_format::<G>).transpose()?;
        let files = record_files::<G>(&self.files)?;
        let threads = self.threads.unwrap_or_else(cores);
        let (mut outcome, mut samples) = (RecordDataOutcome::default(), Vec::new());
        let counter = context.counter(files.len() as u64);
        for file in &files {
            let bytes = read_records(file)?;
            let mut records = G::read(format.unwrap_or_else(|| G::detect(&bytes)), &bytes);
            loop {
                let batch: Vec<ParsedRecord<G>> = records.by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    break;
                }
                let game = outcome.used as u32;
                let labeled = label_batch::<G>(batch, self.solve, threads, &mut outcome, context);
                if context.is_cancelled() {
                    return Err(JobError::Cancelled("interrupted; nothing was written".to_owned()));
                }
                for (positions, game) in labeled.into_iter().zip(game..) {
                    samples.extend(Sample::of_game(game, positions));
                }
            }
            counter.add(1);
        }
        if samples.is_empty() {
            let message = format!("these records give no positions: {}", outcome.summary());
            return Err(JobError::Input(message));
        }
        outcome.positions = samples.len();
        let solved = if self.solve > 0 { format!(", solved from {} empties", self.solve) } else { String::new() };
        let provenance = format!("records of {}{solved}", counted(outcome.used, "game"));
        DataSet::save(&G::model(), &self.out, &provenance, &samples).map_err(JobError::failed)?;
        Ok(outcome)
    }
}

/// The labelled positions of each usable record, in order.
fn label_batch<G: Trainable>(
    batch: Vec<ParsedRecord<G>>,
    solve: u32,
    threads: usize,
    outcome: &mut RecordDataOutcome,
    context: Context<'_>,
) -> Vec<LabeledPositions<G>> {
    let count = batch.len();
    let mut records: Vec<Record<G>> =
        batch.into_iter().filter(|parsed| parsed.fault.is_none()).map(|parsed| parsed.record).collect();
    outcome.faulty += count - records.len();
    let mut labeled: Vec<Result<LabeledPositions<G>, UnusableRecord>> = Vec::with_capacity(records.len());
    labeled.resize_with(records.len(), || Err(UnusableRecord::Short));
    let part = records.len().div_ceil(threads).max(1);
    let tasks = records.chunks_mut(part).zip(labeled.chunks_mut(part)).collect();
    fold(threads, tasks, |(records, labeled): (&mut [Record<G>], &mut [_]), (): &mut ()| {
        for (record, to) in records.iter().zip(labeled).take_while(|_| !context.is_cancelled()) {
            *to = G::label_record(record, solve);
        }
    });
    let mut usable = Vec::with_capacity(labeled.len());
    for one in labeled {
        match one {
            Ok(positions) => {
                outcome.used += 1;
                usable.push(positions);
            }
            Err(UnusableRecord::Short) => outcome.short += 1,
            Err(UnusableRecord::Unscored) => outcome.unscored += 1,
        }
    }
    usable
}

/// The bytes of a file of records.
pub(crate) fn read_records(file: &Path) -> Result<Vec<u8>, JobError> {
    fs::read(file).map_err(|error| JobError::Input(format!("cannot read {}: {error}", file.display())))
}

/// The record format of this name.
pub fn find_format<G: Formats>(name: &str) -> Result<Format, JobError> {
    let found = G::FORMATS.iter().find(|format| format.name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = G::FORMATS.iter().map(|format| format.name).collect();
        JobError::Input(format!("{} has no record format {name:?}; it has: {}", G::NAME, known.join(", ")))
    })
}

/// All files. A folder stands for its files with an extension of the game's record formats, sorted by name.
pub fn record_files<G: Formats>(paths: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
    let is_known = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        G::FORMATS.iter().any(|format| format.extensions.contains(&extension.as_str()))
    };
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let entries = entries.map_err(|error| JobError::Input(format!("cannot read {}: {error}", path.display())))?;
        let mut inside: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(is_known).collect();
        if inside.is_empty() {
            return Err(JobError::Input(format!("{} holds no records of {}", path.display(), G::NAME)));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
