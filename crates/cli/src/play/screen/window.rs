//! The part of the board that fits.

use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::app::App;
use crate::draw::{self, Highlight, Marks, Picture};

/// The board. If it does not fit, it is moved so that the last move is visible.
pub(super) struct Window {
    pub(super) board: Paragraph<'static>,
    /// Width of the whole board.
    pub(super) width: u16,
}

impl Window {
    /// The board for this area.
    pub(super) fn new(app: &App, area: Rect) -> Window {
        let style = draw::Style::pick(app.colored);
        let view = &app.view().board;
        let mut marks = app.marks();
        let mut picture = draw::draw(view, &marks, style);
        if !fits(&picture, area) {
            marks = Marks { small: true, ..marks };
            picture = draw::draw(view, &marks, style);
        }
        let (width, height) = size(&picture);
        let columns = view.columns.len().max(1);
        let cells = if marks.picked.is_empty() { &view.last } else { &marks.picked };
        let focus = cells.first().map_or((0.5, 0.5), |cell| {
            let part = |at: usize, all: usize| (at as f64 + 0.5) / all.max(1) as f64;
            (part(cell % columns, columns), part(cell / columns, view.rows.len()))
        });
        let offset = |focus: f64, length: usize, window: u16, shift: i32| {
            let slack = length.saturating_sub(window.into());
            let wanted = (focus * length as f64) as i32 - i32::from(window) / 2 + shift;
            wanted.clamp(0, slack as i32) as u16
        };
        let x = offset(focus.0, width, area.width, app.shift.0);
        let y = offset(focus.1, height, area.height, app.shift.1);
        let lines = picture.lines.into_iter().map(|line| line.into_iter().map(span).collect::<Line<'static>>());
        let board = Paragraph::new(lines.collect::<Vec<_>>()).scroll((y, x));
        Window { board, width: u16::try_from(width).unwrap_or(u16::MAX) }
    }
}

fn span(stroke: draw::Stroke) -> Span<'static> {
    let style = match (stroke.colors, stroke.highlight) {
        (Some((ink, ground)), _) => Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(ground)),
        (None, Highlight::None) => Style::new(),
        (None, Highlight::Last) => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        (None, Highlight::Picked) => Style::new().add_modifier(Modifier::REVERSED),
    };
    Span::styled(stroke.text, style)
}

fn size(picture: &Picture) -> (usize, usize) {
    let width = |line: &Vec<draw::Stroke>| line.iter().map(|stroke| Span::raw(&stroke.text).width()).sum();
    (picture.lines.iter().map(width).max().unwrap_or(0), picture.lines.len())
}

fn fits(picture: &Picture, area: Rect) -> bool {
    let (width, height) = size(picture);
    width <= area.width.into() && height <= area.height.into()
}
