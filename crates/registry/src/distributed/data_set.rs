//! Data sets in units of several games, or of several positions to label.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_learn::JobError;
use tesuji_learn::numbered::{NumberFeed, NumberedJob};
use tesuji_task::CancelToken;

use super::{CollectedJob, Unit, UnitFeed, UnitJob, UnitResults};
use crate::{Error, GameHandle, LabelJob, NetworkSelfPlayJob, Playable, Registration, SelfPlayJob, ValueSelfPlayJob};

/// What a data set is made of. The file and the threads of the job do not count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
// A name that no field of a job has.
#[serde(tag = "purpose", rename_all = "kebab-case")]
pub enum DataSetJob {
    /// Self-play for the weights of an evaluation.
    SelfPlay(SelfPlayJob),
    /// Self-play for an evaluation that learns from positions.
    ValueSelfPlay(ValueSelfPlayJob),
    /// Self-play for a network.
    NetworkSelfPlay(NetworkSelfPlayJob),
    /// Labels by search.
    Label(LabelJob),
}

impl DataSetJob {
    /// The file that one machine would write.
    pub fn out_mut(&mut self) -> &mut PathBuf {
        match self {
            DataSetJob::SelfPlay(job) => &mut job.out,
            DataSetJob::ValueSelfPlay(job) => &mut job.out,
            DataSetJob::NetworkSelfPlay(job) => &mut job.out,
            DataSetJob::Label(job) => &mut job.out,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            DataSetJob::Label(_) => "labels",
            _ => "selfplay",
        }
    }
}

/// Data sets as numbered games or positions.
pub trait DataSetUnitsApi {
    /// A job cut into numbered games or positions.
    ///
    /// # Errors
    /// A setting is invalid, or a file cannot be read here.
    fn numbered_job(&self, job: &DataSetJob) -> Result<NumberedJob, Error>;
}

impl<G: Playable> DataSetUnitsApi for Registration<G> {
    fn numbered_job(&self, job: &DataSetJob) -> Result<NumberedJob, Error> {
        match job {
            DataSetJob::SelfPlay(job) => self.numbered_self_play(job),
            DataSetJob::Label(job) => self.numbered_labels(job),
            DataSetJob::ValueSelfPlay(job) => self.numbered_value_self_play(job),
            DataSetJob::NetworkSelfPlay(job) => self.numbered_network_self_play(job),
        }
    }
}

/// The longest unit: more would be lost with a worker than is saved by claiming less often.
const LONGEST: u32 = 100_000;

pub(super) fn open(game: &GameHandle, job: &DataSetJob, group: u32) -> Result<Box<dyn UnitJob>, Error> {
    if !(1..=LONGEST).contains(&group) {
        return Err(Error::field("group", format!("{group}: from 1 to {LONGEST}")));
    }
    Ok(Box::new(DataSetUnits { numbered: game.numbered_job(job)?, group }))
}

struct DataSetUnits {
    numbered: NumberedJob,
    group: u32,
}

impl UnitJob for DataSetUnits {
    fn identity(&self) -> String {
        format!("{}\n{} in groups of {}\n", self.numbered.task, self.numbered.parts, self.group)
    }

    fn units(&self) -> u32 {
        self.numbered.parts.div_ceil(self.group)
    }

    fn work(&self, feed: &mut dyn UnitFeed) -> Result<(), Error> {
        let mut feed = GroupFeed { feed, group: self.group, parts: self.numbered.parts, current: None };
        (self.numbered.work)(&mut feed)?;
        Ok(())
    }

    fn collect(&self, out: &Path, results: UnitResults<'_>) -> Result<CollectedJob, Error> {
        if out.exists() {
            let out = out.display();
            return Err(Error::field("out", format!("{out} already exists: choose another name")));
        }
        crate::training::check_output(out)?;
        let damaged = |unit: u32| JobError::Failed(format!("the result of unit {unit} is damaged"));
        let mut wanted = 0;
        let units = results.map(|result| {
            let (unit, bytes) = result.map_err(JobError::failed)?;
            if unit != wanted {
                return Err(JobError::Failed(format!("the result of unit {wanted} is missing")));
            }
            wanted += 1;
            let parts = split(&bytes).ok_or_else(|| damaged(unit))?;
            let first = unit * self.group;
            let expected = (first + self.group).min(self.numbered.parts) - first;
            if parts.len() == expected as usize { Ok(parts) } else { Err(damaged(unit)) }
        });
        let mut parts = units.flat_map(|unit| match unit {
            Ok(parts) => parts.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        let positions = (self.numbered.save)(out, &mut parts)?;
        Ok(CollectedJob::DataSet { set: out.display().to_string(), positions })
    }
}

/// Hands out the parts of units one by one and joins their results, each with its length in front.
struct GroupFeed<'a> {
    feed: &'a mut dyn UnitFeed,
    group: u32,
    parts: u32,
    current: Option<Group>,
}

struct Group {
    next: u32,
    end: u32,
    cancel: CancelToken,
    /// The results so far.
    bytes: Vec<u8>,
    /// Whether the part that was handed out last has a result.
    is_answered: bool,
}

impl NumberFeed for GroupFeed<'_> {
    fn next(&mut self) -> Option<(u32, CancelToken)> {
        if self.current.as_ref().is_none_or(|group| !group.is_answered || group.cancel.is_cancelled()) {
            let Unit { number, cancel, .. } = self.feed.next()?;
            let first = number * self.group;
            let end = (first + self.group).min(self.parts);
            self.current = Some(Group { next: first, end, cancel, bytes: Vec::new(), is_answered: true });
        }
        let group = self.current.as_mut()?;
        group.is_answered = false;
        group.next += 1;
        Some((group.next - 1, group.cancel.clone()))
    }

    fn done(&mut self, result: Vec<u8>) {
        let Some(group) = &mut self.current else { return };
        group.is_answered = true;
        group.bytes.extend((result.len() as u32).to_le_bytes());
        group.bytes.extend(result);
        if group.next == group.end {
            let bytes = std::mem::take(&mut group.bytes);
            self.current = None;
            self.feed.done(bytes);
        }
    }
}

/// The results that [`GroupFeed`] joined.
fn split(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        parts.push(part.to_vec());
        bytes = rest;
    }
    bytes.is_empty().then_some(parts)
}
