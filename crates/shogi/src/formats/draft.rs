//! A record under construction, and the loop that splits a file into records.

use std::mem;
use std::time::Duration;

use tesuji_game::{Ending, Game, Notation, ParsedRecord, PushError, Record, RecordError};

use super::encoding;
use super::stated::Stated;
use crate::{Move, Shogi};

/// A reader of the lines of one record.
pub(super) trait LineReader: Default {
    /// Whether this line belongs to another record than the lines before.
    fn begins_next(&self, line: &str) -> bool;
    /// Reads a line.
    fn take(&mut self, line: &str);
    /// Whether something was wrong with the lines so far.
    fn faulty(&self) -> bool;
    /// The record; `None` when no line had to do with one.
    fn finish(self) -> Option<ParsedRecord<Shogi>>;
}

/// The records of a file, one by one.
pub(super) fn readings<'a, R: LineReader + 'a>(bytes: &'a [u8]) -> impl Iterator<Item = ParsedRecord<Shogi>> + 'a {
    let mut lines = encoding::lines(bytes);
    // A reader is large: it stays where it is from line to line.
    let (mut reader, mut is_open) = (R::default(), true);
    // The number of lines read, and the line of the fault of this record.
    let (mut number, mut fault_line) = (0, None);
    std::iter::from_fn(move || {
        let finish = |reader: &mut R, line: usize| {
            let ParsedRecord { record, fault } = mem::take(reader).finish()?;
            Some(ParsedRecord { record, fault: fault.map(|fault| fault.on_line(line)) })
        };
        while is_open {
            let Some(line) = lines.next() else {
                is_open = false;
                return finish(&mut reader, fault_line.unwrap_or(number));
            };
            let done = match reader.begins_next(&line) {
                true => finish(&mut reader, fault_line.take().unwrap_or(number)),
                false => None,
            };
            number += 1;
            reader.take(&line);
            if reader.faulty() {
                fault_line.get_or_insert(number);
            }
            if done.is_some() {
                return done;
            }
        }
        None
    })
}

/// So many plies may be replayed to the beginnings of variations, which bounds the time for a record.
const MOST_REPLAYED: usize = 2_000_000;
/// A longer principal variation stays a comment.
const LONGEST_LINE: usize = 256;

/// The part of a record that was read so far.
#[derive(Default)]
pub(super) struct Draft {
    tags: Vec<(String, String)>,
    preamble: Vec<String>,
    /// The line that is being read: the game, then its variations.
    game: Option<Record<Shogi>>,
    /// The game, while variations are read.
    trunk: Option<Record<Shogi>>,
    /// Where the line that is being read leaves which line.
    branch: (usize, usize),
    /// Plies that were replayed to the beginnings of variations.
    replayed: usize,
    fault: Option<RecordError>,
    closed: Option<String>,
    /// The ending that a comment gives.
    exact: Option<Ending>,
    begun: bool,
}

impl Draft {
    /// Whether anything of a record was seen.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Whether the moves have begun.
    pub(super) fn playing(&self) -> bool {
        self.game.is_some()
    }

    /// Whether something was wrong, so that the rest of the record can be passed over.
    pub(super) fn faulty(&self) -> bool {
        self.fault.is_some()
    }

    /// Whether the end was stated.
    pub(super) fn stated(&self) -> bool {
        self.closed.is_some()
    }

    /// The game so far, once its moves have begun.
    pub(super) fn game(&self) -> Option<&Record<Shogi>> {
        self.game.as_ref()
    }

    /// That something of a record was seen.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// Keeps a tag; a later one of the same name replaces it.
    pub(super) fn tag(&mut self, name: &str, value: &str) {
        self.begun = true;
        self.tags.retain(|(known, _)| known != name);
        if !name.is_empty() && !value.is_empty() {
            self.tags.push((name.to_owned(), value.to_owned()));
        }
    }

    /// The tag of this name.
    pub(super) fn tagged(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Keeps the ending that a comment gives, for the statement that follows.
    pub(super) fn exact_ending(&mut self, ending: Ending) {
        self.exact = Some(ending);
    }

    /// Adds a comment line to the last move, or before the first.
    pub(super) fn words(&mut self, line: &str) {
        if self.fault.is_some() {
            return;
        }
        match self.game.as_mut().and_then(Record::note) {
            Some(note) => drop(note.comment(line)),
            None => self.preamble.push(line.to_owned()),
        }
    }

    /// Keeps the time the last move took.
    pub(super) fn time(&mut self, time: Duration) {
        // The time taken to resign has no move to stand beside.
        if self.stated() || self.faulty() {
            return;
        }
        if let Some(note) = self.game.as_mut().and_then(Record::note) {
            note.time(time);
        }
    }

    /// Sets the line that the player expected after the last move. Returns whether all of it is legal.
    pub(super) fn line(&mut self, text: &str, read: impl Fn(&str, &Record<Shogi>) -> Option<Move>) -> bool {
        let Some(game) = self.game.as_mut().filter(|game| game.ending().is_none()) else { return false };
        let mut ahead = Record::new(game.now().clone());
        for word in text.split_whitespace().take(LONGEST_LINE) {
            let played = read(word, &ahead).is_some_and(|mv| ahead.push(mv).is_ok());
            if !played {
                return false;
            }
        }
        let line: Vec<Move> = ahead.moves().collect();
        !line.is_empty() && game.note().map(|note| note.line(line)).is_some()
    }

    /// Sets the evaluation of the last move, for the player who moved. Returns whether there is a move.
    pub(super) fn value(&mut self, value: impl FnOnce(&Record<Shogi>) -> f64) -> bool {
        let open = self.closed.is_none() && self.fault.is_none();
        let Some(game) = self.game.as_mut().filter(|_| open) else { return false };
        let value = value(game);
        game.note().map(|note| note.value(value)).is_some()
    }

    /// Starts the moves, unless they have started. An invalid start position is an error of the record.
    pub(super) fn open(&mut self, start: impl FnOnce() -> Result<Shogi, RecordError>) {
        self.begun = true;
        if self.game.is_none() {
            let start = start().unwrap_or_else(|fault| {
                self.fault.get_or_insert(fault);
                Shogi::start()
            });
            self.game = Some(Record::new(start));
        }
    }

    /// Begins a variation behind the first `after` plies of the line before it. `text` is its header.
    ///
    /// Variations of a game with a fault are passed over.
    pub(super) fn branch(&mut self, after: usize, text: &str) {
        if self.trunk.is_none() && self.fault.is_some() {
            return;
        }
        let Some(mut parent) = self.close_line() else { return };
        let Some(trunk) = &self.trunk else { return };
        // A variation that begins at or before the branch of the line before it leaves the same line as that.
        while let Some(line) = parent.checked_sub(1).and_then(|index| trunk.variations().get(index)) {
            if line.after() < after {
                break;
            }
            parent = line.parent();
        }
        self.replayed = self.replayed.saturating_add(after);
        let affordable = self.replayed <= MOST_REPLAYED;
        let (parent, wanted) = if affordable { (parent, after) } else { (0, 0) };
        self.game = trunk.line_up_to(parent, wanted);
        let found = self.game.as_ref().map_or(0, |game| game.plies().len());
        self.branch = (parent, found);
        (self.closed, self.exact, self.fault) = (None, None, None);
        if found < after {
            let message = match affordable {
                true => format!("the line before it has no more than {found} moves"),
                false => "the record has too many variations".to_owned(),
            };
            self.fault = Some(RecordError::outside(text, message));
        }
    }

    /// Puts the line that was read into the record. Returns its number: 0 is the game.
    fn close_line(&mut self) -> Option<usize> {
        let line = self.game.take()?;
        let Some(trunk) = &mut self.trunk else {
            self.trunk = Some(line);
            return Some(0);
        };
        let (parent, after) = self.branch;
        let number = trunk.branch(parent, after, &line)?;
        if let Some(fault) = self.fault.take() {
            trunk.branch_fault(fault);
        }
        Some(number)
    }

    /// Plays the move that `read` finds in `text`.
    pub(super) fn play(&mut self, text: &str, read: impl FnOnce(&Record<Shogi>) -> Result<Move, String>) {
        if self.fault.is_some() {
            return;
        }
        let Some(game) = self.game.as_mut() else { return };
        let number = game.plies().len() + 1;
        let played = match (&self.closed, game.ending()) {
            (Some(word), _) => Err(format!("no move may follow {word}")),
            (None, Some(ending)) => Err(PushError::Over(ending).to_string()),
            (None, None) => read(game).and_then(|mv| game.push(mv).map_err(|_| illegal(game, mv))),
        };
        self.fault = played.err().map(|message| RecordError::at_move(number, text, message));
    }

    /// Ends the game as `text` states.
    pub(super) fn state(&mut self, text: &str, stated: Stated) {
        if self.fault.is_some() {
            return;
        }
        let Some(game) = self.game.as_mut() else { return };
        let number = game.plies().len() + 1;
        let stated = self.exact.take().map_or(stated, |exact| stated.refined(exact));
        let settled = match &self.closed {
            Some(word) => Err(format!("nothing may follow {word}")),
            None => stated.settle(game),
        };
        self.closed = Some(text.to_owned());
        self.fault = settled.err().map(|message| RecordError::at_move(number, text, message));
    }

    /// Records an error of the next move.
    pub(super) fn fault(&mut self, text: &str, message: impl Into<String>) {
        let mv = self.game.as_ref().map(|game| game.plies().len() + 1);
        let fault = RecordError { mv, ..RecordError::outside(text, message) };
        self.fault.get_or_insert(fault);
    }

    /// Records an error outside the moves.
    pub(super) fn fault_outside(&mut self, text: &str, message: impl Into<String>) {
        self.begun = true;
        self.fault.get_or_insert(RecordError::outside(text, message));
    }

    /// The record; `None` when nothing of one was seen.
    pub(super) fn finish(mut self, start: impl FnOnce() -> Result<Shogi, RecordError>) -> Option<ParsedRecord<Shogi>> {
        if !self.begun {
            return None;
        }
        self.open(start);
        if self.trunk.is_some() {
            self.close_line();
        }
        let mut record = self.trunk.or(self.game)?;
        record.tags = self.tags;
        record.comment = self.preamble.join("\n");
        Some(ParsedRecord { record, fault: self.fault })
    }
}

/// Why a well-formed move is illegal.
fn illegal(game: &Record<Shogi>, mv: Move) -> String {
    let mut now = game.now().clone();
    let text = now.print_move(mv);
    match now.parse_move(&text) {
        Err(error) => error.message,
        Ok(_) => PushError::Illegal.to_string(),
    }
}
