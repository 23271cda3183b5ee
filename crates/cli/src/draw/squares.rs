//! Boards of squares: discs, pieces with names, a hole, and pieces in hand.

use tesuji_registry::{BoardDescription, CellContent, Ground, HandEntry, SideName};

use super::paint::{BLACK, FELT, FELT_LAST, GOLD, Hue, PICKED, RED, WHITE, WOOD, WOOD_LAST};
use super::picture::{Highlight, Picture};
use super::{Marks, Style, centered, margin};

pub(super) fn draw(view: &BoardDescription, marks: &Marks, style: Style) -> Picture {
    let named = view.cells.iter().any(|cell| matches!(cell, CellContent::Piece { .. }));
    let width = if named { 4 } else { 3 };
    let margin = margin(view);
    let mut picture = Picture::default();
    let hands = view.hands.each_ref().map(|pieces| hand(pieces, style));
    if let Some(hand) = &hands[SideName::Second.index()] {
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
    if let Some(hand) = &hands[SideName::First.index()] {
        picture.write(&format!("{:margin$} {hand}", ""));
        picture.end_line();
    }
    picture
}

fn lettered(picture: &mut Picture, view: &BoardDescription, marks: &Marks, style: Style, index: usize, width: usize) {
    let cell = &view.cells[index];
    let sign = match cell {
        CellContent::Empty if view.playable.contains(&index) => "+".to_owned(),
        CellContent::Piece { side, sign, letters } => named(*side, sign, letters, style),
        CellContent::Empty | CellContent::Tile(_) => "·".to_owned(),
        CellContent::Disc(SideName::First) => "X".to_owned(),
        CellContent::Disc(SideName::Second) => "O".to_owned(),
        CellContent::Hole => "#".to_owned(),
    };
    let sign = if style == Style::Ascii { sign.replace('·', ".") } else { sign };
    let wide = matches!(cell, CellContent::Piece { .. }) && style == Style::Plain;
    // A kanji takes two columns and counts as one character.
    picture.highlight(&centered(&sign, if wide { width - 1 } else { width }), marks.highlight(view, index));
}

fn painted(picture: &mut Picture, view: &BoardDescription, marks: &Marks, index: usize, shade: usize, width: usize) {
    let (shades, last): ([Hue; 2], Hue) = match view.ground {
        Ground::Felt => (FELT, FELT_LAST),
        Ground::Wood | Ground::Table => (WOOD, WOOD_LAST),
    };
    let ground = match marks.highlight(view, index) {
        Highlight::Picked => PICKED,
        Highlight::Last => last,
        Highlight::None => shades[shade],
    };
    match &view.cells[index] {
        CellContent::Empty | CellContent::Tile(_) => {
            let ink = if view.ground == Ground::Felt { GOLD } else { BLACK };
            let sign = if view.playable.contains(&index) { "•" } else { " " };
            picture.paint(&centered(sign, width), ink, ground);
        }
        CellContent::Disc(side) => {
            let ink = if *side == SideName::First { BLACK } else { WHITE };
            picture.paint(&centered("●", width), ink, ground);
        }
        CellContent::Hole => {
            let ground = if ground == PICKED { PICKED } else { BLACK };
            picture.paint(&centered(" ", width), BLACK, ground);
        }
        CellContent::Piece { side, sign, letters } => {
            let ink = if letters.starts_with('+') { RED } else { BLACK };
            picture.paint(&centered(&named(*side, sign, letters, Style::Color), width - 1), ink, ground);
        }
    }
}

/// A piece with its owner: gote's pieces are marked `v`, as in printed diagrams.
fn named(side: SideName, sign: &str, letters: &str, style: Style) -> String {
    match (style, side) {
        (Style::Ascii, SideName::First) => letters.to_owned(),
        (Style::Ascii, SideName::Second) => letters.to_lowercase(),
        (_, SideName::First) => format!(" {sign}"),
        (_, SideName::Second) => format!("v{sign}"),
    }
}

fn hand(pieces: &[HandEntry], style: Style) -> Option<String> {
    let words: Vec<String> = pieces
        .iter()
        .filter(|piece| piece.count > 0)
        .map(|piece| {
            let name = if style == Style::Ascii { &piece.letters } else { &piece.sign };
            if piece.count == 1 { name.clone() } else { format!("{name}{}", piece.count) }
        })
        .collect();
    (!words.is_empty()).then(|| format!("in hand: {}", words.join(" ")))
}
