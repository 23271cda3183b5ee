//! The journal of a run: its settings, then a line per step. It holds no times, so that an interrupted run has the same
//! journal as one that was not.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_store::{Journal, journal};

use super::{Figures, GateScore, PlayedGames, TrainedEvaluation};
use crate::JobError;

const KIND: &str = "improve";

/// A step that is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum ImproveStep {
    /// Games were played.
    SelfPlay {
        /// The generation.
        generation: u32,
        /// What was played.
        #[serde(flatten)]
        played: PlayedGames,
    },
    /// An evaluation was trained.
    Training {
        /// The generation.
        generation: u32,
        /// What was trained.
        #[serde(flatten)]
        trained: TrainedEvaluation,
    },
    /// An evaluation was measured; generation 0 is the start.
    Measurement {
        /// The generation.
        generation: u32,
        /// What was measured.
        figures: Figures,
    },
    /// The gate was open or closed.
    Gate {
        /// The generation.
        generation: u32,
        /// The score of the candidate; `None` if no match was played.
        score: Option<GateScore>,
        /// Whether it is the best evaluation now.
        accepted: bool,
    },
}

impl ImproveStep {
    /// The generation it belongs to.
    pub fn generation(&self) -> u32 {
        match self {
            ImproveStep::SelfPlay { generation, .. }
            | ImproveStep::Training { generation, .. }
            | ImproveStep::Measurement { generation, .. }
            | ImproveStep::Gate { generation, .. } => *generation,
        }
    }
}

/// The journal of a run.
#[derive(Debug)]
pub struct ImproveJournal {
    journal: Journal,
    steps: Vec<ImproveStep>,
}

impl ImproveJournal {
    /// Starts a journal, or continues one of the same settings.
    pub(super) fn open(path: &Path, settings: &str) -> Result<ImproveJournal, JobError> {
        if !path.exists() {
            let mut journal = Journal::create(path, KIND).map_err(JobError::failed)?;
            journal.append(settings).map_err(JobError::failed)?;
            return Ok(ImproveJournal { journal, steps: Vec::new() });
        }
        let (mut journal, lines) = Journal::open(path, KIND).map_err(JobError::input)?;
        match lines.first() {
            // Killed between the header and the first line.
            None => journal.append(settings).map_err(JobError::failed)?,
            Some(found) if found != settings => {
                return Err(JobError::Input(format!(
                    "{} was started with other settings ({found}): go on with those, or choose another folder",
                    path.display()
                )));
            }
            Some(_) => {}
        }
        Ok(ImproveJournal { journal, steps: parse(path, lines.get(1..).unwrap_or_default())? })
    }

    /// The steps in the journal of a run, also while it is written.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is another journal.
    pub fn read(path: &Path) -> Result<Vec<ImproveStep>, JobError> {
        let content = journal::read(path, KIND).map_err(JobError::input)?;
        parse(path, content.lines.get(1..).unwrap_or_default())
    }

    /// The steps that are done, in their order.
    pub fn steps(&self) -> &[ImproveStep] {
        &self.steps
    }

    /// Appends a step. It is on disk when this returns.
    pub(super) fn append(&mut self, step: ImproveStep) -> Result<(), JobError> {
        let line = serde_json::to_string(&step).map_err(JobError::failed)?;
        self.journal.append(&line).map_err(JobError::failed)?;
        self.steps.push(step);
        Ok(())
    }
}

fn parse(path: &Path, lines: &[String]) -> Result<Vec<ImproveStep>, JobError> {
    let step = |(at, line): (usize, &String)| {
        serde_json::from_str(line)
            .map_err(|error| JobError::Input(format!("{}, line {}: {error}", path.display(), at + 3)))
    };
    lines.iter().enumerate().map(step).collect()
}
