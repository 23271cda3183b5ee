//! Searching games that this room does not know: only the traits of `tesuji-game` and an [`Eval`].
//!
//! [`Engine`] is what everybody above sees: a record and limits go in, reports come out on the way, a
//! [`Choice`] at the end. No game is named here.

pub mod alphabeta;
mod best;
pub mod clock;
mod craft;
pub mod dfpn;
mod engine;
mod eval;
#[doc(hidden)]
pub mod laws;
mod limits;
pub mod mcts;
mod order;
pub mod pages;
mod report;
mod rng;
pub mod table;
mod value;

pub use best::Best;
pub use craft::{Heuristics, NoHeuristics, NodeContext, Probe, Terms};
pub use engine::{Choice, Engine};
pub use eval::{Eval, NoEval};
pub use limits::{Limits, Time};
pub use order::{HISTORY, KILLER};
pub use report::{Bound, Line, Report};
pub use rng::Rng;
pub use tesuji_task::CancelToken;
pub use value::{Proven, Value};
