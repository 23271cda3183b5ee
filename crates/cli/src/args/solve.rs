//! What can be typed about solved games.

use std::time::Duration;

use clap::{Args, value_parser};
use tesuji_engines::duration;

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// Othello: the position to solve, a file of positions (OBF), or `-` for standard input.
    #[arg(index = 2, value_name = "POSITION|FILE", allow_hyphen_values = true)]
    pub(crate) what: Option<String>,
    /// Othello: all moves that are as good as the best.
    #[arg(long)]
    pub(crate) best: bool,
    /// Othello: only who wins, which is found sooner than by how much.
    #[arg(long)]
    pub(crate) wld: bool,
    /// Othello: size of the table of positions in MiB.
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 20), default_value = "256")]
    pub(crate) hash: u64,
    /// Where the table goes [default: `tables` in your data folder]. An earlier run there goes on.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<String>,
    /// Only the boards with up to so many pieces [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) pieces: Option<String>,
    /// Also how many plies each board is from the start.
    #[arg(long)]
    pub(crate) reach: bool,
    /// Only how many plies each board is from the start, without solving anything.
    #[arg(long, conflicts_with_all = ["pieces", "wdl"])]
    pub(crate) reach_only: bool,
    /// A smaller table that tells who wins and not how soon.
    #[arg(long)]
    pub(crate) wdl: bool,
    /// By the ko of the published solution, which forbids images of the board before, too: to compare with it.
    #[arg(long)]
    pub(crate) published: bool,
    /// Stop after this time; the same command goes on later. Of Othello, the most time for one position.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// How often the work is saved.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    pub(crate) checkpoint: Duration,
    /// The most memory to use, in MiB [default: what is free].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The game.
    #[arg(index = 1)]
    pub(crate) game: String,
    /// The position, in the game's own notation [default: the start]; in Ostle also BOARD/PREVIOUS.
    #[arg(index = 2, allow_hyphen_values = true, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) position: Option<String>,
    /// The board before the last move, as its own mover saw it; what may not be played follows from it.
    #[arg(long, value_name = "P", requires = "position", allow_hyphen_values = true)]
    pub(crate) previous: Option<String>,
    /// Moves to play from there, in the game's own notation, separated by blanks.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) moves: Option<String>,
    /// The whole line to the end, with all moves that are as good.
    #[arg(long, conflicts_with_all = ["longest", "unreachable"])]
    pub(crate) line: bool,
    /// The positions that take longest to the end.
    #[arg(long, conflicts_with = "unreachable")]
    pub(crate) longest: bool,
    /// The boards that no game reaches.
    #[arg(long)]
    pub(crate) unreachable: bool,
    /// Where the table is [default: `tables` in your data folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<String>,
    /// Letters instead of pictures.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A file, or a directory with a table or a tournament.
    pub(crate) path: String,
    /// Only the sums of the files, not what they say.
    #[arg(long)]
    pub(crate) sums: bool,
    /// Only every so manieth entry of a table.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value = "1", conflicts_with = "sums")]
    pub(crate) step: u32,
    /// Also count the nodes of a table anew, which takes longer than all else.
    #[arg(long, conflicts_with = "sums")]
    pub(crate) census: bool,
    /// The most memory to use, in MiB [default: what is free].
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30))]
    pub(crate) memory: Option<u64>,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}
