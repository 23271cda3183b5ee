//! Boards in a terminal: with colours where there are any, with letters where there is nothing else.

mod paint;
mod picture;
mod squares;
mod tiles;

use tesuji_registry::{BoardDescription, Ground};

pub(crate) use picture::{Picture, Stress, Stroke};

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
    /// The best this output can show.
    pub(crate) fn pick(colored: bool) -> Style {
        if colored { Style::Color } else { Style::Plain }
    }
}

/// What else to show on a board.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The move about to be played.
    pub(crate) picked: Vec<usize>,
    /// Tiles are to be small.
    pub(crate) small: bool,
}

impl Marks {
    /// What a cell is pointed out for.
    fn stress(&self, view: &BoardDescription, index: usize) -> Stress {
        if self.picked.contains(&index) {
            Stress::Picked
        } else if view.last.contains(&index) {
            Stress::Last
        } else {
            Stress::None
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
