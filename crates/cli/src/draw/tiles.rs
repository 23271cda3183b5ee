//! Boards of tiles with tracks: half blocks in colour, or letters on the edges.

use tesuji_registry::{BoardDescription, CellContent, SideName};

use super::hits::Hits;
use super::paint::{BLACK, GOLD, GREY, Hue, PICKED, RED, SLATE, WHITE, WINNING};
use super::picture::{Highlight, Picture};
use super::{Marks, Style, centered, margin, row_label};

/// Pixels of a tile in both directions. A pixel is one column wide and half a line high.
#[derive(Clone, Copy)]
struct Size(usize);

/// Lines per tile.
const USUAL: usize = 3;

pub(super) fn scales(style: Style) -> &'static [usize] {
    match style {
        Style::Color => &[6, 5, 4, 3, 2],
        // Letters need three lines and gain nothing by more.
        Style::Plain | Style::Ascii => &[USUAL],
    }
}

fn size(style: Style, scale: usize) -> Size {
    if style == Style::Color { Size(2 * scale) } else { Size(2 * USUAL) }
}

pub(super) fn measure(view: &BoardDescription, style: Style, scale: usize) -> (usize, usize) {
    let Size(size) = size(style, scale);
    (margin(view) + view.columns.len() * size, 1 + view.rows.len() * size / 2)
}

pub(super) fn draw(view: &BoardDescription, marks: &Marks, style: Style) -> Picture {
    let margin = margin(view);
    let size = size(style, marks.scale.unwrap_or(USUAL));
    let lines = size.0 / 2;
    let mut picture = Picture::default();
    picture.write(&" ".repeat(margin));
    for label in &view.columns {
        picture.write(&centered(label, size.0));
    }
    picture.end_line();
    picture.hits = Hits {
        origin: (margin, 1),
        cell: (size.0, lines),
        cells: (view.columns.len(), view.rows.len()),
        hands: Vec::new(),
    };
    for (row, label) in view.rows.iter().enumerate() {
        for line in 0..lines {
            // Of three lines the middle one, of two the upper.
            let is_middle = line == (lines - 1) / 2;
            picture.write(&row_label(if is_middle { label.as_str() } else { "" }, margin));
            for column in 0..view.columns.len() {
                let index = row * view.columns.len() + column;
                match style {
                    Style::Color => pixels(&mut picture, view, marks, index, line, size),
                    Style::Plain | Style::Ascii => letters(&mut picture, view, marks, index, line),
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
        let is_middle = line == (size.0 / 2 - 1) / 2;
        let spot = if is_middle && view.playable.contains(&index) { "·" } else { " " };
        let ground = if highlight == Highlight::Picked { PICKED } else { SLATE };
        return picture.paint(&centered(spot, size.0), GREY, ground);
    };
    // The tiles that won lie on a ground of their own; others have marks in their corners.
    let ground = if highlight == Highlight::Winning { WINNING } else { BLACK };
    let edge = match highlight {
        Highlight::Picked => PICKED,
        Highlight::Last => GOLD,
        Highlight::None | Highlight::Target | Highlight::Winning => ground,
    };
    for x in 0..size.0 {
        let color = |y| track(edges, x, y, size).map_or(if corner(x, y, size) { edge } else { ground }, hue);
        picture.pixels(color(2 * line), color(2 * line + 1), ground);
    }
}

fn corner(x: usize, y: usize, Size(size): Size) -> bool {
    let near = size / 6 + usize::from(size < 6);
    let is_end = |at: usize| at < near || at >= size - near;
    is_end(x) && is_end(y)
}

fn hue(side: SideName) -> Hue {
    if side == SideName::First { WHITE } else { RED }
}

/// The side whose track covers a pixel of a tile with these edges (north, east, south, west).
fn track([north, east, south, west]: [SideName; 4], x: usize, y: usize, Size(size): Size) -> Option<SideName> {
    // The middle pixels of an edge are where its track leaves: a quarter to a half of them.
    let half = half_width(Size(size));
    let middle = |pixel: usize| (size / 2 - half..size / 2 + half).contains(&pixel);
    if north == south {
        // Two straight tracks; the one from north to south is on top.
        return if middle(x) { Some(north) } else { middle(y).then_some(east) };
    }
    // Two quarter circles round opposite corners, as wide as the middle, measured in half pixels.
    let (x, y, end) = (2 * x as i32 + 1, 2 * y as i32 + 1, 2 * size as i32);
    let (inner, outer) = (end / 2 - 2 * half as i32, end / 2 + 2 * half as i32);
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

/// Half the width of a track.
fn half_width(Size(size): Size) -> usize {
    if size < 10 { 1 } else { 2 }
}

/// One line of a tile in letters: the glyph of the notation, and the owner of the track on each edge, in upper case on
/// the track that won.
fn letters(picture: &mut Picture, view: &BoardDescription, marks: &Marks, index: usize, line: usize) {
    let highlight = marks.highlight(view, index);
    let CellContent::Tile([north, east, south, west]) = view.cells[index] else {
        let spot = if line == 1 && view.playable.contains(&index) { "." } else { " " };
        return picture.highlight(&centered(spot, 2 * USUAL), highlight);
    };
    let winning = view.winning.as_ref().filter(|winning| winning.cells.contains(&index));
    let letter = |side| match (side, winning.is_some_and(|winning| winning.side == side)) {
        (SideName::First, false) => 'w',
        (SideName::First, true) => 'W',
        (SideName::Second, false) => 'r',
        (SideName::Second, true) => 'R',
    };
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
    picture.highlight(&centered(&tile, 2 * USUAL), highlight);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every edge shows the colour of its track in the middle, for all tiles and sizes.
    #[test]
    fn tracks_leave_where_the_edges_say() {
        let (w, r) = (SideName::First, SideName::Second);
        for edges in [[w, r, w, r], [r, w, r, w], [w, r, r, w], [r, w, w, r], [w, w, r, r], [r, r, w, w]] {
            for size in scales(Style::Color).iter().map(|lines| 2 * lines) {
                for middle in [size / 2 - 1, size / 2] {
                    let ends = [(middle, 0), (size - 1, middle), (middle, size - 1), (0, middle)];
                    let seen = ends.map(|(x, y)| track(edges, x, y, Size(size)));
                    assert_eq!(seen, edges.map(Some), "{edges:?} {size}");
                }
            }
        }
    }
}
