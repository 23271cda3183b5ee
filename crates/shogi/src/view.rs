//! The board as black sees it.

use tesuji_game::{BoardView, Game, Ground, HandPiece, NativeWords, Side, View, ViewCell};

use crate::formats::japanese_move;
use crate::{Move, Piece, PieceKind, Shogi, Square};

/// The name on a piece; the two kings differ by custom.
const fn sign(side: Side, kind: PieceKind) -> &'static str {
    match (kind, side) {
        (PieceKind::Pawn, _) => "歩",
        (PieceKind::Lance, _) => "香",
        (PieceKind::Knight, _) => "桂",
        (PieceKind::Silver, _) => "銀",
        (PieceKind::Gold, _) => "金",
        (PieceKind::Bishop, _) => "角",
        (PieceKind::Rook, _) => "飛",
        (PieceKind::King, Side::First) => "玉",
        (PieceKind::King, Side::Second) => "王",
        (PieceKind::ProPawn, _) => "と",
        (PieceKind::ProLance, _) => "杏",
        (PieceKind::ProKnight, _) => "圭",
        (PieceKind::ProSilver, _) => "全",
        (PieceKind::Horse, _) => "馬",
        (PieceKind::Dragon, _) => "龍",
    }
}

/// The cell of a square in the view, whose left column is file 9.
fn cell(square: Square) -> usize {
    usize::from(square.rank() - 1) * 9 + usize::from(9 - square.file())
}

impl BoardView for Shogi {
    fn view(&self) -> View {
        let mut cells = vec![ViewCell::Empty; 81];
        for square in Square::all() {
            if let Some(Piece { side, kind }) = self.piece(square) {
                cells[cell(square)] = ViewCell::Piece { side, sign: sign(side, kind), letters: kind.letters() };
            }
        }
        let hand = |side: Side| {
            let held = |kind: PieceKind| HandPiece {
                sign: sign(side, kind),
                letters: kind.letters(),
                count: self.hand(side, kind) as usize,
            };
            PieceKind::HAND.into_iter().map(held).filter(|piece| piece.count > 0).collect()
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

    fn dropped(&self, mv: Move) -> Option<&'static str> {
        mv.dropped().map(PieceKind::letters)
    }

    fn checked_cell(&self) -> Option<usize> {
        if self.in_check() { self.king(self.mover()).map(cell) } else { None }
    }

    fn native() -> Option<NativeWords> {
        let rows = &["一", "二", "三", "四", "五", "六", "七", "八", "九"];
        Some(NativeWords { language: "Japanese", players: ["sente", "gote"], rows })
    }

    fn native_move(&self, mv: Move, before: Option<Move>) -> Option<String> {
        Some(japanese_move(self, mv, before))
    }
}
