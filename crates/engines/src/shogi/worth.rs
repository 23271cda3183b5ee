//! What pieces are worth, in centipawns.

use tesuji_shogi::Kind;

/// A piece on the board, by its kind.
pub(super) static BOARD: [i32; 16] =
    [0, 100, 320, 370, 530, 590, 870, 1030, 0, 600, 570, 580, 590, 0, 1130, 1400];

/// A piece in hand: it may go anywhere, so it is worth a little more, but only where there is room for it.
pub(super) static HAND: [i32; 8] = [0, 115, 350, 400, 570, 640, 950, 1120];

/// What taking a piece changes: it leaves the board and comes to hand.
#[inline]
pub(super) fn swing(kind: Kind) -> i32 {
    BOARD[kind as usize] + HAND[kind as usize & 7]
}

/// What promoting a piece gains; nothing for what cannot be promoted.
#[inline]
pub(super) fn promotion(kind: Kind) -> i32 {
    kind.promoted().map_or(0, |promoted| BOARD[promoted as usize] - BOARD[kind as usize])
}
