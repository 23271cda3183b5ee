//! `tesuji book othello show`: what a book says of a position.

use serde_json::{Value, json};
use tesuji_engines::othello::{Book, Choice, Source};
use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_registry::BoardDescription;

use super::{counted, read};
use crate::args;
use crate::command::player;
use crate::command::show::wrapped;
use crate::draw::{Marks, Style, draw};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(args: &args::BookShow, out: &mut Out) -> Done {
    let record = reach(args.at.as_deref().unwrap_or_default())?;
    let own = args.book.as_deref().map(read).transpose()?;
    let book = own.as_ref().unwrap_or_else(|| Book::shipped());
    if args.json.json { json(book, record.now(), out) } else { page(book, &record, args.ascii, out) }
}

/// The game at a position, or after moves from the start.
fn reach(text: &str) -> Result<Record<Othello>, Failure> {
    let wrong = |error: String| Failure::usage(format!("{text:?} is neither a position nor moves: {error}"));
    // Moves have letters that no board has, and digits.
    if text.len() >= 64 && !text.contains(|letter: char| letter.is_ascii_digit()) {
        return Othello::parse(text).map(Record::new).map_err(|error| wrong(error.to_string()));
    }
    let mut record = Record::new(Othello::start());
    Othello::read_moves(&mut record, text).map_err(|fault| wrong(fault.to_string()))?;
    Ok(record)
}

/// How many positions of the book a move leads to.
fn below(book: &Book, game: &Othello, choice: &Choice) -> usize {
    let mut after = *game;
    after.play(choice.mv);
    if choice.source == Source::Book { book.below(&after) } else { 0 }
}

fn words(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn json(book: &Book, game: &Othello, out: &mut Out) -> Done {
    let opinion = book.probe(game);
    let of_choice = |choice: &Choice| {
        let depth = match choice.source {
            Source::Book => Value::Null,
            Source::Leaf(depth, _) => depth.into(),
        };
        let sure = match choice.source {
            Source::Book => Value::Null,
            Source::Leaf(_, level) => level.percent().into(),
        };
        json!({ "move": choice.mv.to_string(), "value": choice.value, "positions": below(book, game, choice),
            "depth": depth, "percent": sure })
    };
    let moves: Option<Vec<Value>> =
        opinion.as_ref().map(|opinion| opinion.choices.iter().map(of_choice).collect());
    out.json(
        "book",
        &json!({
            "event": "position",
            "position": game.print(),
            "in_book": opinion.is_some(),
            "whole": opinion.as_ref().is_some_and(|opinion| opinion.whole),
            "value": book.worth(game),
            "positions": book.below(game),
            "moves": moves.unwrap_or_default(),
            "line": words(&book.line(game).0),
        }),
    )
}

fn page(book: &Book, record: &Record<Othello>, ascii: bool, out: &mut Out) -> Done {
    let game = *record.now();
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    let style = if ascii { Style::Ascii } else { Style::pick(out.colored) };
    out.bytes(draw(&BoardDescription::of(record), &Marks::default(), style).ansi().as_bytes())?;
    out.line("")?;
    out.line(format_args!("position  {}", game.print()))?;
    let Some(opinion) = book.probe(&game) else {
        return out.line(format_args!("book      not among its {}", counted(book.len(), "position")));
    };
    let mover = player::<Othello>(game.mover());
    let worth = book.worth(&game).map_or("not known".to_owned(), |worth| format!("{worth:+} for {mover}"));
    out.line(format_args!("value     {worth}"))?;
    out.line(format_args!(
        "book      {} of {} from here on",
        book.below(&game),
        counted(book.len(), "position")
    ))?;
    for (index, choice) in opinion.choices.iter().enumerate() {
        let head = if index == 0 { "moves" } else { "" };
        let how = match choice.source.sight() {
            None => counted(below(book, &game, choice), "position"),
            Some(sight) => format!("out of the book, searched to depth {sight}"),
        };
        out.line(format_args!("{head:<8}  {:<4}  {:>+3}  {how}", choice.mv.to_string(), choice.value))?;
    }
    if opinion.choices.len() < list.len() {
        let rest = if opinion.whole { "none is better" } else { "not searched yet" };
        out.line(format_args!("          the others lead out of the book: {rest}"))?;
    }
    for (index, line) in wrapped(&words(&book.line(&game).0)).iter().enumerate() {
        out.line(format_args!("{:<8}  {line}", if index == 0 { "line" } else { "" }))?;
    }
    Ok(())
}
