//! Arguments of `solve`, `query` and `verify`.

use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};
use tesuji_registry::{Registry, duration};

use super::{Json, SolveMates, Threads};
use crate::failure::Failure;

/// `tesuji solve <game>`: what follows the game depends on what can be solved of it.
#[derive(Debug)]
pub(crate) struct Solve {
    pub(crate) game: String,
    matches: ArgMatches,
}

impl Solve {
    /// What follows the game.
    pub(crate) fn options<T: FromArgMatches>(&self) -> Result<T, Failure> {
        T::from_arg_matches(&self.matches).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Adds a subcommand for each game that can be solved, with the options that apply to it.
    pub(super) fn add_games(mut command: Command, registry: &Registry) -> Command {
        for game in registry.games() {
            let solve = Command::new(game.name());
            let solve = if game.has_endgame_solver() {
                SolveEndgames::augment_args(solve).about("Exact values of positions with few empty squares")
            } else if game.has_mate_solver() {
                SolveMates::augment_args(solve).about("Forced mates, the shortest by default")
            } else if game.is_solvable() {
                SolveTablebase::augment_args(solve).about("The whole game, into a tablebase for `tesuji query`")
            } else {
                continue;
            };
            command = command.subcommand(solve);
        }
        command
    }
}

impl FromArgMatches for Solve {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Solve, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "solve: name a game\n");
        let (game, matches) = matches.subcommand().ok_or_else(missing)?;
        Ok(Solve { game: game.to_owned(), matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Solve::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Solve {
    /// Any other game is accepted here and refused by the command, which knows why.
    fn augment_args(command: Command) -> Command {
        command
            .subcommand_required(true)
            .allow_external_subcommands(true)
            .disable_help_subcommand(true)
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Solve::augment_args(command)
    }
}

/// A position, which may begin with hyphens, but is no mistyped option.
fn no_option(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("--").filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()));
    match name.filter(|name| name.len() < 30) {
        Some(_) => Err(format!("there is no option {text}; --help lists them")),
        None => Ok(text.to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct SolveEndgames {
    /// The position to solve, a file of positions (OBF), or `-` for standard input.
    #[arg(value_name = "POSITION|FILE", allow_hyphen_values = true, value_parser = no_option)]
    pub(crate) what: Option<String>,
    /// Find all best moves.
    #[arg(long)]
    pub(crate) best: bool,
    /// Find the exact value of every move, which takes several times as long.
    #[arg(long)]
    pub(crate) all: bool,
    /// Find only win, loss or draw, which is faster than the score.
    #[arg(long)]
    pub(crate) wld: bool,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20), default_value = "256")]
    pub(crate) hash: u64,
    /// The time limit per position [default: none].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct SolveTablebase {
    /// A position: refused, because `tesuji query` looks it up.
    #[arg(value_name = "POSITION", hide = true)]
    pub(crate) position: Option<String>,
    /// Directory of the tablebase [default: `tables` in your data folder]. An earlier run there is resumed.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<String>,
    /// Only boards with up to N pieces [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) pieces: Option<String>,
    /// Also find the distance of every board from the start, in plies.
    #[arg(long)]
    pub(crate) reach: bool,
    /// Find only the distances from the start, without solving the game.
    #[arg(long, conflicts_with_all = ["pieces", "wdl"])]
    pub(crate) reach_only: bool,
    /// Store win, draw or loss (WDL) without the distance to win, which takes less space.
    #[arg(long)]
    pub(crate) wdl: bool,
    /// Follow the ko rule of the published solution, which also forbids images of the board before, and compare.
    #[arg(long)]
    pub(crate) published: bool,
    /// Stop after this time [default: none]; the same command resumes later.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Interval of checkpoints.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    pub(crate) checkpoint: Duration,
    /// Memory limit in MiB [default: the free memory].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    /// Solve with N processes, on one machine or several: each is started with the same options and its own --process.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=4096), requires = "process")]
    #[arg(conflicts_with_all = ["published", "reach", "reach_only"])]
    pub(crate) processes: Option<u16>,
    /// The number of this process, from 0; process 0 writes the tablebase.
    #[arg(long, value_name = "I", requires = "processes")]
    pub(crate) process: Option<u16>,
    /// The file of the addresses of the processes, one `host:port` per line.
    #[arg(long, value_name = "FILE", requires = "processes")]
    pub(crate) hosts: Option<String>,
    /// Worker threads of each process, the same for all [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), requires = "processes")]
    #[arg(conflicts_with = "threads")]
    pub(crate) workers: Option<u16>,
    /// How long to wait for the other processes at the beginning.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m", requires = "processes")]
    pub(crate) wait: Duration,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The position, in the game's own notation [default: the start]; `-`: positions from standard input, one per line.
    #[arg(index = 2, allow_hyphen_values = true, value_parser = no_option, conflicts_with_all = ["longest", "unreachable", "farthest"])]
    position: Option<String>,
    /// The rest of a position that was not quoted.
    #[arg(index = 3, num_args = 1..=2, hide = true)]
    rest: Vec<String>,
    /// The board before the last move, as its own mover saw it; it determines the forbidden move.
    #[arg(long, value_name = "P", requires = "position", allow_hyphen_values = true)]
    pub(crate) previous: Option<String>,
    /// Moves to play from there, in the game's own notation, separated by blanks.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with_all = ["longest", "unreachable", "farthest"])]
    pub(crate) moves: Option<String>,
    /// Also show the best line to the end, with the value of every move at each step.
    #[arg(long, conflicts_with_all = ["longest", "unreachable", "farthest"])]
    pub(crate) line: bool,
    /// List the positions with the longest distance to the end.
    #[arg(long, conflicts_with_all = ["unreachable", "farthest"])]
    pub(crate) longest: bool,
    /// List the boards that no game reaches.
    #[arg(long, conflicts_with = "farthest")]
    pub(crate) unreachable: bool,
    /// List the positions farthest from the start.
    #[arg(long)]
    pub(crate) farthest: bool,
    /// With `-`: also the plies from the start, which single positions always have.
    #[arg(long, requires = "position")]
    pub(crate) reach: bool,
    /// Directory of the tablebase [default: `tables` in your data folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<String>,
    /// Letters instead of pictures.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl Query {
    /// The position as it was typed.
    pub(crate) fn position(&self) -> Option<String> {
        let words = self.position.iter().chain(&self.rest).map(String::as_str);
        self.position.is_some().then(|| words.collect::<Vec<_>>().join(" "))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The class of boards, in Ostle by the pieces of the mover and of the opponent: 4-4, 5-4, 4-5 or 5-5.
    #[arg(index = 2)]
    pub(crate) class: String,
    /// The file to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,
    /// The format of the table [default: by the ending of the file, else csv].
    #[arg(long, value_name = "F")]
    pub(crate) to: Option<TableName>,
    /// The index to begin with.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) first: u32,
    /// Only every Nth index.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value = "1")]
    pub(crate) step: u32,
    /// At most N rows [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) rows: Option<u64>,
    /// Directory of the tablebase [default: `tables` in your data folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// With --out: reports by a JSON object instead of text.
    #[arg(long, requires = "out")]
    pub(crate) json: bool,
}

/// A format for tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TableName {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A file, or a directory with a tablebase or a tournament.
    pub(crate) path: String,
    /// Verify only the checksums, not the entries.
    #[arg(long)]
    pub(crate) sums: bool,
    /// Verify only every Nth entry of a tablebase.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value = "1", conflicts_with = "sums")]
    pub(crate) step: u32,
    /// Also recompute the statistics of a tablebase, which takes longer than everything else.
    #[arg(long, alias = "census", conflicts_with = "sums")]
    pub(crate) statistics: bool,
    /// Memory limit in MiB [default: the free memory].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) json: Json,
}
