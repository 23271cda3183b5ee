//! Dates as records write them, and as a filter asks for them.

use std::str::FromStr;

/// The days that a date may mean: `2016` is a whole year. Days are compared as `(year, month, day)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DateRange {
    pub(crate) first: (u32, u32, u32),
    pub(crate) last: (u32, u32, u32),
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
    pub(crate) fn find(text: &str) -> Option<DateRange> {
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
}
