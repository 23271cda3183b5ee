//! The desk as a picture of the whole terminal, at any size, with and without colours.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use tesuji_game::Side;
use tesuji_search::Report;

use super::desk::Desk;
use super::help;
use super::run::{Purpose, Run};
use crate::command::analyze::{seconds, short};
use crate::command::player;
use crate::draw::{self, Marks, Picture, Stress};
use crate::entry::Playable;
use crate::think::{pv, value_words};

/// The panel beside the board.
const PANEL: u16 = 32;

pub(super) fn draw<G: Playable>(desk: &Desk<G>, frame: &mut Frame<'_>) {
    let [title, middle, message, prompt, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let [board, _, panel] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(1), Constraint::Length(PANEL)])
            .areas(middle);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let dim = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Line::styled(heading(desk), bold), title);
    frame.render_widget(picture(desk, board), board);
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

/// The board, moved so that the last move is in sight where all of it does not fit.
fn picture<G: Playable>(desk: &Desk<G>, area: Rect) -> Paragraph<'static> {
    let style = draw::Style::pick(desk.colored);
    let view = desk.shown.now().view();
    let mut marks = desk.marks();
    let mut picture = draw::draw(&view, &marks, style);
    if !fits(&picture, area) {
        marks = Marks { small: true, ..marks };
        picture = draw::draw(&view, &marks, style);
    }
    let (width, height) = size(&picture);
    let columns = view.columns.len().max(1);
    let cells = if marks.picked.is_empty() { &marks.last } else { &marks.picked };
    let focus = cells.first().map_or((0.5, 0.5), |cell| {
        let part = |at: usize, all: usize| (at as f64 + 0.5) / all.max(1) as f64;
        (part(cell % columns, columns), part(cell / columns, view.rows.len()))
    });
    let offset = |focus: f64, length: usize, window: u16, shift: i32| {
        let slack = length.saturating_sub(window.into());
        let wanted = (focus * length as f64) as i32 - i32::from(window) / 2 + shift;
        wanted.clamp(0, slack as i32) as u16
    };
    let x = offset(focus.0, width, area.width, desk.shift.0);
    let y = offset(focus.1, height, area.height, desk.shift.1);
    let lines: Vec<Line<'static>> =
        picture.lines.into_iter().map(|line| line.into_iter().map(span).collect()).collect();
    Paragraph::new(lines).scroll((y, x))
}

fn span(stroke: draw::Stroke) -> Span<'static> {
    let style = match (stroke.colors, stroke.stress) {
        (Some((ink, ground)), _) => Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(ground)),
        (None, Stress::None) => Style::new(),
        (None, Stress::Last) => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        (None, Stress::Picked) => Style::new().add_modifier(Modifier::REVERSED),
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

/// The panel: who plays, the moves so far, what can be played, what the engine thinks.
fn side<G: Playable>(desk: &Desk<G>, area: Rect) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Side::BOTH.into_iter().map(|side| seat(desk, side)).collect();
    let mut below = Vec::new();
    if !desk.legal.is_empty() {
        below.push(Line::default());
        below.extend(legal(desk, area.width.into()));
    }
    if let Some((news, open)) = desk.news() {
        below.push(Line::default());
        below.extend(thoughts(desk, news, open));
    }
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len() + below.len());
    lines.extend(moves(desk, room));
    lines.extend(below);
    lines
}

fn seat<G: Playable>(desk: &Desk<G>, side: Side) -> Line<'static> {
    let to_move = desk.shown.ending().is_none() && desk.shown.now().mover() == side;
    let thinks = match &desk.run {
        Some(Run { purpose: Purpose::Move, begun, .. }) if to_move => {
            format!(" {:.0} s", begun.elapsed().as_secs_f64())
        }
        _ if to_move && desk.paused && desk.sitting.awaits_engine() => " waits".to_owned(),
        _ => String::new(),
    };
    let name = &desk.sitting.seats[side.index()].name;
    let mark = if to_move { "▶" } else { " " };
    let text = format!("{mark} {:<6} {name}{thinks}", player::<G>(side));
    let style = if to_move { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    Line::styled(text, style)
}

/// The moves so far, in pairs, as many as there is room for.
fn moves<G: Playable>(desk: &Desk<G>, room: usize) -> Vec<Line<'static>> {
    let mut now = desk.sitting.record.start().clone();
    let mut words = Vec::new();
    for mv in desk.sitting.record.moves() {
        words.push(now.print_move(mv));
        now.play(mv);
    }
    let width = words.iter().map(String::len).max().unwrap_or(0).max(4) + 1;
    let ply = desk.ply();
    let here = Style::new().add_modifier(Modifier::REVERSED);
    let rows: Vec<Line<'static>> = words
        .chunks(2)
        .enumerate()
        .map(|(row, pair)| {
            let mut spans = vec![Span::raw(format!("{:>3}. ", row + 1))];
            for (index, word) in pair.iter().enumerate() {
                let style = if 2 * row + index + 1 == ply { here } else { Style::new() };
                spans.push(Span::styled(word.clone(), style));
                spans.push(Span::raw(" ".repeat(width.saturating_sub(word.len()))));
            }
            Line::from(spans)
        })
        .collect();
    let at = ply.saturating_sub(1) / 2;
    let first = (at + 1).saturating_sub(room).min(rows.len().saturating_sub(room));
    rows.into_iter().skip(first).take(room).collect()
}

/// The legal moves that begin as typed, in at most four lines.
fn legal<G: Playable>(desk: &Desk<G>, width: usize) -> Vec<Line<'static>> {
    const LINES: usize = 4;
    let dim = Style::new().add_modifier(Modifier::DIM);
    let picked = Style::new().add_modifier(Modifier::REVERSED);
    let fitting: Vec<&String> = desk.fitting().map(|(_, text)| text).collect();
    let head = match (fitting.len(), desk.legal.len()) {
        (some, all) if some == all => format!("{all} moves"),
        (some, all) => format!("{some} of {all} moves"),
    };
    let mut lines = vec![Line::styled(head, dim)];
    let mut line: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    // The chosen one stays in sight.
    let at = fitting.iter().position(|text| **text == desk.input).unwrap_or(0);
    let per_page = (LINES - 1) * width / 5;
    for text in fitting.iter().skip(at / per_page.max(1) * per_page) {
        if used + text.len() > width {
            if lines.len() == LINES {
                line.push(Span::raw("…"));
                break;
            }
            lines.push(Line::from(std::mem::take(&mut line)));
            used = 0;
        }
        let style = if **text == desk.input { picked } else { Style::new() };
        line.push(Span::styled((*text).clone(), style));
        line.push(Span::raw(" "));
        used += text.len() + 1;
    }
    lines.push(Line::from(line));
    lines
}

/// What an engine thinks, with its lines of play if they are `open`.
fn thoughts<G: Playable>(desk: &Desk<G>, news: &Report<G::Move>, open: bool) -> Vec<Line<'static>> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let head = format!("depth {} · {} · {} nodes", news.depth, seconds(news.time), short(news.nodes));
    let mut lines = vec![Line::styled(head, dim)];
    if open {
        for line in &news.lines {
            let words = pv(desk.shown.now(), &line.moves).join(" ");
            lines.push(Line::raw(format!("{:>9}  {words}", value_words(line))));
        }
    }
    lines
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
