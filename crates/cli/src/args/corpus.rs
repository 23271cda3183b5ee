//! Arguments of `replay`, `convert`, `records` and `stats`: files and folders of records, and which of the records.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use tesuji_registry::{CorpusInput, CorpusRequest, RecordCut, RecordFilter, is_record_list};

use super::{Json, Threads};
use crate::failure::Failure;

/// The heading of the filter. Named by each option, since a heading of the group would hold for all options after it.
pub(super) const FILTER: &str = "Filter";

/// Which records of the files are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FilterArgs {
    /// Only games of players whose name contains this, in upper or lower case.
    #[arg(long, value_name = "NAME", help_heading = FILTER)]
    player: Option<String>,
    /// Only games since this day: 2016, 2016-04 or 2016-04-03.
    #[arg(long, value_name = "DATE", help_heading = FILTER)]
    since: Option<String>,
    /// Only games until this day, inclusive.
    #[arg(long, value_name = "DATE", help_heading = FILTER)]
    until: Option<String>,
    /// Only games between players who are both rated at least this.
    #[arg(long, value_name = "R", help_heading = FILTER)]
    min_rating: Option<f64>,
    /// Only games of at least this many plies.
    #[arg(long, value_name = "N", help_heading = FILTER)]
    min_plies: Option<usize>,
    /// Only games of at most this many plies.
    #[arg(long, value_name = "N", help_heading = FILTER)]
    max_plies: Option<usize>,
    /// Only games that ended so in the words of the file (%TORYO is `resignation`), or `unfinished`, separated by commas.
    #[arg(long, value_name = "E,…", value_delimiter = ',', help_heading = FILTER)]
    ending: Vec<String>,
    /// Only games whose final position ends so by the rules: reasons as `replay` prints them, or `unfinished`.
    #[arg(long, value_name = "E,…", value_delimiter = ',', help_heading = FILTER)]
    board_ending: Vec<String>,
    /// Only games of which the server says so in its summary: toryo, time_up, abnormal, …; `none` without one.
    #[arg(long, value_name = "W,…", value_delimiter = ',', help_heading = FILTER)]
    summary: Vec<String>,
    /// No games that the server calls abnormal.
    #[arg(long, help_heading = FILTER)]
    no_abnormal: bool,
    /// Only games whose opening or castle has a name that contains this.
    #[arg(long, value_name = "NAME", help_heading = FILTER)]
    opening: Option<String>,
    /// Only the first N games that match.
    #[arg(long, value_name = "N", help_heading = FILTER)]
    limit: Option<usize>,
}

impl FilterArgs {
    fn filter(&self) -> RecordFilter {
        let FilterArgs { player, since, until, min_rating, min_plies, max_plies, opening, limit, .. } = self.clone();
        let FilterArgs { ending, board_ending, summary, no_abnormal, .. } = self.clone();
        RecordFilter {
            player,
            since,
            until,
            min_rating,
            min_plies,
            max_plies,
            ending,
            board_ending,
            summary,
            no_abnormal,
            opening,
            limit,
            ..RecordFilter::default()
        }
    }
}

/// How the records of files are read.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// The format of the records [default: detected for each file].
    #[arg(long, value_name = "F")]
    format: Option<String>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    threads: Threads,
}

impl ReadArgs {
    /// The records of these files and folders; `-` is standard input, which is read here.
    pub(crate) fn request(&self, files: &[String]) -> Result<CorpusRequest, Failure> {
        Ok(CorpusRequest {
            inputs: files.iter().map(|file| input(file)).collect::<Result<_, Failure>>()?,
            format: self.format.clone(),
            filter: self.filter.filter(),
            threads: self.threads.get(),
        })
    }

    /// The number of threads that was asked for.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.get()
    }
}

fn input(file: &str) -> Result<CorpusInput, Failure> {
    if file != "-" {
        return Ok(CorpusInput::Path(PathBuf::from(file)));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
    Ok(CorpusInput::Bytes { name: file.to_owned(), bytes })
}

/// The game, and files of its records.
#[derive(Debug, Args)]
pub(crate) struct Records {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Files of records, folders of such files, or lists of both (`@LIST`); `-` for standard input.
    #[arg(index = 2, required = true, value_name = "FILE|DIR")]
    files: Vec<String>,
    #[command(flatten)]
    read: ReadArgs,
}

impl Records {
    /// The records to read.
    pub(crate) fn request(&self) -> Result<CorpusRequest, Failure> {
        self.read.request(&self.files)
    }

    /// Whether the records may come from more than one file, so that each is named.
    pub(crate) fn is_many(&self) -> bool {
        let is_many = |path: &Path| path.is_dir() || is_record_list(path);
        self.files.len() > 1 || self.files.iter().any(|file| is_many(Path::new(file)))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) records: Records,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) records: Records,
    /// The format to write; `tesuji games` lists them.
    #[arg(long, value_name = "F")]
    pub(crate) to: String,
    /// Only the record of this number in each file, from 1.
    #[arg(long, value_name = "K")]
    index: Option<usize>,
    /// Only so many plies of each game.
    #[arg(long, value_name = "N", conflicts_with = "empties")]
    ply: Option<usize>,
    /// Othello: each game up to the position with so many empty squares, its final score as the value of the move.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=60))]
    empties: Option<u32>,
}

impl Convert {
    /// Which part of the records is wanted.
    pub(crate) fn cut(&self) -> RecordCut {
        RecordCut { index: self.index, ply: self.ply, empties: self.empties }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// The game; `tesuji games` lists them.
    #[arg(index = 1, required_unless_present = "compare")]
    pub(crate) game: Option<String>,
    /// Files of records, folders of such files, lists of both (`@LIST`), or folders of tournaments; `-` for standard input.
    #[arg(index = 2, required_unless_present = "compare", conflicts_with = "compare", value_name = "FILE|DIR")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Players with fewer games are not rated.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_games: usize,
    /// Lengths, branching and phases of all games side by side: of the records of `--from`, else of self-play.
    #[arg(long, help_heading = "Comparison of games")]
    pub(crate) compare: bool,
    /// Records of a game for the comparison: othello=DIR.
    #[arg(long, value_name = "GAME=FILE|DIR", requires = "compare", value_parser = game_and_path)]
    #[arg(help_heading = "Comparison of games")]
    pub(crate) from: Vec<(String, String)>,
    /// Games of self-play for each other game of the comparison.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "compare", value_parser = value_parser!(u32).range(1..=1_000_000))]
    #[arg(help_heading = "Comparison of games")]
    pub(crate) games: u32,
    /// The engine of self-play [default: alphabeta:depth=3,hash=4].
    #[arg(long, value_name = "ENGINE", requires = "compare", help_heading = "Comparison of games")]
    pub(crate) engine: Option<String>,
    /// The seed of the random openings of self-play.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "compare", help_heading = "Comparison of games")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// `othello=games/`.
fn game_and_path(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((game, path)) if !game.is_empty() && !path.is_empty() => Ok((game.to_owned(), path.to_owned())),
        _ => Err("a game and its records, such as othello=games/".to_owned()),
    }
}
