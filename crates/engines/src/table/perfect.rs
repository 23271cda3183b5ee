//! The player: asks the table what every move is worth, and plays the best.

use std::cmp::Reverse;
use std::time::Instant;

use tesuji_game::{HasPerfectIndex, Outcome, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, PvLine, SearchReport};
use tesuji_solve::tablebase::{Tablebase, TablebaseError};

use super::choose::{best, order};
use super::line::line;
use super::outcomes;
use super::prospect::{Oracle, Prospect};

/// Plays from the table of a solved game: the shortest win, the longest resistance, and in a draw the move after which
/// most replies lose. Where the table has no answer, or cannot be read, another engine plays that move.
///
/// A table of outcomes alone does not say how to make progress: there the other engine looks for it, among the moves
/// that keep the result.
pub struct Perfect<G: HasPerfectIndex> {
    oracle: Oracle<G>,
    seed: u64,
    search: Box<dyn Engine<G>>,
    /// Whether the other engine has anything to forget.
    searched: bool,
}

/// What was decided: the lines to tell of, best first.
type Lines<G> = Vec<PvLine<<G as tesuji_game::Game>::Move>>;

impl<G: HasPerfectIndex> Perfect<G> {
    /// A player by this table. Of equally good moves `seed` chooses, 0 the first; `search` plays where the table has no
    /// answer.
    pub fn new(table: Tablebase<G::Index>, seed: u64, search: Box<dyn Engine<G>>) -> Perfect<G> {
        Perfect { oracle: Oracle::new(table), seed, search, searched: false }
    }

    /// What every move is worth, those to be played first in front.
    fn ranked(&self, record: &Record<G>) -> Result<Vec<Prospect<G>>, TablebaseError> {
        let mut prospects = self.oracle.prospects(record.now())?;
        let stood = stood(record);
        let times = |game: &G| stood.iter().filter(|&before| before == game).count();
        let mut equals = best(&prospects);
        order(&self.oracle, record.now(), self.seed, &mut equals, times)?;
        prospects.sort_by_key(|prospect| {
            let place = equals.iter().position(|equal| equal.mv == prospect.mv);
            (Reverse(prospect.value().0), place)
        });
        Ok(prospects)
    }

    fn lines(&self, ranked: &[Prospect<G>], wanted: usize) -> Result<Lines<G>, TablebaseError> {
        let told = ranked.iter().take(wanted.max(1));
        told.map(|prospect| {
            let (value, bound) = prospect.value();
            Ok(PvLine { value, bound, moves: line(&self.oracle, prospect)?, rate: None })
        })
        .collect()
    }
}

/// The positions of a game, the present one included.
pub(super) fn stood<G: HasPerfectIndex>(record: &Record<G>) -> Vec<G> {
    let mut now = *record.start();
    let mut all = vec![now];
    for mv in record.moves() {
        now.play(mv);
        all.push(now);
    }
    all
}

impl<G: HasPerfectIndex> Engine<G> for Perfect<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_some() {
            return Choice::Over;
        }
        let begun = limits.started.unwrap_or_else(Instant::now);
        self.oracle.take_asked();
        // A block that cannot be read gives no answer, and then this move is searched for.
        let ranked = self.ranked(record).unwrap_or_default();
        if let Some(first) = ranked.first()
            && first.outcome != Outcome::Draw
            && first.plies.is_none()
        {
            self.searched = true;
            return outcomes::think(&ranked, self.search.as_mut(), record, limits, stop, watch);
        }
        let lines = self.lines(&ranked, limits.lines).unwrap_or_default();
        let Some(best) = lines.first().map(|line| line.moves.clone()) else {
            self.searched = true;
            return self.search.think(record, limits, stop, watch);
        };
        let longest = lines.iter().map(|line| line.moves.len()).max().unwrap_or(0) as u32;
        let nodes = self.oracle.take_asked();
        watch(&SearchReport {
            depth: best.len() as u32,
            seldepth: longest,
            nodes,
            time: begun.elapsed(),
            hashfull: None,
            lines,
        });
        best.first().map_or(Choice::Over, |&mv| Choice::Move { mv, reply: best.get(1).copied() })
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.searched) {
            self.search.forget();
        }
    }
}
