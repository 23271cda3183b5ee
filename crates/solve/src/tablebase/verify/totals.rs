//! Totals: the counts of the verification beside those in headers and statistics, and published results.

use tesuji_game::PublishedResults;

use super::ClassReport;
use super::distances::DistanceReport;
use crate::retrograde::ClassStatistics;
use crate::tablebase::{ClassInfo, Metric, TablebaseSummary};

/// Where a count comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TotalsSource {
    /// The headers of the files.
    Headers,
    /// The file of statistics.
    Statistics,
    /// Published results of others.
    Published,
}

/// The counts of one source, compared.
#[derive(Clone, Debug)]
pub struct TotalsGroup {
    /// The source.
    pub source: TotalsSource,
    /// Counts compared.
    pub lines: u64,
    /// Those that differ.
    pub different: Vec<TotalsDifference>,
}

/// A count that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TotalsDifference {
    /// What was counted.
    pub what: String,
    /// The count of the source.
    pub expected: u64,
    /// The count of the verification.
    pub found: u64,
}

/// All compared counts.
#[derive(Clone, Default, Debug)]
pub struct TotalsReport(pub Vec<TotalsGroup>);

use TotalsSource::{Headers, Published, Statistics};

impl TotalsReport {
    fn group(&mut self, source: TotalsSource) -> &mut TotalsGroup {
        let at = self.0.iter().position(|group| group.source == source).unwrap_or_else(|| {
            self.0.push(TotalsGroup { source, lines: 0, different: Vec::new() });
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    fn line(&mut self, source: TotalsSource, what: impl FnOnce() -> String, expected: u64, found: u64) {
        let group = self.group(source);
        group.lines += 1;
        if expected != found {
            group.different.push(TotalsDifference { what: what(), expected, found });
        }
    }

    fn histogram(&mut self, source: TotalsSource, what: &str, expected: &[u64], found: &[u64]) {
        let end = |counts: &[u64]| counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
        for plies in 0..end(expected).max(end(found)) {
            let at = |counts: &[u64]| counts.get(plies).copied().unwrap_or(0);
            self.line(source, || format!("{what}, {plies} plies"), at(expected), at(found));
        }
    }

    /// Compares the header of a file with the boards counted by value.
    pub fn header(&mut self, info: &ClassInfo, counts: &[u64], exceptions: Option<u64>) {
        let [losses, draws, wins] = outcomes(counts);
        let name = info.path.file_name().unwrap_or_default().to_string_lossy();
        for (what, expected, found) in [
            ("boards", info.boards, losses + draws + wins),
            ("boards that win at once", info.wins_at_once, counts[1]),
            ("wins", info.wins, wins),
            ("losses", info.losses, losses),
            ("draws", info.draws, draws),
        ] {
            self.line(Headers, || format!("{name}, {what}"), expected, found);
        }
        if let Some(found) = exceptions {
            self.line(Headers, || format!("{name}, exceptions"), info.exceptions, found);
        }
        if info.metric == Metric::Dtw {
            let longest = counts.iter().rposition(|&count| count != 0).unwrap_or(0) as u64;
            self.line(Headers, || format!("{name}, longest"), info.longest.into(), longest);
        }
    }

    /// Compares the statistics with a verified class; `complete` when all classes are present.
    pub(super) fn statistics(&mut self, summary: &TablebaseSummary, complete: bool, class: &ClassReport) {
        let stored = summary.classes.iter().find(|stored| stored.class == class.info.class);
        let (Some(stored), Some((counts, exceptions))) = (stored, &class.counted) else { return };
        let (name, expected) = (&stored.name, &stored.statistics);
        if class.info.metric == Metric::Dtw {
            self.line(Statistics, || format!("class {name}, exceptions"), expected.exceptions, *exceptions);
            self.histogram(Statistics, &format!("class {name}, boards"), &expected.first, counts);
        }
        let Some(found) = class.statistics.as_ref().filter(|_| summary.complete == complete) else { return };
        self.histogram(Statistics, &format!("class {name}, nodes"), &expected.nodes, &found.nodes);
        for (what, expected, found) in [
            ("symmetric boards", expected.symmetric, found.symmetric),
            ("boards that no irreversible move leads to", expected.unled, found.unled),
            ("boards with two moves to one", expected.merged, found.merged),
        ] {
            self.line(Statistics, || format!("class {name}, {what}"), expected, found);
        }
    }

    /// Compares published results about a class.
    pub(super) fn published_class(&mut self, known: &PublishedResults, class: &ClassReport, first: bool) {
        let (name, Some((counts, _))) = (&class.info.name, &class.counted) else { return };
        if let Some(&(boards, at_once)) = known.classes.get(usize::from(class.info.class)) {
            self.line(Published, || format!("class {name}, boards"), boards, counts.iter().sum());
            self.line(Published, || format!("class {name}, boards that win at once"), at_once, counts[1]);
        }
        if !first || known.first_class.is_empty() {
            return;
        }
        if class.info.metric == Metric::Dtw {
            self.histogram(Published, &format!("class {name}, boards"), known.first_class, counts);
        } else {
            let (expected, found) = (outcomes(known.first_class), outcomes(counts));
            for (what, at) in [("losses", 0), ("draws", 1), ("wins", 2)] {
                self.line(Published, || format!("class {name}, {what}"), expected[at], found[at]);
            }
        }
    }

    /// Compares the published DTW of the start.
    pub(super) fn published_start(&mut self, known: &PublishedResults, start: u8) {
        self.line(Published, || "the start, plies".to_owned(), known.start.into(), start.into());
    }

    /// Compares published statistics of the whole game.
    pub(super) fn published_statistics(&mut self, known: &PublishedResults, total: &ClassStatistics) {
        let unled = "boards that no irreversible move leads to";
        self.line(Published, || unled.to_owned(), known.unled, total.unled);
    }

    /// Compares distances with their headers and with the statistics.
    pub(super) fn distances(&mut self, report: &DistanceReport, summary: Option<&TablebaseSummary>) {
        let Some(found) = &report.statistics else { return };
        let unreached = report.info.iter().map(|info| info.unreached).sum();
        self.line(Headers, || "boards never reached".to_owned(), unreached, found.unreached);
        let deepest = report.info.iter().map(|info| u64::from(info.deepest)).max().unwrap_or(0);
        let depth = found.boards.len().saturating_sub(1) as u64;
        self.line(Headers, || "plies from the start at most".to_owned(), deepest, depth);
        if let Some(expected) = summary.and_then(|summary| summary.distances.as_ref()) {
            self.histogram(Statistics, "boards from the start", &expected.boards, &found.boards);
            self.histogram(Statistics, "positions from the start", &expected.positions, &found.positions);
        }
    }

    /// Whether nothing differs.
    pub fn is_correct(&self) -> bool {
        self.0.iter().all(|group| group.different.is_empty())
    }
}

/// Losses, draws and wins among boards by DTW.
fn outcomes(counts: &[u64]) -> [u64; 3] {
    let wins = counts.iter().skip(1).step_by(2).sum();
    let losses = counts.iter().skip(2).step_by(2).sum();
    [losses, counts.first().copied().unwrap_or(0), wins]
}
