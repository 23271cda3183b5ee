//! `tesuji selfplay`: a data set out of our own games.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tesuji_engines::{Exercise, Lesson, Spec, Teach};
use tesuji_game::Record;
use tesuji_learn::{Data, Log, Model, Sample, data};
use tesuji_search::Stop;

use super::counted;
use super::train::{beside, threads};
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;

/// So long a game may wait until it is safe.
const WAIT: Duration = Duration::from_secs(10);
/// So many games are made safe together, at most.
const TOGETHER: u32 = 1000;

type Samples<G> = Vec<Sample<<<G as Teach>::Model as Model>::Position>>;

pub(crate) fn run<G: Teach>(args: &args::Selfplay, out: &mut Out) -> Done {
    let bad = |error: &dyn std::fmt::Display| Failure::usage(error.to_string());
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let model = G::model();
    let player = Spec::parse(args.engine.as_deref().unwrap_or(G::PLAYER)).map_err(|error| bad(&error))?;
    let exercise = Exercise { player, solve: args.solve, seed: args.seed };
    exercise.check().map_err(|error| bad(&error))?;
    G::engine(&exercise.player).map_err(|error| bad(&error))?;
    let (least, most) = (args.random.start(), args.random.end());
    let task = format!(
        "self-play of {} by {}: random plies {least}..{most}, solved from {}, seed {}",
        G::NAME,
        exercise.player,
        args.solve,
        args.seed
    );
    let story = format!("{task}, {}", counted(args.games as usize, "game"));
    if args.out.exists() {
        let same = Data::open(&model, &args.out).ok().filter(|set| set.head().story == story);
        let told = args.out.display();
        let Some(set) = same else {
            let message = format!("{told} is there already and was made otherwise: choose another name");
            return Err(Failure::usage(message));
        };
        return tell(&args.out, args.games, set.head().count, args.json.json, out);
    }
    let journal = beside(&args.out, ".journal");
    let (mut log, mut samples) = Log::open(&model, &journal, &task).map_err(|error| bad(&error))?;
    if log.games() < args.games {
        let stop = Stop::new();
        raise_on_interrupt(&stop);
        play::<G>(args, &exercise, &mut log, &mut samples, &stop, out)?;
        if stop.raised() {
            let message = format!(
                "interrupted; {} are safe, and the same command goes on",
                counted(log.games() as usize, "game")
            );
            return Err(Failure::Failed(message));
        }
    }
    samples.retain(|sample| sample.game < args.games);
    data::save(&model, &args.out, &story, &samples).map_err(|error| failed(&error))?;
    // A journal of more games than were asked for may still be wanted.
    let spent = log.games() == args.games;
    drop(log);
    if let Err(error) = if spent { fs::remove_file(&journal) } else { Ok(()) } {
        eprintln!("tesuji: {} is not needed any more and cannot be removed: {error}", journal.display());
    }
    tell(&args.out, args.games, samples.len() as u64, args.json.json, out)
}

fn tell(path: &Path, games: u32, positions: u64, as_json: bool, out: &mut Out) -> Done {
    let set = path.display().to_string();
    if as_json {
        let fields = json!({ "event": "final", "set": set, "games": games, "positions": positions });
        return out.json("selfplay", fields);
    }
    let (games, positions) = (counted(games as usize, "game"), counted(positions as usize, "position"));
    out.line(format_args!("{positions} of {games} in {set}"))
}

/// Plays what is missing. Games end in any order and are kept in the order of their numbers.
fn play<G: Teach>(
    args: &args::Selfplay,
    exercise: &Exercise,
    log: &mut Log,
    samples: &mut Samples<G>,
    stop: &Stop,
    out: &Out,
) -> Done {
    let model = G::model();
    let mut openings = G::openings(args.seed, args.random.clone());
    let skipped = openings.by_ref().take(log.games() as usize).count();
    let next = Mutex::new((skipped as u32, openings));
    let progress = out.progress(u64::from(args.games));
    progress.at(u64::from(log.games()));
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads(args.threads) {
            let send = send.clone();
            scope.spawn(|| work::<G>(&next, args.games, exercise, stop, send));
        }
        drop(send);
        let mut waiting: BTreeMap<u32, Lesson<G>> = BTreeMap::new();
        let (mut ready, mut games, mut saved) = (Vec::new(), 0, Instant::now());
        let mut keep = |ready: &mut Samples<G>, games: &mut u32, log: &mut Log| -> Done {
            let kept = log.append(&model, *games, ready);
            // Without the log nothing is worth playing on for.
            kept.inspect_err(|_| stop.raise()).map_err(|error| Failure::Failed(error.to_string()))?;
            samples.append(ready);
            *games = 0;
            Ok(())
        };
        loop {
            match receive.recv_timeout(WAIT) {
                Ok((number, Ok(Some(lesson)))) => {
                    waiting.insert(number, lesson);
                }
                Ok((_, Ok(None))) | Err(RecvTimeoutError::Timeout) => {}
                Ok((_, Err(error))) => {
                    stop.raise();
                    return Err(error);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Some(lesson) = waiting.remove(&(log.games() + games)) {
                let game = log.games() + games;
                ready.extend(lesson.into_iter().map(|(position, label)| Sample { position, label, game }));
                games += 1;
                progress.at(u64::from(game) + 1);
            }
            if games > 0 && (saved.elapsed() >= WAIT || games >= TOGETHER) {
                keep(&mut ready, &mut games, log)?;
                saved = Instant::now();
            }
        }
        if games > 0 {
            keep(&mut ready, &mut games, log)?;
        }
        Ok(())
    })?;
    progress.done();
    if log.games() < args.games && !stop.raised() {
        let (least, most) = (args.random.start(), args.random.end());
        return Err(Failure::usage(format!(
            "--random {least}..{most}: there are only about {} different openings of so few random plies; \
             {} are safe: ask for no more games, or begin another set with more plies",
            log.games(),
            counted(log.games() as usize, "game")
        )));
    }
    Ok(())
}

type Next<G> = Mutex<(u32, Box<dyn Iterator<Item = Record<G>> + Send>)>;
type Played<G> = (u32, Result<Option<Lesson<G>>, Failure>);

/// Plays one game after the other until there are enough.
fn work<G: Teach>(next: &Next<G>, games: u32, exercise: &Exercise, stop: &Stop, send: Sender<Played<G>>) {
    while !stop.raised() {
        let (number, opening) = {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            if next.0 >= games {
                return;
            }
            let Some(opening) = next.1.next() else { return };
            next.0 += 1;
            (next.0 - 1, opening)
        };
        let played = G::exercise(exercise, opening, number, stop);
        if send.send((number, played.map_err(|error| Failure::usage(error.to_string())))).is_err() {
            return;
        }
    }
}
