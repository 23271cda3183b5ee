//! `tesuji show`: a position for people to look at.

use tesuji_registry::{GameHandle, ShowRequest};

use super::counted;
use super::replay::opening_text;
use crate::args;
use crate::draw::{Marks, Style, draw};
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Show, out: &mut Out) -> Done {
    let request = ShowRequest { at: args.at.spec(), game: args.game.position()?, eval: args.eval.clone() };
    let shown = game.show(&request)?;
    if args.json.json {
        return out.json("show", &shown);
    }
    if let Some(board) = &shown.board {
        let style = if args.ascii { Style::Ascii } else { Style::pick(out.colored) };
        out.bytes(draw(board, &Marks::default(), style).ansi().as_bytes())?;
    }
    out.line("")?;
    out.line(format_args!("position  {}", shown.position))?;
    if let Some(opening) = opening_text(game, &shown.openings) {
        out.line(format_args!("opening   {opening}"))?;
    }
    let mover = game.player(shown.mover);
    if let Some(eval) = &shown.eval {
        out.line(format_args!("value     {} for {mover} ({})", eval.value.with_unit(), eval.name))?;
    }
    if let Some((what, counts)) = shown.counts_text.as_deref().and_then(|text| text.split_once(": ")) {
        out.line(format_args!("{what:<9} {counts}"))?;
    }
    let Some(result) = &shown.result else {
        out.line(format_args!("to move   {mover}, {}:", counted(shown.moves.len(), "move")))?;
        for line in wrapped(&shown.moves) {
            out.line(format_args!("          {line}"))?;
        }
        if shown.declare == Some(true) {
            out.line(format_args!("          {mover} may declare a win"))?;
        }
        return Ok(());
    };
    out.line(format_args!("over      {result}"))
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
