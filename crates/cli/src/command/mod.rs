//! The commands, one file each, and what several of them need.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod best_move;
pub(crate) mod book;
pub(crate) mod cluster;
pub(crate) mod compete;
pub(crate) mod connect;
pub(crate) mod convert;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod host;
pub(crate) mod improve;
pub(crate) mod net;
pub(crate) mod overview;
pub(crate) mod perft;
pub(crate) mod puzzles;
pub(crate) mod query;
pub(crate) mod records;
pub(crate) mod replay;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod train;
pub(crate) mod verify;

use std::io::Read;

use tesuji_registry::Registry;
pub(crate) use tesuji_report::counted;

use crate::args::{self, Cli, Verb};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::play;

pub(crate) fn run(registry: &Registry, cli: Cli, out: &mut Out) -> Done {
    let Some(verb) = cli.verb else { return overview::run(registry, out) };
    match verb {
        Verb::Games { json } => games::run(registry, json.json, out),
        Verb::Show(args) => show::run(registry.game(&args.at.game)?, &args, out),
        Verb::Perft(args) => perft::run(registry.game(&args.at.game)?, &args, out),
        Verb::Replay(args) => replay::run(registry.game(&args.records.game)?, &args, out),
        Verb::Convert(args) => convert::run(registry.game(&args.records.game)?, &args, out),
        Verb::Records(args) => records::run(registry.game(&args.records.game)?, &args, out),
        Verb::Analyze(args) => analyze::run(registry.game(&args.at.game)?, &args, out),
        Verb::BestMove(args) => best_move::run(registry.game(&args.game)?, &args, out),
        Verb::Serve(args) => serve::run(registry, &args, out),
        Verb::Play(args) => play::run(registry.game(&args.at.game)?, &args, out),
        Verb::Engine(args) => engine::run(registry, &args, out),
        Verb::Connect(args) => connect::run(connect::game(registry, &args.game)?, &args, out),
        Verb::Host(args) => host::run(registry.game(&args.game)?, &args, out),
        Verb::Match(args) => compete::run_match(registry, &args, out),
        Verb::Tournament(args) => compete::run_tournament(registry, &args, out),
        Verb::Stats(args) => stats::run(registry, &args, out),
        Verb::Solve(args) => solve::run(registry.game(&args.game)?, &args, out),
        Verb::Query(args) => query::run(registry.game(&args.game)?, &args, out),
        Verb::Export(args) => export::run(registry.game(&args.game)?, &args, out),
        Verb::Verify(args) => verify::run(registry, &args, out),
        Verb::Train(args) => train::run(registry.game(args.game_name())?, &args, out),
        Verb::Net(args) => net::run(registry, &args, out),
        Verb::Selfplay(args) => selfplay::run(registry.game(&args.game)?, &args, out),
        Verb::Improve(args) => improve::run(registry, &args, out),
        Verb::Book(args) => book::run(registry.game(args.game_name())?, &args, out),
        Verb::Puzzles(args) => puzzles::run(registry.game(&args.game)?, &args, out),
        Verb::Cluster(args) => cluster::run(registry, &args, out),
        Verb::Bench(args) => bench::run(registry, &args, out),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(registry), "tesuji", &mut script);
            out.bytes(&script)
        }
    }
}

/// The bytes of a file, or of standard input.
pub(crate) fn load(file: &str) -> Result<Vec<u8>, Failure> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    bytes.map_err(|error| Failure::usage(format!("cannot read {file:?}: {error}")))
}
