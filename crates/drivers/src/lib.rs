//! The state machines that put an engine behind a protocol: USI for shogi, GTP and NBoard for Othello, the contest
//! protocol for Trax.
//!
//! A driver reads commands from any input and writes responses to any output. It returns at the protocol's `quit`, at
//! the end of the input, or when the output is closed.

pub mod gtp;
mod input;
pub mod nboard;
pub mod trax;
pub mod usi;

use std::io;

use tesuji_engines::SpecError;
use tesuji_game::{Game, MoveList, Record};

/// Why a driver did not run or ended early.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The spec names no engine of the game.
    #[error("engine: {0}")]
    Engine(#[from] SpecError),
    /// Reading, writing or starting a thread failed.
    #[error("the conversation ended: {0}")]
    Io(#[from] io::Error),
}

type DriverResult = Result<(), DriverError>;

/// A closed output ends a conversation just as the end of the input does.
fn ignore_closed_output(ended: DriverResult) -> DriverResult {
    match ended {
        Err(DriverError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

/// The first legal move, for an engine that returns none.
fn first_move<G: Game>(game: &G) -> Option<G::Move> {
    let mut list = G::Moves::default();
    game.clone().moves(&mut list);
    list.each().next()
}

/// The first `plies` moves of a record. The result can be continued even if the record ends by resignation.
fn truncated<G: Game>(record: &Record<G>, plies: usize) -> Record<G> {
    let mut short = Record::new(record.start().clone());
    for mv in record.moves().take(plies) {
        if short.push(mv).is_err() {
            break;
        }
    }
    short
}
