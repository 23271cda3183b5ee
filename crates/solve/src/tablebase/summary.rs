//! The statistics of a solved game, in a small text file beside its tablebase: histograms, the longest wins, and the
//! boards that no game reaches. Each line has a key and its values; the last line is a checksum.

use std::fmt::{Display, Write};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tesuji_store::{StoreError, save};

use crate::reachability::{DistanceStatistics, DistantPosition};
use crate::retrograde::{ClassStatistics, LongestEntry};
use crate::tablebase::{TablebaseError, TablebaseId};

/// The statistics of a solved game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TablebaseSummary {
    /// Whether all stages were solved, so that predecessors from every class were counted.
    pub complete: bool,
    /// The DTW of the start, 0 for a draw; `None` when its class was not solved.
    pub start: Option<u8>,
    /// The statistics of each class.
    pub classes: Vec<ClassSummary>,
    /// The nodes with the longest distance to the end, in descending order.
    pub longest: Vec<LongestEntry>,
    /// Unreachable boards as class and index: those without predecessors, or, once distances are known, those
    /// without a distance.
    pub unreached: Vec<(u8, u32)>,
    /// Boards by distance from the start, if known.
    pub distances: Option<DistanceStatistics>,
    /// The positions farthest from the start, if distances are known and the file is not of an earlier version.
    pub farthest: Vec<DistantPosition>,
}

/// The statistics of one class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassSummary {
    /// The class.
    pub class: u8,
    /// Its name.
    pub name: String,
    /// Its statistics.
    pub statistics: ClassStatistics,
}

impl TablebaseSummary {
    /// The sum over all classes.
    pub fn total(&self) -> ClassStatistics {
        let mut sum = ClassStatistics::default();
        self.classes.iter().for_each(|found| sum.add(&found.statistics));
        sum
    }

    /// Updates the lists from the classes.
    pub(crate) fn collect(&mut self) {
        let ClassStatistics { longest, orphans, .. } = self.total();
        self.longest = longest;
        if self.distances.is_none() {
            self.unreached = orphans;
        }
    }

    /// The path of the file.
    pub fn path(dir: &Path, id: &TablebaseId) -> PathBuf {
        dir.join(format!("{}.findings", id.game))
    }

    /// Reads the file; `None` when there is none.
    pub fn load(dir: &Path, id: &TablebaseId) -> Result<Option<TablebaseSummary>, TablebaseError> {
        let path = TablebaseSummary::path(dir, id);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(TablebaseError::InvalidHeader { path });
            }
            other => other.map_err(|source| TablebaseError::Read { path: path.clone(), source })?,
        };
        TablebaseSummary::parse(&text, id, &path).map(Some)
    }

    /// Reads the text of a file; `path` is for messages.
    pub(crate) fn parse(text: &str, id: &TablebaseId, path: &Path) -> Result<TablebaseSummary, TablebaseError> {
        parse(text, id, path)
    }

    /// The text of the file.
    pub(crate) fn print(&self, id: &TablebaseId) -> String {
        format(self, id)
    }

    /// Writes the file atomically.
    pub fn save(&self, dir: &Path, id: &TablebaseId) -> Result<(), StoreError> {
        save(TablebaseSummary::path(dir, id), format(self, id).as_bytes())
    }
}

/// The format version.
const VERSION: u32 = 1;

fn format(summary: &TablebaseSummary, id: &TablebaseId) -> String {
    let mut text = String::new();
    let mut line = |name: &str, words: &dyn Display| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name} {words}");
    };
    let TablebaseId { game, rules, index } = id;
    line("findings", &VERSION);
    line("game", game);
    line("rules", rules);
    line("index", index);
    line("whole", &u8::from(summary.complete));
    line("start", &summary.start.map_or("-".to_owned(), |plies| plies.to_string()));
    for ClassSummary { class, name, statistics } in &summary.classes {
        line("class", &format!("{class} {name}"));
        for (name, count) in counts(&mut statistics.clone()) {
            line(name, count);
        }
        line("first", &histogram(&statistics.first));
        line("nodes", &histogram(&statistics.nodes));
        let far = |far: &LongestEntry| format!("{}:{}:{}", far.plies, far.index, far.forbidden);
        line("longest", &statistics.longest.iter().map(far).collect::<Vec<_>>().join(" "));
        line("orphans", &statistics.orphans.iter().map(|(_, index)| index.to_string()).collect::<Vec<_>>().join(" "));
    }
    if let Some(distances) = &summary.distances {
        line("unreached-boards", &distances.unreached);
        line("reach-boards", &histogram(&distances.boards));
        line("reach-positions", &histogram(&distances.positions));
        line("reach-published", &histogram(&distances.published));
        let far = |far: &DistantPosition| format!("{}:{}:{}:{}", far.plies, far.class, far.index, far.forbidden);
        line("farthest", &summary.farthest.iter().map(far).collect::<Vec<_>>().join(" "));
    }
    let unreached = summary.unreached.iter().map(|(class, index)| format!("{class}:{index}"));
    line("unreached", &unreached.collect::<Vec<_>>().join(" "));
    let sum = crc32fast::hash(text.as_bytes());
    text + &format!("sum {sum:08x}\n")
}

/// The scalar counts by name.
fn counts(statistics: &mut ClassStatistics) -> [(&'static str, &mut u64); 7] {
    [
        ("boards", &mut statistics.boards),
        ("wins-at-once", &mut statistics.wins_at_once),
        ("symmetric", &mut statistics.symmetric),
        ("exceptions", &mut statistics.exceptions),
        ("unled", &mut statistics.unled),
        ("merged", &mut statistics.merged),
        ("ambiguous", &mut statistics.ambiguous),
    ]
}

fn histogram(counts: &[u64]) -> String {
    let counted = counts.iter().enumerate().filter(|(_, count)| **count != 0);
    counted.map(|(value, count)| format!("{value}:{count}")).collect::<Vec<_>>().join(" ")
}

fn parse(text: &str, id: &TablebaseId, path: &Path) -> Result<TablebaseSummary, TablebaseError> {
    let invalid = || TablebaseError::InvalidHeader { path: path.to_owned() };
    let body = text.strip_suffix('\n').ok_or_else(invalid)?;
    let (body, last) = body.rsplit_once('\n').ok_or_else(invalid)?;
    let sum = crc32fast::hash(&text.as_bytes()[..body.len() + 1]);
    if last != format!("sum {sum:08x}") {
        return Err(invalid());
    }
    let mut summary = TablebaseSummary::default();
    for line in body.lines() {
        let (name, words) = line.split_once(' ').ok_or_else(invalid)?;
        let right = match name {
            "findings" => Some(VERSION.to_string()),
            "game" => Some(id.game.clone()),
            "rules" => Some(id.rules.to_string()),
            "index" => Some(id.index.to_string()),
            _ => None,
        };
        match right {
            Some(expected) if expected != words => {
                let (what, found) = ("the file of statistics", format!("{name} {words}"));
                let expected = format!("{name} {expected}");
                return Err(TablebaseError::Mismatch { path: path.to_owned(), what, found, expected });
            }
            Some(_) => {}
            None => take(&mut summary, name, words).ok_or_else(invalid)?,
        }
    }
    summary.collect_longest();
    Ok(summary)
}

impl TablebaseSummary {
    fn collect_longest(&mut self) {
        self.longest = self.total().longest;
    }
}

/// Applies one line; `None` when it cannot be parsed.
fn take(summary: &mut TablebaseSummary, name: &str, words: &str) -> Option<()> {
    match name {
        "whole" => summary.complete = words == "1",
        "start" => summary.start = if words == "-" { None } else { Some(words.parse().ok()?) },
        "class" => {
            let (class, name) = words.split_once(' ')?;
            let (class, name) = (class.parse().ok()?, name.to_owned());
            summary.classes.push(ClassSummary { class, name, statistics: ClassStatistics::default() });
        }
        "unreached" => summary.unreached = pairs(words)?,
        "unreached-boards" => distances(summary).unreached = words.parse().ok()?,
        "reach-boards" => distances(summary).boards = depths(words)?,
        "reach-positions" => distances(summary).positions = depths(words)?,
        "reach-published" => distances(summary).published = depths(words)?,
        "farthest" => {
            for word in words.split_whitespace() {
                let (plies, rest) = word.split_once(':')?;
                let (class, rest) = rest.split_once(':')?;
                let (plies, class, (index, forbidden)) = (plies.parse().ok()?, class.parse().ok()?, pair(rest)?);
                summary.farthest.push(DistantPosition { plies, class, index, forbidden });
            }
        }
        _ => {
            let ClassSummary { class, statistics, .. } = summary.classes.last_mut()?;
            match name {
                "first" => statistics.first = values(words)?,
                "nodes" => statistics.nodes = values(words)?,
                "longest" => {
                    for word in words.split_whitespace() {
                        let (plies, rest) = word.split_once(':')?;
                        let (index, forbidden) = pair(rest)?;
                        statistics.longest.push(LongestEntry {
                            plies: plies.parse().ok()?,
                            class: *class,
                            index,
                            forbidden,
                        });
                    }
                }
                "orphans" => {
                    for word in words.split_whitespace() {
                        statistics.orphans.push((*class, word.parse().ok()?));
                    }
                }
                other => {
                    let mut counts = counts(statistics).into_iter();
                    let (_, count) = counts.find(|(name, _)| *name == other)?;
                    *count = words.parse().ok()?;
                }
            }
        }
    }
    Some(())
}

fn distances(summary: &mut TablebaseSummary) -> &mut DistanceStatistics {
    summary.distances.get_or_insert_with(|| DistanceStatistics {
        boards: Vec::new(),
        unreached: 0,
        positions: Vec::new(),
        published: Vec::new(),
    })
}

fn pair<A: FromStr, B: FromStr>(word: &str) -> Option<(A, B)> {
    let (one, two) = word.split_once(':')?;
    Some((one.parse().ok()?, two.parse().ok()?))
}

fn pairs<A: FromStr, B: FromStr>(words: &str) -> Option<Vec<(A, B)>> {
    words.split_whitespace().map(pair).collect()
}

/// A histogram with an entry for every value.
fn values(words: &str) -> Option<Vec<u64>> {
    let mut counts = vec![0; 256];
    for (value, count) in pairs::<u8, u64>(words)? {
        counts[usize::from(value)] = count;
    }
    Some(counts)
}

/// A histogram that ends with its last nonzero count.
fn depths(words: &str) -> Option<Vec<u64>> {
    let mut counts = values(words)?;
    let end = counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
    counts.truncate(end);
    Some(counts)
}
