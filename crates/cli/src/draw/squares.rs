//! Boards of squares: discs, pieces with names, a hole, and pieces in hand.

use tesuji_game::{Ground, HandPiece, Side, View, ViewCell};

use super::paint::{BLACK, FELT, FELT_LAST, GOLD, Hue, PICKED, RED, WHITE, WOOD, WOOD_LAST};
use super::picture::{Picture, Stress};
use super::{Marks, Style, centered, margin};

pub(super) fn draw(view: &View, marks: &Marks, style: Style) -> Picture {
    let named = view.cells.iter().any(|cell| matches!(cell, ViewCell::Piece { .. }));
    let width = if named { 4 } else { 3 };
    let margin = margin(view);
    let mut picture = Picture::default();
    let hands = view.hands.each_ref().map(|pieces| hand(pieces, style));
    if let Some(hand) = &hands[Side::Second.index()] {
        picture.write(&format!("{:margin$} {hand}", ""));
        picture.end_line();
    }
    picture.write(&" ".repeat(margin));
    for label in &view.columns {
        picture.write(&centered(label, width));
    }
    picture.end_line();
    for (row, label) in view.rows.iter().enumerate() {
        picture.write(&format!("{label:>pad$} ", pad = margin - 1));
        for column in 0..view.columns.len() {
            let index = row * view.columns.len() + column;
            let shade = (row + column) % 2;
            match style {
                Style::Color => painted(&mut picture, view, marks, index, shade, width),
                Style::Plain | Style::Ascii => lettered(&mut picture, view, marks, style, index, width),
            }
        }
        picture.end_line();
    }
    if let Some(hand) = &hands[Side::First.index()] {
        picture.write(&format!("{:margin$} {hand}", ""));
        picture.end_line();
    }
    picture
}

fn lettered(picture: &mut Picture, view: &View, marks: &Marks, style: Style, index: usize, width: usize) {
    let cell = view.cells[index];
    let sign = match cell {
        ViewCell::Empty if marks.playable.contains(&index) => "+".to_owned(),
        ViewCell::Piece { side, sign, letters } => named(side, sign, letters, style),
        ViewCell::Empty | ViewCell::Tile(_) => "·".to_owned(),
        ViewCell::Disc(Side::First) => "X".to_owned(),
        ViewCell::Disc(Side::Second) => "O".to_owned(),
        ViewCell::Hole => "#".to_owned(),
    };
    let sign = if style == Style::Ascii { sign.replace('·', ".") } else { sign };
    let wide = matches!(cell, ViewCell::Piece { .. }) && style == Style::Plain;
    // A kanji takes two columns and counts as one character.
    picture.stress(&centered(&sign, if wide { width - 1 } else { width }), marks.stress(index));
}

fn painted(picture: &mut Picture, view: &View, marks: &Marks, index: usize, shade: usize, width: usize) {
    let (shades, last): ([Hue; 2], Hue) = match view.ground {
        Ground::Felt => (FELT, FELT_LAST),
        Ground::Wood | Ground::Table => (WOOD, WOOD_LAST),
    };
    let ground = match marks.stress(index) {
        Stress::Picked => PICKED,
        Stress::Last => last,
        Stress::None => shades[shade],
    };
    match view.cells[index] {
        ViewCell::Empty | ViewCell::Tile(_) => {
            let ink = if view.ground == Ground::Felt { GOLD } else { BLACK };
            let sign = if marks.playable.contains(&index) { "•" } else { " " };
            picture.paint(&centered(sign, width), ink, ground);
        }
        ViewCell::Disc(side) => {
            let ink = if side == Side::First { BLACK } else { WHITE };
            picture.paint(&centered("●", width), ink, ground);
        }
        ViewCell::Hole => {
            let ground = if ground == PICKED { PICKED } else { BLACK };
            picture.paint(&centered(" ", width), BLACK, ground);
        }
        ViewCell::Piece { side, sign, letters } => {
            let ink = if letters.starts_with('+') { RED } else { BLACK };
            picture.paint(&centered(&named(side, sign, letters, Style::Color), width - 1), ink, ground);
        }
    }
}

/// A piece with a sign of whose it is: gote's pieces are marked `v`, as in the diagrams players know.
fn named(side: Side, sign: &str, letters: &str, style: Style) -> String {
    match (style, side) {
        (Style::Ascii, Side::First) => letters.to_owned(),
        (Style::Ascii, Side::Second) => letters.to_lowercase(),
        (_, Side::First) => format!(" {sign}"),
        (_, Side::Second) => format!("v{sign}"),
    }
}

fn hand(pieces: &[HandPiece], style: Style) -> Option<String> {
    let words: Vec<String> = pieces
        .iter()
        .filter(|piece| piece.count > 0)
        .map(|piece| {
            let name = if style == Style::Ascii { piece.letters } else { piece.sign };
            if piece.count == 1 { name.to_owned() } else { format!("{name}{}", piece.count) }
        })
        .collect();
    (!words.is_empty()).then(|| format!("in hand: {}", words.join(" ")))
}
