//! The board as black sees it, for terminals and pages.

use tesuji_game::{BoardView, Ground, HandPiece, Side, View, ViewCell};

use crate::{Kind, Move, Piece, Shogi, Square};

/// The sign on a piece; the kings' differ by custom.
const fn sign(side: Side, kind: Kind) -> &'static str {
    match (kind, side) {
        (Kind::Pawn, _) => "歩",
        (Kind::Lance, _) => "香",
        (Kind::Knight, _) => "桂",
        (Kind::Silver, _) => "銀",
        (Kind::Gold, _) => "金",
        (Kind::Bishop, _) => "角",
        (Kind::Rook, _) => "飛",
        (Kind::King, Side::First) => "玉",
        (Kind::King, Side::Second) => "王",
        (Kind::ProPawn, _) => "と",
        (Kind::ProLance, _) => "杏",
        (Kind::ProKnight, _) => "圭",
        (Kind::ProSilver, _) => "全",
        (Kind::Horse, _) => "馬",
        (Kind::Dragon, _) => "龍",
    }
}

/// The place of a square in the picture, whose left column is file 9.
fn cell(square: Square) -> usize {
    usize::from(square.rank() - 1) * 9 + usize::from(9 - square.file())
}

impl BoardView for Shogi {
    fn view(&self) -> View {
        let mut cells = vec![ViewCell::Empty; 81];
        for square in Square::all() {
            if let Some(Piece { side, kind }) = self.piece(square) {
                cells[cell(square)] =
                    ViewCell::Piece { side, sign: sign(side, kind), letters: kind.letters() };
            }
        }
        let hand = |side: Side| {
            let held = |kind: Kind| HandPiece {
                sign: sign(side, kind),
                letters: kind.letters(),
                count: self.hand(side, kind) as usize,
            };
            Kind::HAND.into_iter().map(held).filter(|piece| piece.count > 0).collect()
        };
        View {
            columns: (1..=9).rev().map(|file: u8| file.to_string()).collect(),
            rows: ('a'..='i').map(String::from).collect(),
            cells,
            hands: [hand(Side::First), hand(Side::Second)],
            last: Vec::new(),
            ground: Ground::Wood,
        }
    }

    fn cells(&self, mv: Move) -> Vec<usize> {
        mv.from().into_iter().chain([mv.to()]).map(cell).collect()
    }

    fn players() -> [&'static str; 2] {
        ["black", "white"]
    }
}
