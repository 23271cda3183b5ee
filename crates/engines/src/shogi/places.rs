//! Where a piece likes to stand: its worth by square, seen by black.

use tesuji_game::Side;
use tesuji_shogi::Kind;

use super::geometry::OFF;
use super::worth::BOARD;

/// What the ranks add, the far end first, by kind.
const RANKS: [[i16; 9]; 16] = {
    let mut ranks = [[0; 9]; 16];
    ranks[Kind::Pawn as usize] = [0, 22, 18, 14, 10, 4, 0, -6, -10];
    ranks[Kind::Lance as usize] = [0, -10, -12, -14, -10, -6, -4, 0, 6];
    ranks[Kind::Knight as usize] = [0, 0, 12, 10, -6, 0, 6, 0, -8];
    ranks[Kind::Silver as usize] = [-30, -16, -6, 8, 18, 16, 10, 2, -10];
    ranks[Kind::Gold as usize] = [-40, -30, -24, -18, -10, -4, 4, 8, 0];
    ranks[Kind::Bishop as usize] = [6, 8, 10, 4, 8, 6, 4, 0, -8];
    ranks[Kind::Rook as usize] = [24, 26, 22, 8, 0, -4, -6, 4, 0];
    ranks[Kind::King as usize] = [60, 40, 10, -90, -120, -100, -60, 0, 16];
    ranks[Kind::ProPawn as usize] = [-10, 16, 20, 8, -4, -14, -24, -34, -40];
    ranks[Kind::ProLance as usize] = ranks[Kind::ProPawn as usize];
    ranks[Kind::ProKnight as usize] = ranks[Kind::ProPawn as usize];
    ranks[Kind::ProSilver as usize] = ranks[Kind::ProPawn as usize];
    ranks[Kind::Horse as usize] = [6, 10, 14, 12, 14, 14, 20, 16, 8];
    ranks[Kind::Dragon as usize] = [14, 22, 24, 12, 4, 0, 4, 6, 2];
    ranks
};

/// What the distance from the edge adds, the edge files first, by kind.
const FILES: [[i16; 5]; 16] = {
    let mut files = [[0; 5]; 16];
    files[Kind::Pawn as usize] = [-4, 0, 2, 3, 4];
    files[Kind::Knight as usize] = [-16, -2, 4, 4, 4];
    files[Kind::Silver as usize] = [-22, -4, 4, 6, 6];
    files[Kind::Gold as usize] = [-24, -6, 2, 6, 6];
    files[Kind::Bishop as usize] = [-6, 2, 0, 2, 6];
    files[Kind::King as usize] = [4, 26, 22, 0, -24];
    files[Kind::ProPawn as usize] = [-20, -8, 2, 6, 8];
    files[Kind::ProLance as usize] = files[Kind::ProPawn as usize];
    files[Kind::ProKnight as usize] = files[Kind::ProPawn as usize];
    files[Kind::ProSilver as usize] = files[Kind::ProPawn as usize];
    files[Kind::Horse as usize] = [-8, 0, 4, 6, 8];
    files[Kind::Dragon as usize] = [-4, 0, 2, 2, 2];
    files
};

/// A piece with its place, seen by black: white's are worth less than nothing.
#[inline]
pub(super) fn placed(side: Side, kind: Kind, number: usize) -> i32 {
    static PLACED: [[[i16; OFF]; 16]; 2] = {
        let mut table = [[[0; OFF]; 16]; 2];
        let mut at = 0;
        while at < 16 * OFF {
            let (kind, number) = (at / OFF, at % OFF);
            if number % 10 != 9 {
                let (file, rank) = (number / 10, number % 10);
                let inside = if file < 5 { file } else { 8 - file };
                let worth = BOARD[kind] as i16 + RANKS[kind][rank] + FILES[kind][inside];
                table[0][kind][number] = worth;
                // Turned round: 1a becomes 9i.
                table[1][kind][88 - number] = -worth;
            }
            at += 1;
        }
        table
    };
    i32::from(PLACED[side.index()][kind as usize][number])
}
