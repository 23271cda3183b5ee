//! `tesuji train data`: a data set out of records.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::json;
use tesuji_engines::{LabeledPositions, Trainable, UnusableRecord};
use tesuji_game::{Formats, ParsedRecord, Record};
use tesuji_learn::{DataSet, Sample};

use super::threads;
use crate::args;
use crate::command::{counted, format_named};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Records that are worked on together.
const BATCH: usize = 4096;

/// What became of the records.
#[derive(Default)]
struct Tally {
    used: usize,
    faulty: usize,
    short: usize,
    unscored: usize,
}

pub(crate) fn run<G: Trainable>(args: &args::TrainData, out: &mut Out) -> Done {
    let format = args.format.as_deref().map(format_named::<G>).transpose()?;
    let files = files::<G>(&args.files)?;
    let (model, threads) = (G::model(), threads(args.threads));
    let (mut tally, mut samples, mut game) = (Tally::default(), Vec::new(), 0);
    let progress = out.progress(files.len() as u64);
    for file in &files {
        let bytes = fs::read(file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", file.display())))?;
        let format = format.unwrap_or_else(|| G::detect(&bytes));
        let mut readings = G::read(format, &bytes);
        loop {
            let batch: Vec<ParsedRecord<G>> = readings.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            for lesson in lessons::<G>(batch, args.solve, threads, &mut tally) {
                let labelled = lesson.into_iter().map(|(position, label)| Sample { position, label, game });
                samples.extend(labelled);
                game += 1;
            }
        }
        progress.step();
    }
    progress.done();
    if samples.is_empty() {
        return Err(Failure::usage(format!(
            "there is nothing to learn from these records: {}",
            tally.tell()
        )));
    }
    let solved = if args.solve > 0 { format!(", solved from {} empties", args.solve) } else { String::new() };
    let story = format!("records of {}{solved}", counted(tally.used, "game"));
    DataSet::save(&model, &args.out, &story, &samples).map_err(|error| Failure::Failed(error.to_string()))?;
    if args.json.json {
        return out.json(
            "train-data",
            json!({ "event": "final", "set": args.out.display().to_string(),
            "positions": samples.len(), "games": tally.used, "faulty": tally.faulty, "short": tally.short,
            "unscored": tally.unscored }),
        );
    }
    out.line(format_args!("{} in {}", counted(samples.len(), "position"), args.out.display()))?;
    out.line(tally.tell())
}

impl Tally {
    fn tell(&self) -> String {
        let Tally { used, faulty, short, unscored } = self;
        format!(
            "{} used; {faulty} do not replay, {short} are too short, {unscored} have neither an end nor a score",
            counted(*used, "game")
        )
    }
}

/// The lessons of records, in their order, by several threads.
fn lessons<G: Trainable>(
    batch: Vec<ParsedRecord<G>>,
    solve: u32,
    threads: usize,
    tally: &mut Tally,
) -> Vec<LabeledPositions<G>> {
    let mut whole: Vec<Record<G>> = Vec::with_capacity(batch.len());
    for reading in batch {
        if reading.fault.is_none() {
            whole.push(reading.record);
        } else {
            tally.faulty += 1;
        }
    }
    let mut lessons: Vec<Result<LabeledPositions<G>, UnusableRecord>> = Vec::with_capacity(whole.len());
    lessons.resize_with(whole.len(), || Err(UnusableRecord::Short));
    let part = whole.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        for (records, lessons) in whole.chunks_mut(part).zip(lessons.chunks_mut(part)) {
            scope.spawn(move || {
                records.iter().zip(lessons).for_each(|(record, to)| *to = G::lesson(record, solve));
            });
        }
    });
    let mut taught = Vec::with_capacity(lessons.len());
    for lesson in lessons {
        match lesson {
            Ok(lesson) => {
                tally.used += 1;
                taught.push(lesson);
            }
            Err(UnusableRecord::Short) => tally.short += 1,
            Err(UnusableRecord::Unscored) => tally.unscored += 1,
        }
    }
    taught
}

/// All files, those of a folder in the order of their names if they end like records of the game.
pub(crate) fn files<G: Formats>(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let known = |path: &PathBuf| {
        let ending = ending(path).unwrap_or_default();
        G::FORMATS.iter().any(|format| format.extensions.contains(&ending.as_str()))
    };
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let listed = fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let listed =
            listed.map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        let mut inside: Vec<PathBuf> = listed.iter().map(fs::DirEntry::path).filter(known).collect();
        if inside.is_empty() {
            return Err(Failure::usage(format!("{} holds no records of {}", path.display(), G::NAME)));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
