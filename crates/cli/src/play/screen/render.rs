//! The desk as a picture of the whole terminal, at any size, with and without colours.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::desk::Desk;
use super::help;
use super::panel::side;
use super::window::Window;
use crate::command::player;
use crate::entry::Playable;

/// The least width of the panel beside the board.
const PANEL: u16 = 32;
/// What lies between them.
const GAP: u16 = 2;

pub(super) fn draw<G: Playable>(desk: &Desk<G>, frame: &mut Frame<'_>) {
    let [title, middle, message, prompt, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let most = Rect { width: middle.width.saturating_sub(PANEL + GAP), ..middle };
    let window = Window::new(desk, most);
    let [board, _, panel] = Layout::horizontal([
        Constraint::Length(window.width.min(most.width)),
        Constraint::Length(GAP),
        Constraint::Min(0),
    ])
    .areas(middle);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let dim = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Line::styled(heading(desk), bold), title);
    frame.render_widget(window.board, board);
    frame.render_widget(Paragraph::new(side(desk, panel)), panel);
    frame.render_widget(Line::styled(desk.message.as_str(), bold), message);
    frame.render_widget(input(desk), prompt);
    let map = "Tab moves · Enter plays · ←→ look · u undo · v values · ? help · q quit";
    frame.render_widget(Line::styled(map, dim), keys);
    if desk.help {
        overlay(frame);
    }
}

fn heading<G: Playable>(desk: &Desk<G>) -> String {
    let last = desk.sitting.record.plies().len();
    let ply = desk.ply();
    let place = if desk.looks_back() { format!("move {ply} of {last}") } else { format!("move {last}") };
    format!("tesuji · {} · {place}", G::NAME)
}

fn input<G: Playable>(desk: &Desk<G>) -> Line<'static> {
    let who = match desk.sitting.verdict() {
        Some(_) => "the game is over".to_owned(),
        None => format!("{} to move", player::<G>(desk.sitting.mover())),
    };
    let dim = Style::new().add_modifier(Modifier::DIM);
    let caret = Style::new().add_modifier(Modifier::REVERSED);
    Line::from(vec![
        Span::styled(format!("{who} > "), dim),
        Span::raw(desk.input.clone()),
        Span::styled(" ", caret),
    ])
}

fn overlay(frame: &mut Frame<'_>) {
    let width = help::KEYS.iter().map(|(key, about)| Span::raw(*key).width().max(16) + about.len() + 2).max();
    let (width, height) = (width.unwrap_or(0) as u16 + 2, help::KEYS.len() as u16 + 2);
    let all = frame.area();
    let area = Rect {
        x: all.width.saturating_sub(width) / 2,
        y: all.height.saturating_sub(height) / 2,
        width: width.min(all.width),
        height: height.min(all.height),
    };
    let lines: Vec<Line<'static>> =
        help::KEYS.iter().map(|(key, about)| Line::raw(format!(" {key:<16}{about}"))).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), area);
}
