//! What can be typed: one definition for parsing, help and shell completions.

mod book;
mod cluster;
mod compete;
mod corpus;
mod defaults;
mod error;
mod examples;
mod game_at;
mod games;
mod global;
mod improve;
mod mates;
mod network;
mod online;
mod puzzles;
mod records;
mod serve;
mod solve;
mod training;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use tesuji_registry::{EngineRequest, PositionSpec, Registry, SearchLimits};

use crate::Words;

pub(crate) use book::{Book, BookBuild, BookShow, BookVerb};
pub(crate) use cluster::{Cluster, ClusterSimulate, ClusterVerb, ClusterWork, DatabaseAddress, Submit, SubmitWhat};
pub(crate) use compete::{Match, TournamentCommand, TournamentVerb};
pub(crate) use corpus::{Convert, Replay, Stats};
pub(crate) use error::one_line;
pub(crate) use game_at::GameAt;
pub(crate) use games::CSA;
pub(crate) use global::GlobalOptions;
pub(crate) use improve::Improve;
pub(crate) use mates::SolveMates;
pub(crate) use network::{
    ArithmeticName, Net, NetBench, NetConvert, NetEval, NetFormat, NetShow, NetVerb, NetworkTraining, OptimizerName,
    PrecisionName, ScheduleName,
};
pub(crate) use online::{Connect, Host};
pub(crate) use puzzles::Puzzles;
pub(crate) use records::RecordSets;
pub(crate) use serve::Serve;
pub(crate) use solve::{Export, Query, Solve, SolveEndgames, SolveTablebase, TableName, Verify};
pub(crate) use training::{
    DataPurpose, Program, Selfplay, Train, TrainData, TrainExport, TrainLabel, TrainProbCut, TrainVerb,
};

/// A workbench for board games: rules, records, analysis, and somebody to play against.
#[derive(Debug, Parser)]
#[command(name = "tesuji", version, max_term_width = 100)]
#[command(disable_help_flag = true, disable_version_flag = true, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 done; 1 the work failed or the answer is \"no\"; 2 usage or bad input.")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// What is here and what each game supports.
    Games {
        #[command(flatten)]
        json: Json,
    },
    /// Draws a position with its text form, the side to move, the legal moves and the outcome.
    Show(Show),
    /// Counts the game tree, depth by depth.
    ///
    /// A finished game above the depth counts one leaf in Othello and none elsewhere; repetition is ignored.
    Perft(Perft),
    /// Checks records move by move and tells how each ended.
    Replay(Replay),
    /// Turns records into another format of the game, on standard output.
    Convert(Convert),
    /// Filters records and splits them into games for training and games that are held out.
    ///
    /// Writes a list of the files, or a file of records where a file has several, and reports what was left out and why.
    /// Records with a fault are never kept; of games with the same moves only the first is.
    Records(RecordSets),
    /// Serves a page on which all games are played, analysed and explored in the browser.
    ///
    /// Prints the address of the page. Only this machine can reach it unless --listen says otherwise. The HTTP interface
    /// behind it is described in docs/http.md.
    Serve(Serve),
    /// Plays in the terminal, against an engine, a person, or between engines.
    Play(Play),
    /// Searches a position and prints the best moves with their values, or analyses a whole game.
    Analyze(Analyze),
    /// Reads a game from standard input and prints the move to play, nothing else.
    ///
    /// Trax: an optional colour line (W, R or B), the number of moves, the moves, one per line. The other
    /// games: the position or `startpos` on the first line, then moves. An empty line when the game is over.
    BestMove(BestMove),
    /// Is an engine for other programs: speaks a protocol on standard input and output.
    Engine(Engine),
    /// Plays on a match server.
    ///
    /// Exit code 0 when the server says farewell, 1 when the connection ends in any other way.
    Connect(Connect),
    /// Is a match server: waits for players, lets everybody meet everybody, and tells the table.
    Host(Host),
    /// Two engines against each other, with the figures that say what the result means.
    Match(Match),
    /// Many engines, many games, any of the games: from a description in TOML.
    Tournament(TournamentCommand),
    /// Figures of records (lengths, endings, results, ratings) or of matches and tournaments.
    Stats(Stats),
    /// Solves exactly: positions of Othello, mates in shogi, or all of Ostle into a tablebase.
    Solve(Solve),
    /// Looks positions up in a tablebase: the value of a position and of every move, and the best line to the end.
    Query(Query),
    /// Writes a class of a tablebase as comma-separated values or Parquet, a row per board.
    Export(Export),
    /// Checks any file of ours for damage, and every entry of a tablebase against its successors.
    Verify(Verify),
    /// Trains a network or the weights of an evaluation on data sets, or compares evaluations.
    Train(Train),
    /// Describes, evaluates, converts and measures networks.
    Net(Net),
    /// Makes a data set by self-play.
    Selfplay(Selfplay),
    /// Improves a network by itself: self-play, training and a match against the best so far, again and again.
    Improve(Box<Improve>),
    /// Builds, shows, merges, exports and imports opening books.
    Book(Book),
    /// Makes puzzles: positions with one proven solution, rated by difficulty.
    Puzzles(Puzzles),
    /// Jobs on many machines: matches, tournaments, self-play and labels from a queue in PostgreSQL.
    Cluster(Cluster),
    /// The fixed benchmark: nodes per game, the same everywhere, then speed.
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

/// How many threads work.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Threads {
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number that was asked for.
    pub(crate) fn get(self) -> Option<usize> {
        self.threads.map(usize::from)
    }
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

impl At {
    /// The position as the registry reads it.
    pub(crate) fn spec(&self) -> PositionSpec {
        let At { position, previous, moves, .. } = self;
        PositionSpec { position: position.clone(), previous: previous.clone(), moves: moves.clone() }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) at: At,
    #[command(flatten)]
    pub(crate) game: GameAt,
    /// ASCII letters only.
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Also prints the static value by this evaluation; `tesuji games` lists them.
    #[arg(long, value_name = "E")]
    pub(crate) eval: Option<String>,
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
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Remember counted positions in a table of this many MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// When a search ends, and the resources it may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Depth in plies.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Nodes to search.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time per move: 250ms, 1s, 2m.
    #[arg(long, value_name = "T")]
    time: Option<String>,
    /// A game clock: 300s+2s with an increment, 300s/10s with byoyomi.
    #[arg(long, value_name = "C", conflicts_with = "time")]
    clock: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Size of the transposition table in MiB [default: 64].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    hash: Option<u64>,
    /// The level of play, from 1 (first steps) to 10 (full strength), instead of an engine.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10))]
    level: Option<u32>,
    /// The seed of engines that play by chance, such as the mistakes of weak levels.
    #[arg(long, value_name = "N", help_heading = None::<&'static str>)]
    seed: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> SearchLimits {
        SearchLimits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time.clone(),
            clock: self.clock.clone(),
            threads: self.threads.get(),
            hash: self.hash,
            level: self.level,
            seed: self.seed,
        }
    }
}

/// An engine with the limits of its searches.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine [default: the game's own]; `tesuji games` lists them.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl EngineArgs {
    pub(crate) fn request(&self) -> EngineRequest {
        EngineRequest { engine: self.engine.clone(), limits: self.limits.limits() }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) at: At,
    /// The first player: `human` or an engine [default: human; the game's own engine where the second is human].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) first: Option<String>,
    /// The second player: `human` or an engine [default: the game's own engine; human where the first is an engine].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) second: Option<String>,
    /// Continues the first game of this file.
    #[arg(long = "game", id = "record", value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    pub(crate) record: Option<String>,
    /// Saves the game to this file, in the format of its extension [default: a new file in the data folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<String>,
    /// Plain lines instead of a full screen.
    #[arg(long)]
    pub(crate) plain: bool,
    /// Shogi: sente and gote, and moves as Japanese books print them, such as ▲７六歩.
    #[arg(long)]
    pub(crate) japanese: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) at: At,
    /// Analyses every move of a game in this file of records; `-` for standard input.
    #[arg(long = "game", id = "record", value_name = "FILE", conflicts_with_all = ["position", "moves", "lines"])]
    pub(crate) record: Option<String>,
    /// Which record of the file, from 1 [default: 1; with --annotate: all].
    #[arg(long, value_name = "N", requires = "record")]
    pub(crate) index: Option<usize>,
    /// The format of the file [default: detected].
    #[arg(long, value_name = "F", requires = "record")]
    pub(crate) format: Option<String>,
    /// Writes the records with values, lines and marks (?!, ?, ??) to this file, in the format of its ending.
    #[arg(long, value_name = "OUT", requires = "record", conflicts_with = "plot")]
    pub(crate) annotate: Option<String>,
    /// Writes a plot of the game to this file, as SVG.
    #[arg(long, value_name = "FILE", requires = "record")]
    pub(crate) plot: Option<String>,
    /// The number of best moves.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1000))]
    pub(crate) lines: u16,
    #[command(flatten)]
    pub(crate) json: Json,
    // Last, because its heading holds for everything after it.
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BestMove {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Engine {
    /// The protocol.
    pub(crate) protocol: Protocol,
    /// The engine [default: the game's own]; `tesuji games` lists them.
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Threads of the engine [default: 1]; in USI the default of the option `Threads`.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Size of the transposition table in MiB [default: 64]; in USI the default of the option `USI_Hash`.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    /// Trax: the team code of two letters or digits [default: TS].
    #[arg(long, value_name = "CODE")]
    pub(crate) team: Option<String>,
    /// Trax: the time of a turn, communication included [default: 1s].
    #[arg(long, value_name = "T")]
    pub(crate) time: Option<String>,
}

/// A protocol that board programs speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Protocol {
    /// Shogi.
    Usi,
    /// Othello, for GoGui and whatever else controls engines by the Go text protocol.
    Gtp,
    /// Othello, for NBoard and other boards that speak its protocol.
    Nboard,
    /// Trax, as in contests.
    Trax,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Only these games [default: all].
    pub(crate) games: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// The command-line definition, with the names of these games as the only ones accepted.
pub(crate) fn command(registry: &Registry) -> clap::Command {
    // The games of `solve` are subcommands, since their options differ.
    let command = games::at(Cli::command(), &["solve"], &mut |solve| Solve::add_games(solve, registry));
    examples::add(defaults::add(games::restrict(command, registry)))
}

pub(crate) fn parse(registry: &Registry, words: &Words) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command(registry).try_get_matches_from(words)?)
}

/// Puts the words into the order that is parsed: the game where there is only one to choose, and in `book othello show`,
/// as it was once, the verb first.
pub(crate) fn arranged(registry: &Registry, mut words: Words) -> Words {
    let text: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let text: Vec<&str> = text.iter().map(String::as_str).collect();
    let is_game = |word: &&str| registry.games().iter().any(|game| game.name() == *word);
    if let Some(book) = text.iter().position(|word| *word == "book")
        && text.get(book + 1).is_some_and(is_game)
        && text.get(book + 2).is_some_and(|word| games::is_book_command(word))
    {
        words.swap(book + 1, book + 2);
        return words;
    }
    if let [only] = registry.games() {
        let found = (1..text.len()).map(|start| (start, games::verbs(&text[start..]))).find(|(_, count)| *count > 0);
        if let Some((start, count)) = found
            && text[start] != "bench"
            && text.get(start + count).is_none_or(|next| *next != only.name())
        {
            words.insert(start + count, only.name().into());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use tesuji_registry::shipped;

    use super::*;

    fn words(text: &str) -> Words {
        text.split(' ').map(Into::into).collect()
    }

    #[test]
    fn the_definition_is_consistent() {
        command(&shipped()).debug_assert();
    }

    #[test]
    fn the_old_order_of_words_is_understood() {
        let arranged = |text: &str| arranged(&shipped(), words(text));
        assert_eq!(arranged("tesuji book othello show f5"), words("tesuji book show othello f5"));
        assert_eq!(arranged("tesuji -q book othello build"), words("tesuji -q book build othello"));
        assert_eq!(arranged("tesuji book show othello"), words("tesuji book show othello"));
        assert_eq!(arranged("tesuji verify book"), words("tesuji verify book"));
    }

    #[test]
    fn the_only_game_is_implied() {
        let registry = Registry::new(shipped().games()[..1].to_vec());
        let arranged = |text: &str| arranged(&registry, words(text));
        assert_eq!(arranged("othello perft 9"), words("othello perft othello 9"));
        assert_eq!(arranged("othello perft othello 9"), words("othello perft othello 9"));
        assert_eq!(arranged("othello train data x"), words("othello train data othello x"));
        assert_eq!(arranged("othello bench"), words("othello bench"));
    }
}
