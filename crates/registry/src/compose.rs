//! Positions set up on a board: from what lies on the cells to the text of the game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CellContent, Error, HandEntry, Playable, Registration, SideName};

/// A board that somebody set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EditedBoard {
    /// What lies on the cells, row by row from the top left.
    pub cells: Vec<CellContent>,
    /// The pieces in hand of each side.
    #[serde(default)]
    pub hands: [Vec<HandEntry>; 2],
    /// The side to move.
    pub mover: SideName,
}

/// Writes a board in the notation of its game.
pub type BoardComposer = fn(&EditedBoard) -> Result<String, Error>;

/// Positions set up on a board.
pub trait ComposeApi {
    /// Whether positions can be set up.
    fn is_editable(&self) -> bool;

    /// The text of a position that was set up.
    ///
    /// # Errors
    /// The game knows positions only by their moves, or this is none of its positions: the message says why.
    fn compose(&self, board: &EditedBoard) -> Result<String, Error>;
}

impl<G: Playable> Registration<G> {
    /// Positions can be set up on a board.
    pub fn editable(mut self, compose: BoardComposer) -> Registration<G> {
        self.compose = Some(compose);
        self
    }
}

impl<G: Playable> ComposeApi for Registration<G> {
    fn is_editable(&self) -> bool {
        self.compose.is_some()
    }

    fn compose(&self, board: &EditedBoard) -> Result<String, Error> {
        let Some(compose) = self.compose else {
            return Err(Error::invalid(format!("a position of {} is its moves; it cannot be set up", G::NAME)));
        };
        let text = compose(board)?;
        let game = G::parse(&text).map_err(|error| Error::field("cells", error))?;
        Ok(game.print())
    }
}

fn count_cells(board: &EditedBoard, count: usize) -> Result<(), Error> {
    match board.cells.len() {
        length if length == count => Ok(()),
        length => Err(Error::field("cells", format!("{length} cells; the board has {count}"))),
    }
}

fn stranger(index: usize) -> Error {
    Error::field("cells", format!("cell {index}: this game has no such piece"))
}

/// 64 squares and the side to move.
pub(crate) fn compose_othello(board: &EditedBoard) -> Result<String, Error> {
    count_cells(board, 64)?;
    let letter = |(index, cell): (usize, &CellContent)| match cell {
        CellContent::Empty => Ok('-'),
        CellContent::Disc(SideName::First) => Ok('X'),
        CellContent::Disc(SideName::Second) => Ok('O'),
        _ => Err(stranger(index)),
    };
    let squares: String = board.cells.iter().enumerate().map(letter).collect::<Result<_, _>>()?;
    Ok(format!("{squares} {}", if board.mover == SideName::First { 'X' } else { 'O' }))
}

/// 25 digits as the mover sees them, and who that is.
pub(crate) fn compose_ostle(board: &EditedBoard) -> Result<String, Error> {
    count_cells(board, 25)?;
    let digit = |(index, cell): (usize, &CellContent)| match cell {
        CellContent::Empty => Ok('0'),
        CellContent::Disc(side) if *side == board.mover => Ok('1'),
        CellContent::Disc(_) => Ok('2'),
        CellContent::Hole => Ok('3'),
        _ => Err(stranger(index)),
    };
    let digits: String = board.cells.iter().enumerate().map(digit).collect::<Result<_, _>>()?;
    Ok(format!("{digits} {}", if board.mover == SideName::First { 'X' } else { 'O' }))
}

/// SFEN.
pub(crate) fn compose_shogi(board: &EditedBoard) -> Result<String, Error> {
    const HAND: [&str; 7] = ["R", "B", "G", "S", "N", "L", "P"];
    count_cells(board, 81)?;
    let cased = |letters: &str, side: SideName| match side {
        SideName::First => letters.to_ascii_uppercase(),
        SideName::Second => letters.to_ascii_lowercase(),
    };
    let mut ranks = Vec::with_capacity(9);
    for (rank, cells) in board.cells.chunks(9).enumerate() {
        let (mut text, mut empty) = (String::new(), 0);
        for (file, cell) in cells.iter().enumerate() {
            let piece = match cell {
                CellContent::Empty => {
                    empty += 1;
                    continue;
                }
                CellContent::Piece { side, letters, .. } => cased(letters, *side),
                _ => return Err(stranger(9 * rank + file)),
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push_str(&piece);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        ranks.push(text);
    }
    let mut hands = String::new();
    for (side, hand) in [SideName::First, SideName::Second].into_iter().zip(&board.hands) {
        if let Some(entry) = hand.iter().find(|entry| !HAND.contains(&entry.letters.as_str())) {
            let letters = &entry.letters;
            return Err(Error::field("hands", format!("{letters:?} is never in hand; there are: {}", HAND.join(", "))));
        }
        for kind in HAND {
            let count: usize = hand.iter().filter(|entry| entry.letters == kind).map(|entry| entry.count).sum();
            match count {
                0 => {}
                1 => hands.push_str(&cased(kind, side)),
                many => hands.push_str(&format!("{many}{}", cased(kind, side))),
            }
        }
    }
    let hands = if hands.is_empty() { "-" } else { &hands };
    let mover = if board.mover == SideName::First { 'b' } else { 'w' };
    Ok(format!("{} {mover} {hands} 1", ranks.join("/")))
}
