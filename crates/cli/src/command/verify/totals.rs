//! Totals, line by line: what was counted beside what heads and findings say, and what others found out.

use serde_json::{Value, json};
use tesuji_game::PublishedResults;
use tesuji_solve::retrograde::ClassStatistics;
use tesuji_solve::tablebase::TablebaseSummary;
use tesuji_solve::tablebase::{ClassInfo, Metric};

use super::entries::Class;
use super::reach::Reach;
use crate::command::solve::summary::grouped;
use crate::failure::Done;
use crate::out::Out;

const HEADS: &str = "the heads of the files";
const FINDINGS: &str = "the file of findings";
const OTHERS: &str = "what others found";

/// Lines of one source.
struct Group {
    source: &'static str,
    lines: u64,
    /// What differs: what it is, what the source says and what was found.
    different: Vec<(String, u64, u64)>,
}

/// All lines that were compared.
#[derive(Default)]
pub(super) struct Totals(Vec<Group>);

impl Totals {
    fn group(&mut self, source: &'static str) -> &mut Group {
        let at = self.0.iter().position(|group| group.source == source).unwrap_or_else(|| {
            self.0.push(Group { source, lines: 0, different: Vec::new() });
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    fn line(&mut self, source: &'static str, what: impl FnOnce() -> String, said: u64, found: u64) {
        let group = self.group(source);
        group.lines += 1;
        if said != found {
            group.different.push((what(), said, found));
        }
    }

    fn histogram(&mut self, source: &'static str, what: &str, said: &[u64], found: &[u64]) {
        let end = |counts: &[u64]| counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
        for plies in 0..end(said).max(end(found)) {
            let at = |counts: &[u64]| counts.get(plies).copied().unwrap_or(0);
            self.line(source, || format!("{what}, {plies} plies"), at(said), at(found));
        }
    }

    /// What the head of a file says, beside the boards by value that were counted.
    pub(super) fn head(&mut self, facts: &ClassInfo, counted: &[u64], exceptions: Option<u64>) {
        let [losses, draws, wins] = outcomes(counted);
        let name = facts.path.file_name().unwrap_or_default().to_string_lossy();
        for (what, said, found) in [
            ("boards", facts.boards, losses + draws + wins),
            ("boards that win at once", facts.wins_at_once, counted[1]),
            ("wins", facts.wins, wins),
            ("losses", facts.losses, losses),
            ("draws", facts.draws, draws),
        ] {
            self.line(HEADS, || format!("{name}, {what}"), said, found);
        }
        if let Some(found) = exceptions {
            self.line(HEADS, || format!("{name}, exceptions"), facts.exceptions, found);
        }
        if facts.metric == Metric::Dtw {
            let longest = counted.iter().rposition(|&count| count != 0).unwrap_or(0) as u64;
            self.line(HEADS, || format!("{name}, longest"), facts.longest.into(), longest);
        }
    }

    /// What was kept beside the table, beside a class that was looked at.
    pub(super) fn findings(&mut self, summary: &TablebaseSummary, whole: bool, class: &Class) {
        let found = summary.classes.iter().find(|found| found.class == class.facts.class);
        let (Some(found), Some((counted, exceptions))) = (found, &class.counted) else { return };
        let name = &found.name;
        if class.facts.metric == Metric::Dtw {
            self.line(
                FINDINGS,
                || format!("class {name}, exceptions"),
                found.statistics.exceptions,
                *exceptions,
            );
            self.histogram(FINDINGS, &format!("class {name}, boards"), &found.statistics.first, counted);
        }
        let Some(census) = class.census.as_ref().filter(|_| summary.whole == whole) else { return };
        self.histogram(FINDINGS, &format!("class {name}, nodes"), &found.statistics.nodes, &census.nodes);
        for (what, said, found) in [
            ("symmetric boards", found.statistics.symmetric, census.symmetric),
            ("boards that no irreversible move leads to", found.statistics.unled, census.unled),
            ("boards with two moves to one", found.statistics.merged, census.merged),
        ] {
            self.line(FINDINGS, || format!("class {name}, {what}"), said, found);
        }
    }

    /// What others found out about a class.
    pub(super) fn known_class(&mut self, known: &PublishedResults, class: &Class, first: bool) {
        let (name, Some((counted, _))) = (&class.facts.name, &class.counted) else { return };
        if let Some(&(boards, at_once)) = known.classes.get(usize::from(class.facts.class)) {
            self.line(OTHERS, || format!("class {name}, boards"), boards, counted.iter().sum());
            self.line(OTHERS, || format!("class {name}, boards that win at once"), at_once, counted[1]);
        }
        if !first || known.first_class.is_empty() {
            return;
        }
        if class.facts.metric == Metric::Dtw {
            self.histogram(OTHERS, &format!("class {name}, boards"), known.first_class, counted);
        } else {
            let (said, found) = (outcomes(known.first_class), outcomes(counted));
            for (what, at) in [("losses", 0), ("draws", 1), ("wins", 2)] {
                self.line(OTHERS, || format!("class {name}, {what}"), said[at], found[at]);
            }
        }
    }

    /// The worth of the start, in plies.
    pub(super) fn known_start(&mut self, known: &PublishedResults, start: u8) {
        self.line(OTHERS, || "the start, plies".to_owned(), known.start.into(), start.into());
    }

    /// Distances, as far as they were counted, beside the heads of their files and what was kept.
    pub(super) fn reach(&mut self, reach: &Reach, summary: Option<&TablebaseSummary>) {
        let Some(census) = &reach.census else { return };
        let unreached = reach.facts.iter().map(|facts| facts.unreached).sum();
        self.line(HEADS, || "boards never reached".to_owned(), unreached, census.unreached);
        let deepest = reach.facts.iter().map(|facts| u64::from(facts.deepest)).max().unwrap_or(0);
        let found = census.boards.len().saturating_sub(1) as u64;
        self.line(HEADS, || "plies from the start at most".to_owned(), deepest, found);
        if let Some(kept) = summary.and_then(|summary| summary.reach.as_ref()) {
            self.histogram(FINDINGS, "boards from the start", &kept.boards, &census.boards);
            self.histogram(FINDINGS, "positions from the start", &kept.positions, &census.positions);
        }
    }

    /// Boards of the whole game that others counted, too.
    pub(super) fn known_census(&mut self, known: &PublishedResults, census: &ClassStatistics) {
        let unled = "boards that no irreversible move leads to";
        self.line(OTHERS, || unled.to_owned(), known.unled, census.unled);
    }

    /// Whether nothing differs.
    pub(super) fn right(&self) -> bool {
        self.0.iter().all(|group| group.different.is_empty())
    }

    pub(super) fn json(&self) -> Value {
        let groups = self.0.iter().map(|group| {
            let different = group
                .different
                .iter()
                .map(|(what, said, found)| json!({ "what": what, "said": said, "found": found }));
            json!({ "source": group.source, "lines": group.lines,
                "equal": group.lines - group.different.len() as u64,
                "different": different.collect::<Vec<_>>() })
        });
        groups.collect()
    }

    pub(super) fn tell(&self, out: &mut Out) -> Done {
        for Group { source, lines, different } in &self.0 {
            let equal = lines - different.len() as u64;
            out.line(format_args!("{equal} of {lines} lines equal to {source}"))?;
            for (what, said, found) in different {
                let (said, found) = (grouped(*said), grouped(*found));
                out.line(format_args!("  {what}: {said} there, {found} found"))?;
            }
        }
        Ok(())
    }
}

/// Losses, draws and wins among boards by plies.
fn outcomes(counts: &[u64]) -> [u64; 3] {
    let wins = counts.iter().skip(1).step_by(2).sum();
    let losses = counts.iter().skip(2).step_by(2).sum();
    [losses, counts.first().copied().unwrap_or(0), wins]
}
