//! The commands, one file each, and what several of them need.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod best_move;
pub(crate) mod book;
pub(crate) mod compete;
pub(crate) mod connect;
pub(crate) mod convert;
pub(crate) mod engine;
pub(crate) mod games;
pub(crate) mod host;
pub(crate) mod perft;
pub(crate) mod query;
pub(crate) mod replay;
pub(crate) mod selfplay;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod train;
pub(crate) mod verify;

use std::io::Read;

use tesuji_registry::{GameHandle, Registry};

use crate::Entry;
use crate::args::{self, Cli, Verb};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::play;

pub(crate) fn run(games: &[Entry], cli: Cli, out: &mut Out) -> Done {
    match cli.verb {
        Verb::Games { json } => games::run(games, json.json, out),
        Verb::Show(args) => show::run(game(games, &args.at.game)?, &args, out),
        Verb::Perft(args) => perft::run(game(games, &args.at.game)?, &args, out),
        Verb::Replay(args) => replay::run(game(games, &args.source.game)?, &args, out),
        Verb::Convert(args) => convert::run(game(games, &args.source.game)?, &args, out),
        Verb::Analyze(args) => analyze::run(game(games, &args.at.game)?, &args, out),
        Verb::BestMove(args) => best_move::run(game(games, &args.game)?, &args, out),
        Verb::Play(args) => play::run(game(games, &args.at.game)?, &args, out),
        Verb::Engine(args) => engine::run(games, &args),
        Verb::Connect(args) => connect::run(game(games, &args.game)?, &args, out),
        Verb::Host(args) => host::run(game(games, &args.game)?, &args, out),
        Verb::Match(args) => compete::run_match(&registry(games), &args, out),
        Verb::Tournament(args) => compete::run_tournament(&registry(games), &args, out),
        Verb::Stats(args) => stats::run(game(games, &args.game)?, &args, out),
        Verb::Solve(args) => solve::run(game(games, &args.game)?, &args, out),
        Verb::Query(args) => query::run(game(games, &args.game)?, &args, out),
        Verb::Verify(args) => verify::run(&registry(games), &args, out),
        Verb::Train(args) => train::run(game(games, args.game_name())?, &args, out),
        Verb::Selfplay(args) => selfplay::run(game(games, &args.game)?, &args, out),
        Verb::Book(args) => book::run(game(games, &args.game)?, &args, out),
        Verb::Bench(args) => bench::run(games, &args, out),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(games), "tesuji", &mut script);
            out.bytes(&script)
        }
    }
}

/// All games, for commands that take several.
fn registry(games: &[Entry]) -> Registry {
    Registry::new(games.iter().map(|entry| entry.handle().clone()).collect())
}

/// The game of this name, behind the registry.
fn game<'a>(games: &'a [Entry], name: &str) -> Result<&'a GameHandle, Failure> {
    entry(games, name).map(Entry::handle)
}

fn entry<'a>(games: &'a [Entry], name: &str) -> Result<&'a Entry, Failure> {
    let found = games.iter().find(|entry| entry.name() == name);
    found.ok_or_else(|| Failure::usage(format!("there is no game {name:?}; see `tesuji games`")))
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

/// `1 move`, `2 moves`.
pub(crate) fn counted(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}
