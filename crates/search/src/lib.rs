//! Search for any game: alpha-beta, Monte-Carlo tree search, df-pn, time management.
//!
//! The crate knows no game, only the traits of `tesuji-game` and an [`Eval`]. [`Engine`] is the interface of every
//! engine: a record and [`Limits`] in, [`SearchReport`]s during the search, a [`Choice`] at the end.

pub mod alphabeta;
pub mod clock;
pub mod dfpn;
mod engine;
mod eval;
mod heuristics;
pub mod mcts;
mod ordering;
pub mod pages;
mod rng;
pub mod tt;
mod unit;
mod value;

pub use engine::{Bound, Choice, Engine, Limits, PvLine, ReportSource, SearchReport, Time};
#[doc(hidden)]
pub use eval::check_incremental;
pub use eval::{Eval, NoEval};
pub use heuristics::{Heuristics, NoHeuristics, NodeContext, ProbCut, SearchSetup};
pub use ordering::{CONTINUATION_HISTORY, HISTORY, KILLER};
pub use rng::Rng;
pub use tesuji_task::CancelToken;
pub use unit::{ProvenOutcome, UnitValue, ValueUnit};
use value::ValuedMove;
pub use value::{Proven, Value};
