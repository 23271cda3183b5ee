//! Tic-tac-toe by retrograde analysis: every move leads to an earlier stage, and some games are drawn.

use tesuji_game::Outcome;

use super::toy::Toy;

/// The board, seen by the mover: 0 empty, 1 own, 2 the opponent's.
pub(crate) struct Noughts;

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_line(board: [u8; 9], side: u8) -> bool {
    LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == side))
}

fn image_cell(cell: usize, symmetry: u8) -> usize {
    let (mut row, mut column) = (cell / 3, cell % 3);
    if symmetry & 1 != 0 {
        column = 2 - column;
    }
    if symmetry & 2 != 0 {
        row = 2 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    3 * row + column
}

impl Toy for Noughts {
    type Board = [u8; 9];

    fn boards(&self) -> Vec<[u8; 9]> {
        let all = (0..3usize.pow(9)).map(|code| std::array::from_fn(|cell| (code / 3usize.pow(cell as u32) % 3) as u8));
        let in_play = |board: &[u8; 9]| {
            let count = |side: u8| board.iter().filter(|&&cell| cell == side).count();
            let turn = count(2) == count(1) || count(2) == count(1) + 1;
            turn && count(0) > 0 && !has_line(*board, 1) && !has_line(*board, 2)
        };
        all.filter(in_play).collect()
    }

    /// By stones; the fullest boards first.
    fn stages(&self) -> &'static [&'static [u8]] {
        &[&[8], &[7], &[6], &[5], &[4], &[3], &[2], &[1], &[0]]
    }

    fn class(&self, board: [u8; 9]) -> u8 {
        board.iter().filter(|&&cell| cell != 0).count() as u8
    }

    fn moves(&self, board: [u8; 9]) -> Vec<(u8, Result<[u8; 9], Outcome>)> {
        let play = |cell: usize| {
            let mut after = board;
            after[cell] = 1;
            if has_line(after, 1) {
                Err(Outcome::Win)
            } else if after.iter().all(|&cell| cell != 0) {
                Err(Outcome::Draw)
            } else {
                Ok(after.map(|cell| [0, 2, 1][usize::from(cell)]))
            }
        };
        (0..9).filter(|&cell| board[cell] == 0).map(|cell| (cell as u8, play(cell))).collect()
    }

    fn symmetries(&self) -> u8 {
        8
    }

    fn image(&self, board: [u8; 9], symmetry: u8) -> [u8; 9] {
        let mut image = [0; 9];
        for (cell, &stone) in board.iter().enumerate() {
            image[image_cell(cell, symmetry)] = stone;
        }
        image
    }

    fn image_move(&self, mv: u8, symmetry: u8) -> u8 {
        image_cell(mv.into(), symmetry) as u8
    }
}
