//! Text for positions and moves. Every way from text to a move goes through here, so code behind it may assume
//! legality.

use std::error::Error;
use std::fmt;

use crate::{Game, MoveList, Record, RecordError};

/// A game with a notation for positions and moves.
pub trait Notation: Game {
    /// Parses a position. All spellings in use are accepted.
    ///
    /// # Errors
    /// The text is not a position.
    fn parse(text: &str) -> Result<Self, TextError>;

    /// The canonical text of the position: `parse(print(p)) == p`.
    fn print(&self) -> String;

    /// Parses a legal move. By default this is the legal move with this text, in either case. A game with more
    /// spellings or better error messages overrides this.
    ///
    /// # Errors
    /// The text is not a move, or the move is not legal here.
    fn parse_move(&mut self, text: &str) -> Result<Self::Move, TextError> {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        let found = list.each().find(|&mv| self.print_move(mv).eq_ignore_ascii_case(text));
        found.ok_or_else(|| TextError::new(text, 0, "not a legal move here"))
    }

    /// The canonical text of a legal move.
    fn print_move(&self, mv: Self::Move) -> String;

    /// A line of moves from here, such as a principal variation, up to the first move that is not legal: a line out of a
    /// transposition table may contain one.
    fn print_line(&self, moves: &[Self::Move]) -> Vec<String> {
        let (mut game, mut list) = (self.clone(), Self::Moves::default());
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            game.moves(&mut list);
            if !list.has(mv) {
                break;
            }
            words.push(game.print_move(mv));
            game.play(mv);
        }
        words
    }

    /// Appends a list of moves to `record`. By default moves are separated by blanks; Othello's transcripts differ.
    ///
    /// # Errors
    /// A move cannot be played. The moves before it are in the record.
    fn read_moves(record: &mut Record<Self>, text: &str) -> Result<(), RecordError> {
        for (index, word) in text.split_whitespace().enumerate() {
            record.push_text(word).map_err(|error| error.at_move(index + 1, word))?;
        }
        Ok(())
    }
}

/// An error in a text, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The offending part of the input.
    pub text: String,
    /// The offset of that part in the input, in bytes.
    pub at: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl TextError {
    /// An error about `input[at..]`, quoting `text`.
    pub fn new(text: impl Into<String>, at: usize, message: impl Into<String>) -> TextError {
        TextError { text: text.into(), at, message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", quoted(&self.text), self.message)
    }
}

/// Text in quotation marks. Long text is cut and control characters are escaped. Backslashes stay as typed: Trax
/// moves contain them.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut quoted = String::from("\"");
    for (index, letter) in text.chars().enumerate() {
        if index == SHOWN {
            quoted.push('…');
            break;
        }
        match letter {
            '\u{fffd}' => quoted.push('?'),
            letter if letter.is_control() => quoted.extend(letter.escape_default()),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

impl Error for TextError {}
