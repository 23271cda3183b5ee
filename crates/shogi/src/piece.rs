//! Pieces: eight kinds, of which six promote.

use tesuji_game::Side;

/// A kind of piece. Bit 3 marks promoted pieces; a captured piece keeps the low three bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩
    Pawn = 1,
    /// 香
    Lance = 2,
    /// 桂
    Knight = 3,
    /// 銀
    Silver = 4,
    /// 金
    Gold = 5,
    /// 角
    Bishop = 6,
    /// 飛
    Rook = 7,
    /// 玉
    King = 8,
    /// と
    ProPawn = 9,
    /// 杏
    ProLance = 10,
    /// 圭
    ProKnight = 11,
    /// 全
    ProSilver = 12,
    /// 馬
    Horse = 14,
    /// 龍
    Dragon = 15,
}

impl PieceKind {
    /// Every kind.
    pub const ALL: [PieceKind; 14] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::King,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
        PieceKind::Horse,
        PieceKind::Dragon,
    ];

    /// The kinds that can be in hand, in the order of SFEN.
    pub const HAND: [PieceKind; 7] = [
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Gold,
        PieceKind::Silver,
        PieceKind::Knight,
        PieceKind::Lance,
        PieceKind::Pawn,
    ];

    /// The kind of a code.
    #[inline]
    pub(crate) const fn of(code: u8) -> Option<PieceKind> {
        Some(match code {
            1 => PieceKind::Pawn,
            2 => PieceKind::Lance,
            3 => PieceKind::Knight,
            4 => PieceKind::Silver,
            5 => PieceKind::Gold,
            6 => PieceKind::Bishop,
            7 => PieceKind::Rook,
            8 => PieceKind::King,
            9 => PieceKind::ProPawn,
            10 => PieceKind::ProLance,
            11 => PieceKind::ProKnight,
            12 => PieceKind::ProSilver,
            14 => PieceKind::Horse,
            15 => PieceKind::Dragon,
            _ => return None,
        })
    }

    /// The promoted kind; `None` for gold, king and promoted pieces.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            PieceKind::Gold | PieceKind::King => None,
            kind if kind.is_promoted() => None,
            kind => PieceKind::of(kind as u8 | 8),
        }
    }

    /// The kind without promotion.
    #[inline]
    pub const fn unpromoted(self) -> PieceKind {
        match self {
            PieceKind::ProPawn => PieceKind::Pawn,
            PieceKind::ProLance => PieceKind::Lance,
            PieceKind::ProKnight => PieceKind::Knight,
            PieceKind::ProSilver => PieceKind::Silver,
            PieceKind::Horse => PieceKind::Bishop,
            PieceKind::Dragon => PieceKind::Rook,
            plain => plain,
        }
    }

    /// Whether the piece is promoted.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > PieceKind::King as u8
    }

    /// The number of pieces of the unpromoted kind in a set, for both players together.
    pub const fn supply(self) -> u32 {
        match self.unpromoted() {
            PieceKind::Pawn => 18,
            PieceKind::Bishop | PieceKind::Rook | PieceKind::King => 2,
            _ => 4,
        }
    }

    /// The SFEN letters: `P`, `+P`.
    pub const fn letters(self) -> &'static str {
        match self {
            PieceKind::Pawn => "P",
            PieceKind::Lance => "L",
            PieceKind::Knight => "N",
            PieceKind::Silver => "S",
            PieceKind::Gold => "G",
            PieceKind::Bishop => "B",
            PieceKind::Rook => "R",
            PieceKind::King => "K",
            PieceKind::ProPawn => "+P",
            PieceKind::ProLance => "+L",
            PieceKind::ProKnight => "+N",
            PieceKind::ProSilver => "+S",
            PieceKind::Horse => "+B",
            PieceKind::Dragon => "+R",
        }
    }

    /// The unpromoted kind of a letter, in either case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'P' => PieceKind::Pawn,
            'L' => PieceKind::Lance,
            'N' => PieceKind::Knight,
            'S' => PieceKind::Silver,
            'G' => PieceKind::Gold,
            'B' => PieceKind::Bishop,
            'R' => PieceKind::Rook,
            'K' => PieceKind::King,
            _ => return None,
        })
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Lance => "lance",
            PieceKind::Knight => "knight",
            PieceKind::Silver => "silver",
            PieceKind::Gold => "gold",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::King => "king",
            PieceKind::ProPawn => "promoted pawn",
            PieceKind::ProLance => "promoted lance",
            PieceKind::ProKnight => "promoted knight",
            PieceKind::ProSilver => "promoted silver",
            PieceKind::Horse => "horse",
            PieceKind::Dragon => "dragon",
        }
    }

    /// The number of far ranks from which the piece could never move again.
    #[inline]
    pub const fn dead_ranks(self) -> u8 {
        match self {
            PieceKind::Pawn | PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            _ => 0,
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: PieceKind,
}

/// The rank (1–9) from the point of view of `side`: 1 is the far end of the board.
#[inline]
pub(crate) const fn rank_from_far(side: Side, rank: u8) -> u8 {
    match side {
        Side::First => rank,
        Side::Second => 10 - rank,
    }
}
