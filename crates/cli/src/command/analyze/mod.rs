//! `tesuji analyze`: the best moves of a position with their values, or the value of every move of a game.

mod annotate;
mod game;
mod graph;

use std::io::IsTerminal;

use tesuji_registry::{AnalysisEvent, AnalysisUpdate, AnalyzeRequest, EngineChoice, GameHandle};
use tesuji_report::grouped;

use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Analyze, out: &mut Out) -> Done {
    if let (Some(file), Some(target)) = (&args.record, &args.annotate) {
        return annotate::run(game, file, target, args, out);
    }
    if let Some(file) = &args.record {
        return game::run(game, file, args, out);
    }
    let request = AnalyzeRequest { at: args.at.spec(), engine: args.engine.request(), lines: args.lines.into() };
    // Lines are cut to the width of a terminal, and only there.
    let columns = std::io::stdout().is_terminal().then(terminal_width);
    let json = args.json.json;
    let summary = out.events(
        |context, events| game.analyze(&request, context, events),
        |out, event| match event {
            AnalysisEvent::Update(update) if json => out.json("analyze", &update),
            AnalysisEvent::Update(update) => print_update(&update, columns, out),
            AnalysisEvent::Started { .. } if json => Ok(()),
            AnalysisEvent::Started { mover, engine, unit } => {
                let mover = game.player(mover);
                out.line(format_args!("{mover} to move, values in {unit} for {mover}; engine {engine}"))?;
                out.line(format_args!("{:>5} {:>8} {:>7} {:>11}  line", "depth", "time", "nodes", "value"))
            }
        },
    )?;
    let mover = game.player(summary.mover);
    match (summary.choice, summary.ending) {
        (EngineChoice::Move { .. }, _) => Ok(()),
        _ if json => Ok(()),
        (EngineChoice::Claim, _) => out.line(format_args!("{mover} may declare the win")),
        (EngineChoice::Resign, _) => out.line(format_args!("{mover} should resign")),
        (EngineChoice::Over, None) => out.line("there is no legal move"),
        (EngineChoice::Over, Some(ending)) => out.line(format_args!("the game is over: {}", ending.text)),
    }
}

fn print_update(update: &AnalysisUpdate, columns: Option<usize>, out: &mut Out) -> Done {
    for (index, line) in update.lines.iter().enumerate() {
        let front = match (index, update.deepest) {
            (0, Some(_)) => {
                format!("{:>5} {:>8} {:>7}", update.depth, seconds(update.seconds), short(update.nodes))
            }
            _ => " ".repeat(22),
        };
        let prior = line.prior.map_or_else(String::new, |prior| format!("  {:.1} % of the policy", 100.0 * prior));
        let text = format!("{front} {:>11}  {}{prior}", line.value_text(), line.pv.join(" "));
        out.line(columns.map_or(text.as_str(), |columns| cut(&text, columns)))?;
    }
    Ok(())
}

/// The columns of the terminal.
fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns).max(40))
}

/// The beginning of a text that fits.
fn cut(text: &str, columns: usize) -> &str {
    text.char_indices().nth(columns).map_or(text, |(end, _)| &text[..end])
}

/// `0.03 s`, `12.3 s`, `2:05`.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        ..10.0 => format!("{seconds:.2} s"),
        ..100.0 => format!("{seconds:.1} s"),
        _ => format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60),
    }
}

/// A large number in five characters: `999`, `12.3k`, `4.56M`.
pub(crate) fn short(number: u64) -> String {
    let number_f = number as f64;
    let (scaled, unit) = match number {
        0..10_000 => return grouped(number),
        10_000..1_000_000 => (number_f / 1e3, 'k'),
        1_000_000..1_000_000_000 => (number_f / 1e6, 'M'),
        _ => (number_f / 1e9, 'G'),
    };
    match scaled {
        ..9.995 => format!("{scaled:.2}{unit}"),
        ..99.95 => format!("{scaled:.1}{unit}"),
        _ => format!("{scaled:.0}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [(0, "0"), (9999, "9,999"), (10_000, "10.0k"), (999_999, "1000k"), (4_560_000, "4.56M")] {
            assert_eq!(short(number), text);
        }
        assert_eq!(seconds(1.234), "1.23 s");
        assert_eq!(seconds(125.0), "2:05");
        assert_eq!(cut("täg", 2), "tä");
    }
}
