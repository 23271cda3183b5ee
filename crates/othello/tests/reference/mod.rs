//! The reference implementation: 64 cells and a walk along each of the eight rays, without bitboards.

use tesuji_game::{Game, Outcome, Side};
use tesuji_othello::{Move, Othello, Square};

/// The board as one would lay it out on a table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Reference {
    cells: [[Option<Side>; 8]; 8],
    mover: Side,
}

impl Reference {
    /// The squares a disc of `side` on `square` would turn.
    fn turned(&self, side: Side, square: Square) -> Vec<(usize, usize)> {
        let (column, row) = (usize::from(square.column()), usize::from(square.row()));
        let mut turned = Vec::new();
        if self.cells[row][column].is_some() {
            return turned;
        }
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut run = Vec::new();
            let (mut row, mut column) = (row, column);
            loop {
                (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                match self.cells.get(row).and_then(|row| row.get(column)) {
                    Some(Some(disc)) if *disc == side => {
                        turned.append(&mut run);
                        break;
                    }
                    Some(Some(_)) => run.push((row, column)),
                    _ => break,
                }
            }
        }
        turned
    }

    fn squares(&self, side: Side) -> Vec<Move> {
        let all = (0..64).filter_map(Square::new);
        all.filter(|&square| !self.turned(side, square).is_empty()).map(Move::from).collect()
    }

    fn discs(&self, side: Side) -> usize {
        self.cells.iter().flatten().filter(|&&disc| disc == Some(side)).count()
    }

    /// The discs that `square` would turn, as a set.
    pub(crate) fn flips(&self, square: Square) -> u64 {
        self.turned(self.mover, square).iter().map(|&(row, column)| 1 << (8 * row + column)).sum()
    }

    /// Where the mover turns something, as a set.
    pub(crate) fn mobility(&self) -> u64 {
        self.squares(self.mover).iter().filter_map(|mv| mv.square()).map(Square::bit).sum()
    }
}

impl From<&Othello> for Reference {
    fn from(fast: &Othello) -> Reference {
        let mut cells = [[None; 8]; 8];
        for square in (0..64).filter_map(Square::new) {
            for side in Side::BOTH {
                if fast.discs(side) & square.bit() != 0 {
                    cells[usize::from(square.row())][usize::from(square.column())] = Some(side);
                }
            }
        }
        Reference { cells, mover: fast.mover() }
    }
}

impl Game for Reference {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Reference;
    type Rules = ();

    const NAME: &'static str = "othello";
    const RECURS: bool = false;
    const FINISHED_IS_LEAF: bool = true;

    fn start() -> Reference {
        let mut cells = [[None; 8]; 8];
        cells[3][3] = Some(Side::Second);
        cells[3][4] = Some(Side::First);
        cells[4][3] = Some(Side::First);
        cells[4][4] = Some(Side::Second);
        Reference { cells, mover: Side::First }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<Move>) {
        *out = self.squares(self.mover);
        if out.is_empty() && !self.squares(!self.mover).is_empty() {
            out.push(Move::PASS);
        }
    }

    fn count(&mut self) -> u64 {
        let mut list = Vec::new();
        self.moves(&mut list);
        list.len() as u64
    }

    fn play(&mut self, mv: Move) -> Reference {
        let before = self.clone();
        if let Some(square) = mv.square() {
            for (row, column) in self.turned(self.mover, square) {
                self.cells[row][column] = Some(self.mover);
            }
            self.cells[usize::from(square.row())][usize::from(square.column())] = Some(self.mover);
        }
        self.mover = !self.mover;
        before
    }

    fn undo(&mut self, before: Reference) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = Side::BOTH.iter().all(|&side| self.squares(side).is_empty());
        let winner = match self.discs(Side::First).cmp(&self.discs(Side::Second)) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        over.then(|| Outcome::of(winner, self.mover))
    }

    fn key(&self) -> u64 {
        let weigh =
            |sum: u64, disc: &Option<Side>| sum.wrapping_mul(3) + disc.map_or(0, |side| side.index() as u64 + 1);
        self.cells.iter().flatten().fold(self.mover.index() as u64, weigh)
    }
}
