//! What can be typed about opening books.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand, value_parser};
use tesuji_engines::duration;

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Book {
    /// The game; only othello has opening books so far.
    #[arg(index = 1)]
    pub(crate) game: String,
    #[command(subcommand)]
    pub(crate) verb: BookVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookVerb {
    /// Makes a book, or lets one grow: of records, of games with itself, and of the moves nearest to best play.
    Build(BookBuild),
    /// What a book says of a position: its moves, what they are worth, and the best line.
    Show(BookShow),
    /// Makes one book of several; the deeper search counts.
    Merge(BookMerge),
    /// Writes a book as text, one position per line.
    Export(BookExport),
    /// Reads a book from text, as `export` writes it.
    Import(BookImport),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("played").args(["records", "games"]).multiple(true)))]
pub(crate) struct BookBuild {
    /// The file the book goes to. A book that is there already goes on growing.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    /// Opens the book at the moves nearest to best play until it has so many positions [default: only what the games have].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100_000_000), required_unless_present = "played")]
    pub(crate) positions: Option<u32>,
    /// Files of records, or folders of such files, whose openings enter the book.
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) records: Vec<PathBuf>,
    /// The format of the records [default: found out].
    #[arg(long, value_name = "F", requires = "records")]
    pub(crate) format: Option<String>,
    /// Games that the engine plays with itself, at the same level and with moves that are nearly best; their openings enter the book, too.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(crate) games: Option<u32>,
    /// Another seed has other games.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "games")]
    pub(crate) seed: u64,
    /// In how many of all these games a position must occur.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "played", value_parser = value_parser!(u32).range(1..))]
    pub(crate) min_games: u32,
    /// The book ends so many moves from the start.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(0..=60))]
    pub(crate) plies: u32,
    /// How well every position is searched, by the levels of the engine; what was searched less well is searched anew.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=60))]
    pub(crate) level: u32,
    /// The weights that lead the search [default: those that ship].
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// CancelToken after this time; the same command goes on later.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// How often the book is saved.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub(crate) checkpoint: Duration,
    /// Threads [default: all cores]. The book does not depend on their number.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BookShow {
    /// A position of 64 squares and a side, or the moves from the start, such as f5d6c3 [default: the start].
    #[arg(index = 1, value_name = "POSITION|MOVES", allow_hyphen_values = true)]
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
    /// The books.
    #[arg(index = 1, value_name = "BOOK", num_args = 2.., required = true)]
    pub(crate) books: Vec<PathBuf>,
    /// The file the merged book goes to.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BookExport {
    /// The book [default: the one that ships].
    #[arg(index = 1, value_name = "BOOK")]
    pub(crate) book: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BookImport {
    /// The text; `-` for standard input.
    #[arg(index = 1, value_name = "FILE")]
    pub(crate) text: String,
    /// The file the book goes to.
    #[arg(long, value_name = "BOOK")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}
