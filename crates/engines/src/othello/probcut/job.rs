//! The ProbCut job: draws positions, measures them, fits the parameters and writes them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_learn::job::{file_name, write_new};
use tesuji_learn::{JobError, TrainingData};
use tesuji_task::{Context, cores};

use super::{DepthDifferences, ProbCutParameters, StudyDepths};
use crate::othello::pattern::PatternModel;
use crate::othello::training::load_evaluation;

/// Fits the error model of Multi-ProbCut to searches of positions from data sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProbCutJob {
    /// The data sets; only their positions are used.
    pub data: Vec<PathBuf>,
    /// The file for the parameters.
    pub out: PathBuf,
    /// The weights to search with; those that ship if absent.
    pub weights: Option<PathBuf>,
    /// Positions per stage.
    pub positions: u32,
    /// The largest depth.
    pub depth: u32,
    /// Positions with at most this many empty squares are also solved.
    pub solve: u32,
    /// The seed of the draw.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// Size of each search's transposition table in MiB; 4 if absent.
    #[serde(default)]
    pub hash: Option<usize>,
}

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbCutOutcome {
    /// Positions measured.
    pub positions: usize,
    /// The measured differences.
    pub differences: DepthDifferences,
    /// The fitted parameters.
    pub parameters: ProbCutParameters,
}

impl ProbCutJob {
    /// Measures, fits and writes the file.
    pub fn run(&self, context: Context<'_>) -> Result<ProbCutOutcome, JobError> {
        if self.out.exists() {
            let path = self.out.display();
            return Err(JobError::Input(format!("{path} already exists: choose another name")));
        }
        let eval = load_evaluation(self.weights.as_deref())?;
        let data = TrainingData::load(&PatternModel::new(), &self.data)?;
        let positions = DepthDifferences::draw_positions(&data.samples, self.positions as usize, self.seed);
        let depths = StudyDepths { plies: self.depth, end: self.solve, hash: self.hash };
        let threads = self.threads.unwrap_or_else(cores);
        let differences = DepthDifferences::measure(&eval, &positions, depths, threads, context)
            .ok_or_else(|| JobError::Cancelled("interrupted; nothing was written".to_owned()))?;
        let parameters = differences.fit().ok_or_else(|| {
            JobError::field("data", "too few positions for a fit: give more data sets, or more positions per stage")
        })?;
        let mut provenance = self.provenance(positions.len());
        for source in &data.sources {
            provenance.push('\n');
            provenance.push_str(&source.line());
        }
        write_new(&self.out, parameters.print(&provenance).as_bytes())?;
        Ok(ProbCutOutcome { positions: positions.len(), differences, parameters })
    }

    /// Everything that the parameters depend on, except the data sets. Part of the file.
    fn provenance(&self, total: usize) -> String {
        let ProbCutJob { positions, depth, solve, seed, .. } = self;
        let weights = self.weights.as_deref().map_or_else(|| "the weights that ship".to_owned(), file_name);
        format!(
            "by tesuji {} with {weights}\n--positions {positions} --depth {depth} --solve {solve} --seed {seed}: {total} \
             in all",
            env!("CARGO_PKG_VERSION")
        )
    }
}
