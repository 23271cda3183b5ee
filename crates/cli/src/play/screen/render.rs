//! The whole screen, at any size, with and without colours.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::app::App;
use super::keys::KEYS;
use super::panel::panel;
use super::window::Window;

/// The least width of the panel beside the board.
const PANEL: u16 = 32;
/// The space between them.
const GAP: u16 = 2;

pub(super) fn draw(app: &App, frame: &mut Frame<'_>) {
    let [title, middle, message, prompt, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let most = Rect { width: middle.width.saturating_sub(PANEL + GAP), ..middle };
    let window = Window::new(app, most);
    let [board, _, beside] = Layout::horizontal([
        Constraint::Length(window.width.min(most.width)),
        Constraint::Length(GAP),
        Constraint::Min(0),
    ])
    .areas(middle);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let dim = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Line::styled(heading(app), bold), title);
    frame.render_widget(window.board, board);
    frame.render_widget(Paragraph::new(panel(app, beside)), beside);
    frame.render_widget(Line::styled(app.message.as_str(), bold), message);
    frame.render_widget(input(app), prompt);
    let map = "Tab moves · Enter plays · ←→ earlier · u undo · v values · ? help · q quit";
    frame.render_widget(Line::styled(map, dim), keys);
    if app.help {
        overlay(frame);
    }
}

fn heading(app: &App) -> String {
    let view = app.view();
    let last = view.moves.len();
    let place = if view.is_latest { format!("move {last}") } else { format!("move {} of {last}", view.ply) };
    format!("tesuji · {} · {place}", view.game)
}

fn input(app: &App) -> Line<'static> {
    let prompt = match app.view().to_move {
        None => "the game is over".to_owned(),
        Some(side) => format!("{} to move", app.game.player(side)),
    };
    let dim = Style::new().add_modifier(Modifier::DIM);
    let caret = Style::new().add_modifier(Modifier::REVERSED);
    Line::from(vec![Span::styled(format!("{prompt} > "), dim), Span::raw(app.input.clone()), Span::styled(" ", caret)])
}

fn overlay(frame: &mut Frame<'_>) {
    let width = KEYS.iter().map(|(key, about)| Span::raw(*key).width().max(16) + about.len() + 2).max();
    let (width, height) = (width.unwrap_or(0) as u16 + 2, KEYS.len() as u16 + 2);
    let all = frame.area();
    let area = Rect {
        x: all.width.saturating_sub(width) / 2,
        y: all.height.saturating_sub(height) / 2,
        width: width.min(all.width),
        height: height.min(all.height),
    };
    let lines: Vec<Line<'static>> = KEYS.iter().map(|(key, about)| Line::raw(format!(" {key:<16}{about}"))).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), area);
}
