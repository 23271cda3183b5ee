//! The verification of a tablebase in units: blocks whose checksums are compared, and ranges of boards.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_game::HasPerfectIndex;
use tesuji_solve::reachability::{Distance, DistanceMismatch};
use tesuji_solve::retrograde::{BoardValue, ValueMismatch};
use tesuji_solve::tablebase::verify::{CheckedBoards, StoredValues, VerifyPart, VerifyPartReport, VerifyParts};

use super::{CollectedJob, UnitFeed, UnitJob, UnitResults};
use crate::tablebase::{verify_event, verify_failure, verify_job, verify_response};
use crate::{Error, Playable, Registry, VerifyRequest};

/// Boards of a range: a unit has several.
const RANGE: u32 = 1 << 14;

impl Registry {
    /// The game whose tablebase lies at the path of a request.
    ///
    /// # Errors
    /// There is none, or it cannot be verified in units.
    pub fn tablebase_game(&self, request: &VerifyRequest) -> Result<String, Error> {
        for game in self.games() {
            if game.verification_units(request, 1)?.is_some() {
                return Ok(game.name().to_owned());
            }
        }
        let path = &request.path;
        Err(Error::invalid(format!("{path}: no tablebase; `tesuji verify` verifies other files on one machine")))
    }
}

pub(crate) fn verification_units<G: Playable + HasPerfectIndex>(
    request: &VerifyRequest,
    group: u32,
) -> Result<Option<Box<dyn UnitJob>>, Error> {
    if request.statistics {
        return Err(Error::field("statistics", "they are counted by `tesuji verify --statistics` on one machine"));
    }
    let opened = VerifyParts::<G>::open(&verify_job::<G>(request), group.saturating_mul(RANGE));
    let path = &request.path;
    let whole =
        |_| Error::invalid(format!("{path}: nothing that could be verified in units; `tesuji verify` tells more"));
    let parts = opened.map_err(whole)?;
    let units = |parts| Box::new(VerificationUnits::<G> { parts, request: request.clone(), group }) as Box<dyn UnitJob>;
    Ok(parts.map(units))
}

struct VerificationUnits<G: HasPerfectIndex> {
    parts: VerifyParts<G>,
    request: VerifyRequest,
    group: u32,
}

impl<G: Playable + HasPerfectIndex> VerificationUnits<G> {
    fn part(&self, unit: u32) -> Result<&VerifyPart, Error> {
        let unknown = || Error::failed(format!("there is no unit {unit}"));
        self.parts.parts().get(unit as usize).ok_or_else(unknown)
    }
}

impl<G: Playable + HasPerfectIndex> UnitJob for VerificationUnits<G> {
    fn identity(&self) -> String {
        let VerifyRequest { sums, step, .. } = self.request;
        let head = format!("game {}, sums {sums}, step {step}, units of {} ranges\n", G::NAME, self.group);
        head + &self.parts.identity()
    }

    fn units(&self) -> u32 {
        self.parts.parts().len() as u32
    }

    fn work(&self, feed: &mut dyn UnitFeed) -> Result<(), Error> {
        while let Some(unit) = feed.next() {
            let found = self.parts.run(self.part(unit.number)?, &unit.cancel).map_err(verify_failure)?;
            if let Some(report) = found {
                let report = UnitReport::from(report);
                feed.done(serde_json::to_vec(&report).map_err(Error::failed)?);
            }
        }
        Ok(())
    }

    fn collect(&self, _: &Path, results: UnitResults<'_>) -> Result<CollectedJob, Error> {
        let mut reports: Vec<VerifyPartReport> = Vec::new();
        for result in results {
            let (unit, bytes) = result?;
            let damaged = || Error::failed(format!("the result of unit {unit} is damaged"));
            if unit as usize != reports.len() {
                return Err(Error::failed(format!("the result of unit {} is missing", reports.len())));
            }
            let report: UnitReport = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
            reports.push(report.into());
        }
        if reports.len() != self.units() as usize {
            return Err(Error::failed(format!("the result of unit {} is missing", reports.len())));
        }
        let mut events = Vec::new();
        let report =
            self.parts.assemble(&reports, &mut |told| events.push(verify_event::<G>(told))).map_err(verify_failure)?;
        Ok(CollectedJob::Verification { events, response: Box::new(verify_response::<G>(&self.request, report)) })
    }
}

/// What was found in a unit, as it is stored.
#[derive(Serialize, Deserialize)]
struct UnitReport {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<usize>,
    boards: u64,
    wrong: u64,
    /// Class and index, then the stored value and the right one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<Mismatch>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    distances: Vec<Mismatch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<(Vec<u64>, u64)>,
    seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
}

type Mismatch = (u8, u32, [u8; 3], [u8; 3]);

impl From<VerifyPartReport> for UnitReport {
    fn from(report: VerifyPartReport) -> UnitReport {
        let VerifyPartReport { damaged, checked, stored, distances, seconds, unreadable } = report;
        let value = |value: BoardValue| [value.first, value.mv, value.second];
        let distance = |distance: Distance| [distance.first, distance.mv, distance.second];
        let values = checked.shown.into_iter();
        UnitReport {
            damaged,
            boards: checked.boards,
            wrong: checked.wrong,
            values: values.map(|wrong| (wrong.class, wrong.index, value(wrong.stored), value(wrong.derived))).collect(),
            distances: distances
                .into_iter()
                .map(|wrong| (wrong.class, wrong.index, distance(wrong.stored), distance(wrong.derived)))
                .collect(),
            counts: stored.map(|stored| (stored.counts, stored.exceptions)),
            seconds,
            unreadable,
        }
    }
}

impl From<UnitReport> for VerifyPartReport {
    fn from(report: UnitReport) -> VerifyPartReport {
        let value = |[first, mv, second]: [u8; 3]| BoardValue { first, mv, second };
        let distance = |[first, mv, second]: [u8; 3]| Distance { first, mv, second };
        let shown = report.values.into_iter().map(|(class, index, stored, derived)| ValueMismatch {
            class,
            index,
            stored: value(stored),
            derived: value(derived),
        });
        let distances = report.distances.into_iter().map(|(class, index, stored, derived)| DistanceMismatch {
            class,
            index,
            stored: distance(stored),
            derived: distance(derived),
        });
        VerifyPartReport {
            damaged: report.damaged,
            checked: CheckedBoards { boards: report.boards, wrong: report.wrong, shown: shown.collect() },
            stored: report.counts.map(|(counts, exceptions)| StoredValues { counts, exceptions }),
            distances: distances.collect(),
            seconds: report.seconds,
            unreadable: report.unreadable,
        }
    }
}
