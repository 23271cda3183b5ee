//! Play from a tablebase of outcomes (WDL), which has no distances.
//!
//! A move that keeps a win does not have to make progress. So a search ranks all moves, and the best of those that keep
//! the result is played. Until the search sees the end, moves to positions that are new in this game come first, so that
//! play does not cycle.

use std::cmp::Reverse;

use tesuji_game::{HasPerfectIndex, Outcome, Record};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, Proven, PvLine, SearchReport, Value};

use super::moves::ProbedMove;
use super::positions;

/// Chooses by search among the moves that keep the result. `ranked` holds all moves, best first.
pub(super) fn think<G: HasPerfectIndex>(
    ranked: &[ProbedMove<G>],
    search: &mut dyn Engine<G>,
    record: &Record<G>,
    limits: &Limits,
    stop: &CancelToken,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Choice<G::Move> {
    let before = positions(record);
    let keeps = |probed: &&ProbedMove<G>| ranked.first().is_some_and(|best| best.value() == probed.value());
    let kept: Vec<&ProbedMove<G>> = ranked.iter().filter(keeps).collect();
    let occurrences = |mv| {
        let probed = kept.iter().find(|probed| probed.mv == mv)?;
        Some(before.iter().filter(|&game| *game == probed.after).count())
    };
    let mut chosen: Option<Vec<G::Move>> = None;
    let all = Limits { lines: ranked.len(), ..limits.clone() };
    search.think(record, &all, stop, &mut |report| {
        let lines = report.lines.iter().filter_map(|line| {
            let probed = ranked.iter().find(|probed| Some(&probed.mv) == line.moves.first())?;
            let (value, bound) = combined(probed, line.value);
            // Only a winner has to avoid cycles.
            let unproven = bound == Bound::Lower;
            let cycles = occurrences(probed.mv).filter(|_| unproven).unwrap_or(0);
            let rank = (Reverse(probed.value().0), unproven, cycles, Reverse(line.value));
            Some((rank, PvLine { value, bound, solved: true, ..line.clone() }))
        });
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by_key(|&(rank, _)| rank);
        let mut lines: Vec<_> = lines.into_iter().map(|(_, line)| line).collect();
        let keeps = |line: &&PvLine<G::Move>| line.moves.first().copied().and_then(occurrences).is_some();
        chosen = lines.first().filter(keeps).map(|line| line.moves.clone()).or(chosen.take());
        lines.truncate(limits.lines.max(1));
        watch(&SearchReport { lines, ..report.clone() });
    });
    let newest = kept.iter().min_by_key(|probed| occurrences(probed.mv));
    let line = chosen.or_else(|| newest.map(|probed| vec![probed.mv])).unwrap_or_default();
    line.first().map_or(Choice::Over, |&mv| Choice::Move { mv, reply: line.get(1).copied() })
}

/// The tablebase value, or the value of a search that proves the same result with a distance.
fn combined<G: HasPerfectIndex>(probed: &ProbedMove<G>, searched: Value) -> (Value, Bound) {
    let agrees = match searched.proven() {
        Some(Proven::Win(_)) => probed.outcome == Outcome::Win,
        Some(Proven::Loss(_)) => probed.outcome == Outcome::Loss,
        None => false,
    };
    if agrees && probed.plies.is_none() { (searched, Bound::Exact) } else { probed.value() }
}
