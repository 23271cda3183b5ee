//! Boards of tiles with tracks: pictures of half blocks in colour, letters on the edges without.

use tesuji_game::{Cell, Side, View};

use super::paint::{BLACK, GOLD, GREY, Hue, RED, SLATE, WHITE, paint, plain};
use super::{Marks, Style, centered, margin};

/// A tile is six columns wide and three lines high, so that half a line is one pixel of a 6x6 picture.
const WIDTH: usize = 6;
const LINES: usize = 3;

pub(super) fn draw(view: &View, marks: &Marks, style: Style) -> String {
    let margin = margin(view);
    let mut text = " ".repeat(margin);
    for label in &view.columns {
        text += &centered(label, WIDTH);
    }
    text = text.trim_end().to_owned() + "\n";
    for (row, label) in view.rows.iter().enumerate() {
        for line in 0..LINES {
            let label = if line == 1 { label.as_str() } else { "" };
            text += &format!("{label:>pad$} ", pad = margin - 1);
            for column in 0..view.columns.len() {
                let index = row * view.columns.len() + column;
                match style {
                    Style::Color => pixels(&mut text, view.cells[index], marks, index, line),
                    Style::Plain | Style::Ascii => letters(&mut text, view.cells[index], marks, index, line),
                }
            }
            if style == Style::Color {
                plain(&mut text);
            } else {
                text.truncate(text.trim_end().len());
            }
            text.push('\n');
        }
    }
    text
}

/// One line of a tile in colour: the upper pixel is the ink of a half block, the lower its ground.
fn pixels(text: &mut String, cell: Cell, marks: &Marks, index: usize, line: usize) {
    let Cell::Tile(edges) = cell else {
        let spot = if line == 1 && marks.playable.contains(&index) { "·" } else { " " };
        return paint(text, &centered(spot, WIDTH), GREY, SLATE);
    };
    let edge = if marks.last.contains(&index) { GOLD } else { BLACK };
    for x in 0..WIDTH {
        let color = |y| track(edges, x, y).map_or(if corner(x, y) { edge } else { BLACK }, hue);
        paint(text, "▀", color(2 * line), color(2 * line + 1));
    }
}

fn corner(x: usize, y: usize) -> bool {
    (x == 0 || x == WIDTH - 1) && (y == 0 || y == 2 * LINES - 1)
}

fn hue(side: Side) -> Hue {
    if side == Side::First { WHITE } else { RED }
}

/// Whose track covers the pixel of a tile with these edges (north, east, south, west).
fn track([north, east, south, west]: [Side; 4], x: usize, y: usize) -> Option<Side> {
    if north == south {
        // Two straights; the one from north to south lies on top.
        return if x / 2 == 1 { Some(north) } else { (y / 2 == 1).then_some(east) };
    }
    // Two quarter circles of radius 3 round opposite corners, measured in half pixels.
    let (x, y) = (2 * x as i32 + 1, 2 * y as i32 + 1);
    let band = |corner_x: i32, corner_y: i32| {
        let distance = (x - corner_x).pow(2) + (y - corner_y).pow(2);
        (16..=64).contains(&distance)
    };
    if north == west {
        if band(0, 0) { Some(north) } else { band(12, 12).then_some(south) }
    } else if band(12, 0) {
        Some(north)
    } else {
        band(0, 12).then_some(south)
    }
}

/// One line of a tile in letters: the glyph of the notation, and on each edge whose track leaves there.
fn letters(text: &mut String, cell: Cell, marks: &Marks, index: usize, line: usize) {
    let Cell::Tile([north, east, south, west]) = cell else {
        let spot = if line == 1 && marks.playable.contains(&index) { "." } else { " " };
        text.push_str(&centered(spot, WIDTH));
        return;
    };
    let letter = |side| if side == Side::First { 'w' } else { 'r' };
    let glyph = match (north == south, north == west) {
        (true, _) => '+',
        (false, true) => '/',
        (false, false) => '\\',
    };
    let picture = match line {
        0 => format!("  {}  ", letter(north)),
        1 => format!("{} {glyph} {}", letter(west), letter(east)),
        _ => format!("  {}  ", letter(south)),
    };
    text.push_str(&centered(&picture, WIDTH));
}
