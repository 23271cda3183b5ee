//! Which games a command can work on.

use clap::Command;
use clap::builder::PossibleValuesParser;
use tesuji_registry::{GameHandle, Registry};

/// A command with a game among its arguments, and whether it works for a game.
type GameCommand = (&'static [&'static str], fn(&GameHandle) -> bool);

const GAME_COMMANDS: &[GameCommand] = &[
    (&["show"], any),
    (&["perft"], any),
    (&["replay"], any),
    (&["convert"], any),
    (&["records"], any),
    (&["play"], any),
    (&["analyze"], any),
    (&["best-move"], any),
    (&["connect"], |game| game.has_match_servers() || game.has_csa_servers()),
    (&["host"], |game| game.has_match_servers()),
    (&["match"], any),
    (&["stats"], any),
    (&["bench"], any),
    (&["solve"], |game| game.has_endgame_solver() || game.has_mate_solver() || game.is_solvable()),
    (&["query"], |game| game.is_solvable()),
    (&["export"], |game| game.is_solvable()),
    (&["selfplay"], |game| game.is_trainable() || game.has_position_sets()),
    (&["cluster", "submit", "match"], any),
    (&["cluster", "submit", "selfplay"], |game| game.is_trainable() || game.has_position_sets()),
    (&["cluster", "submit", "label"], |game| game.is_trainable()),
    (&["cluster", "submit", "book"], |game| game.has_opening_books()),
    (&["train"], |game| game.is_trainable() || game.has_sparse_evaluation() || game.has_networks()),
    (&["train", "data"], |game| game.is_trainable() || game.has_position_sets()),
    (&["train", "label"], |game| game.is_trainable()),
    (&["train", "probcut"], |game| game.has_pattern_search()),
    (&["train", "export"], |game| game.has_pattern_search()),
    (&["puzzles"], |game| game.has_puzzles()),
    (&["book", "build"], |game| game.has_opening_books()),
    (&["book", "show"], |game| game.has_opening_books()),
    (&["book", "merge"], |game| game.has_opening_books()),
    (&["book", "export"], |game| game.has_opening_books()),
    (&["book", "import"], |game| game.has_opening_books()),
];

fn any(_: &GameHandle) -> bool {
    true
}

/// The word for a game. Servers of the Computer Shogi Association are named by their protocol.
fn name(path: &[&str], game: &GameHandle) -> &'static str {
    if *path == ["connect"] && game.has_csa_servers() { CSA } else { game.name() }
}

/// The word for shogi in `connect`.
pub(crate) const CSA: &str = "csa";

/// Accepts for each command only the games it works for. A command that works for none is not offered.
pub(super) fn restrict(command: Command, registry: &Registry) -> Command {
    GAME_COMMANDS.iter().fold(command, |command, (path, works)| {
        let games: Vec<&'static str> =
            registry.games().iter().filter(|game| works(game)).map(|game| name(path, game)).collect();
        at(command, path, &mut |command| {
            let has = |command: &Command, name: &str| command.get_arguments().any(|arg| arg.get_id() == name);
            let hide = command.is_hide_set() || games.is_empty();
            // The games of `solve` are subcommands.
            let argument = ["game", "games"].into_iter().find(|name| has(&command, name));
            let command = command.hide(hide);
            let Some(argument) = argument else { return command };
            command.mut_arg(argument, |arg| arg.value_parser(PossibleValuesParser::new(games.iter().copied())))
        })
    })
}

/// Changes the subcommand at a path. Unlike `mut_subcommand` it keeps the order of the commands.
pub(super) fn at(mut command: Command, path: &[&str], change: &mut dyn FnMut(Command) -> Command) -> Command {
    match path.split_first() {
        None => change(command),
        Some((name, rest)) => {
            if let Some(sub) = command.get_subcommands_mut().find(|sub| sub.get_name() == *name) {
                *sub = at(std::mem::take(sub), rest, change);
            }
            command
        }
    }
}

/// The words before the game: `["train", "data"]` in `train data othello`, when these are words of a command with a
/// game.
pub(super) fn verbs(words: &[&str]) -> usize {
    let begins = |path: &[&str]| words.len() >= path.len() && words.iter().zip(path).all(|(word, verb)| word == verb);
    let paths = GAME_COMMANDS.iter().map(|(path, _)| path);
    paths.filter(|path| begins(path)).map(|path| path.len()).max().unwrap_or(0)
}

/// The subcommands of `book`, which used to stand behind the game.
pub(super) fn is_book_command(word: &str) -> bool {
    GAME_COMMANDS.iter().any(|(path, _)| **path == ["book", word])
}
