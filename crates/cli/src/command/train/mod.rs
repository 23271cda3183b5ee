//! `tesuji train`: fits the weights of an evaluation to data sets.

mod chart;
pub(crate) mod cuts;
pub(crate) mod data;
mod eval;
pub(crate) mod export;
pub(crate) mod label;
mod sets;
mod story;
mod table;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use tesuji_engines::Trainable;
use tesuji_engines::othello::PatternEval;
use tesuji_learn::{
    Checkpoints, DataSet, Holdout, Model, Samples, TrainedStage, TrainingConfig, Weights, train,
};
use tesuji_search::CancelToken;
use tesuji_store::save;
use tesuji_task::{Context, Progress};

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use sets::Sets;

/// One game in so many is kept back.
const EVERY: u32 = 20;

pub(crate) fn run<G: Trainable>(args: &args::Train, out: &mut Out) -> Done {
    let model = if args.plain { G::plain() } else { G::model() };
    let sets = Sets::load(&model, &args.data)?;
    let holdout = Holdout { seed: args.seed, every: EVERY };
    if let Some(names) = &args.eval {
        return eval::run::<G>(&model, &sets, holdout, names, args.json.json, out);
    }
    let Some(path) = &args.out else { return Err(Failure::usage("--out: a file for the weights is needed")) };
    let from = match &args.from {
        Some(path) => load(&model, path)?,
        None => Weights::zero(&model),
    };
    let plan = plan(&model, args, holdout)?;
    let story = story::begin(&model, &sets, &from, args, &plan);
    let made = match earlier(path, &story)? {
        Some(made) => {
            if !out.quiet() {
                eprintln!("{} was made by this command before", path.display());
            }
            made
        }
        None => fit(&model, &sets.samples, from, &plan, path, &story, args, out)?,
    };
    table::tell(&model, &sets.samples, holdout, &made, path, args.json.json, out)
}

/// Trains and writes everything; the weights last, for whoever finds them believes that the rest is there.
#[expect(clippy::too_many_arguments, reason = "what is trained, how, and where it goes")]
fn fit<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    from: Weights,
    plan: &TrainingConfig,
    path: &Path,
    story: &str,
    args: &args::Train,
    out: &Out,
) -> Result<Weights, Failure> {
    let folder = beside(path, ".work");
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let threads = threads(args.threads);
    let bar = out.progress(plan.stages.len() as u64 * u64::from(plan.iterations));
    let progress = |progress: Progress<'_>| bar.at(progress.done);
    let checkpoints = Checkpoints { folder: &folder, every: args.checkpoint };
    let context = Context { cancel: &stop, progress: &progress };
    let trained = train(model, samples, &from, plan, threads, Some(checkpoints), context);
    bar.done();
    let trained = trained.map_err(|error| Failure::Failed(error.to_string()))?.ok_or_else(|| {
        Failure::Failed("interrupted; what was done is saved, and the same command goes on".to_owned())
    })?;
    let mut weights = from;
    trained.iter().for_each(|stage| weights.set(stage.stage, &stage.weights));
    weights.set_provenance(story::end(story, &trained));
    draw(model, path, &weights, &trained)?;
    save(path, &weights.bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            eprintln!("tesuji: {} is not needed any more and cannot be removed: {error}", folder.display());
        }
        _ => {}
    }
    Ok(weights)
}

/// Draws the pictures beside the weights.
fn draw<M: Model>(model: &M, path: &Path, weights: &Weights, trained: &[TrainedStage]) -> Done {
    let title = format!("training of {}", model.name());
    for (ending, picture) in [
        ("svg", chart::stages(&format!("{title}: mean error at the end, in discs"), trained)),
        ("html", chart::page(&title, weights.provenance(), trained)),
    ] {
        save(path.with_extension(ending), picture.as_bytes())
            .map_err(|error| Failure::Failed(error.to_string()))?;
    }
    Ok(())
}

fn plan<M: Model>(model: &M, args: &args::Train, holdout: Holdout) -> Result<TrainingConfig, Failure> {
    let stages = stages(model, args.stages.as_ref())?;
    let args::Train { iterations, step, ridge, smooth, .. } = *args;
    Ok(TrainingConfig { iterations, step, ridge, smooth, stages, holdout })
}

/// The stages that were asked for, or all.
fn stages<M: Model>(model: &M, asked: Option<&RangeInclusive<u32>>) -> Result<Range<usize>, Failure> {
    match asked {
        None => Ok(0..model.stages()),
        Some(asked) if (*asked.end() as usize) < model.stages() => {
            Ok(*asked.start() as usize..*asked.end() as usize + 1)
        }
        Some(asked) => {
            let (from, to, last) = (asked.start(), asked.end(), model.stages() - 1);
            let message = format!("--stages {from}..{to}: {} has the stages 0..{last}", model.name());
            Err(Failure::usage(message))
        }
    }
}

/// The weights of a file that were made for this evaluation.
fn load<M: Model>(model: &M, path: &Path) -> Result<Weights, Failure> {
    let told = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| told(&format_args!("cannot be read: {error}")))?;
    Weights::parse(&bytes).and_then(|weights| weights.check_model(model)).map_err(|error| told(&error))
}

/// What lies where the weights go: nothing, or the same weights, but nothing that would be lost.
fn earlier(path: &Path, story: &str) -> Result<Option<Weights>, Failure> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => {
            other.map_err(|error| Failure::usage(format!("{}: cannot be read: {error}", path.display())))?
        }
    };
    let made = Weights::parse(&bytes).ok().filter(|weights| weights.provenance().starts_with(story));
    made.map(Some).ok_or_else(|| made_otherwise(path))
}

/// How many samples the set of this story has, if it lies there already; something else there is not written over.
pub(crate) fn made<M: Model>(model: &M, path: &Path, story: &str) -> Result<Option<u64>, Failure> {
    if !path.exists() {
        return Ok(None);
    }
    let same = DataSet::open(model, path).ok().filter(|set| set.header().provenance == story);
    same.map(|set| Some(set.header().count)).ok_or_else(|| made_otherwise(path))
}

fn made_otherwise(path: &Path) -> Failure {
    let path = path.display();
    Failure::usage(format!("{path} is there already and was made otherwise: choose another name"))
}

/// A name that begins with another.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The evaluation of a file, or the one that ships.
pub(crate) fn pattern(path: Option<&Path>) -> Result<PatternEval, Failure> {
    let Some(path) = path else { return Ok(PatternEval::shipped()) };
    PatternEval::load(path).map_err(|error| Failure::usage(format!("--weights {}: {error}", path.display())))
}

pub(crate) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
