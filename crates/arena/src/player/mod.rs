//! Players: an engine in this process, or another program behind a pipe. A player can lose a game in many ways; none
//! of them stops the tournament.

mod engine;
mod process;

use std::time::Duration;

use tesuji_engines::{EngineFactory, Spec, SpecError};
use tesuji_game::{Formats, Game, Record};
use tesuji_search::{CancelToken, Limits, Time};
use thiserror::Error;

pub use engine::EnginePlayer;
pub use process::{ExternalProgram, NetworkSeat, PlayerProtocol, ProcessPlayer, SeatError, Timeouts};

/// The player of a spec: `process:cmd="…",protocol=…` is another program that speaks one of the `protocols` of the
/// game; anything else is one of `engines`.
pub fn of_spec<G: Formats>(
    spec: &Spec,
    engines: &EngineFactory<G>,
    protocols: &[PlayerProtocol],
) -> Result<Box<dyn Player<G>>, SpecError> {
    if ExternalProgram::matches(spec) {
        return Ok(Box::new(ProcessPlayer::new(ExternalProgram::of(spec, protocols)?)));
    }
    Ok(Box::new(EnginePlayer::new(spec, engines)?))
}

/// A player. The caller checks its answers: an answer need not be a legal move.
pub trait Player<G: Game>: Send {
    /// Prepares for a new game from `record`, which may already contain an opening. Fails when it is cancelled.
    fn begin(&mut self, record: &Record<G>, cancel: &CancelToken) -> Result<(), PlayerFault>;

    /// Chooses for the side to move at the end of `record`.
    fn choose(&mut self, record: &Record<G>, request: &MoveRequest) -> Result<PlayerAnswer<G::Move>, PlayerFault>;

    /// The game is over, for whatever reason.
    fn end(&mut self, record: &Record<G>);

    /// The name the program reports, once it is known.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Takes the protocol oddities since the last call that did not cost the game.
    fn oddities(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A request for a move, with its limits.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// Depth, nodes, and the clock of the mover.
    pub limits: Limits,
    /// Both clocks by side, for protocols that send both.
    pub clocks: [Option<Time>; 2],
    /// The time limit of the answer: what the clock allows plus the margin.
    pub deadline: Option<Duration>,
    /// Cancelled when the answer is no longer needed.
    pub cancel: CancelToken,
}

/// The answer to a move request.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerAnswer<M> {
    /// What the player does.
    pub action: PlayerAction<M>,
    /// What the search reported.
    pub info: SearchInfo,
    /// The moves that it expects after its own, as far as it told.
    pub line: Vec<M>,
    /// From sending the request to reading the answer, by a monotonic clock.
    pub used: Duration,
}

/// What a player does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerAction<M> {
    /// Plays a move.
    Move(M),
    /// Claims the win by a rule of the game.
    Claim,
    /// Resigns.
    Resign,
}

/// What a search reported about a position; everything may be missing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchInfo {
    /// Its evaluation for the mover, in the unit of the game.
    pub value: Option<f64>,
    /// Its win rate, for tree searches.
    pub rate: Option<f64>,
    /// A proven result: plies to the end, positive for a win of the mover.
    pub proven: Option<i32>,
    /// Search depth.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// CPU time used, where it can be measured.
    pub cpu: Option<Duration>,
}

/// How a player failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerFault {
    /// It could not be started or did not become ready.
    #[error("did not start: {0}")]
    Start(String),
    /// It ended or closed its pipe in the middle of a game.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer within {0:?}")]
    Late(Duration),
    /// Its answer is not a legal move.
    #[error("illegal move {text:?}: {message}")]
    Illegal {
        /// The answer.
        text: String,
        /// Why it is illegal.
        message: String,
    },
    /// It violated the protocol.
    #[error("broke the protocol: {0}")]
    Protocol(String),
}
