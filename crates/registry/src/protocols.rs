//! Protocols by which other programs use our engines.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use tesuji_drivers::DriverError;
use tesuji_engines::{EngineFactory, Spec};

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
    /// Threads; by default those of the engine.
    #[serde(default)]
    pub threads: Option<usize>,
    /// Size of the transposition table in MiB; by default that of the engine.
    #[serde(default)]
    pub hash: Option<u64>,
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
    /// The engine of a spec, or the default one, with threads and a size of the transposition table in MiB where it has
    /// these settings and the spec does not.
    ///
    /// # Errors
    /// The spec cannot be parsed.
    fn engine_spec(&self, spec: Option<&str>, threads: Option<usize>, hash: Option<u64>) -> Result<String, Error>;

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
    fn engine_spec(&self, spec: Option<&str>, threads: Option<usize>, hash: Option<u64>) -> Result<String, Error> {
        let spec = Spec::parse(spec.unwrap_or(self.engines.default));
        let mut spec = spec.map_err(|error| Error::field("engine", error))?;
        self.engines.fill_setting(&mut spec, "threads", threads.map(|threads| threads.to_string()));
        self.engines.fill_setting(&mut spec, "hash", hash.map(|mib| mib.to_string()));
        Ok(spec.to_string())
    }

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
        let ProtocolRequest { engine, threads, hash, .. } = request;
        let spec = match (threads, hash) {
            (None, None) => engine.clone(),
            (&threads, &hash) => Some(self.engine_spec(engine.as_deref(), threads, hash)?),
        };
        driver(&self.engines, spec.as_deref(), input, output).map_err(|error| match error {
            DriverError::Engine(error) => Error::field("engine", error),
            DriverError::Io(_) => Error::failed(error),
        })
    }
}
