//! Parts of records: one record of a file, a game up to a ply, a position with so many empty squares.

use serde::{Deserialize, Serialize};
use tesuji_game::{Format, Record};

use crate::{Error, Playable, Registration};

/// Which part of which records is wanted; everything by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordCut {
    /// Only the record of this number in each file, from 1.
    pub index: Option<usize>,
    /// Only so many plies.
    pub ply: Option<usize>,
    /// Only up to the position with so many empty squares; the move played there has the final score as its value.
    pub empties: Option<u32>,
}

impl RecordCut {
    /// Refuses what the game does not have.
    pub(crate) fn check<G: Playable>(&self, registration: &Registration<G>) -> Result<(), Error> {
        match self.empties {
            Some(_) if registration.at_empties.is_none() => {
                Err(Error::field("empties", format!("{} does not count empty squares; use ply", G::NAME)))
            }
            _ => Ok(()),
        }
    }

    /// Whether the record of this number is wanted.
    pub(crate) fn wants(&self, index: usize) -> bool {
        self.index.is_none_or(|wanted| wanted == index)
    }

    /// The wanted part of a record, or why it has none.
    pub(crate) fn apply<G: Playable>(
        &self,
        registration: &Registration<G>,
        mut record: Record<G>,
    ) -> Result<Record<G>, String> {
        if let (Some(empties), Some(at_empties)) = (self.empties, registration.at_empties) {
            record = at_empties(&record, empties)?;
        }
        let plies = record.plies().len();
        match self.ply {
            Some(ply) if ply > plies => Err(format!("it has {plies} plies, not {ply}")),
            Some(ply) if ply < plies => Ok(record.up_to(ply)),
            _ => Ok(record),
        }
    }
}

/// What of a record's variations is lost: those that could not be read, and all where the format has none.
pub(crate) fn lost_variations<G: Playable>(record: &Record<G>, to: Option<Format>) -> Vec<String> {
    let count = record.variations().len();
    if let Some(format) = to.filter(|&format| count > 0 && !G::keeps_variations(format)) {
        let lost = if count == 1 { "1 variation is".to_owned() } else { format!("{count} variations are") };
        return vec![format!("{lost} left out: {} has none", format.name)];
    }
    let faults = record.variations().iter().filter_map(|variation| Some((variation.after() + 1, variation.fault()?)));
    faults.map(|(number, fault)| format!("the variation at move {number} stops: {fault}")).collect()
}
