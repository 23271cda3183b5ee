//! `tesuji show`: a position for people to look at.

use std::collections::HashSet;

use serde_json::{Value, json};
use tesuji_game::{MoveList, Record};

use super::{counted, player, reach};
use crate::args;
use crate::draw::{Marks, Style, draw};
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::value_json;

pub(crate) fn run<G: Playable>(shelf: &Registration<G>, args: &args::Show, out: &mut Out) -> Done {
    let record = reach::<G>(&args.at)?;
    let mut now = record.now().clone();
    let mut list = G::Moves::default();
    if record.ending().is_none() {
        now.moves(&mut list);
    }
    let moves: Vec<String> = list.each().map(|mv| now.print_move(mv)).collect();
    let margin = shelf.margin.and_then(|margin| margin(&now));
    let declare = shelf.claim.map(|claim| claim(&now, &record.path().rules));
    let judge = |name: &String| (shelf.engines.judge)(name, &now).map(|value| (name.clone(), value));
    let judged = args.eval.as_ref().map(judge).transpose();
    let judged = judged.map_err(|error| Failure::usage(format!("--eval: {error}")))?;
    if args.json.json {
        let mut fields = json!({
            "game": G::NAME,
            "position": now.print(),
            "mover": now.mover().to_string(),
            "moves": moves,
            "outcome": outcome_word(&record),
            "reason": record.ending().map(|ending| ending.reason),
        });
        if let Value::Object(fields) = &mut fields {
            fields.extend(margin.map(|margin| ("margin".to_owned(), margin.into())));
            fields.extend(declare.map(|declare| ("declare".to_owned(), declare.into())));
            if let Some((name, value)) = &judged {
                fields.insert("eval".into(), json!({ "name": name, "value": value_json(*value) }));
            }
        }
        return out.json("show", fields);
    }
    let marks = marks(&record, &list);
    let style = if args.ascii { Style::Ascii } else { Style::pick(out.colored) };
    out.bytes(draw(&now.view(), &marks, style).ansi().as_bytes())?;
    out.line("")?;
    out.line(format_args!("position  {}", now.print()))?;
    if let Some((name, value)) = judged {
        out.line(format_args!("value     {value} for {} ({name})", player::<G>(now.mover())))?;
    }
    match record.ending() {
        None => {
            let mover = player::<G>(now.mover());
            out.line(format_args!("to move   {mover}, {}:", counted(moves.len(), "move")))?;
            for line in wrapped(&moves) {
                out.line(format_args!("          {line}"))?;
            }
            if declare == Some(true) {
                out.line(format_args!("          {mover} may declare a win"))?;
            }
            Ok(())
        }
        Some(ending) => {
            let margin = margin.map_or(String::new(), |margin| format!(", by {}", margin.abs()));
            match ending.winner {
                Some(side) => {
                    out.line(format_args!("over      {} won ({}{margin})", player::<G>(side), ending.reason))
                }
                None => out.line(format_args!("over      a draw ({})", ending.reason)),
            }
        }
    }
}

/// Words in lines that fit a terminal of ordinary width behind the margin.
pub(crate) fn wrapped(words: &[String]) -> Vec<String> {
    const WIDTH: usize = 78 - 10;
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

/// `null`, `"first"`, `"second"` or `"draw"`.
pub(crate) fn outcome_word<G: Playable>(record: &Record<G>) -> Value {
    record.ending().map_or(Value::Null, |ending| match ending.winner {
        Some(side) => side.to_string().into(),
        None => "draw".into(),
    })
}

/// The cells to point out: where the mover may go in games of placing, and the last move where the board has
/// kept its size. Where pieces move, nearly every cell would be marked, which helps nobody.
pub(crate) fn marks<G: Playable>(record: &Record<G>, list: &G::Moves) -> Marks {
    let now = record.now();
    let cells: Vec<Vec<usize>> = list.each().map(|mv| now.cells(mv)).collect();
    let placing = cells.iter().all(|cells| cells.len() <= 1);
    let playable = if placing { cells.concat().into_iter().collect() } else { HashSet::new() };
    let mut last = now.view().last;
    if let (true, Some(ply)) = (last.is_empty(), record.plies().last()) {
        let mut before = record.start().clone();
        for earlier in record.moves().take(record.plies().len() - 1) {
            before.play(earlier);
        }
        if before.view().cells.len() == now.view().cells.len() {
            last = before.cells(ply.mv);
        }
    }
    Marks { playable, last, ..Marks::default() }
}
