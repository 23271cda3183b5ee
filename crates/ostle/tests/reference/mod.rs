//! Ostle by the letter of the rules: an array of cells, pushes piece by piece, the previous board kept whole.

use std::hash::{Hash, Hasher};

use tesuji_game::{Game, Notation, Outcome, Side};
use tesuji_ostle::{Direction, Move, Ostle};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Square {
    Empty,
    Piece(Side),
    Hole,
}

type Board = [[Square; 5]; 5];

/// A position that remembers the board before the last move.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    board: Board,
    previous: Option<Board>,
    mover: Side,
}

fn towards(direction: Direction, (row, column): (usize, usize)) -> Option<(usize, usize)> {
    let (down, right) = match direction {
        Direction::Up => (-1, 0),
        Direction::Down => (1, 0),
        Direction::Left => (0, -1),
        Direction::Right => (0, 1),
    };
    let (row, column) = (row as i32 + down, column as i32 + right);
    let inside = (0..5).contains(&row) && (0..5).contains(&column);
    inside.then_some((row as usize, column as usize))
}

/// The board after `mover` moves what stands at `from`; `None` if it may not move so, the ko apart.
fn moved(board: &Board, mover: Side, from: (usize, usize), direction: Direction) -> Option<Board> {
    let mut after = *board;
    match board[from.0][from.1] {
        Square::Empty => None,
        Square::Hole => {
            let to = towards(direction, from)?;
            if board[to.0][to.1] != Square::Empty {
                return None;
            }
            after[from.0][from.1] = Square::Empty;
            after[to.0][to.1] = Square::Hole;
            Some(after)
        }
        Square::Piece(side) if side != mover => None,
        Square::Piece(_) => {
            let mut hand = Square::Empty;
            let mut at = Some(from);
            // Put down what is carried, pick up what stood there, go on; an empty hand ends the push.
            while let Some((row, column)) = at {
                if after[row][column] == Square::Hole {
                    break;
                }
                std::mem::swap(&mut after[row][column], &mut hand);
                if hand == Square::Empty {
                    break;
                }
                at = towards(direction, (row, column));
            }
            Some(after)
        }
    }
}

impl Reference {
    fn pieces(&self, side: Side) -> usize {
        self.board.iter().flatten().filter(|&&square| square == Square::Piece(side)).count()
    }

    fn all(&self) -> Vec<(Move, Board)> {
        let mut found = Vec::new();
        for row in 0..5 {
            for column in 0..5 {
                for direction in Direction::ALL {
                    if let Some(after) = moved(&self.board, self.mover, (row, column), direction) {
                        found.push((Move::new(5 * row + column, direction), after));
                    }
                }
            }
        }
        found
    }

    /// The legal moves and the boards they lead to.
    fn legal(&self) -> Vec<(Move, Board)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.all().into_iter().filter(|&(_, after)| Some(after) != self.previous).collect()
    }

    /// The previous board, if some move would recreate it.
    fn forbidden(&self) -> Option<Board> {
        self.previous.filter(|previous| self.all().iter().any(|(_, after)| after == previous))
    }

    fn identity(&self) -> (Board, Option<Board>, Side) {
        (self.board, self.forbidden(), self.mover)
    }
}

impl PartialEq for Reference {
    fn eq(&self, other: &Reference) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Reference {}

impl Hash for Reference {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

fn board(text: &str, one: Side) -> Board {
    let mut board = [[Square::Empty; 5]; 5];
    for (cell, digit) in text.chars().filter(char::is_ascii_digit).enumerate() {
        board[cell / 5][cell % 5] = match digit {
            '1' => Square::Piece(one),
            '2' => Square::Piece(!one),
            '3' => Square::Hole,
            _ => Square::Empty,
        };
    }
    board
}

impl From<&Ostle> for Reference {
    fn from(fast: &Ostle) -> Reference {
        let mover = fast.mover();
        let text = fast.print();
        let (now, before) = text.split_once('/').map_or((text.as_str(), None), |(now, b)| (now, Some(b)));
        Reference { board: board(now, mover), previous: before.map(|text| board(text, !mover)), mover }
    }
}

impl Game for Reference {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Reference;
    type Rules = ();

    const NAME: &'static str = "ostle by the letter";
    const RECURS: bool = true;

    fn start() -> Reference {
        let board = board("2222200000003000000011111", Side::First);
        Reference { board, previous: None, mover: Side::First }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<Move>) {
        out.clear();
        out.extend(self.legal().into_iter().map(|(mv, _)| mv));
    }

    fn count(&mut self) -> u64 {
        self.legal().len() as u64
    }

    fn play(&mut self, mv: Move) -> Reference {
        let before = self.clone();
        let after = self.legal().into_iter().find(|&(listed, _)| listed == mv).expect("a legal move");
        *self = Reference { board: after.1, previous: Some(before.board), mover: !self.mover };
        before
    }

    fn undo(&mut self, undo: Reference) {
        *self = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.pieces(self.mover) <= 3 {
            Some(Outcome::Loss)
        } else if self.pieces(!self.mover) <= 3 {
            Some(Outcome::Win)
        } else {
            None
        }
    }

    fn key(&self) -> u64 {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}
