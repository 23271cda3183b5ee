//! Pieces: eight kinds, six of which promote.

use tesuji_game::Side;

/// A kind of piece. Bit 8 marks the promoted ones; a captured piece keeps the low three bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
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

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 14] = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Gold,
        Kind::Bishop,
        Kind::Rook,
        Kind::King,
        Kind::ProPawn,
        Kind::ProLance,
        Kind::ProKnight,
        Kind::ProSilver,
        Kind::Horse,
        Kind::Dragon,
    ];

    /// What can be held in hand, the strongest first, as position texts list them.
    pub const HAND: [Kind; 7] =
        [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Knight, Kind::Lance, Kind::Pawn];

    /// The kind of these four bits.
    #[inline]
    pub(crate) const fn of(code: u8) -> Option<Kind> {
        Some(match code {
            1 => Kind::Pawn,
            2 => Kind::Lance,
            3 => Kind::Knight,
            4 => Kind::Silver,
            5 => Kind::Gold,
            6 => Kind::Bishop,
            7 => Kind::Rook,
            8 => Kind::King,
            9 => Kind::ProPawn,
            10 => Kind::ProLance,
            11 => Kind::ProKnight,
            12 => Kind::ProSilver,
            14 => Kind::Horse,
            15 => Kind::Dragon,
            _ => return None,
        })
    }

    /// What it becomes by promotion; `None` for gold, king and what is promoted already.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        match self {
            Kind::Gold | Kind::King => None,
            kind if kind.is_promoted() => None,
            kind => Kind::of(kind as u8 | 8),
        }
    }

    /// What it is when captured: the kind without its promotion.
    #[inline]
    pub const fn unpromoted(self) -> Kind {
        match self {
            Kind::ProPawn => Kind::Pawn,
            Kind::ProLance => Kind::Lance,
            Kind::ProKnight => Kind::Knight,
            Kind::ProSilver => Kind::Silver,
            Kind::Horse => Kind::Bishop,
            Kind::Dragon => Kind::Rook,
            plain => plain,
        }
    }

    /// Whether it shows its red side.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > Kind::King as u8
    }

    /// How many of the unpromoted kind a set of pieces has, both players together.
    pub const fn supply(self) -> u32 {
        match self.unpromoted() {
            Kind::Pawn => 18,
            Kind::Bishop | Kind::Rook | Kind::King => 2,
            _ => 4,
        }
    }

    /// The letters of position texts: `P`, `+P`.
    pub const fn letters(self) -> &'static str {
        match self {
            Kind::Pawn => "P",
            Kind::Lance => "L",
            Kind::Knight => "N",
            Kind::Silver => "S",
            Kind::Gold => "G",
            Kind::Bishop => "B",
            Kind::Rook => "R",
            Kind::King => "K",
            Kind::ProPawn => "+P",
            Kind::ProLance => "+L",
            Kind::ProKnight => "+N",
            Kind::ProSilver => "+S",
            Kind::Horse => "+B",
            Kind::Dragon => "+R",
        }
    }

    /// The unpromoted kind of a letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Kind::Pawn,
            'L' => Kind::Lance,
            'N' => Kind::Knight,
            'S' => Kind::Silver,
            'G' => Kind::Gold,
            'B' => Kind::Bishop,
            'R' => Kind::Rook,
            'K' => Kind::King,
            _ => return None,
        })
    }

    /// The name in words, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Lance => "lance",
            Kind::Knight => "knight",
            Kind::Silver => "silver",
            Kind::Gold => "gold",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::King => "king",
            Kind::ProPawn => "promoted pawn",
            Kind::ProLance => "promoted lance",
            Kind::ProKnight => "promoted knight",
            Kind::ProSilver => "promoted silver",
            Kind::Horse => "horse",
            Kind::Dragon => "dragon",
        }
    }

    /// How many ranks, counted from the far end, hold squares where it could never move again.
    #[inline]
    pub const fn dead_ranks(self) -> u8 {
        match self {
            Kind::Pawn | Kind::Lance => 1,
            Kind::Knight => 2,
            _ => 0,
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

/// The rank (1–9) as `side` counts it: 1 is the far end of the board.
#[inline]
pub(crate) const fn rank_from_far(side: Side, rank: u8) -> u8 {
    match side {
        Side::First => rank,
        Side::Second => 10 - rank,
    }
}
