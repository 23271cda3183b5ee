//! The file of findings: a name and its words on each line, and a checksum on the last.

use std::fmt::{Display, Write};
use std::path::Path;
use std::str::FromStr;

use super::{Findings, Found};
use crate::reach::ReachCensus;
use crate::retrograde::{Census, Far};
use crate::table::{TableError, Title};

/// The version of this file.
const VERSION: u32 = 1;

pub(super) fn write(findings: &Findings, title: &Title) -> String {
    let mut text = String::new();
    let mut line = |name: &str, words: &dyn Display| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name} {words}");
    };
    let Title { game, rules, index } = title;
    line("findings", &VERSION);
    line("game", game);
    line("rules", rules);
    line("index", index);
    line("whole", &u8::from(findings.whole));
    line("start", &findings.start.map_or("-".to_owned(), |plies| plies.to_string()));
    for Found { class, name, census } in &findings.classes {
        line("class", &format!("{class} {name}"));
        for (name, count) in counts(&mut census.clone()) {
            line(name, count);
        }
        line("first", &histogram(&census.first));
        line("nodes", &histogram(&census.nodes));
        let far = |far: &Far| format!("{}:{}:{}", far.plies, far.index, far.forbidden);
        line("longest", &census.longest.iter().map(far).collect::<Vec<_>>().join(" "));
        line(
            "orphans",
            &census.orphans.iter().map(|(_, index)| index.to_string()).collect::<Vec<_>>().join(" "),
        );
    }
    if let Some(reach) = &findings.reach {
        line("unreached-boards", &reach.unreached);
        line("reach-boards", &histogram(&reach.boards));
        line("reach-positions", &histogram(&reach.positions));
        line("reach-published", &histogram(&reach.published));
    }
    let unreached = findings.unreached.iter().map(|(class, index)| format!("{class}:{index}"));
    line("unreached", &unreached.collect::<Vec<_>>().join(" "));
    let sum = crc32fast::hash(text.as_bytes());
    text + &format!("sum {sum:08x}\n")
}

/// The single numbers of a census, by name.
fn counts(census: &mut Census) -> [(&'static str, &mut u64); 7] {
    [
        ("boards", &mut census.boards),
        ("wins-at-once", &mut census.wins_at_once),
        ("symmetric", &mut census.symmetric),
        ("exceptions", &mut census.exceptions),
        ("unled", &mut census.unled),
        ("merged", &mut census.merged),
        ("ambiguous", &mut census.ambiguous),
    ]
}

fn histogram(counts: &[u64]) -> String {
    let counted = counts.iter().enumerate().filter(|(_, count)| **count != 0);
    counted.map(|(value, count)| format!("{value}:{count}")).collect::<Vec<_>>().join(" ")
}

pub(super) fn read(text: &str, title: &Title, path: &Path) -> Result<Findings, TableError> {
    let senseless = || TableError::Head { path: path.to_owned() };
    let body = text.strip_suffix('\n').ok_or_else(senseless)?;
    let (body, last) = body.rsplit_once('\n').ok_or_else(senseless)?;
    let sum = crc32fast::hash(&text.as_bytes()[..body.len() + 1]);
    if last != format!("sum {sum:08x}") {
        return Err(senseless());
    }
    let mut findings = Findings::default();
    for line in body.lines() {
        let (name, words) = line.split_once(' ').ok_or_else(senseless)?;
        let right = match name {
            "findings" => Some(VERSION.to_string()),
            "game" => Some(title.game.clone()),
            "rules" => Some(title.rules.to_string()),
            "index" => Some(title.index.to_string()),
            _ => None,
        };
        match right {
            Some(expected) if expected != words => {
                let (what, found) = ("the file of findings", format!("{name} {words}"));
                let expected = format!("{name} {expected}");
                return Err(TableError::Other { path: path.to_owned(), what, found, expected });
            }
            Some(_) => {}
            None => take(&mut findings, name, words).ok_or_else(senseless)?,
        }
    }
    findings.gather_longest();
    Ok(findings)
}

impl Findings {
    fn gather_longest(&mut self) {
        self.longest = self.total().longest;
    }
}

/// Takes one line in; `None` when it makes no sense.
fn take(findings: &mut Findings, name: &str, words: &str) -> Option<()> {
    match name {
        "whole" => findings.whole = words == "1",
        "start" => findings.start = if words == "-" { None } else { Some(words.parse().ok()?) },
        "class" => {
            let (class, name) = words.split_once(' ')?;
            let (class, name) = (class.parse().ok()?, name.to_owned());
            findings.classes.push(Found { class, name, census: Census::default() });
        }
        "unreached" => findings.unreached = pairs(words)?,
        "unreached-boards" => reach(findings).unreached = words.parse().ok()?,
        "reach-boards" => reach(findings).boards = depths(words)?,
        "reach-positions" => reach(findings).positions = depths(words)?,
        "reach-published" => reach(findings).published = depths(words)?,
        _ => {
            let Found { class, census, .. } = findings.classes.last_mut()?;
            match name {
                "first" => census.first = values(words)?,
                "nodes" => census.nodes = values(words)?,
                "longest" => {
                    for word in words.split_whitespace() {
                        let (plies, rest) = word.split_once(':')?;
                        let (index, forbidden) = pair(rest)?;
                        census.longest.push(Far {
                            plies: plies.parse().ok()?,
                            class: *class,
                            index,
                            forbidden,
                        });
                    }
                }
                "orphans" => {
                    for word in words.split_whitespace() {
                        census.orphans.push((*class, word.parse().ok()?));
                    }
                }
                other => {
                    let mut counts = counts(census).into_iter();
                    let (_, count) = counts.find(|(name, _)| *name == other)?;
                    *count = words.parse().ok()?;
                }
            }
        }
    }
    Some(())
}

fn reach(findings: &mut Findings) -> &mut ReachCensus {
    findings.reach.get_or_insert_with(|| ReachCensus {
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

/// A histogram of values, with room for all there can be.
fn values(words: &str) -> Option<Vec<u64>> {
    let mut counts = vec![0; 256];
    for (value, count) in pairs::<u8, u64>(words)? {
        counts[usize::from(value)] = count;
    }
    Some(counts)
}

/// A histogram that ends with the last that is not nothing.
fn depths(words: &str) -> Option<Vec<u64>> {
    let mut counts = values(words)?;
    let end = counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
    counts.truncate(end);
    Some(counts)
}
