//! The board on the screen: as large as it fits, or the part that does.

use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use tesuji_registry::BoardDescription;

use super::app::App;
use crate::draw::{self, Highlight, Hits, Marks, Target};

/// The widths that the panel beside the board may have, the best first.
const PANELS: [u16; 5] = [32, 24, 12, 8, 0];
/// The space between them.
pub(super) const GAP: u16 = 2;
/// From this width on there is room for the whole panel, even if a board has to be cut.
const WIDE: u16 = 66;

/// The size of the board and of the panel beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fit {
    /// One of [`draw::scales`].
    pub(super) scale: usize,
    /// Columns for the board.
    pub(super) width: u16,
}

impl Fit {
    /// The largest board that fits this area beside a panel.
    pub(super) fn of(board: &BoardDescription, style: draw::Style, area: Rect) -> Fit {
        let scales = draw::scales(board, style);
        let panels = if area.width >= WIDE { &PANELS[..1] } else { &PANELS[..] };
        for panel in panels {
            let room = area.width.saturating_sub(panel + if *panel > 0 { GAP } else { 0 });
            for &scale in scales {
                let (width, height) = draw::measure(board, style, scale);
                if width <= room.into() && height <= area.height.into() {
                    return Fit { scale, width: width as u16 };
                }
            }
        }
        let panel = if area.width >= WIDE { PANELS[0] + GAP } else { 0 };
        let scale = scales.last().copied().unwrap_or_default();
        let width = draw::measure(board, style, scale).0.min(usize::from(area.width.saturating_sub(panel)));
        Fit { scale, width: width as u16 }
    }
}

/// The least lines that a whole board needs.
pub(super) fn least_lines(board: &BoardDescription, style: draw::Style) -> usize {
    draw::scales(board, style).last().map_or(0, |&scale| draw::measure(board, style, scale).1)
}

/// What is where on the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardHits {
    /// Where the board is drawn.
    area: Rect,
    /// The column and line of the picture in its first corner.
    scroll: (u16, u16),
    hits: Hits,
    /// Lines of the whole screen.
    pub(super) lines: u16,
}

impl BoardHits {
    /// What is drawn at this column and row of the screen.
    pub(super) fn at(&self, column: u16, row: u16) -> Option<Target> {
        if !self.area.contains((column, row).into()) {
            return None;
        }
        let x = column - self.area.x + self.scroll.0;
        let y = row - self.area.y + self.scroll.1;
        self.hits.at(x.into(), y.into())
    }

    /// The lines that a page of the help has.
    pub(super) fn help_lines(&self) -> usize {
        usize::from(self.lines).saturating_sub(2).max(1)
    }
}

/// The board in an area. If it does not fit, it is moved so that the last move is visible.
pub(super) fn window(app: &App, board: &BoardDescription, scale: usize, area: Rect) -> (Paragraph<'static>, BoardHits) {
    let marks = Marks { scale: Some(scale), ..app.marks() };
    let picture = draw::draw(board, &marks, draw::Style::pick(app.colored));
    let (width, height) = draw::measure(board, draw::Style::pick(app.colored), scale);
    let columns = board.columns.len().max(1);
    let cells = if marks.picked.is_empty() { &board.last } else { &marks.picked };
    let focus = cells.first().map_or((0.5, 0.5), |cell| {
        let part = |at: usize, all: usize| (at as f64 + 0.5) / all.max(1) as f64;
        (part(cell % columns, columns), part(cell / columns, board.rows.len()))
    });
    let offset = |focus: f64, length: usize, window: u16, shift: i32| {
        let slack = length.saturating_sub(window.into());
        let wanted = (focus * length as f64) as i32 - i32::from(window) / 2 + shift;
        wanted.clamp(0, slack as i32) as u16
    };
    let x = offset(focus.0, width, area.width, app.shift.0);
    let y = offset(focus.1, height, area.height, app.shift.1);
    let hits = BoardHits { area, scroll: (x, y), hits: picture.hits.clone(), lines: 0 };
    let lines = picture.lines.into_iter().map(|line| line.into_iter().map(span).collect::<Line<'static>>());
    (Paragraph::new(lines.collect::<Vec<_>>()).scroll((y, x)), hits)
}

fn span(stroke: draw::Stroke) -> Span<'static> {
    let style = match (stroke.colors, stroke.highlight) {
        (Some((ink, ground)), _) => Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(ground)),
        (None, Highlight::None) => Style::new(),
        (None, Highlight::Last) => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        (None, Highlight::Target) => Style::new().add_modifier(Modifier::UNDERLINED),
        (None, Highlight::Winning) => Style::new().add_modifier(Modifier::BOLD),
        (None, Highlight::Picked) => Style::new().add_modifier(Modifier::REVERSED),
    };
    Span::styled(stroke.text, style)
}
