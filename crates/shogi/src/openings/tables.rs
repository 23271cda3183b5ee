//! The tables of openings and castles.
//!
//! Patterns are written as black sees them (see [`Pattern::parse`](super::pattern::Pattern::parse)), the piece that moves
//! least often first, so that most positions fail at once.

use tesuji_game::{OpeningKind, OpeningName, Side};

/// A named pattern.
pub(super) struct Entry {
    name: &'static str,
    native: &'static str,
    pub(super) pattern: &'static str,
    /// The pattern counts up to this ply.
    pub(super) until: usize,
    /// A pattern is not replaced by one of a lower level.
    pub(super) level: u8,
    /// Whether it makes the side a ranging-rook player.
    pub(super) is_ranging: bool,
}

impl Entry {
    const fn new(name: &'static str, native: &'static str, pattern: &'static str, until: usize, level: u8) -> Entry {
        Entry { name, native, pattern, until, level, is_ranging: false }
    }

    const fn ranging(
        name: &'static str,
        native: &'static str,
        pattern: &'static str,
        until: usize,
        level: u8,
    ) -> Entry {
        Entry { is_ranging: true, ..Entry::new(name, native, pattern, until, level) }
    }

    pub(super) fn name(&self, kind: OpeningKind, side: Option<Side>) -> OpeningName {
        OpeningName { kind, side, name: self.name, native: self.native }
    }
}

/// Where the rook goes.
pub(super) const ROOKS: &[Entry] = &[
    Entry::ranging("Ishida", "石田流", "R7f P7e P2g", 50, 4),
    Entry::ranging("Quick Ishida", "早石田", "R7h P7e", 16, 3),
    Entry::ranging("Cheerful Central Rook", "ゴキゲン中飛車", "R5h P5f/P5e P7f P6g B8h", 24, 3),
    Entry::ranging("Central Rook", "中飛車", "R5h", 24, 2),
    Entry::ranging("Bishop-Exchange Fourth-File Rook", "角交換四間飛車", "R6h B* b*", 30, 3),
    Entry::ranging("Fourth-File Rook", "四間飛車", "R6h", 24, 2),
    Entry::ranging("Third-File Rook", "三間飛車", "R7h", 24, 2),
    Entry::ranging("Direct Opposing Rook", "ダイレクト向かい飛車", "R8h B* b*", 30, 3),
    Entry::ranging("Opposing Rook", "向かい飛車", "R8h", 24, 2),
    Entry::new("Right Fourth-File Rook", "右四間飛車", "R4h P4f/P4e S5f/S4g", 44, 3),
    Entry::new("Sleeve Rook", "袖飛車", "R3h P3f/P3e", 40, 2),
    Entry::new("Side Pawn Capture", "横歩取り", "R3d !P2g !P2f !P2e", 30, 4),
    Entry::new("Twisting Rook", "ひねり飛車", "R7f/R8f !P2g !P2f !P2e", 50, 3),
    Entry::new("Right King", "右玉", "R2i K3h/K4h", 80, 5),
];

/// What a static-rook player does with bishop and silvers.
pub(super) const SILVERS: &[Entry] = &[
    Entry::new("Ureshino", "嬉野流", "B7i S6h P7g", 12, 4),
    Entry::new("Wrong-Diagonal Bishop", "筋違い角", "B4e b* !B8h", 14, 4),
    Entry::new("Demon Slayer", "鬼殺し", "N7g P7f R2h S7i", 9, 3),
    Entry::new("Climbing Silver", "棒銀", "R2h S2f/S2g", 60, 2),
    Entry::new("Reclining Silver", "腰掛け銀", "R2h/R2i/R4h S5f P4f P5g", 60, 2),
    Entry::new("Rushing Silver", "早繰り銀", "R2h S4f P4g P3f/P3e", 60, 2),
    Entry::new("Yagura", "矢倉", "S7g P7f G7h R2h/R3h !B* !b*", 50, 2),
    Entry::new("Snow Roof", "雁木", "S6g G7h P6f P7f R2h/R4h", 50, 2),
];

/// What both sides make together, seen by black.
pub(super) const JOINT: &[Entry] = &[
    Entry::new("One-Turn-Loss Bishop Exchange", "一手損角換わり", "B* b* R2h r8b p8c/p8d S8h", 16, 3),
    Entry::new("Bishop Exchange", "角換わり", "B* b* R2h r8b P7f", 30, 2),
    Entry::new("Double Wing Attack", "相掛かり", "R2h r8b P2e p8e P7g p3c", 14, 1),
];

/// Both sides play a ranging rook.
pub(super) static DOUBLE_RANGING_ROOK: Entry = Entry::new("Double Ranging Rook", "相振り飛車", "", 0, 0);

/// Formations around the king.
pub(super) const CASTLES: &[Entry] = &[
    Entry::new("Static Rook Anaguma", "居飛車穴熊", "K9i L9h", 80, 5),
    Entry::new("Ranging Rook Anaguma", "振り飛車穴熊", "K1i L1h", 80, 5),
    Entry::new("Millennium", "ミレニアム囲い", "K8i N7g S8h G7h/G7i", 80, 4),
    Entry::new("Silver Crown", "銀冠", "K2h S2g G3h", 80, 4),
    Entry::new("Silver Crown", "銀冠", "K8h S8g G7h", 80, 4),
    Entry::new("Diamond Mino", "ダイヤモンド美濃", "K2h S3h G4i G5h S4g", 80, 3),
    Entry::new("Kimura Mino", "木村美濃", "K2h G3h S4g !G4i", 80, 3),
    Entry::new("High Mino", "高美濃囲い", "K2h S3h G4i G4g", 80, 3),
    Entry::new("Complete Yagura", "総矢倉", "K8h G7h S7g G6g S5g", 80, 3),
    Entry::new("Gold Yagura", "金矢倉", "K8h G7h S7g G6g", 80, 3),
    Entry::new("Silver Yagura", "銀矢倉", "K8h G7h S7g S6g", 80, 3),
    Entry::new("Castle Tower Mino", "天守閣美濃", "K8g S7h G6i", 80, 3),
    Entry::new("Elmo", "エルモ囲い", "K7h S6h G7i", 80, 3),
    Entry::new("Half Yagura", "片矢倉", "K7h G6h S7g", 80, 2),
    Entry::new("Left Mino", "左美濃", "K8h S7h G6i", 80, 2),
    Entry::new("Mino", "美濃囲い", "K2h S3h G4i G5h", 80, 2),
    Entry::new("Two-Gold", "金無双", "K3h S2h G4h G5h", 80, 2),
    Entry::new("Snow Roof", "雁木囲い", "K6i/K5i/K6h/K4i/K4h S6g G7h G5h", 80, 2),
    Entry::new("Central House", "中住まい", "K5h G7h G3h/S3h/S4h", 80, 2),
    Entry::new("Nakahara", "中原囲い", "K6i G7h G5i", 80, 2),
    Entry::new("Half Mino", "片美濃囲い", "K2h S3h G4i", 80, 1),
    Entry::new("Crab", "カニ囲い", "K6i G7h G5h S6h", 80, 1),
    Entry::new("Boat", "舟囲い", "K7h G6i S7i G5h", 80, 1),
    Entry::new("Strawberry", "いちご囲い", "K6h G7h G5h S7i", 80, 1),
];
