//! `tesuji train data`: data sets from records, for weights or for networks.

use tesuji_registry::{GameHandle, PositionCounts, PositionDataJob, PositionDataResponse, RecordDataJob};
use tesuji_report::grouped;

use super::super::counted;
use crate::args::{self, DataPurpose};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::TrainData, out: &mut Out) -> Done {
    let is_for_weights = match args.purpose {
        Some(purpose) => purpose == DataPurpose::Weights,
        None => game.is_trainable() && args.to.is_none(),
    };
    let refused = |option: &str, purpose: &str, reason: &str| {
        Failure::usage(format!("{option}: not with --for {purpose}: {reason}"))
    };
    match (is_for_weights, args.solve, &args.to) {
        (false, Some(_), _) => Err(refused("--solve", "net", "a network learns the result of the game")),
        (true, _, Some(_)) => Err(refused("--to", "weights", "their data sets have one format")),
        // An evaluation that learns from positions has the data sets of networks.
        (true, ..) if game.has_sparse_evaluation() => positions(game, args, out),
        (true, ..) => weights(game, args, out),
        (false, ..) => positions(game, args, out),
    }
}

/// Positions with scores, for the weights of an evaluation.
fn weights(game: &GameHandle, args: &args::TrainData, out: &mut Out) -> Done {
    let job = RecordDataJob {
        files: args.files.clone(),
        out: args.out.clone(),
        format: args.format.clone(),
        solve: args.solve.unwrap_or(0),
        threads: args.threads.get(),
        hash: args.hash.map(|mib| mib as usize),
    };
    let response = out.operation(|_, context| Ok(game.record_data(&job, context)?))?;
    response.file_errors.iter().for_each(|error| eprintln!("tesuji: {error}"));
    if args.json.json {
        out.json("train-data", &response)?;
    } else {
        out.line(format_args!("{} in {}", counted(response.positions, "position"), response.set))?;
        out.line(response.summary)?;
    }
    if response.file_errors.is_empty() { Ok(()) } else { Err(Failure::No) }
}

/// Positions for networks.
fn positions(game: &GameHandle, args: &args::TrainData, out: &mut Out) -> Done {
    let job = PositionDataJob {
        files: args.files.clone(),
        out: args.out.clone(),
        format: args.format.clone(),
        to: args.to.clone(),
        threads: args.threads.get(),
    };
    let response = out.operation(|_, context| Ok(game.position_data(&job, context)?))?;
    response.counts.file_errors.iter().for_each(|error| eprintln!("tesuji: {error}"));
    if args.json.json {
        out.json("train-data", &response)?;
    } else {
        print(&response, out)?;
    }
    if response.counts.file_errors.is_empty() { Ok(()) } else { Err(Failure::No) }
}

fn print(response: &PositionDataResponse, out: &mut Out) -> Done {
    let PositionDataResponse { set, bytes, counts } = response;
    let PositionCounts { positions, games, with_value, with_result, with_visits, abnormal_games, open_games, .. } =
        counts;
    let number =
        |count: u64, word: &str| if count == 1 { format!("1 {word}") } else { format!("{} {word}s", grouped(count)) };
    let (size, games) = (grouped(bytes.div_ceil(1 << 20)), number(*games, "game"));
    out.line(format_args!("{} of {games} in {set} ({size} MiB)", number(*positions, "position")))?;
    let [results, values, visits] = [with_result, with_value, with_visits].map(|count| grouped(*count));
    out.line(format_args!("{results} with a result, {values} with a value, {visits} with visit counts"))?;
    if *abnormal_games > 0 {
        let abnormal = number(*abnormal_games, "game");
        out.line(format_args!("result not used: {abnormal} that the server calls abnormal"))?;
    }
    if *open_games > 0 {
        out.line(format_args!("result unknown: {} without an end", number(*open_games, "game")))?;
    }
    counts.left_out().iter().try_for_each(|what| out.line(format_args!("left out: {what}")))
}
