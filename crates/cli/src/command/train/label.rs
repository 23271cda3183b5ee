//! `tesuji train label`: positions of data sets, labelled by searches.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use tesuji_engines::{LabelConfig, LabeledPositions, Trainable};
use tesuji_learn::{DataSet, Model, Sample, SampleJournal};
use tesuji_search::CancelToken;

use super::sets::Sets;
use super::{beside, made, stages, threads};
use crate::args;
use crate::command::counted;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use tesuji_task::ordered_map;

pub(crate) fn run<G: Trainable>(args: &args::TrainLabel, out: &mut Out) -> Done {
    let bad = |error: &dyn std::fmt::Display| Failure::usage(error.to_string());
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let model = G::model();
    let &args::TrainLabel { depth, sure, solve, stray, seed, .. } = args;
    let marking = LabelConfig { depth, sure, solve, stray, seed };
    // Said before anything is begun.
    drop(G::marker(marking, args.weights.as_deref()).map_err(|error| bad(&error))?);
    let stages = stages(&model, args.stages.as_ref())?;
    let sets = Sets::load(&model, &args.data)?;
    let (first, last) = (stages.start, stages.end - 1);
    let drawn: Vec<Sample<_>> = stages
        .flat_map(|stage| sets.samples.draw(&model, stage, args.positions as usize, args.seed))
        .collect();
    if drawn.is_empty() {
        return Err(Failure::usage(format!("--stages {first}..{last}: the sets have no position of them")));
    }
    let weights = match &args.weights {
        None => "the weights that ship".to_owned(),
        Some(path) => print_of(path)?,
    };
    let each = args.positions;
    let mut story = format!(
        "{} of stages {first}..{last}, at most {each} each, searched {depth} plies ahead at {sure} % with {weights}, \
         solved from {solve}, one in {stray} after a random move, seed {seed}",
        counted(drawn.len(), "position")
    );
    for (at, (name, count, _)) in sets.origins.iter().enumerate() {
        let before = if at == 0 { "; of" } else { "," };
        story.push_str(&format!("{before} {name} ({count})"));
    }
    // Sets of the same names may hold other positions.
    story.push_str(&format!(", all of it {:016x}", sets.samples.fingerprint(&model)));
    let positions = drawn.len();
    if let Some(count) = made(&model, &args.out, &story)? {
        return tell(&args.out, positions, count, args.json.json, out);
    }
    let journal = beside(&args.out, ".journal");
    let (mut log, mut samples) =
        SampleJournal::open(&model, &journal, &story).map_err(|error| bad(&error))?;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    mark::<G>(args, marking, &drawn, &mut log, &mut samples, &stop, out)?;
    if stop.is_cancelled() {
        let done = counted(log.games() as usize, "position");
        let message = format!("interrupted; {done} are safe, and the same command goes on");
        return Err(Failure::Failed(message));
    }
    DataSet::save(&model, &args.out, &story, &samples).map_err(|error| failed(&error))?;
    drop(log);
    if let Err(error) = fs::remove_file(&journal) {
        eprintln!("tesuji: {} is not needed any more and cannot be removed: {error}", journal.display());
    }
    tell(&args.out, positions, samples.len() as u64, args.json.json, out)
}

/// What a file of weights is known by: other weights under the same name are another task.
fn print_of(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path)
        .map_err(|error| Failure::usage(format!("--weights {}: cannot be read: {error}", path.display())))?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    // The file ends with its own checksum, which would make all sums the same.
    let summed = &bytes[..bytes.len().saturating_sub(4)];
    Ok(format!("{name} ({:08x})", crc32fast::hash(summed)))
}

fn tell(path: &Path, searched: usize, kept: u64, as_json: bool, out: &mut Out) -> Done {
    let set = path.display().to_string();
    if as_json {
        let fields = json!({ "event": "final", "set": set, "searched": searched, "positions": kept });
        return out.json("train-label", fields);
    }
    out.line(format_args!("{} labelled in {set}", counted(kept as usize, "position")))
}

/// Labels what is missing. The log counts positions drawn, whether they came to anything or not.
fn mark<G: Trainable>(
    args: &args::TrainLabel,
    marking: LabelConfig,
    drawn: &[Sample<<G::Model as Model>::Position>],
    log: &mut SampleJournal,
    samples: &mut Vec<Sample<<G::Model as Model>::Position>>,
    stop: &CancelToken,
    out: &Out,
) -> Done {
    let model = G::model();
    let first = log.games();
    let jobs = Mutex::new((0..).zip(drawn).skip(first as usize));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let progress = out.progress(drawn.len() as u64);
    let done = AtomicU32::new(first);
    let marker = || {
        let marker = G::marker(marking, args.weights.as_deref());
        let mut marker = marker.map_err(|error| Failure::usage(error.to_string()))?;
        let (progress, done) = (&progress, &done);
        Ok::<_, Failure>(move |_: u32, sample: &Sample<<G::Model as Model>::Position>| {
            let lesson = marker(&sample.position, stop);
            progress.at(u64::from(done.fetch_add(1, Relaxed)) + 1);
            Ok::<_, Failure>(lesson.map(|lesson| (lesson, sample.game)))
        })
    };
    ordered_map(
        threads(args.threads),
        first,
        next,
        marker,
        stop,
        |lessons: Vec<(LabeledPositions<G>, u32)>| {
            let (count, mut ready) = (lessons.len() as u32, Vec::new());
            for (lesson, game) in lessons {
                ready.extend(lesson.into_iter().map(|(position, label)| Sample { position, label, game }));
            }
            log.append(&model, count, &ready).map_err(|error| Failure::Failed(error.to_string()))?;
            samples.append(&mut ready);
            Ok::<_, Failure>(())
        },
    )?;
    progress.done();
    Ok(())
}
