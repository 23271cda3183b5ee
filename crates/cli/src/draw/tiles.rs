//! Boards of tiles with tracks: half blocks in colour, or letters on the edges.

use tesuji_registry::{BoardDescription, CellContent, SideName};

use super::paint::{BLACK, GOLD, GREY, Hue, PICKED, RED, SLATE, WHITE};
use super::picture::{Highlight, Picture};
use super::{Marks, Style, centered, margin};

/// Pixels of a tile in both directions. A pixel is one column wide and half a line high.
#[derive(Clone, Copy)]
struct Size(usize);

const LARGE: Size = Size(6);
const SMALL: Size = Size(4);

pub(super) fn draw(view: &BoardDescription, marks: &Marks, style: Style) -> Picture {
    let margin = margin(view);
    let size = if marks.small && style == Style::Color { SMALL } else { LARGE };
    let mut picture = Picture::default();
    picture.write(&" ".repeat(margin));
    for label in &view.columns {
        picture.write(&centered(label, size.0));
    }
    picture.end_line();
    for (row, label) in view.rows.iter().enumerate() {
        for line in 0..size.0 / 2 {
            // Of three lines the middle one, of two the upper.
            let label = if line == (size.0 / 2 - 1) / 2 { label.as_str() } else { "" };
            picture.write(&format!("{label:>pad$} ", pad = margin - 1));
            for column in 0..view.columns.len() {
                let index = row * view.columns.len() + column;
                match style {
                    Style::Color => pixels(&mut picture, view, marks, index, line, size),
                    Style::Plain | Style::Ascii => {
                        letters(&mut picture, view, marks, index, line);
                    }
                }
            }
            picture.end_line();
        }
    }
    picture
}

/// One line of a tile in colour: the upper pixel is the foreground of a half block, the lower its background.
fn pixels(picture: &mut Picture, view: &BoardDescription, marks: &Marks, index: usize, line: usize, size: Size) {
    let highlight = marks.highlight(view, index);
    let CellContent::Tile(edges) = view.cells[index] else {
        let spot = if line == 1 && view.playable.contains(&index) { "·" } else { " " };
        let ground = if highlight == Highlight::Picked { PICKED } else { SLATE };
        return picture.paint(&centered(spot, size.0), GREY, ground);
    };
    let edge = match highlight {
        Highlight::Picked => PICKED,
        Highlight::Last => GOLD,
        Highlight::None => BLACK,
    };
    for x in 0..size.0 {
        let color = |y| track(edges, x, y, size).map_or(if corner(x, y, size) { edge } else { BLACK }, hue);
        picture.paint("▀", color(2 * line), color(2 * line + 1));
    }
}

fn corner(x: usize, y: usize, Size(size): Size) -> bool {
    (x == 0 || x == size - 1) && (y == 0 || y == size - 1)
}

fn hue(side: SideName) -> Hue {
    if side == SideName::First { WHITE } else { RED }
}

/// The side whose track covers a pixel of a tile with these edges (north, east, south, west).
fn track([north, east, south, west]: [SideName; 4], x: usize, y: usize, Size(size): Size) -> Option<SideName> {
    // The middle two pixels of an edge are where its track leaves.
    let middle = |pixel: usize| pixel == size / 2 - 1 || pixel == size / 2;
    if north == south {
        // Two straight tracks; the one from north to south is on top.
        return if middle(x) { Some(north) } else { middle(y).then_some(east) };
    }
    // Two quarter circles round opposite corners, as wide as the middle, measured in half pixels.
    let (x, y, end) = (2 * x as i32 + 1, 2 * y as i32 + 1, 2 * size as i32);
    let (inner, outer) = (end / 2 - 2, end / 2 + 2);
    let band = |corner_x: i32, corner_y: i32| {
        let distance = (x - corner_x).pow(2) + (y - corner_y).pow(2);
        (inner * inner..=outer * outer).contains(&distance)
    };
    if north == west {
        if band(0, 0) { Some(north) } else { band(end, end).then_some(south) }
    } else if band(end, 0) {
        Some(north)
    } else {
        band(0, end).then_some(south)
    }
}

/// One line of a tile in letters: the glyph of the notation, and the owner of the track on each edge.
fn letters(picture: &mut Picture, view: &BoardDescription, marks: &Marks, index: usize, line: usize) {
    let highlight = marks.highlight(view, index);
    let CellContent::Tile([north, east, south, west]) = view.cells[index] else {
        let spot = if line == 1 && view.playable.contains(&index) { "." } else { " " };
        return picture.highlight(&centered(spot, LARGE.0), highlight);
    };
    let letter = |side| if side == SideName::First { 'w' } else { 'r' };
    let glyph = match (north == south, north == west) {
        (true, _) => '+',
        (false, true) => '/',
        (false, false) => '\\',
    };
    let tile = match line {
        0 => format!("  {}  ", letter(north)),
        1 => format!("{} {glyph} {}", letter(west), letter(east)),
        _ => format!("  {}  ", letter(south)),
    };
    picture.highlight(&centered(&tile, LARGE.0), highlight);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every edge shows the colour of its track in the middle, for all tiles and sizes.
    #[test]
    fn tracks_leave_where_the_edges_say() {
        let (w, r) = (SideName::First, SideName::Second);
        for edges in [[w, r, w, r], [r, w, r, w], [w, r, r, w], [r, w, w, r], [w, w, r, r], [r, r, w, w]] {
            for Size(size) in [LARGE, SMALL] {
                for middle in [size / 2 - 1, size / 2] {
                    let ends = [(middle, 0), (size - 1, middle), (middle, size - 1), (0, middle)];
                    let seen = ends.map(|(x, y)| track(edges, x, y, Size(size)));
                    assert_eq!(seen, edges.map(Some), "{edges:?} {size}");
                }
            }
        }
    }
}
