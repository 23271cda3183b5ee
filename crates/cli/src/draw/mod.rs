//! Boards in a terminal, in colours, in native signs or in ASCII letters.

mod paint;
mod picture;
mod squares;
mod tiles;

use tesuji_registry::{BoardDescription, Ground};

pub(crate) use picture::{Highlight, Picture, Stroke};

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

/// What to highlight on a board.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The selected move.
    pub(crate) picked: Vec<usize>,
    /// Draw small tiles.
    pub(crate) small: bool,
}

impl Marks {
    /// How a cell is highlighted.
    fn highlight(&self, view: &BoardDescription, index: usize) -> Highlight {
        if self.picked.contains(&index) {
            Highlight::Picked
        } else if view.last.contains(&index) {
            Highlight::Last
        } else {
            Highlight::None
        }
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
    format!("{text:^width$}")
}

/// The width of the column that holds the labels of the rows.
fn margin(view: &BoardDescription) -> usize {
    view.rows.iter().map(|label| label.chars().count()).max().unwrap_or(0) + 1
}
