//! Protocols by which other programs use our engines.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use tesuji_drivers::DriverError;
use tesuji_engines::EngineFactory;

use crate::{Error, Playable, Registration};

/// A protocol between a board program and an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// USI, for shogi.
    Usi,
    /// GTP, the Go text protocol, for Othello.
    Gtp,
    /// NBoard, for Othello.
    NBoard,
}

/// Run an engine behind a protocol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProtocolRequest {
    /// The protocol.
    pub protocol: EngineProtocol,
    /// The engine spec; the default engine of the game without one.
    pub engine: Option<String>,
}

/// Speaks a protocol with the engine of a spec, or the default one, until the conversation is over.
pub type Driver<G> =
    fn(&EngineFactory<G>, Option<&str>, Box<dyn BufRead + Send>, &mut dyn Write) -> Result<(), DriverError>;

impl<G: Playable> Registration<G> {
    /// Other programs can use its engines by this protocol.
    pub fn driver(mut self, protocol: EngineProtocol, driver: Driver<G>) -> Registration<G> {
        self.drivers.push((protocol, driver));
        self
    }
}

/// Protocols by which other programs use our engines.
pub trait ProtocolApi {
    /// The protocols that the engines of the game speak.
    fn engine_protocols(&self) -> Vec<EngineProtocol>;

    /// Is an engine for another program until that quits, or until the input or the output is closed.
    ///
    /// # Errors
    /// The game does not have the protocol, the engine spec is wrong, or reading or writing fails.
    fn run_protocol(
        &self,
        request: &ProtocolRequest,
        input: Box<dyn BufRead + Send>,
        output: &mut dyn Write,
    ) -> Result<(), Error>;
}

impl<G: Playable> ProtocolApi for Registration<G> {
    fn engine_protocols(&self) -> Vec<EngineProtocol> {
        self.drivers.iter().map(|(protocol, _)| *protocol).collect()
    }

    fn run_protocol(
        &self,
        request: &ProtocolRequest,
        input: Box<dyn BufRead + Send>,
        output: &mut dyn Write,
    ) -> Result<(), Error> {
        let known = self.drivers.iter().find(|(protocol, _)| *protocol == request.protocol);
        let Some((_, driver)) = known else {
            return Err(Error::field("protocol", format!("{} does not have this protocol", G::NAME)));
        };
        driver(&self.engines, request.engine.as_deref(), input, output).map_err(|error| match error {
            DriverError::Engine(error) => Error::field("engine", error),
            DriverError::Io(_) => Error::failed(error),
        })
    }
}
