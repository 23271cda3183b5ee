//! `tesuji query`: what the tablebase of a solved game says.

mod batch;
mod text;

use tesuji_registry::{GameHandle, PositionSpec, QueryRequest};
use tesuji_report::grouped;

use crate::args;
use crate::command::counted;
use crate::draw::{Marks, Style, draw};
use crate::failure::Done;
use crate::out::Out;
use text::Page;

pub(crate) fn run(game: &GameHandle, args: &args::Query, out: &mut Out) -> Done {
    let style = if args.ascii { Style::Ascii } else { Style::pick(out.colored) };
    if args.longest {
        return longest(game, args, style, out);
    }
    if args.unreachable {
        return unreachable(game, args, style, out);
    }
    if args.farthest {
        return farthest(game, args, style, out);
    }
    if args.position().as_deref() == Some("-") {
        return batch::run(game, args, out);
    }
    let request = QueryRequest {
        at: PositionSpec { position: args.position(), previous: args.previous.clone(), moves: args.moves.clone() },
        line: args.line,
        directory: args.table.clone(),
    };
    let response = game.query(&request)?;
    if let Some(warning) = &response.warning {
        eprintln!("tesuji: warning: {warning}");
    }
    if args.json.json {
        out.json("query", &response)?;
        let plies = response.line.iter().flat_map(|line| &line.plies);
        return plies.into_iter().try_for_each(|ply| out.json("query-line", ply));
    }
    let page = Page { players: game.players(), style, bold: out.colored };
    out.bytes(page.position(&response).as_bytes())?;
    response.line.iter().try_for_each(|line| out.bytes(page.line(line).as_bytes()))
}

/// The positions with the longest distance to the end.
fn longest(game: &GameHandle, args: &args::Query, style: Style, out: &mut Out) -> Done {
    let found = game.longest_positions(args.table.as_deref())?;
    if args.json.json {
        return found.positions.iter().try_for_each(|position| out.json("query-longest", position));
    }
    if !found.complete {
        eprintln!("tesuji: boards with more pieces are not solved yet: `{}` goes on", found.command);
    }
    if let (Some(first), Some(board)) = (found.positions.first(), &found.board) {
        out.bytes(draw(board, &Marks::default(), style).ansi().as_bytes())?;
        let known = if found.complete { "there is" } else { "so far" };
        out.line(format_args!("\na {} in {} plies, the longest {known}\n", first.value, first.plies))?;
    }
    found
        .positions
        .iter()
        .try_for_each(|entry| out.line(format_args!("{:<4} {:>3}  {}", entry.value, entry.plies, entry.position)))
}

/// The boards that no game reaches.
fn unreachable(game: &GameHandle, args: &args::Query, style: Style, out: &mut Out) -> Done {
    let found = game.unreachable_boards(args.table.as_deref())?;
    if args.json.json {
        return found.boards.iter().try_for_each(|board| out.json("query-unreachable", board));
    }
    if !found.distances {
        eprintln!(
            "tesuji: these are the boards that no move leads to; `{} --reach` finds all that no game reaches",
            found.command
        );
    }
    if let Some(board) = &found.board {
        out.bytes(draw(board, &Marks::default(), style).ansi().as_bytes())?;
        out.line("")?;
    }
    found.boards.iter().try_for_each(|board| out.line(&board.position))?;
    let kind = if found.distances { "no game reaches" } else { "no move leads to" };
    let more = if found.count > found.boards.len() as u64 { "; the first of them are above" } else { "" };
    match found.count {
        0 => out.line(format_args!("there is no board that {kind}")),
        1 => out.line(format_args!("\n1 board that {kind}, up to symmetry")),
        count => out.line(format_args!("\n{} boards that {kind}, up to symmetry{more}", grouped(count))),
    }
}

/// The positions farthest from the start.
fn farthest(game: &GameHandle, args: &args::Query, style: Style, out: &mut Out) -> Done {
    let found = out.operation(|_, context| Ok(game.farthest_positions(args.table.as_deref(), context)?))?;
    if args.json.json {
        return found.positions.iter().try_for_each(|position| out.json("query-farthest", position));
    }
    if let Some(board) = &found.board {
        out.bytes(draw(board, &Marks::default(), style).ansi().as_bytes())?;
        out.line("")?;
    }
    found.positions.iter().try_for_each(|entry| out.line(&entry.position))?;
    out.line(format_args!(
        "\n{}, {} from the start, up to symmetry: no game needs more plies to reach a position",
        counted(found.positions.len(), "position"),
        counted(usize::from(found.plies), "ply").replace("plys", "plies"),
    ))?;
    match found.unreached {
        0 => out.line("every board is reached by some game"),
        1 => out.line("1 board is reached by no game; --unreachable shows it"),
        count => out.line(format_args!("{} boards are reached by no game; --unreachable lists them", grouped(count))),
    }
}
