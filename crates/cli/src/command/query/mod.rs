//! `tesuji query`: what the table of a solved game says.

mod answer;
mod asked;
mod line;
mod lists;
mod oracle;
mod text;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tesuji_game::{HasPerfectIndex, NO_MOVE};
use tesuji_solve::reachability::DistanceTable;
use tesuji_solve::tablebase::Tablebase;

use super::show::outcome_word;
use super::{tables, title};
use crate::args;
use crate::draw::Style;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use answer::{Answer, worth_json};
use asked::Asked;
use line::Line;
use text::Page;

pub(crate) fn run<G: Playable + HasPerfectIndex>(args: &args::Query, out: &mut Out) -> Done {
    let dir = tables(args.table.as_deref());
    let style = if args.ascii { Style::Ascii } else { Style::pick(out.colored) };
    if args.longest {
        return lists::longest::<G>(&dir, style, args.json.json, out);
    }
    if args.unreachable {
        return lists::unreachable::<G>(&dir, style, args.json.json, out);
    }
    let asked = Asked::<G>::read(args)?;
    if let Some(warning) = &asked.warning {
        eprintln!("tesuji: warning: {warning}");
    }
    // Whoever asks about a game that is over needs no table.
    let found = match asked.record.ending() {
        Some(_) => Found { answer: None, line: None, reached: None },
        None => find(&dir, &asked, args.line)?,
    };
    if args.json.json {
        out.json("query", found.json(&asked))?;
        let plies = found.line.iter().flat_map(|line| line.json());
        return plies.into_iter().try_for_each(|ply| out.json("query", ply));
    }
    let page = Page { style, bold: out.colored };
    out.bytes(page.position(&asked, &found).as_bytes())?;
    match &found.line {
        Some(line) => out.bytes(page.line(line).as_bytes()),
        None => Ok(()),
    }
}

/// Asks the table in a directory, and the distances if they are there.
fn find<G: Playable + HasPerfectIndex>(
    dir: &Path,
    asked: &Asked<G>,
    line: bool,
) -> Result<Found<G>, Failure> {
    let index = Arc::new(G::index());
    let failed = |error| oracle::failure::<G>(&index, error);
    let table = Tablebase::open(dir, Arc::clone(&index), &title::<G>()).map_err(failed)?;
    let position = *asked.record.now();
    let answer = Answer::of(&table, position)?;
    let line = if line { Some(Line::follow(&table, &asked.record, &answer)?) } else { None };
    let distances = DistanceTable::open(dir, Arc::clone(&index), &title::<G>()).map_err(failed)?;
    let board = position.forbidding(NO_MOVE);
    let reached = distances.map(|distances| {
        // Without a past any will do, whatever was forbidden after it.
        if asked.past { distances.plies_with(board, position.forbidden()) } else { distances.plies(board) }
    });
    Ok(Found { answer: Some(answer), line, reached: reached.transpose().map_err(failed)? })
}

/// All there is to tell of a position.
struct Found<G: Playable + HasPerfectIndex> {
    /// What it is worth; nothing when the game is over.
    answer: Option<Answer<G>>,
    /// How it goes on.
    line: Option<Line<G>>,
    /// The plies from the start, if there is a way; nothing when the distances are not known.
    reached: Option<Option<u8>>,
}

impl<G: Playable + HasPerfectIndex> Found<G> {
    fn json(&self, asked: &Asked<G>) -> Value {
        let now = asked.record.now();
        let mut fields = json!({
            "game": G::NAME,
            "position": now.print(),
            "mover": now.mover().to_string(),
            "outcome": outcome_word(&asked.record),
            "reason": asked.record.ending().map(|ending| ending.reason),
        });
        if let Value::Object(fields) = &mut fields {
            match (&self.answer, now.outcome()) {
                (Some(answer), _) => fields.extend(answer.fields(now)),
                (None, outcome) => {
                    fields.extend(worth_json(outcome, Some(0)));
                    fields.insert("moves".into(), json!([]));
                }
            }
            fields.extend(self.reached.map(|plies| ("reached_in".to_owned(), plies.into())));
        }
        fields
    }
}
