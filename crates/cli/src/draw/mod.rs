//! Boards in a terminal, in colours, in native signs or in ASCII letters, at several sizes.

mod hits;
mod paint;
mod picture;
mod squares;
mod tiles;

use tesuji_registry::{BoardDescription, Ground, SideName};
use unicode_width::UnicodeWidthStr;

pub(crate) use hits::{Hits, Target};
pub(crate) use picture::{Highlight, Picture, Stroke};
pub(crate) use squares::held;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Coloured squares.
    Color,
    /// Native signs, no colours.
    Plain,
    /// Letters only.
    Ascii,
}

impl Style {
    /// Colours if the output supports them.
    pub(crate) fn pick(colored: bool) -> Style {
        if colored { Style::Color } else { Style::Plain }
    }
}

/// What to highlight on a board, and its size.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The selected move.
    pub(crate) picked: Vec<usize>,
    /// Where the selected piece may go.
    pub(crate) targets: Vec<usize>,
    /// The selected piece in hand.
    pub(crate) hand: Option<(SideName, String)>,
    /// One of [`scales`]; the usual one when absent.
    pub(crate) scale: Option<usize>,
}

impl Marks {
    /// How a cell is highlighted.
    fn highlight(&self, view: &BoardDescription, index: usize) -> Highlight {
        if self.picked.contains(&index) {
            Highlight::Picked
        } else if self.targets.contains(&index) {
            Highlight::Target
        } else if view.winning.as_ref().is_some_and(|winning| winning.cells.contains(&index)) {
            Highlight::Winning
        } else if view.last.contains(&index) {
            Highlight::Last
        } else {
            Highlight::None
        }
    }
}

/// The sizes of a board, in lines per cell, the largest first. 0 is a compact board of one line per cell.
pub(crate) fn scales(view: &BoardDescription, style: Style) -> &'static [usize] {
    match view.ground {
        Ground::Table => tiles::scales(style),
        Ground::Felt | Ground::Wood => squares::SCALES,
    }
}

/// Columns and lines of the picture of a board.
pub(crate) fn measure(view: &BoardDescription, style: Style, scale: usize) -> (usize, usize) {
    match view.ground {
        Ground::Table => tiles::measure(view, style, scale),
        Ground::Felt | Ground::Wood => squares::measure(view, scale),
    }
}

/// The board as a picture.
pub(crate) fn draw(view: &BoardDescription, marks: &Marks, style: Style) -> Picture {
    match view.ground {
        Ground::Table => tiles::draw(view, marks, style),
        Ground::Felt | Ground::Wood => squares::draw(view, marks, style),
    }
}

/// `text` in the middle of `width` columns.
fn centered(text: &str, width: usize) -> String {
    let free = width.saturating_sub(text.width());
    format!("{}{text}{}", " ".repeat(free / 2), " ".repeat(free - free / 2))
}

/// `label` at the right of the column that holds the labels of the rows, with the blank behind it.
fn row_label(label: &str, margin: usize) -> String {
    format!("{}{label} ", " ".repeat((margin - 1).saturating_sub(label.width())))
}

/// The width of the column that holds the labels of the rows.
fn margin(view: &BoardDescription) -> usize {
    view.rows.iter().map(|label| label.width()).max().unwrap_or(0) + 1
}
