//! One filter for records: by player, date, rating, length, ending and opening, without duplicates and faults.

use serde::{Deserialize, Serialize};
use tesuji_engines::SpecError;
use tesuji_game::{Game, Notation, OpeningName, Record, grouped, lines, reason, tags};

use crate::Error;
use crate::date_range::DateRange;

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
    /// How the game ended in the words of the file: one of these reasons, such as `resignation`; `unfinished` for no
    /// ending. Where the file has no word, what the rules say.
    pub ending: Vec<String>,
    /// What the rules say about the final position: one of these reasons, such as `checkmate`; `unfinished` where the
    /// game could go on.
    pub board_ending: Vec<String>,
    /// The server's word for how the game ended, such as `toryo`: one of these; `none` where it has none.
    pub summary: Vec<String>,
    /// No games that the server calls abnormal.
    pub no_abnormal: bool,
    /// A part of the name of an opening or castle, in upper or lower case.
    pub opening: Option<String>,
    /// No records with a fault.
    pub no_faults: bool,
    /// Of records with the same moves from the same start only the first.
    pub no_duplicates: bool,
    /// At most this many records: the first that match.
    pub limit: Option<usize>,
}

/// The server's word for a game whose result means nothing, since a player left or the connection was lost.
const ABNORMAL: &str = "abnormal";
/// What stands for the server's word where it has none.
const NO_SUMMARY: &str = "none";

/// How many records a filter left out, each counted by the first criterion that it does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DroppedRecords {
    /// A fault: an illegal move, or something else that cannot be read.
    pub faulty: usize,
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
    /// Another ending in the file.
    pub ending: usize,
    /// Another ending on the board.
    pub board_ending: usize,
    /// Another word of the server.
    pub summary: usize,
    /// Another opening.
    pub opening: usize,
    /// The same moves as a record before.
    pub duplicate: usize,
}

impl DroppedRecords {
    /// The counts, each with its reason.
    pub fn reasons(&self) -> [(usize, &'static str); 12] {
        let DroppedRecords { faulty, player, date, undated, rating, unrated, plies, .. } = *self;
        let DroppedRecords { ending, board_ending, summary, opening, duplicate, .. } = *self;
        [
            (faulty, "with a fault"),
            (player, "by player"),
            (date, "by date"),
            (undated, "without a date"),
            (rating, "by rating"),
            (unrated, "without a rating"),
            (plies, "by length"),
            (ending, "by ending"),
            (board_ending, "by ending on the board"),
            (summary, "by the server's word"),
            (opening, "by opening"),
            (duplicate, "as duplicates"),
        ]
    }

    /// All of them.
    pub fn total(&self) -> usize {
        self.reasons().iter().map(|(count, _)| count).sum()
    }

    /// What was left out and why: `12 by player, 3 without a date`; empty when nothing was.
    pub fn summary(&self) -> String {
        let reasons = self.reasons().into_iter().filter(|(count, _)| *count > 0);
        reasons.map(|(count, why)| format!("{} {why}", grouped(count as u64))).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn add(&mut self, reason: DropReason) {
        *match reason {
            DropReason::Faulty => &mut self.faulty,
            DropReason::Player => &mut self.player,
            DropReason::Date => &mut self.date,
            DropReason::Undated => &mut self.undated,
            DropReason::Rating => &mut self.rating,
            DropReason::Unrated => &mut self.unrated,
            DropReason::Plies => &mut self.plies,
            DropReason::Ending => &mut self.ending,
            DropReason::BoardEnding => &mut self.board_ending,
            DropReason::Summary => &mut self.summary,
            DropReason::Opening => &mut self.opening,
            DropReason::Duplicate => &mut self.duplicate,
        } += 1;
    }
}

/// The criterion that a record does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DropReason {
    Faulty,
    Player,
    Date,
    Undated,
    Rating,
    Unrated,
    Plies,
    Ending,
    BoardEnding,
    Summary,
    Opening,
    Duplicate,
}

/// A key of the start and the moves of a game: equal games have equal keys, on every machine and in every version. It is
/// the 128-bit FNV-1a hash of the game as a plain line.
pub(crate) fn game_key<G: Notation>(record: &Record<G>) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    lines::write(record).bytes().fold(OFFSET, |key, byte| (key ^ u128::from(byte)).wrapping_mul(PRIME))
}

impl RecordFilter {
    /// Whether it accepts everything.
    pub fn is_empty(&self) -> bool {
        *self == RecordFilter::default()
    }

    /// The filter with its dates understood and its words in lower case. `reasons` are the game's own for an ending.
    pub(crate) fn compile(&self, reasons: &[&str]) -> Result<CompiledFilter, Error> {
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
        let words = |list: &[String]| list.iter().map(|word| word.trim().to_lowercase()).collect();
        let ended = [reasons, &[reason::UNFINISHED]].concat();
        known_words("ending", &self.ending, &[&ended[..], &reason::OFF_BOARD].concat())?;
        known_words("board-ending", &self.board_ending, &ended)?;
        Ok(CompiledFilter {
            player: lower(&self.player),
            opening: lower(&self.opening),
            since,
            until,
            ending: words(&self.ending),
            board_ending: words(&self.board_ending),
            summary: words(&self.summary),
            filter: self.clone(),
        })
    }
}

/// Refuses a word for an ending that no record can have.
fn known_words(field: &'static str, words: &[String], known: &[&str]) -> Result<(), Error> {
    let is_known = |word: &&String| known.contains(&word.trim().to_lowercase().as_str());
    match words.iter().find(|word| !is_known(word)) {
        None => Ok(()),
        Some(word) => Err(Error::field(field, SpecError::unknown("ending", word.trim(), known))),
    }
}

/// A filter ready for use.
pub(crate) struct CompiledFilter {
    player: Option<String>,
    opening: Option<String>,
    since: Option<DateRange>,
    until: Option<DateRange>,
    ending: Vec<String>,
    board_ending: Vec<String>,
    summary: Vec<String>,
    filter: RecordFilter,
}

impl CompiledFilter {
    /// Whether records with a fault are refused.
    pub(crate) fn refuses_faults(&self) -> bool {
        self.filter.no_faults
    }

    /// Whether all but the first of equal records are refused.
    pub(crate) fn refuses_duplicates(&self) -> bool {
        self.filter.no_duplicates
    }

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
        let one_of = |words: &[String], word: &str| words.is_empty() || words.iter().any(|known| known == word);
        let by_ending = || {
            let of_rules = || record.ending().map_or(reason::UNFINISHED, |ending| ending.reason);
            refused(one_of(&self.ending, record.stated().unwrap_or_else(of_rules)), DropReason::Ending)
        };
        let by_board_ending = || {
            // Asking the board costs a list of moves.
            let of_board = || record.board_ending().map_or(reason::UNFINISHED, |ending| ending.reason);
            let fits = self.board_ending.is_empty() || one_of(&self.board_ending, of_board());
            refused(fits, DropReason::BoardEnding)
        };
        let by_summary = || {
            let word = record.summary().map_or(NO_SUMMARY.to_owned(), str::to_lowercase);
            let fits = one_of(&self.summary, &word) && !(self.filter.no_abnormal && word == ABNORMAL);
            refused(fits, DropReason::Summary)
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
            .or_else(by_board_ending)
            .or_else(by_summary)
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

#[cfg(test)]
mod tests {
    use tesuji_game::{Notation, Side};
    use tesuji_othello::Othello;

    use super::*;

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
        filter.compile(Othello::REASONS).unwrap().refusal(record, || vec![tiger])
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
    fn the_file_the_board_and_the_server_are_asked_apart() {
        let words = |text: &str| vec![text.to_owned()];
        let mut record = record();
        record.end(tesuji_game::Ending { winner: Some(Side::First), reason: "resignation" }).unwrap();
        assert_eq!(refusal(&record, |filter| filter.board_ending = words("unfinished")), None);
        let ending = Some(DropReason::BoardEnding);
        assert_eq!(refusal(&record, |filter| filter.board_ending = words("discs")), ending);
        assert_eq!(refusal(&record, |filter| filter.summary = words("none")), None);
        assert_eq!(refusal(&record, |filter| filter.no_abnormal = true), None);
        assert_eq!(refusal(&record, |filter| filter.summary = words("toryo")), Some(DropReason::Summary));
        record.set_tag(tags::SUMMARY, "abnormal:A win:B lose");
        assert_eq!(refusal(&record, |filter| filter.summary = words("Abnormal")), None);
        assert_eq!(refusal(&record, |filter| filter.no_abnormal = true), Some(DropReason::Summary));
        record.state("time");
        assert_eq!(refusal(&record, |filter| filter.ending = words("resignation")), Some(DropReason::Ending));
        assert_eq!(refusal(&record, |filter| filter.ending = words("time")), None);
    }

    #[test]
    fn every_reason_is_counted_once() {
        let mut dropped = DroppedRecords::default();
        let all = [
            DropReason::Faulty,
            DropReason::Player,
            DropReason::Date,
            DropReason::Undated,
            DropReason::Rating,
            DropReason::Unrated,
            DropReason::Plies,
            DropReason::Ending,
            DropReason::BoardEnding,
            DropReason::Summary,
            DropReason::Opening,
            DropReason::Duplicate,
        ];
        all.into_iter().for_each(|reason| dropped.add(reason));
        assert!(dropped.reasons().iter().all(|(count, _)| *count == 1), "{dropped:?}");
        assert_eq!(dropped.total(), all.len());
    }

    /// The keys decide the split, so they may never change.
    #[test]
    fn keys_are_those_of_the_moves() {
        let tagged = record();
        let mut bare = Record::new(Othello::start());
        Othello::read_moves(&mut bare, "f5d6c3d3c4").unwrap();
        assert_eq!(game_key(&tagged), game_key(&bare));
        assert_ne!(game_key(&bare), game_key(&bare.up_to(4)));
        // FNV-1a of "f5 d6 c3 d3 c4\n".
        assert_eq!(game_key(&bare), 0x2703_b942_d91a_bcb4_0310_cf58_99f6_eda2);
    }

    #[test]
    fn contradictions_are_refused() {
        let wrong = |change: fn(&mut RecordFilter)| {
            let mut filter = RecordFilter::default();
            change(&mut filter);
            filter.compile(Othello::REASONS).err().map(|error| error.to_string()).unwrap()
        };
        assert!(wrong(|filter| filter.since = Some("soon".into())).contains("2016-04-03"));
        let both = wrong(|filter| (filter.since, filter.until) = (Some("2001".into()), Some("2000".into())));
        assert!(both.contains("before --since"), "{both}");
        let misspelt = wrong(|filter| filter.ending = vec!["resignation".into(), "resignaton".into()]);
        assert_eq!(misspelt, "ending: there is no ending \"resignaton\"; did you mean \"resignation\"?");
        assert!(
            wrong(|filter| filter.ending = vec!["checkmate".into()]).contains("there are: discs, unfinished, time")
        );
        let on_board = wrong(|filter| filter.board_ending = vec!["resignation".into()]);
        assert!(on_board.ends_with("there are: discs, unfinished"), "{on_board}");
        assert!(wrong(|filter| (filter.min_plies, filter.max_plies) = (Some(3), Some(2))).contains("--min-plies 3"));
    }
}
