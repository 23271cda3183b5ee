//! What a player does on its turn, as a word.

use std::fmt;

/// A disc, a pass or the end of resistance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Play {
    /// A disc on the square of this column and row, both counted from 0 at A1 in the top left corner.
    Disc(u8, u8),
    /// Nothing: there is no move. A game ends with two of these, even on a full board.
    Pass,
    /// Gives up; only a player says so, never a server.
    GiveUp,
}

impl Play {
    /// Reads `F5`, also in small letters, `PASS` or `GIVEUP`.
    ///
    /// ```
    /// # use tesuji_protocol::reversi::Play;
    /// assert_eq!(Play::parse("A1"), Some(Play::Disc(0, 0)));
    /// assert_eq!(Play::parse("f5"), Some(Play::Disc(5, 4)));
    /// assert_eq!(Play::parse("I9"), None);
    /// ```
    pub fn parse(word: &str) -> Option<Play> {
        if word.eq_ignore_ascii_case("PASS") {
            return Some(Play::Pass);
        }
        if word.eq_ignore_ascii_case("GIVEUP") {
            return Some(Play::GiveUp);
        }
        match word.as_bytes() {
            [column, row @ b'1'..=b'8'] => match column.to_ascii_uppercase() {
                column @ b'A'..=b'H' => Some(Play::Disc(column - b'A', row - b'1')),
                _ => None,
            },
            _ => None,
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Play::Disc(column, row) => {
                write!(f, "{}{}", char::from(b'A' + column % 8), char::from(b'1' + row % 8))
            }
            Play::Pass => f.write_str("PASS"),
            Play::GiveUp => f.write_str("GIVEUP"),
        }
    }
}
