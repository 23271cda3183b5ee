//! The game record: every move in it was legal when it was played.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::notation::quoted;
use crate::variation::Variation;
use crate::{Ending, Game, MoveList, Notation, Path, Side, TextError};

/// Names of tags that several formats share, so that a conversion keeps them. A format may add more.
pub mod tags {
    /// The name of the player who moves first in an even game: [`Side::First`](crate::Side::First).
    pub const FIRST: &str = "first";
    /// The name of the other player.
    pub const SECOND: &str = "second";
    /// The tournament or match.
    pub const EVENT: &str = "event";
    /// The place.
    pub const PLACE: &str = "place";
    /// The date, as written in the source.
    pub const DATE: &str = "date";
    /// The time control: in the spelling of [`ClockTag`](crate::ClockTag), or as written in the source.
    pub const CLOCK: &str = "clock";
    /// The result, as written in the source.
    pub const RESULT: &str = "result";
    /// The rating of the first player, as written in the source.
    pub const FIRST_RATING: &str = "first-rating";
    /// The rating of the second player, as written in the source.
    pub const SECOND_RATING: &str = "second-rating";
    /// The word of a server for how the game ended, such as `abnormal`, and behind a colon what else it says.
    pub const SUMMARY: &str = "summary";
}

/// A game from its start position.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// Players, place, date and other tags, in the order of the source.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: String,
    start: G,
    plies: Vec<Ply<G::Move>>,
    variations: Vec<Variation<G::Move>>,
    now: G,
    path: Path<G>,
    ending: Option<Ending>,
    stated: Option<&'static str>,
    scratch: G::Moves,
}

/// One move with its annotations.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply<M> {
    /// The move.
    pub mv: M,
    /// The time used.
    pub time: Option<Duration>,
    /// The player's evaluation in the unit of the game (discs, centipawns), from that player's point of view.
    pub value: Option<f64>,
    /// The line that the player expected after the move (the principal variation without the move).
    pub line: Vec<M>,
    /// The comment.
    pub comment: String,
}

impl<M> Ply<M> {
    /// A move without annotations.
    pub fn new(mv: M) -> Ply<M> {
        Ply { mv, time: None, value: None, line: Vec::new(), comment: String::new() }
    }
}

/// Why a move or an ending cannot be added to a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PushError {
    /// The game is over.
    Over(Ending),
    /// The move is illegal.
    Illegal,
    /// The text is not a legal move.
    Text(TextError),
}

/// An error in a record of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The number of the written move, from 1; `None` when the error is elsewhere. Implied passes do not count.
    pub mv: Option<usize>,
    /// The offending text.
    pub text: String,
    /// The description of the error.
    pub message: String,
    /// The line of the file, from 1; `None` in binary formats, and for text that is no file.
    pub line: Option<usize>,
}

/// A record as read from a file: its legal part, and the first error.
#[derive(Clone, Debug)]
pub struct ParsedRecord<G: Game> {
    /// The game up to the error.
    pub record: Record<G>,
    /// The first error, if there is one.
    pub fault: Option<RecordError>,
}

impl<G: Game> Record<G> {
    /// A record that starts at a position, with the default rules.
    pub fn new(start: G) -> Record<G> {
        Record::with_rules(start, G::Rules::default())
    }

    /// A record that starts at a position, with these rules.
    pub fn with_rules(start: G, rules: G::Rules) -> Record<G> {
        let path = Path::new(&start, rules);
        let ending = start.ending(&path);
        Record {
            tags: Vec::new(),
            comment: String::new(),
            now: start.clone(),
            start,
            plies: Vec::new(),
            variations: Vec::new(),
            path,
            ending,
            stated: None,
            scratch: G::Moves::default(),
        }
    }

    /// The start position.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The current position.
    pub fn now(&self) -> &G {
        &self.now
    }

    /// The history of the positions.
    pub fn path(&self) -> &Path<G> {
        &self.path
    }

    /// The moves with their annotations.
    pub fn plies(&self) -> &[Ply<G::Move>] {
        &self.plies
    }

    /// The lines that branch off the game, in the order of the source.
    pub fn variations(&self) -> &[Variation<G::Move>] {
        &self.variations
    }

    /// The game up to `plies` plies: its position, history and annotations, without a result off the board and without
    /// variations.
    #[must_use]
    pub fn up_to(&self, plies: usize) -> Record<G> {
        let mut part = Record::with_rules(self.start.clone(), self.path.rules.clone());
        part.tags = self.tags.clone();
        part.comment = self.comment.clone();
        for ply in self.plies.iter().take(plies) {
            part.advance(ply.clone());
        }
        part
    }

    /// The first `plies` moves of line `number` (0 is the game, n the n-th variation) as a game of their own, without
    /// annotations.
    pub fn line_up_to(&self, number: usize, plies: usize) -> Option<Record<G>> {
        let mut part = Record::with_rules(self.start.clone(), self.path.rules.clone());
        for mv in self.line(number)?.take(plies) {
            part.advance(Ply::new(mv));
        }
        Some(part)
    }

    /// Adds the variation that `line` is: a game from the same start that shares its first `after` plies with line
    /// `parent` (0 is the game, n the n-th variation). Returns its number; `None` if it shares fewer.
    pub fn branch(&mut self, parent: usize, after: usize, line: &Record<G>) -> Option<usize> {
        let shared: Vec<G::Move> = self.line(parent)?.take(after).collect();
        if shared.len() < after || !line.moves().take(after).eq(shared) || *line.start() != self.start {
            return None;
        }
        let plies = line.plies.get(after..)?.to_vec();
        self.variations.push(Variation { parent, after, plies, ending: line.ending, fault: None });
        Some(self.variations.len())
    }

    /// The fault of the last variation: where its source could not be read further.
    pub fn branch_fault(&mut self, fault: RecordError) {
        if let Some(last) = self.variations.last_mut() {
            last.fault.get_or_insert(fault);
        }
    }

    /// All moves of line `number` from the start: 0 is the game, n the n-th variation.
    pub fn line(&self, number: usize) -> Option<impl Iterator<Item = G::Move> + '_> {
        // From the line back to the game: each line with the plies that it contributes.
        let mut parts: Vec<&[Ply<G::Move>]> = Vec::new();
        let (mut line, mut end) = (number, usize::MAX);
        while line > 0 {
            let variation = self.variations.get(line - 1)?;
            let own = end.saturating_sub(variation.after).min(variation.plies.len());
            parts.push(&variation.plies[..own]);
            end = end.min(variation.after);
            line = variation.parent.min(line - 1);
        }
        parts.push(&self.plies[..end.min(self.plies.len())]);
        Some(parts.into_iter().rev().flatten().map(|ply| ply.mv))
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// The result; `None` while the game continues.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How the rules end the game in the current position; `None` where only a word, such as a resignation, ends it.
    pub fn board_ending(&self) -> Option<Ending> {
        self.now.ending(&self.path)
    }

    /// The reason for the end in the words of the source, which may differ from [`ending`](Record::ending): a mated
    /// player may resign. `None` when the source does not name one.
    pub fn stated(&self) -> Option<&'static str> {
        self.stated
    }

    /// Keeps the reason for the end that the source names.
    pub fn state(&mut self, reason: &'static str) {
        self.stated = Some(reason);
    }

    /// The word of a server for how the game ended: `toryo`, `abnormal`.
    pub fn summary(&self) -> Option<&str> {
        self.tag(tags::SUMMARY)?.split(':').next().map(str::trim)
    }

    /// The annotations of a move, for changes; the first is 0.
    pub fn note_at(&mut self, ply: usize) -> Option<Annotations<'_, G::Move>> {
        self.plies.get_mut(ply).map(Annotations)
    }

    /// The annotations of the last move, for changes.
    pub fn note(&mut self) -> Option<Annotations<'_, G::Move>> {
        self.plies.last_mut().map(Annotations)
    }

    /// The first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, or removes it when the value is empty.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        self.tags.retain(|(known, _)| known != name);
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value));
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The game is over, or the move is illegal.
    pub fn push(&mut self, mv: G::Move) -> Result<(), PushError> {
        self.open()?;
        self.now.moves(&mut self.scratch);
        if !self.scratch.has(mv) {
            return Err(PushError::Illegal);
        }
        self.advance(Ply::new(mv));
        Ok(())
    }

    /// Plays a legal move.
    fn advance(&mut self, ply: Ply<G::Move>) {
        self.now.play(ply.mv);
        self.path.push(&self.now);
        self.plies.push(ply);
        self.ending = self.now.ending(&self.path);
    }

    /// Ends the game by resignation, declaration or time.
    ///
    /// # Errors
    /// The game is over already.
    pub fn end(&mut self, ending: Ending) -> Result<(), PushError> {
        self.open()?;
        self.ending = Some(ending);
        self.stated = Some(ending.reason);
        Ok(())
    }

    fn open(&self) -> Result<(), PushError> {
        self.ending.map_or(Ok(()), |ending| Err(PushError::Over(ending)))
    }
}

impl<G: Notation> Record<G> {
    /// Parses and plays a move.
    ///
    /// # Errors
    /// The game is over, or the text is not a legal move.
    pub fn push_text(&mut self, text: &str) -> Result<(), PushError> {
        self.open()?;
        let mv = self.now.parse_move(text).map_err(PushError::Text)?;
        self.push(mv)
    }
}

/// The annotations of a move. The move itself cannot be changed.
#[derive(Debug)]
pub struct Annotations<'a, M>(&'a mut Ply<M>);

impl<M> Annotations<'_, M> {
    /// Sets the time used.
    pub fn time(self, time: Duration) -> Self {
        self.0.time = Some(time);
        self
    }

    /// Sets the player's evaluation.
    pub fn value(self, value: f64) -> Self {
        self.0.value = Some(value);
        self
    }

    /// Sets or removes the player's evaluation.
    pub fn set_value(self, value: Option<f64>) -> Self {
        self.0.value = value;
        self
    }

    /// Sets the line that the player expected.
    pub fn line(self, line: Vec<M>) -> Self {
        self.0.line = line;
        self
    }

    /// Replaces the comment.
    pub fn set_comment(self, words: String) -> Self {
        self.0.comment = words;
        self
    }

    /// Adds a line of comment.
    pub fn comment(self, words: &str) -> Self {
        if !self.0.comment.is_empty() {
            self.0.comment.push('\n');
        }
        self.0.comment.push_str(words);
        self
    }
}

impl PushError {
    /// This error for the `number`-th written move, with its text.
    pub fn at_move(self, number: usize, text: &str) -> RecordError {
        let message = match self {
            PushError::Text(error) => error.message,
            other => other.to_string(),
        };
        RecordError::at_move(number, text, message)
    }
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::Over(Ending { winner, reason }) => {
                let result = winner.map_or("a draw".to_owned(), |side: Side| format!("won by the {side} player"));
                write!(f, "the game is already over ({result}, {reason})")
            }
            PushError::Illegal => write!(f, "not a legal move here"),
            PushError::Text(error) => error.fmt(f),
        }
    }
}

impl Error for PushError {}

impl RecordError {
    /// An error outside the moves: in a header, a start position or the layout of the file.
    pub fn outside(text: impl Into<String>, message: impl Into<String>) -> RecordError {
        RecordError { mv: None, text: text.into(), message: message.into(), line: None }
    }

    /// An error of the `number`-th written move.
    pub fn at_move(number: usize, text: impl Into<String>, message: impl Into<String>) -> RecordError {
        RecordError { mv: Some(number), ..RecordError::outside(text, message) }
    }

    /// The same error on a line of a file, from 1.
    #[must_use]
    pub fn on_line(self, line: usize) -> RecordError {
        RecordError { line: Some(line), ..self }
    }
}

impl From<TextError> for RecordError {
    fn from(error: TextError) -> RecordError {
        RecordError::outside(error.text, error.message)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.mv {
            write!(f, "move {number}, ")?;
        }
        write!(f, "{}: {}", quoted(&self.text), self.message)
    }
}

impl Error for RecordError {}
