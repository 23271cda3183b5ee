//! An opening book in units: games of self-play, then searches of leaves, round by round.
//!
//! A round searches what the positions added before it need, so rounds follow each other. Their units are numbered in the
//! order of the rounds and wait until the referee knows their positions; units that are left at the end are not needed.

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;
use std::path::Path;

use tesuji_engines::book::{BookBuildJob, BookCourse, BookParts};

use super::{CollectedJob, Ruling, UnitFeed, UnitJob, UnitReferee, UnitResults};
use crate::{BookResponse, Error, GameHandle};

/// Units are reserved for so many searches of games, at most; with more, a unit has more of them.
const MOST_FROM_GAMES: usize = 100_000;

pub(super) fn open(game: &GameHandle, job: &BookBuildJob, group: u32) -> Result<Box<dyn UnitJob>, Error> {
    if group == 0 {
        return Err(Error::field("group", "0: from 1"));
    }
    let parts = game.book_parts(job)?;
    let played = job.games.unwrap_or(0);
    let from_games = (played as usize * (job.plies as usize + 1)).min(MOST_FROM_GAMES);
    // An added position is searched, and with it some that led to it. Packing makes do with one unit for each.
    let searches = parts.first_searches() + from_games + 2 * parts.additions();
    let rounds = searches.div_ceil(group as usize) + parts.additions() + 2;
    let games = played.div_ceil(group);
    let total = u32::try_from(rounds).ok().and_then(|rounds| games.checked_add(rounds));
    let total = total.filter(|total| i32::try_from(*total).is_ok());
    let total = total.ok_or_else(|| Error::field("positions", "too many for one job"))?;
    Ok(Box::new(BookUnits { parts, played, group, games, total }))
}

struct BookUnits {
    parts: Box<dyn BookParts>,
    /// Games of self-play.
    played: u32,
    group: u32,
    /// Units of games; those of searches follow.
    games: u32,
    total: u32,
}

impl BookUnits {
    fn begin(&self) -> BookReferee {
        let missing = (0..self.games).collect();
        BookReferee {
            course: self.parts.course(),
            group: self.group,
            games: self.games,
            total: self.total,
            next: self.games,
            missing,
            is_over: false,
            error: None,
        }
    }

    fn play(&self, unit: &super::Unit) -> Option<Vec<u8>> {
        let first = unit.number * self.group;
        let mut bytes = Vec::new();
        for number in first..(first + self.group).min(self.played) {
            let game = self.parts.play(number, &unit.cancel)?;
            bytes.extend((game.len() as u32).to_le_bytes());
            bytes.extend(game);
        }
        Some(bytes)
    }
}

impl UnitJob for BookUnits {
    fn identity(&self) -> String {
        format!("{}units of {}\n", self.parts.task(), self.group)
    }

    fn units(&self) -> u32 {
        self.total
    }

    fn waiting(&self) -> Vec<Range<u32>> {
        iter::once(self.games..self.total).collect()
    }

    fn work(&self, feed: &mut dyn UnitFeed) -> Result<(), Error> {
        while let Some(unit) = feed.next() {
            let found = if unit.number < self.games {
                self.play(&unit)
            } else {
                let request = unit.payload.as_deref().ok_or_else(|| Error::failed("a unit without positions"))?;
                self.parts.search(request, &unit.cancel)?
            };
            if let Some(found) = found {
                feed.done(found);
            }
        }
        Ok(())
    }

    fn referee(&self) -> Option<Box<dyn UnitReferee>> {
        Some(Box::new(self.begin()))
    }

    fn collect(&self, out: &Path, results: UnitResults<'_>) -> Result<CollectedJob, Error> {
        let mut referee = self.begin();
        for result in results {
            let (unit, bytes) = result?;
            referee.rule();
            referee.take(unit, &bytes)?;
        }
        referee.rule();
        if let Some(error) = referee.error {
            return Err(error);
        }
        if !referee.is_over {
            return Err(Error::failed("results are missing"));
        }
        let (positions, unsearched) = referee.course.finish(out)?;
        let (event, book) = ("final".to_owned(), out.display().to_string());
        Ok(CollectedJob::Book(BookResponse { event, book, positions, unsearched }))
    }
}

/// Follows the course of a book.
struct BookReferee {
    course: Box<dyn BookCourse>,
    group: u32,
    games: u32,
    total: u32,
    /// The first unit that no round has.
    next: u32,
    /// Units of the present round, or games, whose results are not known.
    missing: BTreeSet<u32>,
    is_over: bool,
    error: Option<Error>,
}

impl UnitReferee for BookReferee {
    fn missing(&self, most: usize) -> Vec<u32> {
        self.missing.iter().take(most).copied().collect()
    }

    fn take(&mut self, unit: u32, result: &[u8]) -> Result<(), Error> {
        if !self.missing.remove(&unit) {
            return Ok(());
        }
        if unit >= self.games {
            return Ok(self.course.take_leaves(result)?);
        }
        let mut rest = result;
        let damaged = || Error::failed(format!("the result of unit {unit} is damaged"));
        while let Some((length, bytes)) = rest.split_first_chunk() {
            let (game, after) = bytes.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
            self.course.take_game(game)?;
            rest = after;
        }
        if rest.is_empty() { Ok(()) } else { Err(damaged()) }
    }

    fn rule(&mut self) -> Vec<Ruling> {
        if self.is_over || !self.missing.is_empty() {
            return Vec::new();
        }
        let searches = self.course.begin().unwrap_or_else(|error| {
            self.error = Some(error.into());
            0
        });
        if searches == 0 {
            self.is_over = true;
            return vec![Ruling::Cancel(self.next..self.total)];
        }
        // One unit at least is kept for each round that may follow.
        let left = ((self.total - self.next) as usize).saturating_sub(self.course.rounds_left()).max(1);
        let requests = self.course.requests(searches.div_ceil(self.group as usize).min(left));
        let units: Vec<(u32, String)> = (self.next..self.total).zip(requests).collect();
        self.next += units.len() as u32;
        self.missing = units.iter().map(|(unit, _)| *unit).collect();
        vec![Ruling::Release(units)]
    }
}
