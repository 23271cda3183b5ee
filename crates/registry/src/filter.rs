//! One filter for records: by player, date, rating, length, ending and opening.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tesuji_game::{Game, OpeningName, Record, tags};

use crate::Error;

/// Which records are wanted. An absent criterion accepts all.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordFilter {
    /// A part of the name of one of the players, in upper or lower case.
    pub player: Option<String>,
    /// The first day: `2016`, `2016-04` or `2016-04-03`.
    pub since: Option<String>,
    /// The last day.
    pub until: Option<String>,
    /// Both players are rated at least this.
    pub min_rating: Option<f64>,
    /// The least number of plies.
    pub min_plies: Option<usize>,
    /// The greatest number of plies.
    pub max_plies: Option<usize>,
    /// How the game ended: one of these reasons, such as `resignation`; `unfinished` for no ending.
    pub ending: Vec<String>,
    /// A part of the name of an opening or castle, in upper or lower case.
    pub opening: Option<String>,
    /// At most this many records: the first that match.
    pub limit: Option<usize>,
}

/// How many records a filter left out, each counted by the first criterion that it does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DroppedRecords {
    /// Other players.
    pub player: usize,
    /// Another date.
    pub date: usize,
    /// No date, where one is asked for.
    pub undated: usize,
    /// A player with a lower rating.
    pub rating: usize,
    /// A player without a rating, where one is asked for.
    pub unrated: usize,
    /// Another length.
    pub plies: usize,
    /// Another ending.
    pub ending: usize,
    /// Another opening.
    pub opening: usize,
}

impl DroppedRecords {
    /// All of them.
    pub fn total(&self) -> usize {
        let DroppedRecords { player, date, undated, rating, unrated, plies, ending, opening } = self;
        player + date + undated + rating + unrated + plies + ending + opening
    }

    /// What was left out and why: `12 by player, 3 without a date`; empty when nothing was.
    pub fn summary(&self) -> String {
        let DroppedRecords { player, date, undated, rating, unrated, plies, ending, opening } = *self;
        let reasons = [
            (player, "by player"),
            (date, "by date"),
            (undated, "without a date"),
            (rating, "by rating"),
            (unrated, "without a rating"),
            (plies, "by length"),
            (ending, "by ending"),
            (opening, "by opening"),
        ];
        let told: Vec<String> =
            reasons.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
        told.join(", ")
    }

    pub(crate) fn add(&mut self, reason: DropReason) {
        *match reason {
            DropReason::Player => &mut self.player,
            DropReason::Date => &mut self.date,
            DropReason::Undated => &mut self.undated,
            DropReason::Rating => &mut self.rating,
            DropReason::Unrated => &mut self.unrated,
            DropReason::Plies => &mut self.plies,
            DropReason::Ending => &mut self.ending,
            DropReason::Opening => &mut self.opening,
        } += 1;
    }
}

/// The criterion that a record does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DropReason {
    Player,
    Date,
    Undated,
    Rating,
    Unrated,
    Plies,
    Ending,
    Opening,
}

impl RecordFilter {
    /// Whether it accepts everything.
    pub fn is_empty(&self) -> bool {
        *self == RecordFilter::default()
    }

    /// The filter with its dates understood and its words in lower case.
    pub(crate) fn compile(&self) -> Result<CompiledFilter, Error> {
        let date = |field: &'static str, text: &Option<String>| {
            let parse = |text: &String| text.parse::<DateRange>().map_err(|message| Error::field(field, message));
            text.as_ref().map(parse).transpose()
        };
        let (since, until) = (date("since", &self.since)?, date("until", &self.until)?);
        if let (Some(since), Some(until)) = (since, until)
            && since.first > until.last
        {
            return Err(Error::field("until", "this day is before --since"));
        }
        if let (Some(least), Some(most)) = (self.min_plies, self.max_plies)
            && least > most
        {
            return Err(Error::field("max-plies", format!("{most}: less than --min-plies {least}")));
        }
        let lower = |text: &Option<String>| text.as_ref().map(|text| text.to_lowercase());
        Ok(CompiledFilter {
            player: lower(&self.player),
            opening: lower(&self.opening),
            since,
            until,
            ending: self.ending.iter().map(|word| word.trim().to_lowercase()).collect(),
            filter: self.clone(),
        })
    }
}

/// A filter ready for use.
pub(crate) struct CompiledFilter {
    player: Option<String>,
    opening: Option<String>,
    since: Option<DateRange>,
    until: Option<DateRange>,
    ending: Vec<String>,
    filter: RecordFilter,
}

impl CompiledFilter {
    /// The first criterion that a record does not meet. `openings` are its named openings, if they are asked for.
    pub(crate) fn refusal<G: Game>(
        &self,
        record: &Record<G>,
        openings: impl FnOnce() -> Vec<OpeningName>,
    ) -> Option<DropReason> {
        let refused = |accepted: bool, reason: DropReason| (!accepted).then_some(reason);
        let by_player = || {
            let player = self.player.as_ref()?;
            let names = [tags::FIRST, tags::SECOND].map(|tag| record.tag(tag).unwrap_or_default().to_lowercase());
            refused(names.iter().any(|name| name.contains(player)), DropReason::Player)
        };
        let by_length = || {
            let (plies, RecordFilter { min_plies, max_plies, .. }) = (record.plies().len(), &self.filter);
            let fits = min_plies.is_none_or(|least| plies >= least) && max_plies.is_none_or(|most| plies <= most);
            refused(fits, DropReason::Plies)
        };
        let by_ending = || {
            let reason = record.ending().map_or("unfinished", |ending| ending.reason);
            refused(self.ending.is_empty() || self.ending.iter().any(|word| word == reason), DropReason::Ending)
        };
        let by_opening = || {
            let opening = self.opening.as_ref()?;
            let is_it = |name: &OpeningName| name.to_string().to_lowercase().contains(opening);
            refused(openings().iter().any(is_it), DropReason::Opening)
        };
        by_player()
            .or_else(|| self.date_refusal(record))
            .or_else(|| self.rating_refusal(record))
            .or_else(by_length)
            .or_else(by_ending)
            .or_else(by_opening)
    }

    fn date_refusal<G: Game>(&self, record: &Record<G>) -> Option<DropReason> {
        if self.since.is_none() && self.until.is_none() {
            return None;
        }
        let Some(date) = record.tag(tags::DATE).and_then(DateRange::find) else { return Some(DropReason::Undated) };
        // A date that is only known to the year counts as any day of it.
        let fits = self.since.is_none_or(|since| date.last >= since.first)
            && self.until.is_none_or(|until| date.first <= until.last);
        (!fits).then_some(DropReason::Date)
    }

    fn rating_refusal<G: Game>(&self, record: &Record<G>) -> Option<DropReason> {
        let least = self.filter.min_rating?;
        let ratings = [tags::FIRST_RATING, tags::SECOND_RATING]
            .map(|tag| record.tag(tag).and_then(|rating| rating.trim().parse::<f64>().ok()));
        match ratings {
            [Some(first), Some(second)] => (first < least || second < least).then_some(DropReason::Rating),
            _ => Some(DropReason::Unrated),
        }
    }
}

/// The days that a date may mean: `2016` is a whole year. Days are compared as `(year, month, day)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DateRange {
    first: (u32, u32, u32),
    last: (u32, u32, u32),
}

impl DateRange {
    fn new(year: u32, month: Option<u32>, day: Option<u32>) -> Option<DateRange> {
        let month = month.filter(|month| (1..=12).contains(month));
        let day = day.filter(|day| month.is_some() && (1..=31).contains(day));
        (1000..=9999).contains(&year).then(|| DateRange {
            first: (year, month.unwrap_or(1), day.unwrap_or(1)),
            last: (year, month.unwrap_or(12), day.unwrap_or(31)),
        })
    }

    /// The date in a tag: `2016/04/03 14:30:02`, `2003.12.15_13:24:03.MST`, `2020年1月2日`, `1999`, or the seconds
    /// since 1970 that GGF may have.
    fn find(text: &str) -> Option<DateRange> {
        let mut numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter(|word| !word.is_empty());
        let first = numbers.next()?;
        match (first.len(), first.parse::<u64>().ok()?) {
            (4, year) => {
                // What follows a blank is the time of day.
                let date = text.split([' ', '_', 'T']).next().unwrap_or(text);
                let mut numbers = date.split(|letter: char| !letter.is_ascii_digit()).filter(|word| !word.is_empty());
                let mut part = || numbers.next().and_then(|word| word.parse().ok());
                part();
                DateRange::new(year as u32, part(), part())
            }
            (8, day) if day >= 10_000_000 => {
                let day = day as u32;
                DateRange::new(day / 10_000, Some(day / 100 % 100), Some(day % 100))
            }
            (9..=10, seconds) => Some(DateRange::of_day(seconds / 86_400)),
            _ => None,
        }
    }

    /// The day of a number since 1970-01-01 in the Gregorian calendar.
    fn of_day(days: u64) -> DateRange {
        // Days from 0000-03-01, so that the leap day is the last of its year (Howard Hinnant's `civil_from_days`).
        let days = days + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u32;
        let year = (year_of_era + 400 * era) as u32 + u32::from(month <= 2);
        DateRange { first: (year, month, day), last: (year, month, day) }
    }
}

impl FromStr for DateRange {
    type Err = String;

    fn from_str(text: &str) -> Result<DateRange, String> {
        let wrong = || format!("{text:?} is no date; write 2016, 2016-04 or 2016-04-03");
        let parts: Vec<&str> = text.trim().split(['-', '/', '.']).collect();
        let numbers: Result<Vec<u32>, _> = parts.iter().map(|part| part.parse::<u32>()).collect();
        let range = match numbers.map_err(|_| wrong())?[..] {
            [year] => DateRange::new(year, None, None),
            [year, month @ 1..=12] => DateRange::new(year, Some(month), None),
            [year, month @ 1..=12, day @ 1..=31] => DateRange::new(year, Some(month), Some(day)),
            _ => None,
        };
        range.ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Notation, Side};
    use tesuji_othello::Othello;

    use super::*;

    fn range(text: &str) -> DateRange {
        text.parse().unwrap()
    }

    #[test]
    fn dates_of_all_formats_are_found() {
        for (text, day) in [
            ("2016/04/03 14:30:02", "2016-04-03"),
            ("2003.12.15_13:24:03.MST", "2003-12-15"),
            ("2020年1月2日", "2020-1-2"),
            ("1999", "1999"),
            ("2016-04", "2016-04"),
            ("20160403", "2016-04-03"),
            ("2016 14:30", "2016"),
            ("1040000000", "2002-12-16"),
            ("951782400", "2000-02-29"),
        ] {
            assert_eq!(DateRange::find(text), Some(range(day)), "{text}");
        }
        for text in ["", "?", "yesterday", "12", "99999999999999999999", "0000"] {
            assert_eq!(DateRange::find(text), None, "{text}");
        }
        for text in ["", "04-2016", "2016-13", "2016-04-32", "2016-04-03-1", "16", "20-04"] {
            assert!(text.parse::<DateRange>().is_err(), "{text}");
        }
    }

    fn record() -> Record<Othello> {
        let mut record = Record::new(Othello::start());
        Othello::read_moves(&mut record, "f5d6c3d3c4").unwrap();
        record.set_tag(tags::FIRST, "Ayame Mori");
        record.set_tag(tags::SECOND, "Botan");
        record.set_tag(tags::DATE, "1999");
        record.set_tag(tags::FIRST_RATING, "2000");
        record.set_tag(tags::SECOND_RATING, "1900.5");
        record
    }

    fn refusal(record: &Record<Othello>, change: impl FnOnce(&mut RecordFilter)) -> Option<DropReason> {
        let mut filter = RecordFilter::default();
        change(&mut filter);
        let tiger =
            OpeningName { kind: tesuji_game::OpeningKind::Opening, side: None, name: "Tiger", native: "虎定石" };
        filter.compile().unwrap().refusal(record, || vec![tiger])
    }

    #[test]
    fn every_criterion_accepts_and_refuses() {
        let mut record = record();
        let own = |text: &str| Some(text.to_owned());
        assert_eq!(refusal(&record, |_| ()), None);
        assert_eq!(refusal(&record, |filter| filter.player = own("MORI")), None);
        assert_eq!(refusal(&record, |filter| filter.player = own("kiku")), Some(DropReason::Player));
        assert_eq!(refusal(&record, |filter| filter.since = own("1999-06")), None);
        assert_eq!(refusal(&record, |filter| filter.since = own("2000")), Some(DropReason::Date));
        assert_eq!(refusal(&record, |filter| filter.until = own("1999-01-01")), None);
        assert_eq!(refusal(&record, |filter| filter.until = own("1998")), Some(DropReason::Date));
        assert_eq!(refusal(&record, |filter| filter.min_rating = Some(1900.5)), None);
        assert_eq!(refusal(&record, |filter| filter.min_rating = Some(1950.0)), Some(DropReason::Rating));
        assert_eq!(refusal(&record, |filter| (filter.min_plies, filter.max_plies) = (Some(5), Some(5))), None);
        assert_eq!(refusal(&record, |filter| filter.min_plies = Some(6)), Some(DropReason::Plies));
        assert_eq!(refusal(&record, |filter| filter.max_plies = Some(4)), Some(DropReason::Plies));
        assert_eq!(refusal(&record, |filter| filter.ending = vec!["time".into(), "Unfinished".into()]), None);
        assert_eq!(refusal(&record, |filter| filter.ending = vec!["discs".into()]), Some(DropReason::Ending));
        assert_eq!(refusal(&record, |filter| filter.opening = own("tiger")), None);
        assert_eq!(refusal(&record, |filter| filter.opening = own("虎")), None);
        assert_eq!(refusal(&record, |filter| filter.opening = own("rose")), Some(DropReason::Opening));
        record.set_tag(tags::DATE, "");
        record.set_tag(tags::SECOND_RATING, "");
        assert_eq!(refusal(&record, |filter| filter.since = own("1990")), Some(DropReason::Undated));
        assert_eq!(refusal(&record, |filter| filter.min_rating = Some(0.0)), Some(DropReason::Unrated));
        let ending = tesuji_game::Ending { winner: Some(Side::First), reason: "resignation" };
        record.end(ending).unwrap();
        assert_eq!(refusal(&record, |filter| filter.ending = vec!["resignation".into()]), None);
    }

    #[test]
    fn contradictions_are_refused() {
        let wrong = |change: fn(&mut RecordFilter)| {
            let mut filter = RecordFilter::default();
            change(&mut filter);
            filter.compile().err().map(|error| error.to_string()).unwrap()
        };
        assert!(wrong(|filter| filter.since = Some("soon".into())).contains("2016-04-03"));
        let both = wrong(|filter| (filter.since, filter.until) = (Some("2001".into()), Some("2000".into())));
        assert!(both.contains("before --since"), "{both}");
        assert!(wrong(|filter| (filter.min_plies, filter.max_plies) = (Some(3), Some(2))).contains("--min-plies 3"));
    }
}
