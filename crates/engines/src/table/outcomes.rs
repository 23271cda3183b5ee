//! Playing a decided position from a table that tells who wins but not how fast.
//!
//! Any move that keeps a win keeps it for ever, and playing such moves at random may never win. So a search values all
//! moves, and of those that the table calls best its favourite is played. Until the search sees the end, a move to a
//! position that has not stood in this game comes before one to a position that has: then nobody walks in circles.

use std::cmp::Reverse;

use tesuji_game::{HasPerfectIndex, Outcome, Record};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, Proven, PvLine, SearchReport, Value};

use super::perfect::stood;
use super::prospect::Prospect;

/// Chooses by search among the moves that keep the result, `ranked` being all moves with the best in front.
pub(super) fn think<G: HasPerfectIndex>(
    ranked: &[Prospect<G>],
    search: &mut dyn Engine<G>,
    record: &Record<G>,
    limits: &Limits,
    stop: &CancelToken,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Choice<G::Move> {
    let before = stood(record);
    let keeps = |prospect: &&Prospect<G>| ranked.first().is_some_and(|best| best.value() == prospect.value());
    let kept: Vec<&Prospect<G>> = ranked.iter().filter(keeps).collect();
    let times = |mv| {
        let prospect = kept.iter().find(|prospect| prospect.mv == mv)?;
        Some(before.iter().filter(|&game| *game == prospect.after).count())
    };
    let mut chosen: Option<Vec<G::Move>> = None;
    let all = Limits { lines: ranked.len(), ..limits.clone() };
    search.think(record, &all, stop, &mut |report| {
        let told = report.lines.iter().filter_map(|line| {
            let prospect = ranked.iter().find(|prospect| Some(&prospect.mv) == line.moves.first())?;
            let (value, bound) = judged(prospect, line.value);
            // Who loses may well walk in circles.
            let open = bound == Bound::Lower;
            let circles = times(prospect.mv).filter(|_| open).unwrap_or(0);
            let rank = (Reverse(prospect.value().0), open, circles, Reverse(line.value));
            Some((rank, PvLine { value, bound, ..line.clone() }))
        });
        let mut told: Vec<_> = told.collect();
        told.sort_by_key(|&(rank, _)| rank);
        let mut lines: Vec<_> = told.into_iter().map(|(_, line)| line).collect();
        let keeps = |line: &&PvLine<G::Move>| line.moves.first().copied().and_then(times).is_some();
        chosen = lines.first().filter(keeps).map(|line| line.moves.clone()).or(chosen.take());
        lines.truncate(limits.lines.max(1));
        watch(&SearchReport { lines, ..report.clone() });
    });
    let fresh = kept.iter().min_by_key(|prospect| times(prospect.mv));
    let line = chosen.or_else(|| fresh.map(|prospect| vec![prospect.mv])).unwrap_or_default();
    line.first().map_or(Choice::Over, |&mv| Choice::Move { mv, reply: line.get(1).copied() })
}

/// The worth of a move by the table, or by the search where that proves the same and tells the plies.
fn judged<G: HasPerfectIndex>(prospect: &Prospect<G>, searched: Value) -> (Value, Bound) {
    let proves = match searched.proven() {
        Some(Proven::Win(_)) => prospect.outcome == Outcome::Win,
        Some(Proven::Loss(_)) => prospect.outcome == Outcome::Loss,
        None => false,
    };
    if proves && prospect.plies.is_none() { (searched, Bound::Exact) } else { prospect.value() }
}
