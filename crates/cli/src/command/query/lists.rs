//! The positions that were remarkable when the game was solved: the longest wins, and boards that no game reaches.

use std::path::Path;

use serde_json::{Value, json};
use tesuji_game::{HasPerfectIndex, NO_MOVE, PerfectIndex, Successor};
use tesuji_solve::tablebase::TablebaseSummary;

use super::text::Page;
use crate::command::title;
use crate::draw::Style;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The positions that take longest to the end.
pub(super) fn longest<G: Playable + HasPerfectIndex>(
    dir: &Path,
    style: Style,
    json: bool,
    out: &mut Out,
) -> Done {
    let summary = load::<G>(dir)?;
    let index = G::index();
    let mut found = Vec::with_capacity(summary.longest.len());
    for far in &summary.longest {
        found.push((far.plies, board::<G>(&index, dir, (far.class, far.index), far.forbidden)?));
    }
    let value = |plies: u8| if plies % 2 == 1 { "win" } else { "loss" };
    if json {
        return found.iter().try_for_each(|(plies, position)| {
            let plies = *plies;
            let fields = json!({
                "game": G::NAME, "position": position.print(), "value": value(plies), "plies": plies,
            });
            out.json("query", fields)
        });
    }
    if !summary.whole {
        eprintln!("tesuji: of boards with more pieces nothing is known yet: `{}` goes on", solve::<G>(dir));
    }
    if let Some((plies, position)) = found.first() {
        let page = Page { style, bold: out.colored };
        out.bytes(page.bare(position).as_bytes())?;
        let known = if summary.whole { "there is" } else { "so far" };
        out.line(format_args!("\na {} in {plies} plies, the longest {known}\n", value(*plies)))?;
    }
    for (plies, position) in &found {
        out.line(format_args!("{:<4} {plies:>3}  {}", value(*plies), position.print()))?;
    }
    Ok(())
}

/// The boards that no game reaches.
pub(super) fn unreachable<G: Playable + HasPerfectIndex>(
    dir: &Path,
    style: Style,
    json: bool,
    out: &mut Out,
) -> Done {
    let summary = load::<G>(dir)?;
    if !summary.whole && summary.reach.is_none() {
        // A board that nothing solved leads to may be reached from one with more pieces.
        return Err(Failure::Failed(format!(
            "which boards no game reaches is known once all are solved, and those in {} are not: `{}` goes on",
            dir.display(),
            solve::<G>(dir)
        )));
    }
    let index = G::index();
    let mut boards = Vec::with_capacity(summary.unreached.len());
    for &place in &summary.unreached {
        boards.push(board::<G>(&index, dir, place, NO_MOVE)?);
    }
    if json {
        return boards.iter().try_for_each(|board| {
            let fields = json!({ "game": G::NAME, "position": board.print(), "reached_in": Value::Null });
            out.json("query", fields)
        });
    }
    if summary.reach.is_none() {
        eprintln!(
            "tesuji: these are the boards that no move leads to; `{} --reach` finds all that no game reaches",
            solve::<G>(dir)
        );
    }
    if let Some(first) = boards.first() {
        let page = Page { style, bold: out.colored };
        out.bytes(page.bare(first).as_bytes())?;
        out.line("")?;
    }
    for board in &boards {
        out.line(board.print())?;
    }
    let kind = if summary.reach.is_some() { "no game reaches" } else { "no move leads to" };
    let count = summary.reach.map_or(0, |reach| reach.unreached).max(boards.len() as u64);
    let more = if count > boards.len() as u64 { "; the first of them are above" } else { "" };
    match count {
        0 => out.line(format_args!("there is no board that {kind}")),
        1 => out.line(format_args!("\n1 board that {kind}, up to symmetry")),
        _ => out.line(format_args!("\n{count} boards that {kind}, up to symmetry{more}")),
    }
}

/// What was counted when the game was solved.
fn load<G: HasPerfectIndex>(dir: &Path) -> Result<TablebaseSummary, Failure> {
    let found =
        TablebaseSummary::load(dir, &title::<G>()).map_err(|error| Failure::Failed(error.to_string()))?;
    found.ok_or_else(|| {
        Failure::Failed(format!(
            "nothing was counted of {} in {}: `{}` does that, --table names another directory",
            G::NAME,
            dir.display(),
            solve::<G>(dir)
        ))
    })
}

fn solve<G: HasPerfectIndex>(dir: &Path) -> String {
    format!("tesuji solve {} --out {}", G::NAME, dir.display())
}

/// The board of a place that a file of findings names, with this forbidden as the numbered board sees it.
fn board<G: HasPerfectIndex>(
    index: &G::Index,
    dir: &Path,
    (class, number): (u8, u32),
    forbidden: u8,
) -> Result<G, Failure> {
    let known = index.stages().iter().any(|classes| classes.contains(&class));
    let board = if known { index.unrank(class, number) } else { None };
    let mut sound = forbidden == NO_MOVE;
    if let Some(board) = board {
        index.successors(board, |mv, step| {
            sound |= mv == forbidden && matches!(step, Successor::Board(_, reply) if reply != NO_MOVE);
        });
    }
    board.filter(|_| sound).map(|board| board.forbidding(forbidden)).ok_or_else(|| {
        let path = TablebaseSummary::path(dir, &title::<G>());
        Failure::Failed(format!("{}: class {class} has no board {number} as named there", path.display()))
    })
}
