//! Boards of squares: discs, pieces with names, a hole, and pieces in hand.

use tesuji_registry::{BoardDescription, CellContent, Ground, HandEntry, SideName};
use unicode_width::UnicodeWidthStr;

use super::hits::{HandArea, Hits};
use super::paint::{BLACK, FELT, FELT_LAST, GOLD, Hue, PICKED, PIECE, RED, TARGET, WHITE, WINNING, WOOD, WOOD_LAST};
use super::picture::{Highlight, Picture};
use super::{Marks, Style, centered, margin, row_label};

/// Lines per cell. With two lines nothing could stand in the middle.
pub(super) const SCALES: &[usize] = &[8, 7, 6, 5, 4, 3, 1, 0];
/// A compact board leaves the pieces in hand to others.
const COMPACT: usize = 0;
const USUAL: usize = 1;

/// The size of a cell in columns and lines.
#[derive(Clone, Copy)]
struct CellSize {
    width: usize,
    lines: usize,
}

impl CellSize {
    fn of(view: &BoardDescription, scale: usize) -> CellSize {
        let named = view.cells.iter().any(|cell| matches!(cell, CellContent::Piece { .. }));
        match scale {
            COMPACT => CellSize { width: if named { 3 } else { 2 }, lines: 1 },
            USUAL => CellSize { width: if named { 4 } else { 3 }, lines: 1 },
            lines => CellSize { width: 2 * lines, lines },
        }
    }

    /// The line of a cell that text stands on.
    fn middle(self) -> usize {
        (self.lines - 1) / 2
    }
}

pub(super) fn measure(view: &BoardDescription, scale: usize) -> (usize, usize) {
    let size = CellSize::of(view, scale);
    let hands = view.hands.iter().filter(|hand| scale != COMPACT && has_pieces(hand)).count();
    (margin(view) + view.columns.len() * size.width, 1 + view.rows.len() * size.lines + hands)
}

pub(super) fn draw(view: &BoardDescription, marks: &Marks, style: Style) -> Picture {
    let scale = marks.scale.unwrap_or(USUAL);
    let size = CellSize::of(view, scale);
    let margin = margin(view);
    let mut picture = Picture::default();
    if scale != COMPACT {
        hand(&mut picture, view, marks, style, SideName::Second);
    }
    picture.write(&" ".repeat(margin));
    for label in &view.columns {
        picture.write(&centered(label, size.width));
    }
    picture.end_line();
    picture.hits = Hits {
        origin: (margin, picture.lines.len()),
        cell: (size.width, size.lines),
        cells: (view.columns.len(), view.rows.len()),
        hands: std::mem::take(&mut picture.hits.hands),
    };
    for (row, label) in view.rows.iter().enumerate() {
        for line in 0..size.lines {
            picture.write(&row_label(if line == size.middle() { label.as_str() } else { "" }, margin));
            for column in 0..view.columns.len() {
                let index = row * view.columns.len() + column;
                let cell = Cell { view, index, size, line, highlight: marks.highlight(view, index) };
                match style {
                    Style::Color => cell.paint(&mut picture, (row + column) % 2),
                    Style::Plain | Style::Ascii => picture.highlight(&cell.letters(style), cell.highlight),
                }
            }
            picture.end_line();
        }
    }
    if scale != COMPACT {
        hand(&mut picture, view, marks, style, SideName::First);
    }
    picture
}

/// One line of a cell.
struct Cell<'a> {
    view: &'a BoardDescription,
    index: usize,
    size: CellSize,
    line: usize,
    highlight: Highlight,
}

impl Cell<'_> {
    fn content(&self) -> &CellContent {
        &self.view.cells[self.index]
    }

    /// Whether the forbidden move goes to this empty cell.
    fn is_forbidden(&self) -> bool {
        let cells = self.view.forbidden.as_ref().map_or(&[][..], |forbidden| &forbidden.cells);
        cells.len() > 1 && cells.last() == Some(&self.index)
    }

    fn is_playable(&self) -> bool {
        self.view.playable.contains(&self.index) || self.highlight == Highlight::Target
    }

    fn letters(&self, style: Style) -> String {
        let CellSize { width, lines } = self.size;
        // Large discs are blocks of letters, with a line and two columns between them.
        let block = |letter: &str| match (lines, self.line + 1 == lines) {
            (1, _) => letter.to_owned(),
            (_, true) => String::new(),
            (_, false) => letter.repeat(width - 2),
        };
        let sign = match self.content() {
            CellContent::Disc(SideName::First) => block("X"),
            CellContent::Disc(SideName::Second) => block("O"),
            CellContent::Hole => block("#"),
            _ if self.line != self.size.middle() => String::new(),
            CellContent::Empty if self.is_forbidden() => "x".to_owned(),
            CellContent::Empty if self.is_playable() => "+".to_owned(),
            CellContent::Empty | CellContent::Tile(_) if style == Style::Ascii => ".".to_owned(),
            CellContent::Empty | CellContent::Tile(_) => "·".to_owned(),
            CellContent::Piece { side, sign, letters } => named(*side, sign, letters, style),
        };
        centered(&sign, width)
    }

    fn paint(&self, picture: &mut Picture, shade: usize) {
        let (shades, last): ([Hue; 2], Hue) = match self.view.ground {
            Ground::Felt => (FELT, FELT_LAST),
            Ground::Wood | Ground::Table => (WOOD, WOOD_LAST),
        };
        let ground = match self.highlight {
            Highlight::Picked => PICKED,
            Highlight::Target => TARGET,
            Highlight::Winning => WINNING,
            Highlight::Last => last,
            Highlight::None => shades[shade],
        };
        let CellSize { width, lines } = self.size;
        match self.content() {
            CellContent::Empty | CellContent::Tile(_) if self.is_forbidden() => {
                let sign = if self.line == self.size.middle() { "×" } else { "" };
                picture.paint(&centered(sign, width), RED, ground);
            }
            CellContent::Empty | CellContent::Tile(_) => {
                let ink = if self.view.ground == Ground::Felt { GOLD } else { BLACK };
                if lines > 1 && self.is_playable() {
                    self.round(picture, 4, ink, ground);
                } else {
                    let sign = if self.is_playable() { "•" } else { "" };
                    picture.paint(&centered(sign, width), ink, ground);
                }
            }
            CellContent::Disc(side) => {
                let ink = if *side == SideName::First { BLACK } else { WHITE };
                if lines > 1 {
                    // A disc that leaves one pixel free on every side; of six pixels that would be a square.
                    let radius = if width == 6 { 30 } else { (width - 1) * (width - 1) };
                    self.round(picture, radius, ink, ground);
                } else {
                    picture.paint(&centered("●", width), ink, ground);
                }
            }
            CellContent::Hole => {
                let ink = if self.highlight == Highlight::Picked { PICKED } else { BLACK };
                picture.paint(&"█".repeat(width), ink, ink);
            }
            CellContent::Piece { side, sign, letters } => {
                let ink = if letters.starts_with('+') { RED } else { BLACK };
                let name = named(*side, sign, letters, Style::Color);
                if lines > 1 {
                    self.piece(picture, *side, &name, ink, ground);
                } else {
                    picture.paint(&centered(&name, width), ink, ground);
                }
            }
        }
    }

    /// A disc in the middle of the cell. A pixel is one column wide and half a line high; `radius` is squared, in half
    /// pixels.
    fn round(&self, picture: &mut Picture, radius: usize, ink: Hue, ground: Hue) {
        let size = self.size.width as i64;
        let hue = |x: i64, y: i64| {
            let distance = (2 * x + 1 - size).pow(2) + (2 * y + 1 - size).pow(2);
            if distance <= radius as i64 { ink } else { ground }
        };
        let line = 2 * self.line as i64;
        (0..size).for_each(|x| picture.pixels(hue(x, line), hue(x, line + 1), ground));
    }

    /// A piece of shogi, whose point is turned to the opponent.
    fn piece(&self, picture: &mut Picture, side: SideName, name: &str, ink: Hue, ground: Hue) {
        let inner = self.size.width - 2;
        let (front, back) = match side {
            SideName::First => (0, self.size.lines - 1),
            SideName::Second => (self.size.lines - 1, 0),
        };
        let edge = match (self.line, side) {
            (line, SideName::First) if line == front => format!("▗{}▖", "▄".repeat(inner - 2)),
            (line, SideName::First) if line == back => "▀".repeat(inner),
            (line, SideName::Second) if line == front => format!("▝{}▘", "▀".repeat(inner - 2)),
            (line, SideName::Second) if line == back => "▄".repeat(inner),
            (line, _) => {
                let text = if line == self.size.middle() { name } else { "" };
                picture.paint(" ", PIECE, ground);
                picture.paint(&centered(text, inner), ink, PIECE);
                return picture.paint(" ", PIECE, ground);
            }
        };
        picture.paint(&format!(" {edge} "), PIECE, ground);
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

fn has_pieces(hand: &[HandEntry]) -> bool {
    hand.iter().any(|piece| piece.count > 0)
}

/// A piece in hand with its number.
pub(crate) fn held(piece: &HandEntry, style: Style) -> String {
    let name = if style == Style::Ascii { &piece.letters } else { &piece.sign };
    if piece.count == 1 { name.clone() } else { format!("{name}{}", piece.count) }
}

/// The line of the pieces in hand, if there are any.
fn hand(picture: &mut Picture, view: &BoardDescription, marks: &Marks, style: Style, side: SideName) {
    let pieces = &view.hands[side.index()];
    if !has_pieces(pieces) {
        return;
    }
    let lead = format!("{:1$} in hand:", "", margin(view));
    let mut column = lead.width();
    picture.write(&lead);
    for piece in pieces.iter().filter(|piece| piece.count > 0) {
        let text = held(piece, style);
        let is_picked = marks.hand.as_ref().is_some_and(|(own, name)| *own == side && *name == piece.letters);
        picture.write(" ");
        match (is_picked, style) {
            (true, Style::Color) => picture.paint(&text, BLACK, PICKED),
            (true, _) => picture.highlight(&text, Highlight::Picked),
            (false, _) => picture.write(&text),
        }
        let columns = column + 1..column + 1 + text.width();
        column = columns.end;
        picture.hits.hands.push(HandArea { line: picture.lines.len(), columns, side, letters: piece.letters.clone() });
    }
    picture.end_line();
}
