//! Piece values in centipawns.

use tesuji_shogi::PieceKind;

/// The value of a piece on the board, by its kind.
pub(super) static BOARD: [i32; 16] = [0, 100, 320, 370, 530, 590, 870, 1030, 0, 600, 570, 580, 590, 0, 1130, 1400];

/// The value of a piece in hand: a little more, because it can be dropped anywhere.
pub(super) static HAND: [i32; 8] = [0, 115, 350, 400, 570, 640, 950, 1120];

/// The gain of a capture: the piece leaves the board and comes to hand.
#[inline]
pub(super) fn swing(kind: PieceKind) -> i32 {
    BOARD[kind as usize] + HAND[kind as usize & 7]
}

/// The gain of a promotion; 0 for pieces that do not promote.
#[inline]
pub(super) fn promotion(kind: PieceKind) -> i32 {
    kind.promoted().map_or(0, |promoted| BOARD[promoted as usize] - BOARD[kind as usize])
}
