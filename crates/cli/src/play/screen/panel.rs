//! The panel beside the board: the players, the moves so far, the legal moves, the search.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tesuji_registry::{AnalysisLine, SearchPurpose, SearchStatus, SideCounts, SideName};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::app::App;
use crate::command::analyze::{seconds, short};
use crate::draw;

/// Below this width names and units are left out.
const NARROW: usize = 24;
/// Below this height the list of legal moves is cut earlier.
const LOW: u16 = 14;

/// All of it, from the top; with the pieces in hand if the board does not show them.
pub(super) fn panel(app: &App, area: Rect, hands: bool) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let mut lines = Vec::new();
    for side in [SideName::First, SideName::Second] {
        lines.push(player(app, side, width));
        if hands {
            lines.extend(hand(app, side));
        }
    }
    let mut below = Vec::new();
    if let Some(forbidden) = &app.view().board.forbidden {
        below.push(Line::raw(fit(&format!("forbidden: {} (ko)", forbidden.mv), width)));
    }
    if !app.view().legal.is_empty() {
        below.push(Line::default());
        below.extend(legal_moves(app, width, if area.height < LOW { 2 } else { 4 }));
    }
    if let Some(search) = app.session.search() {
        below.extend(search_lines(app, &search, width));
    }
    lines.push(Line::default());
    let height = usize::from(area.height).saturating_sub(lines.len() + below.len());
    lines.extend(moves(app, width, height));
    lines.extend(below);
    lines
}

fn player(app: &App, side: SideName, width: usize) -> Line<'static> {
    let view = app.view();
    let to_move = view.mover == Some(side);
    let state = match app.searching(SearchPurpose::Move) {
        Some(search) if to_move => format!(" {:.0} s", search.seconds),
        _ if to_move && view.paused && view.awaits_engine() => " paused".to_owned(),
        _ => String::new(),
    };
    let mark = if to_move { "▶" } else { " " };
    let mut text = format!("{mark} {:<6}", app.player(side));
    if let Some(counts) = &view.board.counts {
        text.push_str(&count(counts, side, width < NARROW));
    }
    if width >= NARROW {
        text.push_str(&format!(" {}{state}", view.players[side.index()].name));
    }
    let style = if to_move { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    Line::styled(fit(&text, width), style)
}

/// The pieces of a side: ` 12 discs `.
fn count(counts: &SideCounts, side: SideName, narrow: bool) -> String {
    let count = counts.sides[side.index()];
    let lost = counts.lost.map_or(0, |lost| lost[side.index()]);
    let noun = if count == 1 { counts.noun.trim_end_matches('s') } else { counts.noun.as_str() };
    match (narrow, lost) {
        (true, 0) => format!("{count:>2}"),
        (true, lost) => format!("{count:>2} (-{lost})"),
        (false, 0) => format!("{count:>2} {noun:<width$} ", width = counts.noun.len()),
        (false, lost) => format!("{count:>2} {noun}, {lost} lost "),
    }
}

/// The pieces in hand of a side, if there are any.
fn hand(app: &App, side: SideName) -> Option<Line<'static>> {
    let pieces = app.view().board.hands[side.index()].iter().filter(|piece| piece.count > 0);
    let words: Vec<String> = pieces.map(|piece| draw::held(piece, draw::Style::Plain)).collect();
    (!words.is_empty()).then(|| Line::raw(format!("  {}", words.join(" "))))
}

/// The moves so far, in pairs where they fit, as many as fit.
fn moves(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let (words, ply) = (app.moves(), app.view().ply);
    let cell = words.iter().map(|word| word.width()).max().unwrap_or(0).max(4) + 1;
    let here = Style::new().add_modifier(Modifier::REVERSED);
    let per_row = if 5 + 2 * cell <= width + 1 { 2 } else { 1 };
    let digits = if per_row == 2 { 3 } else { words.len().to_string().len() };
    let rows: Vec<Line<'static>> = words
        .chunks(per_row)
        .enumerate()
        .map(|(row, chunk)| {
            let mut spans = vec![Span::raw(format!("{:>digits$}. ", row + 1))];
            for (index, word) in chunk.iter().enumerate() {
                let style = if per_row * row + index + 1 == ply { here } else { Style::new() };
                spans.push(Span::styled(word.clone(), style));
                spans.push(Span::raw(" ".repeat(cell.saturating_sub(word.width()))));
            }
            Line::from(spans)
        })
        .collect();
    let at = ply.saturating_sub(1) / per_row;
    let first = (at + 1).saturating_sub(height).min(rows.len().saturating_sub(height));
    rows.into_iter().skip(first).take(height).collect()
}

/// The legal moves that begin with the text typed: the page of the selected one, in so many lines with the heading.
fn legal_moves(app: &App, width: usize, lines: usize) -> Vec<Line<'static>> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let picked = Style::new().add_modifier(Modifier::REVERSED);
    let matching: Vec<&String> = app.matching_moves().collect();
    // Two columns are kept for the mark of a list that continues.
    let mut rows: Vec<Vec<&String>> = Vec::new();
    let mut used = usize::MAX;
    for &text in &matching {
        if used.saturating_add(1 + text.len() + 2) > width {
            rows.push(Vec::new());
            used = 0;
        }
        used += text.len() + usize::from(used > 0);
        if let Some(row) = rows.last_mut() {
            row.push(text);
        }
    }
    let per_page = lines.saturating_sub(1).max(1);
    let selected = rows.iter().position(|row| row.iter().any(|text| **text == app.input)).unwrap_or(0);
    let first = selected / per_page * per_page;
    let before: usize = rows.iter().take(first).map(Vec::len).sum();
    let shown: usize = rows.iter().skip(first).take(per_page).map(Vec::len).sum();
    let head = match (matching.len(), app.view().legal.len()) {
        (some, all) if some == all => format!("{all} {}", if all == 1 { "move" } else { "moves" }),
        (some, all) => format!("{some} of {all} moves"),
    };
    let is_cut = shown < matching.len();
    let head = if is_cut { format!("{head}, here {}–{}", before + 1, before + shown) } else { head };
    let mut out = vec![Line::styled(fit(&head, width), dim)];
    let last_row = (first + per_page).min(rows.len());
    for (index, row) in rows.iter().enumerate().take(last_row).skip(first) {
        let mut spans = Vec::new();
        for text in row {
            spans.push(Span::styled((*text).clone(), if **text == app.input { picked } else { Style::new() }));
            spans.push(Span::raw(" "));
        }
        if index + 1 == last_row && last_row < rows.len() {
            spans.push(Span::raw("…"));
        }
        out.push(Line::from(spans));
    }
    out
}

/// The state of a search. The variations of an opponent stay hidden.
fn search_lines(app: &App, search: &SearchStatus, width: usize) -> Vec<Line<'static>> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let Some(update) = search.update.as_ref().filter(|update| !update.lines.is_empty()) else { return Vec::new() };
    let (time, nodes) = (seconds(update.seconds), short(update.nodes));
    let state = if search.is_running { "" } else { " · done" };
    let head = format!("depth {} · {time} · {nodes} nodes{state}", update.depth);
    let mut lines = vec![Line::default(), Line::styled(fit(&head, width), dim)];
    if search.purpose == SearchPurpose::Values {
        let unit = update.lines.first().map_or("", |line| line.value.unit.as_str());
        lines.push(Line::styled(fit(&format!("{unit:>9}"), width), dim));
        let text = |line: &AnalysisLine| format!("{:>9}  {}", line.value_text(), app.line(&line.pv));
        lines.extend(update.lines.iter().map(|line| Line::raw(fit(&text(line), width))));
    }
    lines
}

/// Text in so many columns: what is cut off is marked.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let (mut cut, mut used) = (String::new(), 1);
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}
