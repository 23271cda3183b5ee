//! Text: boards of 25 digits and the side to move, with the board before them when there is a ko, and moves such as
//! `c5u`.

use tesuji_game::{Formats, Notation, Side, TextError};

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
    /// Reads `BOARD` or `BOARD/PREVIOUS`, each with the side that moves there behind it: `X` (first) or `O` (second).
    /// Without a side the first player moves. A previous board that does not lead here is refused.
    ///
    /// ```
    /// use tesuji_game::{Game, Notation, Side};
    /// use tesuji_ostle::Ostle;
    ///
    /// let position = Ostle::parse("11111-00000-00300-00200-22022 O")?;
    /// assert_eq!(position.mover(), Side::Second);
    /// assert_eq!(position.print(), "11111-00000-00300-00200-22022 O");
    /// assert_eq!(Ostle::parse("11111-00000-00300-00200-22022")?.mover(), Side::First);
    /// # Ok::<(), tesuji_game::TextError>(())
    /// ```
    fn parse(text: &str) -> Result<Ostle, TextError> {
        let Some((now, before)) = text.split_once('/') else {
            let (board, side) = read_board(text, 0)?;
            return Ok(board.with_mover(side.unwrap_or(Side::First)));
        };
        let at = now.len() + 1;
        let ((board, side), (previous, previous_side)) = (read_board(now, 0)?, read_board(before, at)?);
        if side.is_some() && side == previous_side {
            let message = "the sides take turns: the board before the last move has the other side to move";
            return Err(TextError::new(before, at, message));
        }
        let side = side.or(previous_side.map(|side| !side)).unwrap_or(Side::First);
        match board.with_previous(previous) {
            (_, Previous::Impossible) => Err(TextError::new(
                before,
                at,
                "no move leads from this board to the position; it should be the board before the last move, with 1 \
                 for the pieces of the side that made that move",
            )),
            (position, _) => Ok(position.with_mover(side)),
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

/// Reads one board, which begins `at` bytes into the input, and the side behind it, if there is one.
fn read_board(text: &str, at: usize) -> Result<(Ostle, Option<Side>), TextError> {
    let (board, side) = match text.trim_end().rsplit_once(char::is_whitespace) {
        None => (text, None),
        Some((board, word)) => match word {
            "X" | "x" => (board, Some(Side::First)),
            "O" | "o" => (board, Some(Side::Second)),
            _ => (text, None),
        },
    };
    Ok((read_cells(board, at)?, side))
}

/// Reads the cells of a board, which begins `at` bytes into the input.
fn read_cells(text: &str, at: usize) -> Result<Ostle, TextError> {
    let (mut sets, mut cell) = ([0u32; 4], 0);
    let skipped = |sign: char| sign == '-' || sign.is_whitespace();
    for (place, sign) in text.char_indices().filter(|&(_, sign)| !skipped(sign)) {
        if cell == CELLS {
            let message = "a board has 25 cells, five rows of five, then X or O for the side to move; this is more";
            return Err(TextError::new(&text[place..], at + place, message));
        }
        let Some(set) = sign.to_digit(4).and_then(|digit| sets.get_mut(digit as usize)) else {
            let message = "not a cell; a board is 25 of 0 (empty), 1 (mover), 2 (opponent), 3 (hole), and hyphens";
            return Err(TextError::new(sign, at + place, message));
        };
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
    let mut text = String::with_capacity(CELLS + SIDE + 1);
    for cell in 0..CELLS {
        if cell > 0 && cell % SIDE == 0 {
            text.push('-');
        }
        text.push(char::from(b'0' + board.digit(cell) as u8));
    }
    text.push_str(if board.side() == Side::First { " X" } else { " O" });
    text
}
