//! `tesuji book othello build`: lets a book grow, and saves it on the way.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_engines::othello::{Book, Grower, PatternEval, Plan, Sparring, Strength, Tally};
use tesuji_game::Formats;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_store::save;

use super::{counted, format_named, read, tell};
use crate::args;
use crate::command::train::{data::files, pattern, threads};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, raise_on_interrupt};

pub(super) fn run(args: &args::BookBuild, out: &mut Out) -> Done {
    let mut book = match fs::metadata(&args.out) {
        Err(error) if error.kind() == ErrorKind::NotFound => Book::default(),
        _ => read(&args.out)?,
    };
    let eval = pattern(args.weights.as_deref())?;
    let plan = Plan {
        strength: Strength::new(args.level),
        plies: args.plies,
        positions: args.positions.unwrap_or(0) as usize,
        threads: threads(args.threads),
    };
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let book = within(args.time_limit, &stop, || {
        learn(args, &mut book, &eval, &stop, out)?;
        // A place that cannot be written to is better known before the work than after it.
        store(&book, &args.out)?;
        grow(Grower::new(book, eval, plan), args, &stop, out)
    })?;
    if interrupted() {
        let message = format!(
            "interrupted; {} are safe, and the same command goes on",
            counted(book.len() - book.unsearched(), "position")
        );
        return Err(Failure::Failed(message));
    }
    if stop.is_cancelled() && !out.quiet() {
        eprintln!("the time is over; what was done is saved, and the same command goes on");
    }
    tell("final", &book, &args.out, args.json.json, out)
}

/// Adds the openings of records and of games with itself; nothing if it is stopped on the way.
fn learn(args: &args::BookBuild, book: &mut Book, eval: &PatternEval, stop: &CancelToken, out: &Out) -> Done {
    let mut tally = Tally::new(args.plies);
    let (mut used, faulty) = recall(args, &mut tally, stop, out)?;
    if let Some(games) = args.games {
        store(book, &args.out)?;
        let sparring = Sparring {
            strength: Strength::new(args.level),
            plies: args.plies,
            eval: eval.clone(),
            seed: args.seed,
        };
        spar(&sparring, games, threads(args.threads), &mut tally, stop, out);
        used += games as usize;
    }
    if used == 0 || stop.is_cancelled() {
        return Ok(());
    }
    let new = book.learn(&tally, args.min_games);
    if tally.count(args.min_games) == 0 {
        return Err(Failure::usage(format!(
            "no position occurs in {} of {} ({faulty} do not replay): ask for fewer with --min-games",
            counted(args.min_games as usize, "game"),
            counted(used, "game"),
        )));
    }
    if !out.quiet() {
        eprintln!("{} new from {}; {faulty} do not replay", counted(new, "position"), counted(used, "game"));
    }
    Ok(())
}

/// Counts the positions of records; so many games were used, and so many do not replay.
fn recall(
    args: &args::BookBuild,
    tally: &mut Tally,
    stop: &CancelToken,
    out: &Out,
) -> Result<(usize, usize), Failure> {
    let format = args.format.as_deref().map(format_named::<Othello>).transpose()?;
    let (mut used, mut faulty) = (0, 0);
    let files = if args.records.is_empty() { Vec::new() } else { files::<Othello>(&args.records)? };
    let progress = out.progress(files.len() as u64);
    for file in files.iter().take_while(|_| !stop.is_cancelled()) {
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
    Ok((used, faulty))
}

/// Plays games and counts their positions.
fn spar(sparring: &Sparring, games: u32, threads: usize, tally: &mut Tally, stop: &CancelToken, out: &Out) {
    let (next, progress) = (AtomicU32::new(0), out.progress(u64::from(games)));
    let tally = Mutex::new(tally);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = (number < games).then(|| sparring.game(number, stop)).flatten() else {
                        return;
                    };
                    tally.lock().unwrap_or_else(PoisonError::into_inner).add(&game);
                    progress.step();
                }
            });
        }
    });
    progress.done();
}

/// Lets the book grow until it is done or stopped; it is saved whenever it is time and at the end.
fn grow(mut grower: Grower, args: &args::BookBuild, stop: &CancelToken, out: &Out) -> Result<Book, Failure> {
    let goal = (args.positions.unwrap_or(0) as usize).max(grower.book().len());
    let progress = out.progress(goal as u64);
    let mut saved = Instant::now();
    while !stop.is_cancelled() && grower.step(stop) {
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
fn within<T>(limit: Option<Duration>, stop: &CancelToken, work: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else { return work() };
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                stop.cancel();
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
