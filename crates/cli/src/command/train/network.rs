//! `tesuji train --net`: a network from data sets.

use tesuji_registry::{
    FilePrecision, GameHandle, NetworkTrainingEvent, NetworkTrainingJob, OptimizerKind, ScheduleKind, TrainingLength,
    TrainingPoint, TrainingStart,
};
use tesuji_report::grouped;

use super::{counted, warn};
use crate::args::{self, OptimizerName, PrecisionName, ScheduleName};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, net: &str, args: &args::Train, out: &mut Out) -> Done {
    let job = job(net, args)?;
    let json = args.json.json;
    let mut table = EvaluationTable { headed: false };
    let response = out.events(
        |context, events| game.train_network(&job, context, events),
        |out, event| match event {
            event if json => out.json("train", event),
            NetworkTrainingEvent::Start(start) => begin(&start, out),
            NetworkTrainingEvent::Evaluation(point) => table.row(&point, out),
        },
    )?;
    warn(&response.warnings);
    if response.existed && !out.quiet() {
        eprintln!("{} was made by this command before", response.net);
    }
    if json {
        return out.json("train", &response);
    }
    let (parameters, positions) = (grouped(response.parameters as u64), grouped(response.positions));
    if let Some(test) = &response.test {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let policy = test.policy_accuracy.map(|share| format!("policy {}", percent(share)));
        let value = test.value_accuracy.map(|share| format!("value {}", percent(share)));
        let shares: Vec<String> = policy.into_iter().chain(value).collect();
        out.line(format_args!("on {} test positions: {}", grouped(test.positions), shares.join(", ")))?;
    }
    out.line(format_args!(
        "{} with {parameters} parameters after {positions} positions in {}",
        response.architecture, response.net
    ))
}

fn job(net: &str, args: &args::Train) -> Result<NetworkTrainingJob, Failure> {
    let own = &args.network;
    let out = args.out.clone().ok_or_else(|| Failure::usage("--out: give a file for the network"))?;
    let optimizer = match own.optimizer {
        OptimizerName::AdamW => OptimizerKind::AdamW,
        OptimizerName::Muon => OptimizerKind::Muon,
        OptimizerName::Sgd => OptimizerKind::Sgd,
    };
    Ok(NetworkTrainingJob {
        net: net.to_owned(),
        data: args.data.clone(),
        test: own.test.clone(),
        test_positions: own.test_positions as usize,
        out,
        init: own.init.clone(),
        batch: own.batch.unwrap_or(256),
        rate: own.lr.unwrap_or(optimizer.rate()),
        length: own.positions.map_or(TrainingLength::Epochs(own.epochs.unwrap_or(1)), TrainingLength::Positions),
        eval_every: own.eval_every,
        optimizer,
        momentum: own.momentum,
        weight_decay: own.weight_decay.unwrap_or(0.01),
        clip: own.clip,
        schedule: match own.schedule {
            ScheduleName::OneCycle => ScheduleKind::OneCycle,
            ScheduleName::Cosine => ScheduleKind::Cosine,
            ScheduleName::Constant => ScheduleKind::Constant,
        },
        warm_up: own.warm_up,
        lambda: own.lambda.unwrap_or(1.0),
        value_scale: own.value_scale,
        policy_weight: own.policy_weight,
        value_weight: own.value_weight,
        seed: args.seed,
        patience: own.patience,
        precision: precision(own.precision),
        threads: args.threads.get(),
        checkpoint: args.checkpoint,
        log: own.log.clone(),
    })
}

/// How numbers are stored in files.
pub(crate) fn precision(name: PrecisionName) -> FilePrecision {
    match name {
        PrecisionName::F32 => FilePrecision::F32,
        PrecisionName::F16 => FilePrecision::F16,
    }
}

fn begin(start: &TrainingStart, out: &mut Out) -> Done {
    let TrainingStart {
        net,
        parameters,
        available,
        test_positions,
        positions,
        resumed,
        init,
        instructions,
        threads,
        ..
    } = start;
    let (parameters, positions) = (grouped(*parameters as u64), grouped(*positions));
    out.line(format_args!("{net}, {parameters} parameters, {instructions} on {}", counted(*threads, "thread")))?;
    let tested = match test_positions {
        0 => "no test set".to_owned(),
        count => format!("tested on {}", grouped(*count)),
    };
    out.line(format_args!("{positions} positions to learn, of {} in the data; {tested}", grouped(*available)))?;
    if *resumed > 0 {
        return out.line(format_args!("continues after {} positions", grouped(*resumed)));
    }
    init.iter().try_for_each(|line| out.line(line))
}

/// A line per evaluation.
struct EvaluationTable {
    headed: bool,
}

impl EvaluationTable {
    fn row(&mut self, point: &TrainingPoint, out: &mut Out) -> Done {
        if !self.headed {
            self.headed = true;
            out.line(format_args!(
                "{:>11} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>7} {:>6}",
                "positions", "loss", "top-1", "test", "legal", "top-3", "entropy", "value", "entropy", "pos/s"
            ))?;
        }
        let test =
            |figure: fn(&tesuji_registry::NetworkEvaluation) -> Option<f64>| point.test.as_ref().and_then(figure);
        let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        let nats = |entropy: Option<f64>| entropy.map_or("-".to_owned(), |entropy| format!("{entropy:.4}"));
        out.line(format_args!(
            "{:>11} {:>7.4} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>7} {:>6}",
            grouped(point.positions),
            point.loss,
            percent(point.policy_accuracy),
            percent(test(|test| test.policy_accuracy)),
            percent(test(|test| test.policy_accuracy_legal)),
            percent(test(|test| test.policy_top3)),
            nats(test(|test| test.policy_cross_entropy)),
            percent(test(|test| test.value_accuracy)),
            nats(test(|test| test.value_cross_entropy)),
            grouped(point.positions_per_second as u64)
        ))
    }
}
