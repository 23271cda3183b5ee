//! The panel beside the board: who plays, the moves so far, what can be played, what the engine thinks.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tesuji_game::Side;
use tesuji_search::SearchReport;

use super::desk::Desk;
use super::run::{Purpose, Run};
use crate::command::analyze::{seconds, short};
use crate::command::player;
use crate::entry::Playable;
use crate::think::value_words;

/// All of it, from the top.
pub(super) fn side<G: Playable>(desk: &Desk<G>, area: Rect) -> Vec<Line<'static>> {
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
fn thoughts<G: Playable>(desk: &Desk<G>, news: &SearchReport<G::Move>, open: bool) -> Vec<Line<'static>> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let head =
        format!("depth {} · {} · {} nodes", news.depth, seconds(news.time.as_secs_f64()), short(news.nodes));
    let mut lines = vec![Line::styled(head, dim)];
    if open {
        for line in &news.lines {
            let words = desk.shown.now().print_line(&line.moves).join(" ");
            lines.push(Line::raw(format!("{:>9}  {words}", value_words(line))));
        }
    }
    lines
}
