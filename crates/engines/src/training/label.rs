//! The labelling job: positions of data sets get the scores of searches.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_learn::job::file_name;
use tesuji_learn::numbered::{NumberFeed, NumberedJob, PartResults, samples_to_bytes, save_samples, work_through};
use tesuji_learn::{
    JobError, LabeledGame, Sample, SampleCollector, SavedDataSet, TrainingData, counted, select_stages,
};
use tesuji_task::{Context, cores};

use super::{LabelConfig, Trainable, TrainingPosition};

/// Draws positions from data sets, labels them by search, and writes them as a new data set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LabelJob {
    /// The data sets; their labels are not used.
    pub data: Vec<PathBuf>,
    /// The file for the new data set.
    pub out: PathBuf,
    /// The weights to search with; those that ship if absent.
    pub weights: Option<PathBuf>,
    /// See [`LabelConfig`], also for the next three.
    pub depth: u32,
    /// Selectivity of the search, in percent.
    pub sure: u32,
    /// Positions with at most this many empty squares are solved.
    pub solve: u32,
    /// One position in this many is labelled after a random move; 0 for none.
    pub random_move_rate: u32,
    /// Only positions of these stages.
    pub stages: Option<RangeInclusive<u32>>,
    /// Positions per stage.
    pub positions: u32,
    /// The seed of the draw and of random moves.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// Size of each search's transposition table in MiB; the game's own default if absent.
    #[serde(default)]
    pub hash: Option<usize>,
}

/// The result of a labelling job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelOutcome {
    /// Positions searched.
    pub searched: usize,
    /// The data set.
    pub saved: SavedDataSet,
}

impl LabelJob {
    /// Labels the positions, or continues an interrupted run of the same job.
    pub fn run<G: Trainable>(&self, context: Context<'_>) -> Result<LabelOutcome, JobError> {
        let model = G::model();
        let Prepared { config, drawn, provenance } = self.prepare::<G>()?;
        let searched = drawn.len();
        if let Some(saved) = SavedDataSet::existing(&model, &self.out, &provenance)? {
            SampleCollector::remove_leftover_journal(&model, &self.out, &provenance, searched as u32);
            return Ok(LabelOutcome { searched, saved });
        }
        let mut collector = SampleCollector::open(&model, &self.out, &provenance)?;
        let worker = || {
            let mut label = G::labeler(config, self.weights.as_deref())?;
            Ok(move |_: u32, sample: &Sample<TrainingPosition<G>>| {
                let positions = label(&sample.position, context.cancel);
                Ok(positions.map(|positions| LabeledGame { game: sample.game, positions }))
            })
        };
        // The journal counts drawn positions, including those that give no sample.
        let jobs = drawn.iter().skip(collector.done() as usize);
        let threads = self.threads.unwrap_or_else(cores);
        collector.run(threads, searched as u32, jobs, worker, "position", context)?;
        let saved = collector.save(&provenance, searched as u32, |_| true)?;
        Ok(LabelOutcome { searched, saved })
    }

    /// The job as numbered positions for any number of machines, which all read the same data sets. Put together they
    /// are what [`LabelJob::run`] writes.
    ///
    /// # Errors
    /// Bad settings, and files that cannot be read.
    pub fn numbered<G: Trainable>(&self) -> Result<NumberedJob, JobError> {
        let Prepared { config, drawn, provenance } = self.prepare::<G>()?;
        let (task, parts, weights) = (provenance.clone(), drawn.len() as u32, self.weights.clone());
        let work = move |feed: &mut dyn NumberFeed| {
            let model = G::model();
            let mut label = G::labeler(config, weights.as_deref())?;
            work_through(feed, |number, cancel| {
                let sample = &drawn[number as usize];
                Ok(label(&sample.position, cancel).map(|positions| {
                    let samples: Vec<_> = Sample::of_game(sample.game, positions).collect();
                    samples_to_bytes(&model, &samples)
                }))
            })
        };
        let save = move |out: &Path, results: PartResults<'_>| save_samples(&G::model(), out, &provenance, results);
        Ok(NumberedJob { task, parts, work: Box::new(work), save: Box::new(save) })
    }

    /// Checks the settings, draws the positions, and says what the labels depend on.
    fn prepare<G: Trainable>(&self) -> Result<Prepared<G>, JobError> {
        let model = G::model();
        let &LabelJob { depth, sure, solve, random_move_rate, seed, hash, .. } = self;
        let config = LabelConfig { depth, sure, solve, random_move_rate, seed, hash };
        // Bad weights are reported before the work starts.
        drop(G::labeler(config, self.weights.as_deref())?);
        let stages = select_stages(&model, self.stages.as_ref())?;
        let data = TrainingData::load(&model, &self.data)?;
        let (first, last) = (stages.start, stages.end - 1);
        let drawn: Vec<Sample<TrainingPosition<G>>> =
            stages.flat_map(|stage| data.samples.draw(&model, stage, self.positions as usize, seed)).collect();
        if drawn.is_empty() {
            let message = format_args!("{first}..{last}: the data sets have no position of these stages");
            return Err(JobError::field("stages", message));
        }
        let weights = match &self.weights {
            None => "the weights that ship".to_owned(),
            Some(path) => fingerprint(path)?,
        };
        let mut provenance = format!(
            "{} of stages {first}..{last}, at most {} each, searched {depth} plies ahead at {sure} % with {weights}, \
             solved from {solve}, one in {random_move_rate} after a random move, seed {seed}",
            counted(drawn.len(), "position"),
            self.positions
        );
        // Scores of selective searches depend on it.
        hash.iter().for_each(|mib| provenance.push_str(&format!(", {mib} MiB")));
        for (index, source) in data.sources.iter().enumerate() {
            let separator = if index == 0 { "; of" } else { "," };
            provenance.push_str(&format!("{separator} {} ({})", source.name, source.count));
        }
        // Data sets of the same names may hold other positions.
        provenance.push_str(&format!(", all of it {:016x}", data.samples.fingerprint(&model)));
        Ok(Prepared { config, drawn, provenance })
    }
}

/// A job whose settings were checked and whose positions are drawn.
struct Prepared<G: Trainable> {
    config: LabelConfig,
    drawn: Vec<Sample<TrainingPosition<G>>>,
    provenance: String,
}

/// Name and checksum of a weights file: other weights of the same name are another job.
fn fingerprint(path: &Path) -> Result<String, JobError> {
    let bytes = tesuji_learn::job::read_input(path)?;
    // The file ends with its own checksum; including it would make all checksums equal.
    let contents = &bytes[..bytes.len().saturating_sub(4)];
    Ok(format!("{} ({:08x})", file_name(path), crc32fast::hash(contents)))
}
