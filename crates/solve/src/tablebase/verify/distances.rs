//! Verification of the distances from the start.

use std::time::Instant;

use tesuji_game::PerfectIndex;
use tesuji_task::Context;

use super::VerifyError;
use super::entries::MAX_SHOWN;
use crate::reachability::{self, DistanceInfo, DistanceMismatch, DistanceStatistics, DistanceTable};
use crate::tablebase::TablebaseError;

/// The verification of the distances.
#[derive(Debug)]
pub struct DistanceReport {
    /// The headers of the files.
    pub info: Vec<DistanceInfo>,
    /// Boards checked.
    pub boards: u64,
    /// Boards with a wrong distance.
    pub wrong: u64,
    /// The first mismatches.
    pub shown: Vec<DistanceMismatch>,
    /// Wall time.
    pub seconds: f64,
    /// The statistics, if requested.
    pub statistics: Option<DistanceStatistics>,
}

/// Derives all distances, and counts them if requested.
pub(super) fn verify_distances<R: PerfectIndex + Send>(
    table: &DistanceTable<R>,
    start: R::Board,
    threads: usize,
    statistics: bool,
    context: Context<'_>,
) -> Result<DistanceReport, VerifyError> {
    let (begun, game) = (Instant::now(), &**table.game());
    let info: Vec<DistanceInfo> = table.info().cloned().collect();
    let counter = context.counter(info.iter().map(|info| info.boards).sum());
    let map = match table.load(threads, context.cancel) {
        Err(TablebaseError::Stopped) => return Err(VerifyError::Cancelled),
        loaded => loaded?,
    };
    let (boards, mut shown) = reachability::verify(game, start, &map, threads, &|done| counter.raise_to(done))?;
    let (wrong, seconds) = (shown.len() as u64, begun.elapsed().as_secs_f64());
    shown.truncate(MAX_SHOWN);
    if context.is_cancelled() {
        return Err(VerifyError::Cancelled);
    }
    let statistics = match statistics {
        false => None,
        true => Some(reachability::statistics(game, &map, threads, context.cancel).ok_or(VerifyError::Cancelled)?),
    };
    Ok(DistanceReport { info, boards, wrong, shown, seconds, statistics })
}
