//! `tesuji book`: opening books.

use tesuji_registry::{BookBuildEvent, BookBuildJob, BookResponse, BookShowRequest, GameHandle};
use tesuji_report::grouped;

use super::show::wrapped;
use super::{counted, load};
use crate::args::{self, BookVerb};
use crate::draw::{Marks, Style, draw};
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Book, out: &mut Out) -> Done {
    match &args.verb {
        BookVerb::Build(args) => build(game, args, out),
        BookVerb::Show(args) => show(game, args, out),
        BookVerb::Merge(args) => {
            let merged = game.merge_books(&args.books, &args.out)?;
            written(game, &merged, args.json.json, out)
        }
        BookVerb::Export(args) => out.bytes(game.export_book(args.book.as_deref())?.as_bytes()),
        BookVerb::Import(args) => {
            let name = if args.text == "-" { "standard input" } else { &args.text };
            let imported = game.import_book(&load(&args.text)?, name, &args.out)?;
            written(game, &imported, args.json.json, out)
        }
    }
}

/// The job of a command.
pub(super) fn job(args: &args::BookBuild) -> BookBuildJob {
    BookBuildJob {
        out: args.out.clone(),
        positions: args.positions,
        records: args.records.clone(),
        format: args.format.clone(),
        games: args.games,
        seed: args.seed,
        min_games: args.min_games,
        plies: args.plies,
        level: args.level,
        weights: args.weights.clone(),
        time_limit: args.time_limit,
        checkpoint: args.checkpoint,
        threads: args.threads.get(),
        hash: args.hash.map(|mib| mib as usize),
    }
}

fn build(game: &GameHandle, args: &args::BookBuild, out: &mut Out) -> Done {
    let job = job(args);
    let quiet = out.quiet();
    let tell = &mut |event: BookBuildEvent| match event {
        _ if quiet => {}
        BookBuildEvent::GamesAdded { positions, games, faulty } => {
            let (positions, games) = (counted(positions, "new position"), counted(games, "game"));
            eprintln!("{positions} from {games}; {} do not replay", grouped(faulty as u64));
        }
        BookBuildEvent::TimeLimit => {
            eprintln!("the time limit is reached; the book is saved, the same command continues");
        }
    };
    let built = out.operation(|_, context| Ok(game.build_book(&job, context, tell)?))?;
    written(game, &built, args.json.json, out)
}

/// Reports a book that was written.
fn written(game: &GameHandle, response: &BookResponse, as_json: bool, out: &mut Out) -> Done {
    if as_json {
        return out.json("book", response);
    }
    let BookResponse { book, positions, unsearched, .. } = response;
    out.line(format_args!("{} in {book}", counted(*positions, "position")))?;
    if *unsearched > 0 {
        out.line(format_args!(
            "{} to search: `tesuji book build {} --out {book} --positions {positions}` does that",
            counted(*unsearched, "position"),
            game.name()
        ))?;
    }
    Ok(())
}

fn show(game: &GameHandle, args: &args::BookShow, out: &mut Out) -> Done {
    let at = args.at.clone().unwrap_or_default();
    let shown = game.show_book(&BookShowRequest { at, book: args.book.clone() })?;
    let Some(page) = shown.page.as_ref().filter(|_| !args.json.json) else {
        return out.json("book-show", &shown);
    };
    let style = if args.ascii { Style::Ascii } else { Style::pick(out.colored) };
    out.bytes(draw(&page.board, &Marks::default(), style).ansi().as_bytes())?;
    out.line("")?;
    out.line(format_args!("position  {}", shown.position))?;
    let total = counted(page.book_positions, "position");
    if !shown.in_book {
        return out.line(format_args!("book      not among its {total}"));
    }
    let mover = game.player(page.mover);
    let score = page.score_text.as_ref().map_or("not known".to_owned(), |score| format!("{score} for {mover}"));
    out.line(format_args!("value     {score}"))?;
    out.line(format_args!("book      {} of {total} from here on", grouped(shown.positions as u64)))?;
    for (index, mv) in shown.moves.iter().enumerate() {
        let head = if index == 0 { "moves" } else { "" };
        let how = match &mv.depth_text {
            None => counted(mv.positions, "position"),
            Some(depth) => format!("out of the book, searched to depth {depth}"),
        };
        out.line(format_args!("{head:<8}  {:<4}  {:>3}  {how}", mv.mv, mv.score_text))?;
    }
    if shown.moves.len() < page.legal_moves {
        let rest = if shown.complete { "none is better" } else { "not searched yet" };
        out.line(format_args!("          the others lead out of the book: {rest}"))?;
    }
    for (index, line) in wrapped(&shown.principal_variation).iter().enumerate() {
        out.line(format_args!("{:<8}  {line}", if index == 0 { "line" } else { "" }))?;
    }
    Ok(())
}
