//! `tesuji train` for an evaluation that learns from data sets of positions, and how it predicts the moves of records.

use std::path::PathBuf;

use tesuji_registry::{GameHandle, PredictionJob, SparseJob, SparseSettings};
use tesuji_report::grouped;

use super::super::counted;
use super::warn;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, args: &args::Train, out: &mut Out) -> Done {
    let job = job(game, args)?;
    let json = args.json.json;
    let mut headed = false;
    let response = out.events(
        |context, events| game.train_sparse(&job, context, events),
        |out, point| {
            if json {
                return out.json("train", point);
            }
            if !std::mem::replace(&mut headed, true) {
                out.line(
                    "losses in nats on training and held-out positions, above the least possible; on results; winners",
                )?;
                out.line(format_args!(
                    "{:>11} {:>8} {:>8} {:>8} {:>7}",
                    "positions", "training", "held-out", "results", "winners"
                ))?;
            }
            out.line(format_args!(
                "{:>11} {:>8.4} {:>8.4} {:>8.4} {:>5.1} %",
                grouped(point.positions),
                point.loss,
                point.test_loss,
                point.result_loss,
                100.0 * point.accuracy
            ))
        },
    )?;
    warn(&response.warnings);
    if response.existed && !out.quiet() {
        eprintln!("{} was made by this command before", response.weights);
    }
    if json {
        return out.json("train", &response);
    }
    let (used, features) = (grouped(response.used as u64), grouped(response.features as u64));
    out.line(format_args!("{used} of {features} weights are not zero, in {}", response.weights))
}

fn job(game: &GameHandle, args: &args::Train) -> Result<SparseJob, Failure> {
    let own = &args.network;
    if own.test.is_empty() {
        return Err(Failure::usage("--test: give a data set of games that are not in --data"));
    }
    if args.stages.is_some() || args.plain {
        let name = game.name();
        return Err(Failure::usage(format!("--stages and --plain: not for {name}, whose weights have no stages")));
    }
    let default = SparseSettings::default();
    Ok(SparseJob {
        data: args.data.clone(),
        test: own.test.clone(),
        out: args.out.clone().ok_or_else(|| Failure::usage("--out: give a file for the weights"))?,
        continue_from: args.from.clone(),
        lambda: own.lambda.unwrap_or(SparseJob::LAMBDA),
        value_scale: own.value_scale,
        settings: SparseSettings {
            batch: own.batch.map_or(default.batch, |batch| batch as usize),
            rate: own.lr.unwrap_or(default.rate),
            decay: own.weight_decay.unwrap_or(default.decay),
            epochs: own.epochs.unwrap_or(default.epochs),
            seed: args.seed,
            checkpoint: args.checkpoint,
            ..default
        },
        threads: args.threads.get(),
    })
}

/// How often the moves of records are those that the evaluation prefers.
pub(super) fn predict(game: &GameHandle, args: &args::Train, out: &mut Out) -> Done {
    let weights: Vec<Option<PathBuf>> = match args.eval.as_deref().unwrap_or_default() {
        [] => vec![None],
        files => files.iter().map(|file| Some(file.into())).collect(),
    };
    for weights in weights {
        let job = PredictionJob { weights, records: args.records.clone(), threads: args.threads.get() };
        let response = out.operation(|_, context| Ok(game.predict_moves(&job, context)?))?;
        response.counts.file_errors.iter().for_each(|error| eprintln!("tesuji: {error}"));
        if args.json.json {
            out.json("train", &response)?;
            continue;
        }
        let counts = &response.counts;
        let (moves, games) = (grouped(counts.moves), counted(counts.games as usize, "game"));
        out.line(format_args!(
            "{}: {:.1} % of {moves} moves of {games} predicted one ply ahead, {:.1} % among the first three; at random \
             {:.1} %",
            response.weights,
            100.0 * response.accuracy,
            100.0 * response.top3,
            100.0 * response.random_accuracy,
        ))?;
        out.line(format_args!(
            "mirror images counted as one: {:.1} %, at random {:.1} %",
            100.0 * response.image_accuracy,
            100.0 * response.random_image_accuracy,
        ))?;
        if counts.faulty_records > 0 {
            out.line(format_args!("{} left out", counted(counts.faulty_records as usize, "faulty record")))?;
        }
    }
    Ok(())
}
