//! USI, the Universal Shogi Interface between user interfaces and engines, both directions.

mod command;
mod go;
mod info;
mod option;
mod response;
mod tokens;

pub use command::{Command, GameResult, UsiPosition};
pub use go::{ClockTimes, Go, MateLimit};
pub use info::{Bound, Info, Score, ScoreValue};
pub use option::{EngineOption, OptionKind};
pub use response::{BestMove, Checkmate, Response};
