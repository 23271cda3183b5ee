//! The data-set job for records: finished games become labelled positions.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_game::{ParsedRecord, Record, grouped};
use tesuji_learn::{DataSet, JobError, Sample, counted};
use tesuji_task::{Context, cores, fold};

use super::{LabeledPositions, RecordConfig, Trainable, TrainingPosition, UnusableRecord};
use crate::corpus::{Corpus, FileError};

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
    /// Size of each solver's transposition table in MiB; the game's own default if absent.
    #[serde(default)]
    pub hash: Option<usize>,
}

/// How many records were used, and why others were not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    /// Files that cannot be read or hold no records of the game; the others are used.
    pub file_errors: Vec<FileError>,
}

impl RecordDataOutcome {
    /// The counts as a sentence.
    pub fn summary(&self) -> String {
        let RecordDataOutcome { used, faulty, short, unscored, .. } = self;
        let [faulty, short, unscored] = [faulty, short, unscored].map(|&count| grouped(count as u64));
        format!(
            "{} used; {faulty} do not replay, {short} are too short, {unscored} have neither an end nor a score",
            tesuji_game::counted(*used, "game")
        )
    }
}

impl RecordDataJob {
    /// Labels the records and writes the data set.
    pub fn run<G: Trainable>(&self, context: Context<'_>) -> Result<RecordDataOutcome, JobError> {
        let corpus = Corpus::open::<G>(&self.files, self.format.as_deref())?;
        let threads = self.threads.unwrap_or_else(cores);
        let (mut outcome, mut samples) = (RecordDataOutcome::default(), Vec::new());
        let mut batch = Vec::with_capacity(BATCH);
        corpus.read::<G, _, _>(
            threads,
            context,
            |_| |_, parsed| parsed,
            |parsed| {
                match parsed {
                    Ok(parsed) => batch.push(parsed),
                    Err(error) => outcome.file_errors.push(error),
                }
                if batch.len() == BATCH {
                    let batch = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
                    self.label::<G>(batch, threads, &mut outcome, &mut samples, context);
                }
                true
            },
        );
        self.label::<G>(batch, threads, &mut outcome, &mut samples, context);
        if context.is_cancelled() {
            return Err(JobError::Cancelled("interrupted; nothing was written".to_owned()));
        }
        if samples.is_empty() {
            let mut message = format!("these records give no positions: {}", outcome.summary());
            outcome.file_errors.first().into_iter().for_each(|error| message.push_str(&format!("; {error}")));
            return Err(JobError::Input(message));
        }
        outcome.positions = samples.len();
        let solved = if self.solve > 0 { format!(", solved from {} empties", self.solve) } else { String::new() };
        let provenance = format!("records of {}{solved}", counted(outcome.used, "game"));
        DataSet::save(&G::model(), &self.out, &provenance, &samples).map_err(JobError::failed)?;
        Ok(outcome)
    }

    /// Labels some records and adds their samples.
    fn label<G: Trainable>(
        &self,
        batch: Vec<ParsedRecord<G>>,
        threads: usize,
        outcome: &mut RecordDataOutcome,
        samples: &mut Vec<Sample<TrainingPosition<G>>>,
        context: Context<'_>,
    ) {
        let game = outcome.used as u32;
        let labeled =
            label_batch::<G>(batch, RecordConfig { solve: self.solve, hash: self.hash }, threads, outcome, context);
        for (positions, game) in labeled.into_iter().zip(game..) {
            samples.extend(Sample::of_game(game, positions));
        }
    }
}

/// The labelled positions of each usable record, in order.
fn label_batch<G: Trainable>(
    batch: Vec<ParsedRecord<G>>,
    config: RecordConfig,
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
            *to = G::label_record(record, config);
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
