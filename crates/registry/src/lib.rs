//! The application layer: every game behind one object-safe interface, for every front end.
//!
//! [`shipped()`] lists the games of tesuji as a [`Registry`]; a [`GameHandle`] answers typed requests. Requests and
//! responses are plain structs that derive `Serialize` and `Deserialize`: the JSON of the command line, of an HTTP
//! interface and of a script is one and the same. A long operation takes a [`Context`](tesuji_task::Context) with its
//! own cancellation token and tells events as they happen. Nothing here knows a terminal, arguments or HTTP.
//!
//! A game of your own is registered by [`Registration`]:
//!
//! ```
//! use tesuji_othello::Othello;
//! use tesuji_registry::{Registration, Registry, ShowRequest};
//!
//! let registry = Registry::new(vec![Registration::<Othello>::new("outflank and flip discs").symmetric().handle()]);
//! let shown = registry.game("othello")?.show(&ShowRequest::default())?;
//! assert_eq!(shown.moves, ["d3", "c4", "f5", "e6"]);
//! # Ok::<(), tesuji_registry::Error>(())
//! ```

#![cfg_attr(test, allow(dead_code, reason = "without `shipped`, no game uses what only one of them needs"))]

mod analysis;
mod annotate;
mod bench;
mod best_move;
mod board;
mod book;
mod bounds;
mod competition;
mod compose;
mod contest;
mod corpus;
mod csa;
mod date_range;
mod distributed;
mod endgame;
mod engine;
mod error;
mod exchange;
mod filter;
mod game;
mod game_page;
mod improve;
mod info;
mod levels;
mod machine;
mod mate;
mod network;
mod network_bench;
mod network_file;
mod nnue;
mod online;
mod openings;
mod perft;
mod picture;
mod position;
mod positions;
mod protocols;
mod puzzles;
mod record_cut;
mod record_sets;
mod records;
mod score;
mod session;
mod sparse;
// Not in the unit tests: it instantiates every game, which is most of the time to compile this crate.
#[cfg(not(test))]
pub mod shipped;
mod stats;
mod tablebase;
mod training;
mod truth;
mod value;
mod verify;
mod view;
mod watch;

pub use analysis::*;
pub use annotate::*;
pub use bench::*;
pub use best_move::{BestMoveApi, BestMoveRequest, PlayRequest};
pub use board::*;
pub use book::*;
pub use bounds::*;
pub use competition::*;
pub use compose::{BoardComposer, ComposeApi, EditedBoard};
pub use corpus::{CorpusInput, CorpusRequest, CorpusSummary, FileError, is_record_list};
pub use distributed::*;
pub use endgame::*;
pub use engine::{EngineChoice, EngineRequest, SearchLimits, with_hash};
pub use error::Error;
pub use exchange::*;
pub use filter::{DroppedRecords, RecordFilter};
pub use game::{
    AtEmpties, Companions, GameApi, GameHandle, MatchDefaults, OpeningNamer, Playable, RecordFiller, Registration,
    Registry,
};
pub use game_page::*;
pub use improve::*;
pub use info::*;
pub use levels::*;
pub use mate::*;
pub use network::*;
pub use network_bench::*;
pub use network_file::*;
pub use nnue::*;
pub use online::*;
pub use openings::NamedOpening;
pub use perft::*;
pub use picture::*;
pub use position::{GamePosition, PositionSpec};
pub use positions::*;
pub use protocols::*;
pub use puzzles::*;
pub use record_cut::RecordCut;
pub use record_sets::*;
pub use records::*;
pub use score::{Counting, GameEnding};
pub use session::*;
#[cfg(not(test))]
pub use shipped::shipped;
pub use sparse::*;
pub use stats::*;
pub use tablebase::*;
pub use training::*;
pub use truth::*;
pub use value::{ProvenResult, ValueBound, ValueReport};
pub use verify::*;
pub use view::{
    BoardDescription, CellContent, ForbiddenMove, Ground, HandEntry, HighlightName, HighlightedCells, SideCounts,
    SideName, WinningCells,
};
pub use watch::*;

pub use tesuji_engines::duration;
pub use tesuji_game::{Outcome, Side};
pub use tesuji_search::{ProvenOutcome, UnitValue, ValueUnit};
