//! `tesuji train --eval nnue`: a network for the evaluation `nnue` from data sets of positions.

use tesuji_registry::{GameHandle, NnueJob, NnueSettings};
use tesuji_report::grouped;

use super::warn;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The name of the evaluation that is trained this way.
pub(super) const NAME: &str = "nnue";

pub(super) fn run(game: &GameHandle, args: &args::Train, out: &mut Out) -> Done {
    let job = job(args)?;
    let json = args.json.json;
    let mut headed = false;
    let response = out.events(
        |context, events| game.train_nnue(&job, context, events),
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
        eprintln!("{} was made by this command before", response.net);
    }
    if json {
        return out.json("train", &response);
    }
    if let (Some(mean), Some(largest)) = (response.mean_error, response.largest_error) {
        out.line(format_args!("integers differ from floats by {mean:.1} on average, {largest:.0} at most"))?;
    }
    let inputs = grouped(response.inputs as u64);
    out.line(format_args!("a network with {inputs} inputs and 2 × {} columns in {}", response.width, response.net))
}

fn job(args: &args::Train) -> Result<NnueJob, Failure> {
    let own = &args.network;
    if own.test.is_empty() {
        return Err(Failure::usage("--test: give a data set of games that are not in --data"));
    }
    let default = NnueSettings::default();
    Ok(NnueJob {
        data: args.data.clone(),
        test: own.test.clone(),
        out: args.out.clone().ok_or_else(|| Failure::usage("--out: give a file for the network"))?,
        lambda: own.lambda.unwrap_or(NnueJob::LAMBDA),
        value_scale: own.value_scale,
        settings: NnueSettings {
            batch: own.batch.map_or(default.batch, |batch| batch as usize),
            rate: own.lr.unwrap_or(default.rate),
            decay: own.weight_decay.unwrap_or(default.decay),
            epochs: own.epochs.unwrap_or(default.epochs),
            seed: args.seed,
            test_positions: own.test_positions as usize,
            threads: args.threads.get(),
            checkpoint: args.checkpoint,
            ..default
        },
    })
}
