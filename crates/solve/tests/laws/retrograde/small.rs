//! Ostle on smaller boards with fewer pieces: an array of cells, pushes piece by piece.

use tesuji_game::Outcome;

use super::toy::Toy;

/// A board of `W` by `H` cells; a side begins with `MOST` pieces and has lost with fewer than `MOST - 1`.
pub(crate) struct Small<const W: usize, const H: usize, const MOST: usize>;

/// 0 empty, 1 the mover's, 2 the opponent's, 3 the hole.
pub(crate) type Cells = [u8; 12];

impl<const W: usize, const H: usize, const MOST: usize> Small<W, H, MOST> {
    fn step(at: usize, direction: usize) -> Option<usize> {
        let (row, column) = (at / W, at % W);
        match direction {
            0 => (row > 0).then(|| at - W),
            1 => (row + 1 < H).then_some(at + W),
            2 => (column > 0).then(|| at - 1),
            _ => (column + 1 < W).then_some(at + 1),
        }
    }

    fn moved(board: Cells, from: usize, direction: usize) -> Option<Cells> {
        let mut after = board;
        match board[from] {
            3 => {
                let to = Self::step(from, direction).filter(|&to| board[to] == 0)?;
                after.swap(from, to);
            }
            1 => {
                let (mut hand, mut at) = (0, Some(from));
                while let Some(here) = at.filter(|&here| after[here] != 3) {
                    std::mem::swap(&mut after[here], &mut hand);
                    if hand == 0 {
                        break;
                    }
                    at = Self::step(here, direction);
                }
            }
            _ => return None,
        }
        Some(after)
    }

    fn pieces(board: Cells, side: u8) -> usize {
        board.iter().filter(|&&cell| cell == side).count()
    }

    fn image_cell(cell: usize, symmetry: u8) -> usize {
        let (mut row, mut column) = (cell / W, cell % W);
        if symmetry & 1 != 0 {
            column = W - 1 - column;
        }
        if symmetry & 2 != 0 {
            row = H - 1 - row;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        row * W + column
    }
}

impl<const W: usize, const H: usize, const MOST: usize> Toy for Small<W, H, MOST> {
    type Board = Cells;

    fn boards(&self) -> Vec<Cells> {
        let mut all = vec![[0; 12]];
        for cell in 0..W * H {
            let with = |digit: u8| {
                move |mut board: Cells| {
                    board[cell] = digit;
                    board
                }
            };
            let few = |board: &Cells| {
                Self::pieces(*board, 1) <= MOST && Self::pieces(*board, 2) <= MOST && Self::pieces(*board, 3) <= 1
            };
            all = (0..4).flat_map(|digit| all.iter().copied().map(with(digit))).filter(few).collect();
        }
        let enough = |board: &Cells| {
            Self::pieces(*board, 1) + 1 >= MOST && Self::pieces(*board, 2) + 1 >= MOST && Self::pieces(*board, 3) == 1
        };
        all.retain(enough);
        all
    }

    fn stages(&self) -> &'static [&'static [u8]] {
        &[&[0], &[1, 2], &[3]]
    }

    fn class(&self, board: Cells) -> u8 {
        u8::from(Self::pieces(board, 1) == MOST) + 2 * u8::from(Self::pieces(board, 2) == MOST)
    }

    fn moves(&self, board: Cells) -> Vec<(u8, Result<Cells, Outcome>)> {
        let mut found = Vec::new();
        for from in 0..W * H {
            for direction in 0..4 {
                let Some(after) = Self::moved(board, from, direction) else { continue };
                let result = if Self::pieces(after, 1) + 1 < MOST {
                    Err(Outcome::Loss)
                } else if Self::pieces(after, 2) + 1 < MOST {
                    Err(Outcome::Win)
                } else {
                    Ok(after.map(|cell| [0, 2, 1, 3][usize::from(cell)]))
                };
                found.push(((4 * from + direction) as u8, result));
            }
        }
        found
    }

    fn symmetries(&self) -> u8 {
        if W == H { 8 } else { 4 }
    }

    fn image(&self, board: Cells, symmetry: u8) -> Cells {
        let mut image = [0; 12];
        for cell in 0..W * H {
            image[Self::image_cell(cell, symmetry)] = board[cell];
        }
        image
    }

    fn image_move(&self, mv: u8, symmetry: u8) -> u8 {
        let (cell, direction) = (usize::from(mv / 4), mv % 4);
        let turned = if direction < 2 { symmetry >> 1 & 1 } else { symmetry & 1 };
        4 * Self::image_cell(cell, symmetry) as u8 + (direction ^ turned ^ (symmetry >> 2 & 1) << 1)
    }
}
