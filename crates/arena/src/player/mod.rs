//! Somebody who plays: an engine in this process, or another program behind a pipe. Whoever it is can lose a
//! game in many ways, and none of them takes the tournament down.

mod own;
mod process;
mod protocol;

use std::time::Duration;

use tesuji_engines::{EngineFactory, Spec, SpecError};
use tesuji_game::{Formats, Game, Record};
use tesuji_search::{CancelToken, Limits, Time};
use thiserror::Error;

pub use own::Own;
pub use process::{Patience, Process, Program};
pub use protocol::Protocol;

/// The player of a spec: `process:cmd="…",protocol=…` is another program that speaks one of `protocols`,
/// those the game has; anything else is one of `engines`.
pub fn of_spec<G: Formats>(
    spec: &Spec,
    engines: &EngineFactory<G>,
    protocols: &[Protocol],
) -> Result<Box<dyn Player<G>>, SpecError> {
    if Program::is_meant(spec) {
        return Ok(Box::new(Process::new(Program::of(spec, protocols)?)));
    }
    Ok(Box::new(Own::new(spec, engines)?))
}

/// A player of one game. What it does is checked by whoever asked: an answer here is not yet a legal move.
pub trait Player<G: Game>: Send {
    /// A new game begins where `record` stands; it may already hold an opening.
    fn begin(&mut self, record: &Record<G>) -> Result<(), Fault>;

    /// Chooses for the side to move at the end of `record`.
    fn choose(&mut self, record: &Record<G>, turn: &Turn) -> Result<Answer<G::Move>, Fault>;

    /// The game is over, for whatever reason.
    fn end(&mut self, record: &Record<G>);

    /// What it calls itself, once it has said so.
    fn name(&self) -> Option<&str> {
        None
    }

    /// What was odd but cost it no game, since the last time somebody asked.
    fn oddities(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What a player is told about its turn, and held to.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Depth, nodes, and the clock as the mover sees it.
    pub limits: Limits,
    /// Both clocks, by side, for protocols that tell both.
    pub clocks: [Option<Time>; 2],
    /// When no answer will be waited for any longer: what the clock allows and the margin.
    pub deadline: Option<Duration>,
    /// Raised when no answer is wanted any more: whatever comes then is thrown away.
    pub stop: CancelToken,
}

/// What a player did, and how long it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer<M> {
    /// What it does.
    pub reply: Reply<M>,
    /// What it thinks of the position, as far as it said.
    pub thought: Thought,
    /// From the question sent to the answer read, by a monotonic clock.
    pub used: Duration,
}

/// What a player does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<M> {
    /// Plays.
    Move(M),
    /// Claims the win by a rule of the game.
    Claim,
    /// Gives up.
    Resign,
}

/// What a player says about a position; everything may be missing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Thought {
    /// Its judgement, in the unit of the game, seen by itself.
    pub value: Option<f64>,
    /// A proven result: plies to the end, positive when it wins.
    pub proven: Option<i32>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// CPU time used, where it can be told.
    pub cpu: Option<Duration>,
}

/// How a player failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// It could not be started or never said that it was ready.
    #[error("did not start: {0}")]
    Start(String),
    /// It ended, or broke its pipe, in the middle of a game.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer within {0:?}")]
    Late(Duration),
    /// It answered with something that is no legal move.
    #[error("illegal move {text:?}: {message}")]
    Illegal {
        /// What it said.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// It does not speak the protocol.
    #[error("broke the protocol: {0}")]
    Protocol(String),
}
