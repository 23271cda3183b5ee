//! Which games count: duplicates count once, games after the end of a sequential test do not. A pure function of the
//! journal, so neither timing nor interruptions matter.

use std::collections::{BTreeMap, HashSet};

use tesuji_game::{Outcome, Side};

use crate::event_config::EventConfig;
use crate::journal_entry::GameEntry;
use crate::stats::{self, Pentanomial, SprtVerdict};

/// Which games of an event count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counted {
    /// The numbers of the games that count.
    pub games: Vec<usize>,
    /// Games with the same players, start and moves as an earlier game.
    pub duplicates: Vec<usize>,
    /// Games that finished after the test had ended.
    pub beyond: Vec<usize>,
    /// The state of the test.
    pub test: Option<SprtState>,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// The test.
    pub sprt: stats::Sprt,
    /// The pairs it has seen: the complete ones up to the first gap.
    pub pairs: Pentanomial,
    /// Its verdict.
    pub verdict: SprtVerdict,
    /// The first game that no longer counts, once the test has ended.
    pub end: Option<usize>,
}

/// Decides which games count.
pub fn count(event: &EventConfig, games: &BTreeMap<usize, GameEntry>) -> Counted {
    let mut sprt = SprtRun::new(event);
    if let Some(sprt) = &mut sprt {
        sprt.advance(games);
    }
    let test = sprt.map(|sprt| sprt.test);
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

/// Two games with the same identity are duplicates.
fn identity(game: &GameEntry) -> [&str; 4] {
    [&game.first, &game.second, game.start.as_deref().unwrap_or_default(), &game.moves]
}

/// A sequential test that follows an event. It sees games in the order of the schedule and waits at the first
/// incomplete pair.
#[derive(Clone, Debug)]
pub(crate) struct SprtRun {
    player: String,
    next: usize,
    seen: HashSet<[String; 4]>,
    pub(crate) test: SprtState,
}

impl SprtRun {
    /// The test of an event, if it has one.
    pub(crate) fn new(event: &EventConfig) -> Option<SprtRun> {
        let settings = event.sprt?;
        let sprt =
            stats::Sprt::new(settings.elo0, settings.elo1, settings.alpha, settings.beta, settings.model).ok()?;
        let test = SprtState { sprt, pairs: Pentanomial::default(), verdict: SprtVerdict::Inconclusive, end: None };
        let player = event.players.first()?.name.clone();
        Some(SprtRun { player, next: 0, seen: HashSet::new(), test })
    }

    /// Takes in the pairs that are complete.
    pub(crate) fn advance(&mut self, games: &BTreeMap<usize, GameEntry>) {
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
            self.test.end = (self.test.verdict != SprtVerdict::Inconclusive).then_some(self.next);
        }
    }
}

/// The result from the point of view of a player.
pub fn outcome(game: &GameEntry, player: &str) -> Outcome {
    let side = game.side(player).unwrap_or(Side::First);
    Outcome::of(game.result.winner(), side)
}
