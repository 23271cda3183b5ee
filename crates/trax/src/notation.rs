//! Notation: moves as players write them, and positions as the moves that lead to them.

use std::fmt::Write;

use tesuji_game::{Formats, Game, Notation, TextError};

use crate::board::BoundingBox;
use crate::legal::Illegal;
use crate::moves::{Coordinate, Move, column_number};
use crate::position::Trax;
use crate::symmetry::TraxSymmetry;
use crate::tile::{Glyph, Tile};
use crate::variant::Variant;

/// The prefix of a transformed game: `~9 @0/ B1+` is symmetry 9 of `@0/ B1+`.
const TURNED: char = '~';

impl<V: Variant> Notation for Trax<V> {
    /// Parses the moves that lead to the position; the empty text is the empty board.
    fn parse(text: &str) -> Result<Trax<V>, TextError> {
        let mut words = words(text).peekable();
        let mut turn = TraxSymmetry::NONE;
        if let Some(&(at, word)) = words.peek()
            && let Some(number) = word.strip_prefix(TURNED)
        {
            turn =
                number.parse().ok().and_then(TraxSymmetry::new).ok_or_else(|| {
                    TextError::new(word, at, "~ is followed by the number of a symmetry, from 0 to 15")
                })?;
            words.next();
        }
        let mut game = Trax::start();
        for (at, word) in words {
            let mv = game.parse_move(word).map_err(|error| TextError { at: at + error.at, ..error })?;
            game.play(mv);
        }
        Ok(if turn == TraxSymmetry::NONE { game } else { tesuji_game::Symmetric::image(&game, turn.number().into()) })
    }

    fn print(&self) -> String {
        let mut text = String::new();
        if self.turned != TraxSymmetry::NONE {
            let _ = write!(text, "{TURNED}{}", self.turned.number());
        }
        for mv in self.history() {
            let blank = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{blank}{mv}");
        }
        text
    }

    fn parse_move(&mut self, text: &str) -> Result<Move, TextError> {
        let mv = read(text)?.map(|(place, glyph)| Move::new(place, glyph));
        match mv.map_or(Err(Illegal::Nowhere), |mv| self.check(mv).map(|_| mv)) {
            Ok(mv) => Ok(mv),
            Err(illegal) => Err(TextError::new(text, 0, self.explain(illegal))),
        }
    }

    fn print_move(&self, mv: Move) -> String {
        mv.to_string()
    }
}

impl<V: Variant> Trax<V> {
    /// The number of the symmetry under which the game is seen; 0 for none. It is written as `~9`.
    pub fn view_symmetry(&self) -> u8 {
        self.turned.number()
    }

    /// The turns that led here, before the symmetry of the view.
    pub fn history(&self) -> Vec<Move> {
        let back = self.turned.inverse();
        let mut frame = BoundingBox::EMPTY;
        let mut turns = Vec::new();
        for entry in &self.board.log {
            let (x, y) = back.place(self.board.place(entry.cell));
            if entry.chosen {
                let place = match frame {
                    BoundingBox::EMPTY => Coordinate { column: 0, row: 0 },
                    _ => Coordinate { column: (x - frame.left + 1) as u16, row: (y - frame.top + 1) as u16 },
                };
                turns.push(Move::new(place, Tile::of(back.edges(entry.tile)).glyph()));
            }
            frame = frame.with(x, y);
        }
        turns
    }
}

impl<V: Variant> Formats for Trax<V> {}

/// Splits a move; `None` when its coordinate is beyond any board.
fn read(text: &str) -> Result<Option<(Coordinate, Glyph)>, TextError> {
    let malformed = |at: usize, message: &str| Err(TextError::new(text, at, message));
    let digits = text.find(|letter: char| !(letter == '@' || letter.is_ascii_alphabetic())).unwrap_or(text.len());
    let (column, rest) = text.split_at(digits);
    if column.is_empty() || (column.contains('@') && column.len() > 1) {
        return malformed(0, "a move begins with its column, @ or letters, as in B0+");
    }
    let sign = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let (row, glyph) = rest.split_at(sign);
    if row.is_empty() {
        return malformed(digits, "the column is followed by the number of the row, as in B0+");
    }
    if row.len() > 1 && row.starts_with('0') {
        return malformed(digits, "the number of a row has no leading zero");
    }
    let Some(glyph) = Glyph::ALL.into_iter().find(|known| glyph.chars().eq([known.sign()])) else {
        return malformed(digits + sign, r"a move ends with one of + / \, as in B0+");
    };
    let place = column_number(column).zip(row.parse().ok()).map(|(column, row)| Coordinate { column, row });
    let within = |place: &Coordinate| place.column.max(place.row) <= 0x7fff;
    Ok(place.filter(within).map(|place| (place, glyph)))
}

/// The words of a text and their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
