//! Moves, directions and the list of legal moves.

use tesuji_game::MoveList;

use crate::board::SIDE;

/// One of the four directions, in the order of the move list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All four, in order.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The letter of the notation.
    pub fn letter(self) -> char {
        ['u', 'd', 'l', 'r'][self as usize]
    }

    /// The next cell in this direction; `None` beyond the edge.
    #[inline]
    pub fn step(self, cell: usize) -> Option<usize> {
        match self {
            Direction::Up => cell.checked_sub(SIDE),
            Direction::Down => (cell + SIDE < SIDE * SIDE).then_some(cell + SIDE),
            Direction::Left => (!cell.is_multiple_of(SIDE)).then(|| cell - 1),
            Direction::Right => (cell % SIDE < SIDE - 1).then_some(cell + 1),
        }
    }
}

/// A move of a piece or the hole: `4 * cell + direction`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// The move of the piece or hole on `cell`, 0 to 24.
    #[inline]
    pub fn new(cell: usize, direction: Direction) -> Move {
        Move(4 * cell as u8 + direction as u8)
    }

    #[inline]
    pub(crate) const fn of(index: u8) -> Move {
        Move(index)
    }

    /// `4 * cell + direction`, below 100 for any move of the board.
    #[inline]
    pub fn index(self) -> u8 {
        self.0
    }

    /// The cell of the piece or the hole.
    #[inline]
    pub fn cell(self) -> usize {
        usize::from(self.0 / 4)
    }

    /// The direction.
    #[inline]
    pub fn direction(self) -> Direction {
        Direction::ALL[usize::from(self.0 % 4)]
    }

    /// The number that the published solution of the game gives this move: `cell | direction << 5`.
    pub fn solution_id(self) -> u8 {
        (self.0 / 4) + (self.0 % 4) * 32
    }
}

impl tesuji_game::Move for Move {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline]
    fn from_bits(bits: u32) -> Move {
        Move(bits as u8)
    }
}

/// Five pieces and the hole, four ways each.
const MOST: usize = 24;

/// The legal moves: own pieces by ascending cell, then the hole, each in the order of [`Direction`].
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    moves: [u8; MOST],
    len: u8,
}

impl Default for Moves {
    fn default() -> Moves {
        Moves { moves: [0; MOST], len: 0 }
    }
}

impl Moves {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.moves[usize::from(self.len)] = mv.0;
        self.len += 1;
    }

    /// Adds the four moves of a piece at once.
    #[inline]
    pub(crate) fn push_piece(&mut self, cell: u32) {
        let at = usize::from(self.len);
        self.moves[at..at + 4].copy_from_slice(&(cell * 0x0404_0404 + 0x0302_0100).to_le_bytes());
        self.len += 4;
    }

    /// Removes one move and keeps the order.
    pub(crate) fn remove(&mut self, mv: Move) {
        let len = usize::from(self.len);
        if let Some(at) = self.moves[..len].iter().position(|&index| index == mv.0) {
            self.moves.copy_within(at + 1..len, at);
            self.len -= 1;
        }
    }
}

impl MoveList for Moves {
    type Move = Move;

    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..usize::from(self.len)].iter().map(|&index| Move(index))
    }

    #[inline]
    fn len(&self) -> usize {
        usize::from(self.len)
    }
}
