//! Which games count: repeated ones once, and after a sequential test has ended none. A pure function of the
//! journal, so that neither timing nor interruptions matter.

use std::collections::{BTreeMap, HashSet};

use tesuji_game::{Outcome, Side};

use crate::event::{Event, Model};
use crate::line::GameLine;
use crate::stats::{self, Pairs, Verdict};

/// Which games of an event count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counted {
    /// The numbers of those that do.
    pub games: Vec<usize>,
    /// The same players, start and moves as in a game before.
    pub duplicates: Vec<usize>,
    /// Finished after the test had ended.
    pub beyond: Vec<usize>,
    /// Where the test stands.
    pub test: Option<Test>,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Test {
    /// The test.
    pub sprt: stats::Sprt,
    /// The pairs that it has seen: the complete ones from the beginning up to the first gap.
    pub pairs: Pairs,
    /// What it says.
    pub verdict: Verdict,
    /// The first game that no longer counts, once it has ended.
    pub end: Option<usize>,
}

/// Decides which games count.
pub fn count(event: &Event, games: &BTreeMap<usize, GameLine>) -> Counted {
    let mut prefix = Prefix::new(event);
    if let Some(prefix) = &mut prefix {
        prefix.advance(games);
    }
    let test = prefix.map(|prefix| prefix.test);
    let end = test.and_then(|test| test.end).unwrap_or(usize::MAX);
    let mut counted = Counted { test, ..Counted::default() };
    let mut seen = HashSet::new();
    for (&number, game) in games {
        if number >= end {
            counted.beyond.push(number);
        } else if seen.insert(identity(game)) {
            counted.games.push(number);
        } else {
            counted.duplicates.push(number);
        }
    }
    counted
}

/// What makes two games the same game.
fn identity(game: &GameLine) -> [&str; 4] {
    [&game.first, &game.second, game.start.as_deref().unwrap_or_default(), &game.moves]
}

/// A sequential test that follows an event: it sees games in the order of the schedule and waits at the first
/// pair that is missing.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    player: String,
    next: usize,
    seen: HashSet<[String; 4]>,
    pub(crate) test: Test,
}

impl Prefix {
    /// The test of an event, if it has one.
    pub(crate) fn new(event: &Event) -> Option<Prefix> {
        let asked = event.sprt?;
        let model = match asked.model {
            Model::Normalised => stats::Model::Normalised,
            Model::Logistic => stats::Model::Logistic,
        };
        let sprt = stats::Sprt::new(asked.elo0, asked.elo1, asked.alpha, asked.beta, model).ok()?;
        let test = Test { sprt, pairs: Pairs::default(), verdict: Verdict::Inconclusive, end: None };
        let player = event.players.first()?.name.clone();
        Some(Prefix { player, next: 0, seen: HashSet::new(), test })
    }

    /// Looks at what has come.
    pub(crate) fn advance(&mut self, games: &BTreeMap<usize, GameLine>) {
        while self.test.end.is_none() {
            let (Some(one), Some(two)) = (games.get(&self.next), games.get(&(self.next + 1))) else { return };
            self.next += 2;
            let new = [one, two].map(|game| self.seen.insert(identity(game).map(str::to_owned)));
            if new != [true, true] {
                continue;
            }
            let [one, two] = [one, two].map(|game| outcome(game, &self.player));
            self.test.pairs.add(one, two);
            self.test.verdict = self.test.sprt.verdict(self.test.pairs);
            self.test.end = (self.test.verdict != Verdict::Inconclusive).then_some(self.next);
        }
    }
}

/// The result as a player sees it.
pub fn outcome(game: &GameLine, player: &str) -> Outcome {
    let side = game.side(player).unwrap_or(Side::First);
    Outcome::of(game.result.winner(), side)
}
