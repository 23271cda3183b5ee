//! `tesuji book othello build`: lets a book grow, and saves it on the way.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_engines::othello::{Book, Grower, Pattern, Plan, Strength, Tally};
use tesuji_game::Formats;
use tesuji_othello::Othello;
use tesuji_search::Stop;
use tesuji_store::save;

use super::{counted, format_named, read, tell};
use crate::args;
use crate::command::train::{data::files, threads};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, raise_on_interrupt};

pub(super) fn run(args: &args::BookBuild, out: &mut Out) -> Done {
    let mut book = match fs::metadata(&args.out) {
        Err(error) if error.kind() == ErrorKind::NotFound => Book::default(),
        _ => read(&args.out)?,
    };
    let eval = match &args.weights {
        None => Pattern::shipped(),
        Some(path) => Pattern::load(path)
            .map_err(|error| Failure::usage(format!("--weights {}: {error}", path.display())))?,
    };
    if !args.records.is_empty() {
        learn(args, &mut book, out)?;
    }
    let plan = Plan {
        strength: Strength::new(args.level),
        plies: args.plies,
        positions: args.positions.unwrap_or(0) as usize,
        threads: threads(args.threads),
    };
    // A place that cannot be written to is better known before the work than after it.
    store(&book, &args.out)?;
    let stop = Stop::new();
    raise_on_interrupt(&stop);
    let book = within(args.time_limit, &stop, || grow(Grower::new(book, eval, plan), args, &stop, out))?;
    if interrupted() {
        let message = format!(
            "interrupted; {} are safe, and the same command goes on",
            counted(book.len() - book.unsearched(), "position")
        );
        return Err(Failure::Failed(message));
    }
    if stop.raised() && !out.quiet() {
        eprintln!("the time is over; what was done is saved, and the same command goes on");
    }
    tell("final", &book, &args.out, args.json.json, out)
}

/// Adds the openings of records.
fn learn(args: &args::BookBuild, book: &mut Book, out: &Out) -> Done {
    let format = args.format.as_deref().map(format_named::<Othello>).transpose()?;
    let mut tally = Tally::new(args.plies);
    let (mut used, mut faulty) = (0, 0);
    let files = files::<Othello>(&args.records)?;
    let progress = out.progress(files.len() as u64);
    for file in &files {
        let bytes = fs::read(file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", file.display())))?;
        for reading in Othello::read(format.unwrap_or_else(|| Othello::detect(&bytes)), &bytes) {
            if reading.fault.is_some() {
                faulty += 1;
                continue;
            }
            used += 1;
            tally.add(&reading.record);
        }
        progress.step();
    }
    progress.done();
    let new = book.learn(&tally, args.min_games);
    if tally.count(args.min_games) == 0 {
        return Err(Failure::usage(format!(
            "--records: no position occurs in {} of {} ({faulty} do not replay): ask for fewer with --min-games",
            counted(args.min_games as usize, "game"),
            counted(used, "game"),
        )));
    }
    if !out.quiet() {
        eprintln!("{} new from {}; {faulty} do not replay", counted(new, "position"), counted(used, "game"));
    }
    Ok(())
}

/// Lets the book grow until it is done or stopped; it is saved whenever it is time and at the end.
fn grow(mut grower: Grower, args: &args::BookBuild, stop: &Stop, out: &Out) -> Result<Book, Failure> {
    let goal = (args.positions.unwrap_or(0) as usize).max(grower.book().len());
    let progress = out.progress(goal as u64);
    let mut saved = Instant::now();
    while !stop.raised() && grower.step(stop) {
        progress.at((grower.book().len() - grower.left()) as u64);
        if saved.elapsed() >= args.checkpoint {
            store(grower.book(), &args.out)?;
            saved = Instant::now();
        }
    }
    progress.done();
    let book = grower.into_book();
    store(&book, &args.out)?;
    Ok(book)
}

/// Does some work and raises the flag when it takes longer than it may.
fn within<T>(limit: Option<Duration>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else { return work() };
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                stop.raise();
            }
        });
        let found = work();
        drop(done);
        found
    })
}

fn store(book: &Book, path: &Path) -> Done {
    save(path, &book.bytes()).map_err(|error| Failure::Failed(error.to_string()))
}
