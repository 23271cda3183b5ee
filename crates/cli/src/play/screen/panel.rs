//! The panel beside the board: the players, the moves so far, the legal moves, the search.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tesuji_registry::{AnalysisUpdate, SearchPurpose, SideName};

use super::app::App;
use crate::command::analyze::{seconds, short};

/// All of it, from the top.
pub(super) fn panel(app: &App, area: Rect) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> =
        [SideName::First, SideName::Second].into_iter().map(|side| player(app, side)).collect();
    let mut below = Vec::new();
    if !app.view().legal.is_empty() {
        below.push(Line::default());
        below.extend(legal_moves(app, area.width.into()));
    }
    if let Some(search) = app.session.search()
        && let Some(update) = &search.update
    {
        below.push(Line::default());
        // The variations of an opponent stay hidden.
        below.extend(search_lines(update, search.purpose == SearchPurpose::Values));
    }
    lines.push(Line::default());
    let height = usize::from(area.height).saturating_sub(lines.len() + below.len());
    lines.extend(moves(app, height));
    lines.extend(below);
    lines
}

fn player(app: &App, side: SideName) -> Line<'static> {
    let view = app.view();
    let to_move = view.mover == Some(side);
    let state = match app.searching(SearchPurpose::Move) {
        Some(search) if to_move => format!(" {:.0} s", search.seconds),
        _ if to_move && view.paused && view.awaits_engine() => " paused".to_owned(),
        _ => String::new(),
    };
    let name = &view.players[side.index()].name;
    let mark = if to_move { "▶" } else { " " };
    let text = format!("{mark} {:<6} {name}{state}", app.game.player(side));
    let style = if to_move { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    Line::styled(text, style)
}

/// The moves so far, in pairs, as many as fit.
fn moves(app: &App, height: usize) -> Vec<Line<'static>> {
    let (words, ply) = (&app.view().moves, app.view().ply);
    let width = words.iter().map(String::len).max().unwrap_or(0).max(4) + 1;
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
    let first = (at + 1).saturating_sub(height).min(rows.len().saturating_sub(height));
    rows.into_iter().skip(first).take(height).collect()
}

/// The legal moves that begin with the text typed, in at most four lines.
fn legal_moves(app: &App, width: usize) -> Vec<Line<'static>> {
    const LINES: usize = 4;
    let dim = Style::new().add_modifier(Modifier::DIM);
    let picked = Style::new().add_modifier(Modifier::REVERSED);
    let matching: Vec<&String> = app.matching_moves().collect();
    let head = match (matching.len(), app.view().legal.len()) {
        (some, all) if some == all => format!("{all} moves"),
        (some, all) => format!("{some} of {all} moves"),
    };
    let mut lines = vec![Line::styled(head, dim)];
    let mut line: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    // The page of the selected move.
    let at = matching.iter().position(|text| **text == app.input).unwrap_or(0);
    let per_page = (LINES - 1) * width / 5;
    for text in matching.iter().skip(at / per_page.max(1) * per_page) {
        if used + text.len() > width {
            if lines.len() == LINES {
                line.push(Span::raw("…"));
                break;
            }
            lines.push(Line::from(std::mem::take(&mut line)));
            used = 0;
        }
        let style = if **text == app.input { picked } else { Style::new() };
        line.push(Span::styled((*text).clone(), style));
        line.push(Span::raw(" "));
        used += text.len() + 1;
    }
    lines.push(Line::from(line));
    lines
}

/// The state of a search, with its variations if they are `open`.
fn search_lines(update: &AnalysisUpdate, open: bool) -> Vec<Line<'static>> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let (time, nodes) = (seconds(update.seconds), short(update.nodes));
    let mut lines = vec![Line::styled(format!("depth {} · {time} · {nodes} nodes", update.depth), dim)];
    if open {
        let text = |line: &tesuji_registry::AnalysisLine| {
            Line::raw(format!("{:>9}  {}", line.value_text(), line.pv.join(" ")))
        };
        lines.extend(update.lines.iter().map(text));
    }
    lines
}
