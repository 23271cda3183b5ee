//! Text: boards of 25 digits, with the board before them when there is a ko, and moves such as `c5u`.

use tesuji_game::{Formats, Notation, TextError};

use crate::board::{CELLS, Ostle, SIDE};
use crate::moves::{Direction, Move};

/// The effect of the board before the last move on the ko.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Previous {
    /// The last move could be taken back, and that is forbidden.
    Ko,
    /// The last move cannot be taken back: nothing is forbidden.
    NoKo,
    /// No move leads from that board to this one.
    Impossible,
}

impl Ostle {
    /// This board after `previous`, the board before the last move from the point of view of the side that made it.
    ///
    /// Nothing is forbidden when `previous` is impossible. A ko of either is not looked at.
    ///
    /// ```
    /// use tesuji_game::Notation;
    /// use tesuji_ostle::{Ostle, Previous};
    ///
    /// let board = Ostle::parse("00100-11200-00001-31022-20020")?;
    /// let previous = Ostle::parse("00000-22200-00102-32011-10010")?;
    /// let (position, verdict) = board.with_previous(previous);
    /// assert_eq!(verdict, Previous::Ko);
    /// assert_eq!(position.ko().map(|ko| position.print_move(ko)), Some("c1d".to_owned()));
    /// # Ok::<(), tesuji_game::TextError>(())
    /// ```
    pub fn with_previous(self, previous: Ostle) -> (Ostle, Previous) {
        let board = self.without_ko();
        let mut found = None;
        previous.without_ko().successors(|_, next, _| {
            if next.without_ko() == board {
                found = Some(next.ko());
            }
        });
        match found {
            Some(Some(ko)) => (board.with_ko(ko), Previous::Ko),
            Some(None) => (board, Previous::NoKo),
            None => (board, Previous::Impossible),
        }
    }
}

impl Notation for Ostle {
    /// Reads `BOARD` or `BOARD/PREVIOUS`; a previous board that does not lead here is refused.
    fn parse(text: &str) -> Result<Ostle, TextError> {
        let Some((now, before)) = text.split_once('/') else { return read_board(text, 0) };
        let (board, previous) = (read_board(now, 0)?, read_board(before, now.len() + 1)?);
        match board.with_previous(previous) {
            (_, Previous::Impossible) => Err(TextError::new(
                before,
                now.len() + 1,
                "no move leads from this board to the one before the slash; it should be the board before the \
                 last move, with 1 for the pieces of the side that made that move",
            )),
            (position, _) => Ok(position),
        }
    }

    fn print(&self) -> String {
        let mut text = write_board(*self);
        if let Some(ko) = self.ko() {
            text.push('/');
            text.push_str(&write_board(self.after(ko)));
        }
        text
    }

    fn parse_move(&mut self, text: &str) -> Result<Move, TextError> {
        let wrong = |at: usize, message: &str| Err(TextError::new(text, at.min(text.len()), message));
        let Some(mv) = read_move(text) else {
            return wrong(0, "a move is a column a-e, a row 1-5 and a direction u, d, l or r, as in c5u");
        };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        match self.digit(mv.cell()) {
            _ if self.is_over() => wrong(0, "the game is over"),
            0 => wrong(0, "that cell is empty; name a piece of the side to move, or the hole"),
            2 => wrong(0, "that piece is the opponent's; name one of the side to move, or the hole"),
            _ if self.ko() == Some(mv) => {
                wrong(0, "forbidden: it would recreate the board before the last move; play another move")
            }
            _ => wrong(2, "the hole moves only to an empty cell of the board"),
        }
    }

    fn print_move(&self, mv: Move) -> String {
        let (row, column) = (mv.cell() / SIDE, mv.cell() % SIDE);
        let letter = char::from(b'a' + column as u8);
        format!("{letter}{}{}", row + 1, mv.direction().letter())
    }
}

/// One game per line, optionally after a start position and a colon.
impl Formats for Ostle {}

fn read_move(text: &str) -> Option<Move> {
    let &[column, row, direction] = text.as_bytes() else { return None };
    let column = column.to_ascii_lowercase().checked_sub(b'a').filter(|&column| usize::from(column) < SIDE)?;
    let row = row.checked_sub(b'1').filter(|&row| usize::from(row) < SIDE)?;
    let letter = char::from(direction.to_ascii_lowercase());
    let direction = Direction::ALL.into_iter().find(|direction| direction.letter() == letter)?;
    Some(Move::new(usize::from(row) * SIDE + usize::from(column), direction))
}

/// Reads one board, which begins `at` bytes into the input.
fn read_board(text: &str, at: usize) -> Result<Ostle, TextError> {
    let (mut sets, mut cell) = ([0u32; 4], 0);
    for (place, sign) in text.char_indices().filter(|&(_, sign)| sign != '-') {
        let Some(set) = sign.to_digit(4).and_then(|digit| sets.get_mut(digit as usize)) else {
            let message = "not a cell; a board is 25 of 0 (empty), 1 (mover), 2 (opponent), 3 (hole), and hyphens";
            return Err(TextError::new(sign, at + place, message));
        };
        if cell == CELLS {
            let message = "a board has 25 cells, five rows of five; this is more";
            return Err(TextError::new(&text[place..], at + place, message));
        }
        *set |= 1 << cell;
        cell += 1;
    }
    let [_, own, other, holes] = sets;
    if cell < CELLS {
        let message = format!("a board has 25 cells, five rows of five; these are {cell}");
        return Err(TextError::new(text, at, message));
    }
    if holes.count_ones() != 1 {
        let message = format!("a board has one hole (3); this has {}", holes.count_ones());
        return Err(TextError::new(text, at, message));
    }
    Ostle::new(own, other, holes.trailing_zeros() as u8).ok_or_else(|| {
        let message = format!(
            "a side has 4 or 5 pieces, or one side 3 when the game is over; these are {} of 1 and {} of 2",
            own.count_ones(),
            other.count_ones()
        );
        TextError::new(text, at, message)
    })
}

fn write_board(board: Ostle) -> String {
    let mut text = String::with_capacity(CELLS + SIDE - 1);
    for cell in 0..CELLS {
        if cell > 0 && cell % SIDE == 0 {
            text.push('-');
        }
        text.push(char::from(b'0' + board.digit(cell) as u8));
    }
    text
}
