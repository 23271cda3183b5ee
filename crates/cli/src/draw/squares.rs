//! Boards of squares: discs, pieces with names, a hole, and pieces in hand.

use tesuji_game::{Cell, Ground, HandPiece, Side, View};

use super::paint::{BLACK, FELT, FELT_LAST, GOLD, Hue, RED, WHITE, WOOD, WOOD_LAST, paint, plain};
use super::{Marks, Style, centered, margin};

pub(super) fn draw(view: &View, marks: &Marks, style: Style) -> String {
    let named = view.cells.iter().any(|cell| matches!(cell, Cell::Piece { .. }));
    let width = if named { 4 } else { 3 };
    let margin = margin(view);
    let mut text = String::new();
    if let Some(hand) = hand(&view.hands[Side::Second.index()], style) {
        text += &format!("{:margin$} {hand}\n", "");
    }
    text += &" ".repeat(margin);
    for label in &view.columns {
        text += &centered(label, width);
    }
    text = text.trim_end().to_owned() + "\n";
    for (row, label) in view.rows.iter().enumerate() {
        text += &format!("{label:>pad$} ", pad = margin - 1);
        for column in 0..view.columns.len() {
            let index = row * view.columns.len() + column;
            square(&mut text, view, marks, style, index, (row + column) % 2, width);
        }
        if style == Style::Color {
            plain(&mut text);
        } else {
            text.truncate(text.trim_end().len());
        }
        text.push('\n');
    }
    if let Some(hand) = hand(&view.hands[Side::First.index()], style) {
        text += &format!("{:margin$} {hand}\n", "");
    }
    text
}

fn square(
    text: &mut String,
    view: &View,
    marks: &Marks,
    style: Style,
    index: usize,
    shade: usize,
    width: usize,
) {
    let cell = view.cells[index];
    let playable = marks.playable.contains(&index);
    if style != Style::Color {
        let sign = match cell {
            Cell::Empty if playable => "+".to_owned(),
            Cell::Piece { side, sign, letters } => named(side, sign, letters, style),
            Cell::Empty | Cell::Tile(_) => "·".to_owned(),
            Cell::Disc(Side::First) => "X".to_owned(),
            Cell::Disc(Side::Second) => "O".to_owned(),
            Cell::Hole => "#".to_owned(),
        };
        let sign = if style == Style::Ascii { sign.replace('·', ".") } else { sign };
        let wide = matches!(cell, Cell::Piece { .. }) && style == Style::Plain;
        // A kanji takes two columns and counts as one character.
        text.push_str(&centered(&sign, if wide { width - 1 } else { width }));
        return;
    }
    let (shades, last): ([Hue; 2], Hue) = match view.ground {
        Ground::Felt => (FELT, FELT_LAST),
        Ground::Wood | Ground::Table => (WOOD, WOOD_LAST),
    };
    let ground = if marks.last.contains(&index) { last } else { shades[shade] };
    match cell {
        Cell::Empty | Cell::Tile(_) => {
            let ink = if view.ground == Ground::Felt { GOLD } else { BLACK };
            paint(text, &centered(if playable { "•" } else { " " }, width), ink, ground);
        }
        Cell::Disc(side) => {
            paint(text, &centered("●", width), if side == Side::First { BLACK } else { WHITE }, ground);
        }
        Cell::Hole => paint(text, &centered(" ", width), BLACK, BLACK),
        Cell::Piece { side, sign, letters } => {
            let ink = if letters.starts_with('+') { RED } else { BLACK };
            paint(text, &centered(&named(side, sign, letters, style), width - 1), ink, ground);
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
