//! `tesuji analyze`: what the best moves are worth, as the search goes on.

mod game;
mod graph;
mod plot;

use std::io::IsTerminal;
use std::time::Duration;

use serde_json::json;
use tesuji_game::Record;
use tesuji_search::{CancelToken, Choice, Report};

use super::{player, reach};
use crate::args;
use crate::entry::{CliGame, Playable};
use crate::failure::Done;
use crate::out::Out;
use crate::think::{Chosen, line_json, raise_on_interrupt, value_words};

const USUAL: Duration = Duration::from_secs(5);

pub(crate) fn run<G: Playable>(shelf: &CliGame<G>, args: &args::Analyze, out: &mut Out) -> Done {
    if args.record.is_some() {
        return game::run(shelf, args, out);
    }
    let record = reach::<G>(&args.at)?;
    let mut chosen = Chosen::new(&shelf.engines, args.engine.as_deref(), &args.spend, USUAL)?;
    chosen.limits.lines = args.lines.into();
    chosen.limits.afresh = true;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut page = Page::new(&record, args.json.json, out);
    page.head(&chosen.spec.to_string())?;
    let mut told = Ok(());
    let choice = chosen.engine.think(&record, &chosen.limits, &stop, &mut |report| {
        if told.is_ok() {
            told = page.tell(report);
        }
        if told.is_err() {
            stop.cancel();
        }
    });
    told?;
    page.foot(choice)
}

/// Where the news go, line by line.
struct Page<'a, G: Playable> {
    record: &'a Record<G>,
    json: bool,
    /// The columns of the terminal; none when nobody watches and nothing is cut.
    columns: Option<usize>,
    updates: usize,
    out: &'a mut Out,
}

impl<'a, G: Playable> Page<'a, G> {
    fn new(record: &'a Record<G>, json: bool, out: &'a mut Out) -> Page<'a, G> {
        let columns = std::io::stdout().is_terminal().then(width);
        Page { record, json, columns, updates: 0, out }
    }

    fn head(&mut self, spec: &str) -> Done {
        if self.json || self.record.ending().is_some() {
            return Ok(());
        }
        let mover = player::<G>(self.record.now().mover());
        self.out.line(format_args!("{mover} to move, values seen by {mover}; engine {spec}"))?;
        self.out.line(format_args!("{:>5} {:>8} {:>7} {:>11}  line", "depth", "time", "nodes", "value"))
    }

    fn tell(&mut self, report: &Report<G::Move>) -> Done {
        self.updates += 1;
        let now = self.record.now();
        if self.json {
            let lines: Vec<_> = report.lines.iter().map(|line| line_json(now, line)).collect();
            return self.out.json(
                "analyze",
                &json!({
                    "depth": report.depth,
                    "nodes": report.nodes,
                    "seconds": report.time.as_secs_f64(),
                    "lines": lines,
                    "deepest": report.deepest,
                }),
            );
        }
        for (index, line) in report.lines.iter().enumerate() {
            let front = match index {
                0 => format!("{:>5} {:>8} {:>7}", report.depth, seconds(report.time), short(report.nodes)),
                _ => " ".repeat(22),
            };
            let text =
                format!("{front} {:>11}  {}", value_words(line), now.print_line(&line.moves).join(" "));
            self.out.line(self.columns.map_or(text.as_str(), |columns| cut(&text, columns)))?;
        }
        Ok(())
    }

    fn foot(&mut self, choice: Choice<G::Move>) -> Done {
        let now = self.record.now();
        match choice {
            Choice::Move { mv, .. } if self.updates == 0 => {
                let mv = now.print_move(mv);
                match self.json {
                    true => {
                        let line = json!({ "move": mv, "value": null, "pv": [mv] });
                        self.empty(json!([line]))
                    }
                    false => self.out.line(format_args!("{:33}{mv}", "")),
                }
            }
            Choice::Move { .. } => Ok(()),
            Choice::Claim | Choice::Resign | Choice::Over if self.json => match self.updates {
                0 => self.empty(json!([])),
                _ => Ok(()),
            },
            Choice::Claim => self.out.line(format_args!("{} may declare the win", player::<G>(now.mover()))),
            Choice::Resign => self.out.line(format_args!("{} should give up", player::<G>(now.mover()))),
            Choice::Over => match self.record.ending() {
                None => self.out.line("nothing can be played"),
                Some(ending) => {
                    let winner = ending.winner.map(|side| format!("{} won", player::<G>(side)));
                    let result = winner.unwrap_or_else(|| "a draw".to_owned());
                    self.out.line(format_args!("the game is over: {result} ({})", ending.reason))
                }
            },
        }
    }

    fn empty(&mut self, lines: serde_json::Value) -> Done {
        self.out.json("analyze", &json!({ "depth": 0, "nodes": 0, "seconds": 0.0, "lines": lines }))
    }
}

/// The columns of the terminal we write to.
fn width() -> usize {
    crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns).max(40))
}

/// The beginning of a text that fits.
fn cut(text: &str, columns: usize) -> &str {
    text.char_indices().nth(columns).map_or(text, |(end, _)| &text[..end])
}

/// `0.03 s`, `12.3 s`, `2:05`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..10.0 => format!("{seconds:.2} s"),
        ..100.0 => format!("{seconds:.1} s"),
        _ => format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60),
    }
}

/// A large number in five characters: `999`, `12.3k`, `4.56M`.
pub(crate) fn short(number: u64) -> String {
    let number_f = number as f64;
    let (scaled, unit) = match number {
        0..10_000 => return number.to_string(),
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
        for (number, text) in
            [(0, "0"), (9999, "9999"), (10_000, "10.0k"), (999_999, "1000k"), (4_560_000, "4.56M")]
        {
            assert_eq!(short(number), text);
        }
        assert_eq!(seconds(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2:05");
        assert_eq!(cut("täg", 2), "tä");
    }
}
