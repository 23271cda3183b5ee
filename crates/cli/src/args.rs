//! What can be typed: one definition for parsing, help and shell completions.

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, value_parser};
use clap_complete::Shell;

use crate::out::Color;
use crate::{Entry, Words};

/// A workbench for board games: rules, perft, records, boards.
#[derive(Debug, Parser)]
#[command(name = "tesuji", version, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 the work failed or the answer is \"no\"; 2 usage or bad input."
)]
pub(crate) struct Cli {
    /// Colours: on a terminal, always or never.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// No progress bars.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// What is here and what each game supports.
    Games {
        #[command(flatten)]
        json: Json,
    },
    /// Draws a position: board, text form, whose move, the legal moves, the outcome.
    Show(Show),
    /// Counts the game tree, depth by depth.
    ///
    /// A finished game above the depth counts one leaf in Othello and none elsewhere; repetition is ignored.
    Perft(Perft),
    /// Checks records move by move and tells how each ended.
    Replay(Replay),
    /// Turns records into another format of the game, on standard output.
    Convert(Convert),
    /// The fixed benchmark: leaves per game, the same everywhere, then speed.
    Bench(Bench),
    /// Prints a completion script for a shell.
    Completions {
        /// The shell to complete in.
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// One JSON object per line instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The game and where in it.
#[derive(Debug, Args)]
pub(crate) struct At {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The position, in the game's own notation [default: the start].
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Ostle: the board before the last move, as its own mover saw it; a ko may follow from it.
    #[arg(long, value_name = "P", requires = "position", allow_hyphen_values = true)]
    pub(crate) previous: Option<String>,
    /// Moves to play from there, in the game's own notation, separated by blanks.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) at: At,
    /// Letters instead of pictures.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) at: At,
    /// How many plies deep.
    #[arg(index = 2, value_parser = value_parser!(u32).range(0..=200))]
    pub(crate) depth: u32,
    /// Also count the leaves under each first move.
    #[arg(long)]
    pub(crate) divide: bool,
    /// Count different positions instead of leaves.
    #[arg(long, conflicts_with_all = ["divide", "hash", "threads"])]
    pub(crate) distinct: bool,
    /// Count different positions up to the symmetries of the board.
    #[arg(long, conflicts_with_all = ["divide", "hash", "threads", "distinct"])]
    pub(crate) classes: bool,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Remember counted positions in a table of this many MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Records of a game.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The file of records; `-` for standard input.
    #[arg(index = 2)]
    pub(crate) file: String,
    /// Their format [default: found out].
    #[arg(long, value_name = "F")]
    pub(crate) format: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The format to write; `tesuji games` lists them.
    #[arg(long, value_name = "F")]
    pub(crate) to: String,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Only these games [default: all].
    pub(crate) games: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// The command-line definition, with the names of these games as the only ones accepted.
pub(crate) fn command(games: &[Entry]) -> clap::Command {
    let names: Vec<&'static str> = games.iter().map(Entry::name).collect();
    let mut command = Cli::command();
    for verb in GAME_VERBS {
        let names = PossibleValuesParser::new(names.clone());
        let argument = if *verb == "bench" { "games" } else { "game" };
        command = command.mut_subcommand(verb, |sub| sub.mut_arg(argument, |arg| arg.value_parser(names)));
    }
    command
}

const GAME_VERBS: &[&str] = &["show", "perft", "replay", "convert", "bench"];

pub(crate) fn parse(games: &[Entry], words: Words) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command(games).try_get_matches_from(words)?)
}

/// Puts in the name of the game where there is only one to choose.
pub(crate) fn imply_game(games: &[Entry], mut words: Words) -> Words {
    if let [only] = games {
        let verb = words.iter().position(|word| GAME_VERBS.iter().any(|verb| word == verb));
        if let Some(verb) = verb
            && words[verb] != "bench"
            && words.get(verb + 1).is_none_or(|next| next != only.name())
        {
            words.insert(verb + 1, only.name().into());
        }
    }
    words
}
