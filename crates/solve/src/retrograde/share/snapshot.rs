//! Snapshots of shares. All shares save one after the same round, so that equal rounds fit together.

use std::path::Path;

use tesuji_game::PerfectIndex;

use super::lookup::{Answers, Request};
use super::{Partition, ShareCounters, SharePhase, ShareStage, ShareValues};
use crate::retrograde::checkpoint::{CheckpointDir, Snapshot};
use crate::retrograde::error::RetrogradeError;
use crate::retrograde::memory::Plane;
use crate::retrograde::values::ClassValues;

/// The name of the snapshots.
const STATE: &str = "work";

impl<G: PerfectIndex> ShareStage<'_, G> {
    /// Saves a snapshot after a round, in place of the older of two.
    ///
    /// # Errors
    /// A file could not be written.
    pub fn save(&self, checkpoints: &mut CheckpointDir, stage: usize, round: u64) -> Result<(), RetrogradeError> {
        let phase = match self.phase {
            SharePhase::Look { block } => format!("look {block}"),
            SharePhase::Convert { number, block } => format!("convert {number} {block}"),
            SharePhase::Propagate { layer, block } => format!("push {layer} {block}"),
            SharePhase::Done => "done".to_owned(),
        };
        let ShareCounters { edges, decided, last_active, horizon } = self.counters;
        let facts = [
            ("stage", format!("{stage} {}", self.places())),
            ("round", round.to_string()),
            ("phase", phase),
            ("progress", format!("{edges} {decided} {last_active} {horizon}")),
        ];
        let (answers, requests) = (self.answers.save(), Request::save(&self.requests));
        let symmetric: Vec<u8> = self.symmetric_boards.iter().flat_map(|at| at.to_le_bytes()).collect();
        let planes: [(&str, &[u8]); 6] = [
            ("cells", &self.states),
            ("first", &self.first),
            ("second", &self.second),
            ("apart", &symmetric),
            ("answers", &answers),
            ("requests", &requests),
        ];
        checkpoints.save_state(STATE, &facts, &planes)
    }

    /// Restores the snapshot after a round.
    ///
    /// # Errors
    /// A file is missing or damaged. Then the share is to be made anew.
    pub fn restore(
        &mut self,
        checkpoints: &mut CheckpointDir,
        stage: usize,
        round: u64,
    ) -> Result<(), RetrogradeError> {
        let snapshots = checkpoints.snapshots(STATE)?;
        let Some(found) = snapshots.iter().find(|found| is_of(found, stage, self.places(), Some(round))) else {
            return Err(checkpoints.missing(&format!("a snapshot of round {round}")));
        };
        let phase = match (found.fact("phase").split(' ').next(), &found.numbers("phase")[..]) {
            (Some("look"), &[block]) => SharePhase::Look { block: block as usize },
            (Some("convert"), &[number, block]) => {
                SharePhase::Convert { number: number as usize, block: block as usize }
            }
            (Some("push"), &[layer, block]) => SharePhase::Propagate { layer: layer as u8, block: block as usize },
            (Some("done"), &[]) => SharePhase::Done,
            _ => return Err(found.unreadable()),
        };
        let &[edges, decided, last_active, horizon] = &found.numbers("progress")[..] else {
            return Err(found.unreadable());
        };
        let list = |name: &str| {
            let mut bytes = vec![0; found.length(name)];
            found.load(name, &mut bytes).map(|()| bytes)
        };
        found.load("cells", &mut self.states)?;
        found.load("first", &mut self.first)?;
        found.load("second", &mut self.second)?;
        let symmetric = list("apart")?;
        self.symmetric_boards = symmetric.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        self.answers = Answers::load(&list("answers")?);
        self.requests = Request::load(&list("requests")?);
        self.phase = phase;
        self.counters = ShareCounters { edges, decided, last_active: last_active as u8, horizon: horizon as u8 };
        Ok(())
    }

    /// The rounds of this stage after which there is a snapshot.
    ///
    /// # Errors
    /// The snapshots belong to another game.
    pub fn rounds(&self, checkpoints: &mut CheckpointDir, stage: usize) -> Result<Vec<u64>, RetrogradeError> {
        let snapshots = checkpoints.snapshots(STATE)?;
        let fitting = snapshots.iter().filter(|found| is_of(found, stage, self.places(), None));
        Ok(fitting.filter_map(|found| found.numbers("round").first().copied()).collect())
    }
}

fn is_of(found: &Snapshot, stage: usize, places: usize, round: Option<u64>) -> bool {
    let right = found.fact("stage") == format!("{stage} {places}");
    right && round.is_none_or(|round| found.numbers("round") == [round])
}

impl CheckpointDir {
    /// Opens or creates the checkpoints of one share of a game. Those of another division are an error.
    ///
    /// # Errors
    /// A file cannot be read or written, or another run uses the directory.
    pub fn open_share(
        dir: impl AsRef<Path>,
        game: &str,
        partition: Partition,
        share: usize,
    ) -> Result<CheckpointDir, RetrogradeError> {
        let bits = partition.band_bits();
        CheckpointDir::open(dir, &format!("{game}, share {share} of {} by bands of 2^{bits}", partition.shares()))
    }

    /// Keeps the snapshot after this round and removes any other, so that the next one cannot take its place.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn keep_round(&mut self, round: Option<u64>) -> Result<(), RetrogradeError> {
        for found in self.snapshots(STATE)? {
            if round.is_none_or(|round| found.numbers("round") != [round]) {
                found.remove()?;
            }
        }
        Ok(())
    }

    /// Removes the snapshots of a stage whose classes are all saved.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn forget_rounds(&mut self) -> Result<(), RetrogradeError> {
        self.clear_states(STATE)
    }

    /// Saves this share of a solved class.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn put_share<G: PerfectIndex>(
        &mut self,
        game: &G,
        class: u8,
        planes: [&[u8]; 3],
    ) -> Result<(), RetrogradeError> {
        self.put_planes(game, class, planes)
    }

    /// This share of the values of a solved class with nothing forbidden, by place.
    ///
    /// # Errors
    /// They are missing or damaged.
    pub fn share_first<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        partition: Partition,
    ) -> Result<Plane, RetrogradeError> {
        self.first_plane(game, class, partition.places(game.size(class)) as usize)
    }

    /// This share of the values of a solved class.
    ///
    /// # Errors
    /// They are missing or damaged.
    pub fn share_values<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        partition: Partition,
    ) -> Result<ShareValues, RetrogradeError> {
        let places = partition.places(game.size(class)) as usize;
        let values: Option<ClassValues> = self.class_planes(game, class, places)?;
        let values = values.ok_or_else(|| self.missing(&format!("the share of class {}", game.class_name(class))))?;
        Ok(ShareValues::new(partition, values))
    }
}
