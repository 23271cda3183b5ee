//! The checked game record: no illegal move gets in, so nobody downstream has to ask.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::notation::quoted;
use crate::{Ending, Game, MoveList, Notation, Path, Side, TextError};

/// Names of tags that several formats share, so that a conversion keeps them. A format may add its own.
pub mod tags {
    /// The name of the player who moves first in an even game: [`Side::First`](crate::Side::First).
    pub const FIRST: &str = "first";
    /// The name of the other player.
    pub const SECOND: &str = "second";
    /// The tournament or match.
    pub const EVENT: &str = "event";
    /// Where it was played.
    pub const PLACE: &str = "place";
    /// When it was played, as the source writes it.
    pub const DATE: &str = "date";
    /// The clock, as the source writes it.
    pub const CLOCK: &str = "clock";
    /// The result as the source states it.
    pub const RESULT: &str = "result";
}

/// A game from its start, every move legal when it was played.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// Players, place, date and whatever else the source tells, in its order.
    pub tags: Vec<(String, String)>,
    /// What was said before the first move.
    pub comment: String,
    start: G,
    plies: Vec<Ply<G::Move>>,
    now: G,
    path: Path<G>,
    ending: Option<Ending>,
    scratch: G::Moves,
}

/// One move and what was noted beside it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply<M> {
    /// The move.
    pub mv: M,
    /// Time used.
    pub time: Option<Duration>,
    /// The player's own judgement, in the unit of the game (discs, centipawns), seen by that player.
    pub value: Option<f64>,
    /// Words.
    pub comment: String,
}

/// Why a move or an ending was not taken into a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PushError {
    /// The game had ended before.
    Over(Ending),
    /// The move cannot be played here.
    Illegal,
    /// The text is not a legal move; it says why.
    Text(TextError),
}

/// What is wrong with a record in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The number of the written move, from 1; `None` when the fault lies elsewhere. Implied passes do not
    /// count.
    pub mv: Option<usize>,
    /// The offending text.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

/// A record as it was read: all that is legal of it, and what is wrong with the rest.
#[derive(Clone, Debug)]
pub struct ParsedRecord<G: Game> {
    /// The game up to the fault.
    pub record: Record<G>,
    /// The first thing wrong, if anything.
    pub fault: Option<RecordError>,
}

impl<G: Game> Record<G> {
    /// A record that begins at `start`, under the usual rules.
    pub fn new(start: G) -> Record<G> {
        Record::with_rules(start, G::Rules::default())
    }

    /// A record that begins at `start`, under these rules.
    pub fn with_rules(start: G, rules: G::Rules) -> Record<G> {
        let path = Path::new(&start, rules);
        let ending = start.ending(&path);
        Record {
            tags: Vec::new(),
            comment: String::new(),
            now: start.clone(),
            start,
            plies: Vec::new(),
            path,
            ending,
            scratch: G::Moves::default(),
        }
    }

    /// Where the game began.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// Where the game stands.
    pub fn now(&self) -> &G {
        &self.now
    }

    /// The way it went.
    pub fn path(&self) -> &Path<G> {
        &self.path
    }

    /// The moves with their notes.
    pub fn plies(&self) -> &[Ply<G::Move>] {
        &self.plies
    }

    /// The moves alone.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// A mutable view of what is noted beside the last move: time, value, words.
    pub fn note(&mut self) -> Option<Note<'_, G::Move>> {
        self.plies.last_mut().map(Note)
    }

    /// The first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, replacing one of the same name; an empty value is not kept.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        self.tags.retain(|(known, _)| known != name);
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value));
        }
    }

    /// Plays a move if the game goes on and the move is legal.
    pub fn push(&mut self, mv: G::Move) -> Result<(), PushError> {
        self.open()?;
        self.now.moves(&mut self.scratch);
        if !self.scratch.has(mv) {
            return Err(PushError::Illegal);
        }
        self.now.play(mv);
        self.path.push(&self.now);
        self.plies.push(Ply { mv, time: None, value: None, comment: String::new() });
        self.ending = self.now.ending(&self.path);
        Ok(())
    }

    /// Ends the game off the board: resignation, declaration, time. The record must still be open.
    pub fn end(&mut self, ending: Ending) -> Result<(), PushError> {
        self.open()?;
        self.ending = Some(ending);
        Ok(())
    }

    fn open(&self) -> Result<(), PushError> {
        self.ending.map_or(Ok(()), |ending| Err(PushError::Over(ending)))
    }
}

impl<G: Notation> Record<G> {
    /// Reads and plays a move.
    pub fn push_text(&mut self, text: &str) -> Result<(), PushError> {
        self.open()?;
        let mv = self.now.parse_move(text).map_err(PushError::Text)?;
        self.push(mv)
    }
}

/// What is noted beside a move; the move itself cannot be changed.
#[derive(Debug)]
pub struct Note<'a, M>(&'a mut Ply<M>);

impl<M> Note<'_, M> {
    /// Sets the time used.
    pub fn time(self, time: Duration) -> Self {
        self.0.time = Some(time);
        self
    }

    /// Sets the player's judgement.
    pub fn value(self, value: f64) -> Self {
        self.0.value = Some(value);
        self
    }

    /// Adds a line of words.
    pub fn comment(self, words: &str) -> Self {
        if !self.0.comment.is_empty() {
            self.0.comment.push('\n');
        }
        self.0.comment.push_str(words);
        self
    }
}

impl PushError {
    /// The fault of the `number`-th written move, which read `text`.
    pub fn at_move(self, number: usize, text: &str) -> RecordError {
        let message = match self {
            PushError::Text(error) => error.message,
            other => other.to_string(),
        };
        RecordError { mv: Some(number), text: text.to_owned(), message }
    }
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::Over(Ending { winner, reason }) => {
                let result =
                    winner.map_or("a draw".to_owned(), |side: Side| format!("won by the {side} player"));
                write!(f, "the game was already over ({result}, {reason})")
            }
            PushError::Illegal => write!(f, "not a legal move here"),
            PushError::Text(error) => error.fmt(f),
        }
    }
}

impl Error for PushError {}

impl RecordError {
    /// A fault outside the moves: in a header, a start position or the frame of a file.
    pub fn outside(text: impl Into<String>, message: impl Into<String>) -> RecordError {
        RecordError { mv: None, text: text.into(), message: message.into() }
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
