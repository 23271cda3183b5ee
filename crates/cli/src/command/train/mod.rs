//! `tesuji train`: data sets, training, and what belongs to it.

mod compare;
mod data;
mod network;
mod nnue;
mod probcut;
mod sparse;

pub(super) use network::precision;

use tesuji_registry::{ExportFormat, ExportRequest, GameHandle, LabelJob, TrainingJob, TrainingResponse};
use tesuji_report::grouped;

use super::counted;
use crate::args::{self, Program, TrainVerb};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Train, out: &mut Out) -> Done {
    match (&args.verb, &args.eval) {
        (Some(TrainVerb::Data(args)), _) => data::run(game, args, out),
        (Some(TrainVerb::Label(args)), _) => label(game, args, out),
        (Some(TrainVerb::Probcut(args)), _) => probcut::run(game, args, out),
        (Some(TrainVerb::Export(args)), _) => export(game, args, out),
        (None, _) if !args.records.is_empty() => sparse::predict(game, args, out),
        (None, Some(names)) if names[..] == [nnue::NAME] && args.out.is_some() => nnue::run(game, args, out),
        (None, Some(names)) => compare(game, args, names, out),
        (None, None) => match &args.network.net {
            Some(net) => network::run(game, net, args, out),
            None if game.has_sparse_evaluation() => sparse::run(game, args, out),
            None => train(game, args, out),
        },
    }
}

/// Evaluations side by side, which writes no file.
fn compare(game: &GameHandle, args: &args::Train, names: &[String], out: &mut Out) -> Done {
    let own = &args.network;
    let trains = args.out.is_some() || !own.test.is_empty() || own.epochs.is_some() || own.batch.is_some();
    if trains || own.lr.is_some() || own.lambda.is_some() || own.weight_decay.is_some() {
        return Err(Failure::usage("--eval: a network is trained for one evaluation, `--eval nnue --out FILE`"));
    }
    compare::run(game, args, names, out)
}

fn train(game: &GameHandle, args: &args::Train, out: &mut Out) -> Done {
    if game.is_trainable()
        && let Some(option) = args.network.given()
    {
        return Err(Failure::usage(format!("{option}: only with --net or --eval, or in games such as trax")));
    }
    let job = TrainingJob {
        data: args.data.clone(),
        out: args.out.clone().ok_or_else(|| Failure::usage("--out: give a file for the weights"))?,
        continue_from: args.from.clone(),
        step: args.step,
        iterations: args.iterations,
        ridge: args.ridge,
        smooth: args.smooth,
        stages: args.stages.clone(),
        plain: args.plain,
        seed: args.seed,
        threads: args.threads.get(),
        checkpoint: args.checkpoint,
    };
    let response = out.operation(|_, context| Ok(game.train(&job, context)?))?;
    warn(&response.warnings);
    let TrainingResponse { stages, summary, existed, .. } = response;
    if existed && !out.quiet() {
        eprintln!("{} was made by this command before", summary.weights);
    }
    if args.json.json {
        stages.iter().try_for_each(|stage| out.json("train", stage))?;
        return out.json("train", &summary);
    }
    out.line("errors in discs on the held-out set")?;
    out.line(format_args!("{:>5} {:>11} {:>8} {:>8}", "stage", "positions", "mean", "rms"))?;
    let mut line = |name: &str, positions: u64, mean: f64, rms: f64| {
        out.line(format_args!("{name:>5} {:>11} {mean:>8.3} {rms:>8.3}", grouped(positions)))
    };
    for stage in stages {
        line(&stage.stage.to_string(), stage.positions, stage.mean, stage.rms)?;
    }
    line("all", summary.positions, summary.mean, summary.rms)?;
    out.line(format_args!("weights in {}", summary.weights))
}

/// The job of the arguments.
pub(super) fn label_job(args: &args::TrainLabel) -> LabelJob {
    LabelJob {
        data: args.searched.data.clone(),
        out: args.out.clone(),
        weights: args.searched.weights.clone(),
        depth: args.depth,
        sure: args.sure,
        solve: args.solve,
        random_move_rate: args.random_move_rate,
        stages: args.stages.clone(),
        positions: args.positions,
        seed: args.searched.seed,
        threads: args.searched.threads.get(),
        hash: args.searched.hash.map(|mib| mib as usize),
    }
}

fn label(game: &GameHandle, args: &args::TrainLabel, out: &mut Out) -> Done {
    let job = label_job(args);
    let response = out.operation(|_, context| Ok(game.label(&job, context)?))?;
    warn(&response.warnings);
    if args.searched.json.json {
        return out.json("train-label", &response);
    }
    let positions = counted(response.positions as usize, "position");
    out.line(format_args!("{positions} labelled in {}", response.set))
}

fn export(game: &GameHandle, args: &args::TrainExport, out: &mut Out) -> Done {
    let format = match args.format {
        Program::Edax => ExportFormat::Edax,
        Program::Egaroucid => ExportFormat::Egaroucid,
    };
    let request = ExportRequest { weights: args.weights.clone(), format, out: args.out.clone() };
    let response = game.export_weights(&request)?;
    if args.json.json {
        return out.json("train-export", &response);
    }
    out.line(format_args!("weights for {} in {}", response.format, response.file))
}

/// Prints warnings.
pub(super) fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| eprintln!("tesuji: {warning}"));
}
