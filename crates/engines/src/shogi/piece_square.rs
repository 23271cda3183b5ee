//! Piece-square tables, for black.

use tesuji_game::Side;
use tesuji_shogi::{PieceKind, Square};

use super::piece_values::BOARD;

/// The bonus by rank, the far end first, by kind.
const RANKS: [[i16; 9]; 16] = {
    let mut ranks = [[0; 9]; 16];
    ranks[PieceKind::Pawn as usize] = [0, 22, 18, 14, 10, 4, 0, -6, -10];
    ranks[PieceKind::Lance as usize] = [0, -10, -12, -14, -10, -6, -4, 0, 6];
    ranks[PieceKind::Knight as usize] = [0, 0, 12, 10, -6, 0, 6, 0, -8];
    ranks[PieceKind::Silver as usize] = [-30, -16, -6, 8, 18, 16, 10, 2, -10];
    ranks[PieceKind::Gold as usize] = [-40, -30, -24, -18, -10, -4, 4, 8, 0];
    ranks[PieceKind::Bishop as usize] = [6, 8, 10, 4, 8, 6, 4, 0, -8];
    ranks[PieceKind::Rook as usize] = [24, 26, 22, 8, 0, -4, -6, 4, 0];
    ranks[PieceKind::King as usize] = [60, 40, 10, -90, -120, -100, -60, 0, 16];
    ranks[PieceKind::ProPawn as usize] = [-10, 16, 20, 8, -4, -14, -24, -34, -40];
    ranks[PieceKind::ProLance as usize] = ranks[PieceKind::ProPawn as usize];
    ranks[PieceKind::ProKnight as usize] = ranks[PieceKind::ProPawn as usize];
    ranks[PieceKind::ProSilver as usize] = ranks[PieceKind::ProPawn as usize];
    ranks[PieceKind::Horse as usize] = [6, 10, 14, 12, 14, 14, 20, 16, 8];
    ranks[PieceKind::Dragon as usize] = [14, 22, 24, 12, 4, 0, 4, 6, 2];
    ranks
};

/// The bonus by file, the edge files first, by kind.
const FILES: [[i16; 5]; 16] = {
    let mut files = [[0; 5]; 16];
    files[PieceKind::Pawn as usize] = [-4, 0, 2, 3, 4];
    files[PieceKind::Knight as usize] = [-16, -2, 4, 4, 4];
    files[PieceKind::Silver as usize] = [-22, -4, 4, 6, 6];
    files[PieceKind::Gold as usize] = [-24, -6, 2, 6, 6];
    files[PieceKind::Bishop as usize] = [-6, 2, 0, 2, 6];
    files[PieceKind::King as usize] = [4, 26, 22, 0, -24];
    files[PieceKind::ProPawn as usize] = [-20, -8, 2, 6, 8];
    files[PieceKind::ProLance as usize] = files[PieceKind::ProPawn as usize];
    files[PieceKind::ProKnight as usize] = files[PieceKind::ProPawn as usize];
    files[PieceKind::ProSilver as usize] = files[PieceKind::ProPawn as usize];
    files[PieceKind::Horse as usize] = [-8, 0, 4, 6, 8];
    files[PieceKind::Dragon as usize] = [-4, 0, 2, 2, 2];
    files
};

/// The value of a piece on a square, for black: negative for white's pieces.
#[inline]
pub(super) fn piece_square(side: Side, kind: PieceKind, square: Square) -> i32 {
    const INDICES: usize = Square::INDICES;
    static PIECE_SQUARE: [[[i16; INDICES]; 16]; 2] = {
        let mut table = [[[0; INDICES]; 16]; 2];
        let mut at = 0;
        while at < 16 * INDICES {
            let (kind, index) = (at / INDICES, at % INDICES);
            if Square::from_index(index).is_some() {
                let (file, rank) = (index / 10, index % 10);
                let inside = if file < 5 { file } else { 8 - file };
                let value = BOARD[kind] as i16 + RANKS[kind][rank] + FILES[kind][inside];
                table[0][kind][index] = value;
                // Rotated by 180 degrees: 1a becomes 9i.
                table[1][kind][88 - index] = -value;
            }
            at += 1;
        }
        table
    };
    i32::from(PIECE_SQUARE[side.index()][kind as usize][square.index()])
}
