//! The whole screen, at any size, with and without colours.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::app::App;
use super::keys::KEYS;
use super::panel::panel;
use super::window::{BoardHits, Fit, GAP, least_lines, window};
use crate::draw;

/// The most important keys, for screens of different widths.
const FOOTERS: [&str; 3] = [
    "Tab moves  Enter plays  ←→ earlier  u undo  i hint  v values  ? help  q quit",
    "u undo  i hint  v values  ? help  q quit",
    "? help  q quit",
];
/// From this height on there is a line each for messages, input and keys, even if a board has to be cut.
const HIGH: usize = 16;

/// Draws everything; returns what is where.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) -> BoardHits {
    let board = app.board();
    let style = draw::Style::pick(app.colored);
    let lines = usize::from(frame.area().height);
    // What does not fit is left out: first the keys, then the message, which takes the place of the title.
    let spare = if lines >= HIGH { 4 } else { lines.saturating_sub(least_lines(&board, style)) };
    let [title, middle, message, prompt, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(u16::from(spare > 2)),
        Constraint::Length(1),
        Constraint::Length(u16::from(spare > 3)),
    ])
    .areas(frame.area());
    let fit = Fit::of(&board, style, middle);
    let [place, _, beside] =
        Layout::horizontal([Constraint::Length(fit.width), Constraint::Length(GAP), Constraint::Min(0)]).areas(middle);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let dim = Style::new().add_modifier(Modifier::DIM);
    let heading = if spare > 2 || app.message.is_empty() { heading(app) } else { app.message.clone() };
    let (picture, mut hits) = window(app, &board, fit.scale, place);
    hits.lines = frame.area().height;
    frame.render_widget(Line::styled(heading, bold), title);
    frame.render_widget(picture, place);
    frame.render_widget(Paragraph::new(panel(app, beside, fit.scale == 0)), beside);
    frame.render_widget(Line::styled(app.message.as_str(), bold), message);
    frame.render_widget(input(app), prompt);
    let footer = FOOTERS.iter().find(|text| text.width() <= keys.width.into()).copied().unwrap_or_default();
    frame.render_widget(Line::styled(footer, dim), keys);
    if let Some(first) = app.help {
        overlay(frame, first);
    }
    hits
}

fn heading(app: &App) -> String {
    let view = app.view();
    let last = view.moves.len();
    let place = if view.is_latest { format!("ply {last}") } else { format!("ply {} of {last}", view.ply) };
    format!("tesuji · {} · {place}", view.game)
}

fn input(app: &App) -> Line<'static> {
    let view = app.view();
    let dim = Style::new().add_modifier(Modifier::DIM);
    let prompt = match view.mover {
        None => "the game is over".to_owned(),
        Some(side) => format!("{} to move", app.player(side)),
    };
    // Nothing to type: a finished game or an earlier position.
    if app.input.is_empty() && (view.mover.is_none() || !view.is_latest) {
        let ways = if view.is_latest { "u takes back, ← looks back, q ends" } else { "End returns" };
        return Line::styled(format!("{prompt}; {ways}"), dim);
    }
    let caret = Style::new().add_modifier(Modifier::REVERSED);
    let mut spans =
        vec![Span::styled(format!("{prompt} > "), dim), Span::raw(app.input.clone()), Span::styled(" ", caret)];
    if let Some(native) = app.native_view()
        && let Some(at) = view.legal.iter().position(|text| text.eq_ignore_ascii_case(&app.input))
    {
        spans.push(Span::styled(format!(" {}", native.legal[at]), dim));
    }
    Line::from(spans)
}

/// The keys from `first` on, as many as fit.
fn overlay(frame: &mut Frame<'_>, first: usize) {
    const KEY: usize = 13;
    let all = frame.area();
    let keys = &KEYS[first.min(KEYS.len())..];
    let width = keys.iter().map(|(_, about)| KEY + about.width()).max().unwrap_or(0) as u16 + 2;
    let height = (keys.len() as u16 + 2).min(all.height);
    let area = Rect {
        x: all.width.saturating_sub(width) / 2,
        y: all.height.saturating_sub(height) / 2,
        width: width.min(all.width),
        height,
    };
    let pad = |key: &str| " ".repeat(KEY.saturating_sub(key.width()));
    let lines: Vec<Line<'static>> =
        keys.iter().map(|(key, about)| Line::raw(format!("{key}{}{about}", pad(key)))).collect();
    let more = keys.len() + 2 > all.height.into();
    let title = if more { " keys; any key for more " } else { " keys " };
    clear_half_glyphs(frame.buffer_mut(), area);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), area);
}

/// Removes wide glyphs that lie half under the left edge of an area: they would cover the edge.
fn clear_half_glyphs(buffer: &mut Buffer, area: Rect) {
    let Some(x) = area.x.checked_sub(1) else { return };
    for y in area.y..area.bottom() {
        if let Some(cell) = buffer.cell_mut((x, y))
            && cell.symbol().width() > 1
        {
            cell.set_symbol(" ");
        }
    }
}
