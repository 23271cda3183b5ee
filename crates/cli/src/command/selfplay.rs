//! `tesuji selfplay`: a data set from games of an engine with itself, for weights or for networks.

use tesuji_registry::{DataSetJob, GameHandle, NetworkSelfPlayJob, SelfPlayJob, ValueSelfPlayJob, with_hash};

use super::counted;
use super::train::warn;
use crate::args::{self, DataPurpose};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The engine that weights learn from where none is given.
pub(super) const VALUE_ENGINE: &str = "alphabeta:nodes=2500,hash=1";

/// Whether a spec names the engine whose search values evaluations learn.
pub(super) fn is_alphabeta(spec: &str) -> bool {
    spec.split(':').next() == Some("alphabeta")
}

/// 0.02 as it was typed, not as a number of 32 bits.
pub(super) fn as_typed(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

/// The job of the arguments.
pub(super) fn job(game: &GameHandle, args: &args::Selfplay) -> Result<DataSetJob, Failure> {
    let is_puct = args.engine.as_deref().is_some_and(NetworkSelfPlayJob::is_usual_engine);
    let is_nnue = game.has_nnue() && args.engine.as_deref().is_some_and(is_alphabeta);
    let is_for_weights = match args.purpose {
        Some(purpose) => purpose == DataPurpose::Weights,
        None => is_nnue || (game.is_trainable() || game.has_sparse_evaluation()) && !is_puct,
    };
    if !is_for_weights && args.solve.is_some() {
        return Err(Failure::usage("--solve: not with --for net: a network learns the result of the game"));
    }
    Ok(if is_for_weights && (game.has_sparse_evaluation() || game.has_nnue()) {
        if args.position.is_some() {
            return Err(Failure::usage("--position: only with --for net; --openings FILE names start positions"));
        }
        if args.solve.is_some() {
            return Err(Failure::usage(format!("--solve: {} has no solver for its games", game.name())));
        }
        DataSetJob::ValueSelfPlay(ValueSelfPlayJob {
            games: args.games,
            out: args.out.clone(),
            engine: with_hash(args.engine.as_deref().unwrap_or(VALUE_ENGINE), args.hash)?,
            openings: args.openings.clone(),
            random_plies: args.random.clone().unwrap_or(1..=8),
            random_moves: args.random_moves.map_or(ValueSelfPlayJob::RANDOM_MOVES, as_typed),
            longest: args.longest,
            seed: args.seed,
            threads: args.threads.get(),
        })
    } else if args.random_moves.is_some() {
        return Err(Failure::usage("--random-moves: only with --for weights, in trax and shogi"));
    } else if is_for_weights {
        DataSetJob::SelfPlay(SelfPlayJob {
            games: args.games,
            out: args.out.clone(),
            engine: args.engine.clone(),
            random_plies: args.random.clone().unwrap_or(8..=20),
            solve: args.solve.unwrap_or(20),
            seed: args.seed,
            threads: args.threads.get(),
            hash: args.hash.map(|mib| mib as usize),
        })
    } else {
        DataSetJob::NetworkSelfPlay(NetworkSelfPlayJob {
            games: args.games,
            out: args.out.clone(),
            engine: with_hash(args.engine.as_deref().unwrap_or(NetworkSelfPlayJob::DEFAULT_ENGINE), args.hash)?,
            position: args.position.clone(),
            openings: args.openings.clone(),
            random_plies: args.random.clone().unwrap_or(0..=0),
            noise: args.noise,
            temperature: f64::from(args.temperature),
            sampled_plies: args.sample,
            longest: args.longest,
            seed: args.seed,
            threads: args.threads.get(),
        })
    })
}

pub(crate) fn run(game: &GameHandle, args: &args::Selfplay, out: &mut Out) -> Done {
    let job = job(game, args)?;
    let response = out.operation(|_, context| {
        Ok(match &job {
            DataSetJob::ValueSelfPlay(job) => game.value_self_play(job, context)?,
            DataSetJob::SelfPlay(job) => game.self_play(job, context)?,
            DataSetJob::NetworkSelfPlay(job) => game.network_self_play(job, context)?,
            DataSetJob::Label(_) => return Err(Failure::usage("labels are made by `tesuji train label`")),
        })
    })?;
    warn(&response.warnings);
    if args.json.json {
        return out.json("selfplay", &response);
    }
    let games = counted(response.games as usize, "game");
    let positions = counted(response.positions as usize, "position");
    out.line(format_args!("{positions} of {games} in {}", response.set))
}
