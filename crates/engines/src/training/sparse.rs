//! Training of evaluations that are sums of weights over sparse features, from data sets of positions.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{Notation, Outcome};
use tesuji_learn::job::read_input;
use tesuji_learn::positions::{PositionEntry, PositionGame, PositionSet};
use tesuji_learn::sparse::{Factors, SparseData, SparseOutcome, SparsePoint, SparseSettings, SparseTraining};
use tesuji_learn::{DataSetError, JobError, Weights};
use tesuji_search::Value;
use tesuji_task::{Context, cores, fold};

use crate::HasEngines;

/// A game with an evaluation that is a sum of weights over sparse features.
pub trait SparseEvaluation: PositionGame + HasEngines + Notation {
    /// The name of the evaluation in its files; another set of features gets another version.
    const MODEL: &'static str;

    /// The units of a weight that multiply the odds of winning by e.
    const SCALE: f32;

    /// The setting of an engine that names a file of weights.
    const SETTING: &'static str = "weights";

    /// What the weights of features are made of.
    fn factors() -> &'static Factors;

    /// Writes the active features of a position to `out`. `false` if the evaluation of such a position is not learned,
    /// since a search resolves it first.
    fn sparse_features(&mut self, out: &mut Vec<u32>) -> bool;

    /// The static evaluation with the weights of a file, or with those that ship.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn static_evaluation(weights: Option<&Path>) -> Result<StaticEvaluation<Self>, JobError>;

    /// The bytes of the file of weights that ships.
    fn shipped_weights() -> &'static [u8];
}

/// The value of a position for the side to move, without a search.
pub type StaticEvaluation<G> = Box<dyn Fn(&G) -> Value + Send + Sync>;

/// A training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SparseJob {
    /// The data sets to learn.
    pub data: Vec<PathBuf>,
    /// The data sets to test on, whose games must not be among the others.
    pub test: Vec<PathBuf>,
    /// The file for the weights.
    pub out: PathBuf,
    /// The weights to begin with; nothing by default.
    #[serde(default)]
    pub continue_from: Option<PathBuf>,
    /// The share of the result in the win rate to learn; the rest is that of the search value.
    pub lambda: f32,
    /// The search value in the data sets that means a win rate of 73 %.
    pub value_scale: f32,
    /// How it is trained.
    pub settings: SparseSettings,
    /// Threads that read the data; all cores by default. The training itself has one.
    pub threads: Option<usize>,
}

impl SparseJob {
    /// The share of the result that has proven itself.
    pub const LAMBDA: f32 = 0.3;
    /// The scale in which data sets store values.
    pub const VALUE_SCALE: f32 = 600.0;

    /// Trains and writes the weights, or continues an interrupted run of the same job.
    ///
    /// # Errors
    /// A bad setting, a file that cannot be used, or cancellation: then the state is saved.
    pub fn run<G: SparseEvaluation>(
        &self,
        context: Context<'_>,
        events: &mut dyn FnMut(&SparsePoint),
    ) -> Result<SparseOutcome, JobError> {
        let (train, test) = (self.read::<G>(&self.data)?, self.read::<G>(&self.test)?);
        let start = self.continue_from.as_deref().map(start_weights::<G>).transpose()?;
        let task = self.task::<G>(&train, &test, start.as_ref());
        let start = start.as_ref().map(|weights| weights.stage(0));
        let (settings, out) = (&self.settings, &self.out);
        let (train, test) = (&train.positions, &test.positions);
        let (model, factors, scale, task) = (G::MODEL, G::factors(), G::SCALE, &task);
        SparseTraining { model, factors, start, scale, train, test, settings, task, out }.run(context, events)
    }

    /// Reads the positions of data sets that can be learned. The order does not depend on the number of threads.
    fn read<G: SparseEvaluation>(&self, paths: &[PathBuf]) -> Result<ReadSets<G>, JobError> {
        let sets = paths.iter().map(PositionSet::<G>::open).collect::<Result<Vec<_>, _>>().map_err(JobError::input)?;
        let tasks: Vec<_> = sets.iter().flat_map(|set| (0..set.blocks()).map(move |block| (set, block))).collect();
        let tasks: Vec<_> = tasks.into_iter().enumerate().collect();
        type Parts = Vec<(usize, Result<SparseData, DataSetError>)>;
        let parts = fold(self.threads.unwrap_or_else(cores), tasks, |(at, (set, block)), parts: &mut Parts| {
            parts.push((at, self.read_block(set, block)));
        });
        let mut parts: Parts = parts.into_iter().flatten().collect();
        parts.sort_by_key(|(at, _)| *at);
        let mut positions = SparseData::default();
        for (_, part) in parts {
            positions.append(&part.map_err(JobError::input)?);
        }
        Ok(ReadSets { sets, positions })
    }

    fn read_block<G: SparseEvaluation>(&self, set: &PositionSet<G>, block: usize) -> Result<SparseData, DataSetError> {
        let (mut data, mut features) = (SparseData::default(), Vec::new());
        set.for_each_in_block(block, |_, entry| {
            let Some(target) = target(entry, self.lambda, self.value_scale) else { return };
            features.clear();
            if entry.position.clone().sparse_features(&mut features) {
                data.push(&features, target, entry.result.map(points));
            }
        })?;
        Ok(data)
    }

    /// The command that trains the same weights, and the data.
    fn task<G: SparseEvaluation>(&self, train: &ReadSets<G>, test: &ReadSets<G>, start: Option<&Weights>) -> String {
        let names = |files: &[PathBuf]| {
            files.iter().map(|file| tesuji_learn::job::file_name(file)).collect::<Vec<_>>().join(" ")
        };
        let SparseSettings { batch, rate, decay, damping, epochs, seed, .. } = self.settings;
        let tests = if self.test.is_empty() { String::new() } else { format!(" --test {}", names(&self.test)) };
        let from = self.continue_from.as_deref().map(tesuji_learn::job::file_name);
        let from = from.map_or(String::new(), |name| format!(" --continue {name}"));
        let mut text = format!(
            "tesuji train {} --data {}{tests}{from} --epochs {epochs} --batch {batch} --lr {rate} --weight-decay {decay} \
             --lambda {} --value-scale {} --seed {seed}",
            G::NAME,
            names(&self.data),
            self.lambda,
            self.value_scale,
        );
        text += &format!("\nAdagrad with {damping} added to the sums of squares, encoding {}", G::ENCODING.name);
        if let Some(start) = start {
            let provenance = start.provenance().replace('\n', "\n  ");
            text += &format!("\ncontinued: checksum {:08x}\n  {provenance}", start.checksum());
        }
        for (what, read) in [("data", train), ("test", test)] {
            for set in &read.sets {
                let (name, sum) = (tesuji_learn::job::file_name(set.path()), set.checksum());
                text +=
                    &format!("\n{what} {name}: {} positions of {} games, checksum {sum:08x}", set.len(), set.games());
                text += &format!("\n  {}", set.provenance().replace('\n', "\n  "));
            }
            if !read.sets.is_empty() {
                text += &format!("\n{what}: {} positions that can be learned", read.positions.len());
            }
        }
        text
    }
}

/// The weights of a file to begin with.
fn start_weights<G: SparseEvaluation>(path: &Path) -> Result<Weights, JobError> {
    let weights = Weights::parse(&read_input(path)?);
    let weights = weights.and_then(|weights| weights.check_name(G::MODEL, 1, G::factors().features()));
    weights.map_err(|error| JobError::field("continue", format!("{}: {error}", path.display())))
}

/// Data sets, and what can be learned from them.
struct ReadSets<G> {
    sets: Vec<PositionSet<G>>,
    positions: SparseData,
}

/// The win rate to learn, if anything is known.
fn target<G>(entry: &PositionEntry<G>, lambda: f32, scale: f32) -> Option<f32> {
    let result = entry.result.map(points);
    let value = entry.value.filter(|_| lambda < 1.0).map(|value| 1.0 / (1.0 + (-f32::from(value) / scale).exp()));
    match (result.filter(|_| lambda > 0.0), value) {
        (Some(result), Some(value)) => Some(lambda * result + (1.0 - lambda) * value),
        (one, other) => one.or(other),
    }
}

fn points(result: Outcome) -> f32 {
    match result {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    }
}
