//! What a network sees of a position: pieces on squares and in hand, seen by either side and by the place of its king.
//!
//! Each side sees the board with its own camp at the bottom. If its king stands on the left half, it sees the board
//! mirrored, because the rules are symmetric. The place of its king selects one of twelve buckets; each has an input for
//! every kind of piece of either side on every square, and for the first, second, … piece of a kind in either hand.

use tesuji_game::{Game, Side};
use tesuji_shogi::{PieceKind, Shogi, Square};

use super::input_set::{InputSet, Part, parts};

/// Name and version of the inputs and of the output buckets.
pub(crate) const NAME: &str = "shogi-kp12/1";
/// King buckets.
pub(crate) const BUCKETS: usize = 12;
/// Kinds on the board: lance, knight and silver are alike once promoted.
const KINDS: usize = 12;
/// Inputs for pieces on the board, both sides.
const BOARD: usize = 2 * KINDS * 81;
/// Inputs for the hand of one side: 18 pawns, 4 lances, 4 knights, 4 silvers, 4 golds, 2 bishops, 2 rooks.
const HAND: usize = 38;
/// Inputs of a bucket.
pub(crate) const FACTORS: usize = BOARD + 2 * HAND;
/// Inputs of all buckets.
pub(crate) const INPUTS: usize = BUCKETS * FACTORS;
/// Output buckets.
pub(crate) const OUTPUTS: usize = 8;

/// The place of a kind among the inputs.
static KIND: [u8; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[at];
        table[kind as usize] = match kind {
            PieceKind::Pawn => 0,
            PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            PieceKind::Silver => 3,
            PieceKind::Gold => 4,
            PieceKind::Bishop => 5,
            PieceKind::Rook => 6,
            PieceKind::King => 7,
            PieceKind::ProPawn => 8,
            PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => 9,
            PieceKind::Horse => 10,
            PieceKind::Dragon => 11,
        };
        at += 1;
    }
    table
};

/// The first input of a kind in hand, by the number of the kind.
static HELD: [u8; 8] = [0, 0, 18, 22, 26, 30, 34, 36];

/// By the place of a side's king, seen by that side on the right half: file by file, each from the far end.
///
/// Castled kings have buckets of their own, kings in the open share some.
#[rustfmt::skip]
static BUCKET: [[u8; 9]; 5] = [
    [0, 0, 0, 1, 1, 1, 2, 4, 3],
    [0, 0, 0, 1, 1, 1, 2, 5, 4],
    [0, 0, 0, 1, 1, 1, 2, 6, 7],
    [0, 0, 0, 1, 1, 1, 2, 8, 9],
    [0, 0, 0, 1, 1, 1, 2, 10, 11],
];

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Perspective {
    /// The first input of its bucket.
    base: u32,
    /// Whose it is.
    side: u8,
    /// Bit 0: turned by 180°; bit 1: mirrored.
    view: u8,
}

/// Squares as they are seen: file by file from the right, each from the far end.
static SEEN: [[u8; Square::INDICES]; 4] = {
    let mut table = [[0; Square::INDICES]; 4];
    let mut at = 0;
    while at < 4 * Square::INDICES {
        let (view, index) = (at / Square::INDICES, at % Square::INDICES);
        if Square::from_index(index).is_some() {
            let (mut file, mut rank) = (index / 10, index % 10);
            if view & 1 != 0 {
                (file, rank) = (8 - file, 8 - rank);
            }
            if view & 2 != 0 {
                file = 8 - file;
            }
            table[view][index] = (9 * file + rank) as u8;
        }
        at += 1;
    }
    table
};

impl Perspective {
    /// How a side sees this position.
    #[inline]
    pub(crate) fn of(game: &Shogi, side: Side) -> Perspective {
        let turned = u8::from(side == Side::Second);
        // Without a king, as in problems, the board is seen as from the middle of the first rank.
        let seen = game.king(side).map_or(44, |king| SEEN[usize::from(turned)][king.index()]);
        let (file, rank) = (seen / 9, seen % 9);
        let mirrored = file > 4;
        let bucket = BUCKET[usize::from(if mirrored { 8 - file } else { file })][usize::from(rank)];
        Perspective { base: u32::from(bucket) * FACTORS as u32, side: turned, view: turned | u8::from(mirrored) << 1 }
    }

    #[inline]
    fn board(self, side: Side, kind: PieceKind, square: Square) -> u32 {
        let theirs = (side.index() as u8 != self.side) as u32;
        let plane = theirs * KINDS as u32 + u32::from(KIND[kind as usize]);
        self.base + plane * 81 + u32::from(SEEN[usize::from(self.view)][square.index()])
    }

    #[inline]
    fn hand(self, side: Side, kind: PieceKind, count: u32) -> u32 {
        let theirs = (side.index() as u8 != self.side) as u32;
        let place = u32::from(HELD[kind as usize & 7]) + count - 1;
        self.base + BOARD as u32 + theirs * HAND as u32 + place
    }
}

/// The inputs of our own networks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KingBuckets;

impl InputSet for KingBuckets {
    type View = Perspective;
    /// Each bucket, mirrored or not.
    const VIEWS: usize = 2 * BUCKETS;

    #[inline]
    fn view(game: &Shogi, side: Side) -> Perspective {
        Perspective::of(game, side)
    }

    #[inline]
    fn number(view: Perspective) -> usize {
        2 * (view.base as usize / FACTORS) + usize::from(view.view >> 1)
    }

    #[inline]
    fn input(view: Perspective, part: Part) -> Option<u32> {
        Some(match part {
            Part::Board(side, kind, square) => view.board(side, kind, square),
            Part::Hand(side, kind, count) => view.hand(side, kind, count),
        })
    }

    /// How many pieces have been exchanged.
    #[inline]
    fn output(game: &Shogi) -> usize {
        let held: u32 = Side::BOTH.into_iter().flat_map(|side| game.hand_counts(side)).map(u32::from).sum();
        (held as usize / 2).min(OUTPUTS - 1)
    }
}

/// The inputs of the side to move and of the other side.
pub(crate) fn active(game: &Shogi, inputs: &mut [Vec<u32>; 2]) {
    let mover = game.mover();
    for (inputs, side) in inputs.iter_mut().zip([mover, !mover]) {
        inputs.clear();
        let view = Perspective::of(game, side);
        parts(game, |part| inputs.extend(KingBuckets::input(view, part)));
    }
}

/// The material value of each input of a bucket, in units that multiply the odds of winning by e: where a training
/// begins.
pub(crate) fn material(unit: f32) -> Vec<f32> {
    use super::super::piece_values::{BOARD as ON_BOARD, HAND as IN_HAND};
    let mut values = vec![0.0; FACTORS];
    for theirs in 0..2 {
        let sign = [1.0, -1.0][theirs] / unit;
        for kind in PieceKind::ALL {
            let plane = theirs * KINDS + usize::from(KIND[kind as usize]);
            values[plane * 81..][..81].fill(sign * ON_BOARD[kind as usize] as f32);
        }
        for kind in PieceKind::HAND {
            let first = BOARD + theirs * HAND + usize::from(HELD[kind as usize]);
            values[first..][..kind.supply() as usize].fill(sign * IN_HAND[kind as usize] as f32);
        }
    }
    values
}
