//! `tesuji selfplay`: a data set out of our own games.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use tesuji_engines::{LabeledPositions, SelfPlayConfig, Spec, Trainable};
use tesuji_game::Record;
use tesuji_learn::{DataSet, Model, Sample, SampleJournal};
use tesuji_search::CancelToken;

use super::counted;
use super::train::{beside, made, threads};
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use tesuji_task::ordered_map;

type Samples<G> = Vec<Sample<<<G as Trainable>::Model as Model>::Position>>;

pub(crate) fn run<G: Trainable>(args: &args::Selfplay, out: &mut Out) -> Done {
    let bad = |error: &dyn std::fmt::Display| Failure::usage(error.to_string());
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let model = G::model();
    let player = Spec::parse(args.engine.as_deref().unwrap_or(G::PLAYER)).map_err(|error| bad(&error))?;
    let exercise = SelfPlayConfig { player, solve: args.solve, seed: args.seed };
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
    if let Some(count) = made(&model, &args.out, &story)? {
        return tell(&args.out, args.games, count, args.json.json, out);
    }
    let journal = beside(&args.out, ".journal");
    let (mut log, mut samples) = SampleJournal::open(&model, &journal, &task).map_err(|error| bad(&error))?;
    if log.games() < args.games {
        let stop = CancelToken::new();
        raise_on_interrupt(&stop);
        play::<G>(args, &exercise, &mut log, &mut samples, &stop, out)?;
        if stop.is_cancelled() {
            let message = format!(
                "interrupted; {} are safe, and the same command goes on",
                counted(log.games() as usize, "game")
            );
            return Err(Failure::Failed(message));
        }
    }
    samples.retain(|sample| sample.game < args.games);
    DataSet::save(&model, &args.out, &story, &samples).map_err(|error| failed(&error))?;
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
fn play<G: Trainable>(
    args: &args::Selfplay,
    exercise: &SelfPlayConfig,
    log: &mut SampleJournal,
    samples: &mut Samples<G>,
    stop: &CancelToken,
    out: &Out,
) -> Done {
    let model = G::model();
    let mut openings = G::openings(args.seed, args.random.clone());
    let first = openings.by_ref().take(log.games() as usize).count() as u32;
    let openings = Mutex::new((first..args.games).zip(openings));
    let next = || openings.lock().unwrap_or_else(PoisonError::into_inner).next();
    let progress = out.progress(u64::from(args.games));
    let played = AtomicU32::new(first);
    let play = |number: u32, opening: Record<G>| {
        let lesson = G::exercise(exercise, opening, number, stop);
        progress.at(u64::from(played.fetch_add(1, Relaxed)) + 1);
        lesson.map_err(|error| Failure::usage(error.to_string()))
    };
    ordered_map(
        threads(args.threads),
        first,
        next,
        || Ok(play),
        stop,
        |lessons: Vec<LabeledPositions<G>>| {
            let (games, mut ready) = (lessons.len() as u32, Vec::new());
            for (lesson, game) in lessons.into_iter().zip(log.games()..) {
                ready.extend(lesson.into_iter().map(|(position, label)| Sample { position, label, game }));
            }
            log.append(&model, games, &ready).map_err(|error| Failure::Failed(error.to_string()))?;
            samples.append(&mut ready);
            Ok(())
        },
    )?;
    progress.done();
    if log.games() < args.games && !stop.is_cancelled() {
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
