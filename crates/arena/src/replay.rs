//! The boards of a game for display, compact enough that a page can hold hundreds of games: one code per cell, and only
//! the changes from board to board.

use serde::Serialize;
use tesuji_game::{BoardView, Game, Ground, HandPiece, Notation, Record, Side, View, ViewCell};

/// The boards of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameReplay {
    /// The background: `felt`, `wood` or `table`.
    pub ground: &'static str,
    /// From the start to the end, one more than there are moves.
    pub frames: Vec<ReplayFrame>,
}

/// One board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReplayFrame {
    /// The move that led here.
    #[serde(rename = "m", skip_serializing_if = "String::is_empty")]
    pub mv: String,
    /// Labels of columns and rows, where they changed.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none")]
    pub labels: Option<[Vec<String>; 2]>,
    /// All cells, where the shape of the board changed.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<String>>,
    /// Otherwise the cells that changed.
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(usize, String)>,
    /// The pieces in hand of each side, where they changed.
    #[serde(rename = "h", skip_serializing_if = "Option::is_none")]
    pub hands: Option<[String; 2]>,
    /// The cells of the move that led here.
    #[serde(rename = "t", skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<usize>,
}

impl GameReplay {
    /// The boards of a record.
    pub fn of<G: Game + Notation + BoardView>(record: &Record<G>) -> GameReplay {
        let mut now = record.start().clone();
        let mut view = now.view();
        let ground = match view.ground {
            Ground::Felt => "felt",
            Ground::Wood => "wood",
            Ground::Table => "table",
        };
        let mut frames = vec![frame(None, &view)];
        for mv in record.moves() {
            let (name, touched) = (now.print_move(mv), now.cells(mv));
            now.play(mv);
            let next = now.view();
            // Where the board grows the cells are renumbered, and only the position knows the last move.
            let same = view.columns == next.columns && view.rows == next.rows;
            let touched = if next.last.is_empty() && same { touched } else { next.last.clone() };
            frames.push(ReplayFrame { mv: name, touched, ..frame(Some(&view), &next) });
            view = next;
        }
        GameReplay { ground, frames }
    }
}

fn frame(before: Option<&View>, view: &View) -> ReplayFrame {
    let same = before.filter(|before| before.columns == view.columns && before.rows == view.rows);
    let hands = view.hands.each_ref().map(|pieces| hand(pieces));
    let had = before.map(|before| before.hands.each_ref().map(|pieces| hand(pieces)));
    let mut frame = ReplayFrame {
        hands: (had.as_ref() != Some(&hands) && (had.is_some() || hands.iter().any(|hand| !hand.is_empty())))
            .then_some(hands),
        ..ReplayFrame::default()
    };
    match same {
        Some(before) => {
            let cells = view.cells.iter().zip(&before.cells).enumerate();
            frame.changes =
                cells.filter(|(_, (new, old))| new != old).map(|(index, (new, _))| (index, code(*new))).collect();
        }
        None => {
            frame.labels = Some([view.columns.clone(), view.rows.clone()]);
            frame.cells = Some(view.cells.iter().map(|&cell| code(cell)).collect());
        }
    }
    frame
}

/// The code of a cell: empty, `x` and `o` for discs, `#` for a hole, `a歩` or `b歩` for pieces, with `+` after the side of
/// a promoted one, four digits for a tile.
fn code(cell: ViewCell) -> String {
    match cell {
        ViewCell::Empty => String::new(),
        ViewCell::Disc(Side::First) => "x".to_owned(),
        ViewCell::Disc(Side::Second) => "o".to_owned(),
        ViewCell::Hole => "#".to_owned(),
        ViewCell::Piece { side, sign, letters } => {
            let side = if side == Side::First { 'a' } else { 'b' };
            let promoted = if letters.starts_with('+') { "+" } else { "" };
            format!("{side}{promoted}{sign}")
        }
        ViewCell::Tile(edges) => edges.iter().map(|side| if *side == Side::First { '0' } else { '1' }).collect(),
    }
}

fn hand(pieces: &[HandPiece]) -> String {
    let words = pieces.iter().filter(|piece| piece.count > 0).map(|piece| match piece.count {
        1 => piece.sign.to_owned(),
        count => format!("{}{count}", piece.sign),
    });
    words.collect::<Vec<_>>().join(" ")
}
