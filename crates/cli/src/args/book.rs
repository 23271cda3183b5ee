//! The arguments of opening books.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand, value_parser};
use tesuji_registry::duration;

use super::{Json, Threads};

#[derive(Debug, Args)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) verb: BookVerb,
}

impl Book {
    /// The game of the subcommand.
    pub(crate) fn game_name(&self) -> &str {
        match &self.verb {
            BookVerb::Build(args) => &args.game,
            BookVerb::Show(args) => &args.game,
            BookVerb::Merge(args) => &args.game,
            BookVerb::Export(args) => &args.game,
            BookVerb::Import(args) => &args.game,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookVerb {
    /// Builds or extends a book from records, from self-play, and by adding the positions nearest to best play.
    Build(BookBuild),
    /// Shows a position of a book: its moves with their scores, and the principal variation.
    Show(BookShow),
    /// Merges books; of two searches the deeper one is kept.
    Merge(BookMerge),
    /// Writes a book as text, one position per line.
    Export(BookExport),
    /// Reads a book from text that `export` wrote.
    Import(BookImport),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("played").args(["records", "games"]).multiple(true)))]
pub(crate) struct BookBuild {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// File of the book. An existing book is extended.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    /// Adds the positions nearest to best play until the book has N [default: only positions of games].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000_000), required_unless_present = "played")]
    pub(crate) positions: Option<u32>,
    /// Files of records, or folders of such files, whose openings are added.
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) records: Vec<PathBuf>,
    /// Format of the records [default: detected].
    #[arg(long, value_name = "F", requires = "records")]
    pub(crate) format: Option<String>,
    /// Self-play games at the same level, among nearly best moves, whose openings are added.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(crate) games: Option<u32>,
    /// Seed of self-play.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "games")]
    pub(crate) seed: u64,
    /// Adds positions that occur in at least N of all these games.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "played", value_parser = value_parser!(u32).range(1..))]
    pub(crate) min_games: u32,
    /// The book ends N moves from the start.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(0..=60))]
    pub(crate) plies: u32,
    /// Level of the searches: that of `expert` in othello, the depth in trax. Positions of a lower level are searched again.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=60))]
    pub(crate) level: u32,
    /// Weights to search with [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Stops after this time; the same command continues later.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Interval of checkpoints.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub(crate) checkpoint: Duration,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Size of the transposition table of each search in MiB [default: 16; 1 in self-play].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BookShow {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// A position, or the moves from the start, such as f5d6c3 or "@0/ A2+" [default: the start].
    #[arg(index = 2, value_name = "POSITION|MOVES", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// The book [default: the one that ships].
    #[arg(long, value_name = "BOOK")]
    pub(crate) book: Option<PathBuf>,
    /// Letters instead of pictures.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BookMerge {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The books.
    #[arg(index = 2, value_name = "BOOK", num_args = 2.., required = true)]
    pub(crate) books: Vec<PathBuf>,
    /// File for the merged book.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BookExport {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The book [default: the one that ships].
    #[arg(index = 2, value_name = "BOOK")]
    pub(crate) book: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BookImport {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The text; `-` for standard input.
    #[arg(index = 2, value_name = "FILE")]
    pub(crate) text: String,
    /// File for the book.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}
