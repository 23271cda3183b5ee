//! The door between text and positions or moves; past it nothing is unchecked.

use std::error::Error;
use std::fmt;

use crate::{Game, MoveList, Record, RecordError};

/// A game that can be written down. The only way from text to a legal move.
pub trait Notation: Game {
    /// Reads a position. Every way to write one is accepted, and nothing panics.
    fn parse(text: &str) -> Result<Self, TextError>;

    /// The position in its one canonical form: `parse(print(p)) == p`.
    fn print(&self) -> String;

    /// Reads a move that is legal here. By default the one that prints so, in either case of letters; a game
    /// with more ways to write a move, or more to say about a wrong one, overrides this.
    fn parse_move(&mut self, text: &str) -> Result<Self::Move, TextError> {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        let found = list.each().find(|&mv| self.print_move(mv).eq_ignore_ascii_case(text));
        found.ok_or_else(|| TextError::new(text, 0, "not a legal move here"))
    }

    /// A move that is legal here, in its one canonical form.
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

    /// Plays a list of moves into `record`, stopping at the first that cannot be played. By default moves
    /// stand between blanks; a game whose custom differs (Othello's transcripts) overrides this.
    fn read_moves(record: &mut Record<Self>, text: &str) -> Result<(), RecordError> {
        for (index, word) in text.split_whitespace().enumerate() {
            record.push_text(word).map_err(|refusal| refusal.at_move(index + 1, word))?;
        }
        Ok(())
    }
}

/// Text that does not say what it should, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The offending part of the input.
    pub text: String,
    /// Where that part begins, in bytes from the start of the input.
    pub at: usize,
    /// What is wrong and what would be right.
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

/// Text in quotation marks as a person would quote it: cut when long, control characters made visible, and
/// everything else, Trax's backslash included, left as it was typed.
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
