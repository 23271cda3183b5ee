//! Protocols by which other programs use our engines.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use tesuji_drivers::DriverError;
use tesuji_drivers::trax::{self, TraxEvent, TraxPlayer};
use tesuji_engines::{EngineFactory, Spec, duration};

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
    /// The contest protocol of Trax.
    Trax,
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
    /// Trax: the team code of two letters or digits.
    #[serde(default)]
    pub team: Option<String>,
    /// Trax: the time of a turn with the communication, such as `1s`.
    #[serde(default)]
    pub time: Option<String>,
}

/// What a driver needs to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DriverOptions {
    /// The engine spec; the default engine of the game without one.
    pub engine: Option<String>,
    /// The settings of a Trax player besides its engine.
    pub trax: TraxPlayer,
}

/// Speaks a protocol until the conversation is over.
pub type Driver<G> =
    fn(&EngineFactory<G>, &DriverOptions, Box<dyn BufRead + Send>, &mut dyn Write) -> Result<(), DriverError>;

/// Speaks the contest protocol of Trax; what is odd goes to the log.
pub(crate) fn run_trax<G: Playable>(
    engines: &EngineFactory<G>,
    options: &DriverOptions,
    input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
) -> Result<(), DriverError> {
    let player = TraxPlayer { engine: options.engine.clone(), ..options.trax.clone() };
    trax::run(engines, &player, input, output, &mut |event| match event {
        TraxEvent::Warning(message) => tracing::warn!(message),
        TraxEvent::Received(line) => tracing::debug!(line, "received"),
        TraxEvent::Sent(line) => tracing::debug!(line, "sent"),
        TraxEvent::Started(side) => tracing::info!(?side, "game started"),
        TraxEvent::Ended(_, record) => tracing::info!(plies = record.plies().len(), "game ended"),
    })
}

impl<G: Playable> Registration<G> {
    /// Other programs can use its engines by this protocol.
    pub fn driver(mut self, protocol: EngineProtocol, driver: Driver<G>) -> Registration<G> {
        self.drivers.push((protocol, driver));
        self
    }
}

impl ProtocolRequest {
    /// The settings of a Trax player besides its engine.
    fn trax_player(&self, longest: Option<usize>) -> Result<TraxPlayer, Error> {
        let usual = TraxPlayer::default();
        let given = [("team", &self.team), ("time", &self.time)].into_iter().find(|(_, value)| value.is_some());
        if let Some((field, _)) = given.filter(|_| self.protocol != EngineProtocol::Trax) {
            return Err(Error::field(field, "only the Trax protocol has it"));
        }
        let team = self.team.clone().unwrap_or(usual.team);
        if !TraxPlayer::is_team_code(&team) {
            return Err(Error::field("team", format!("{team:?} is no team code: write two letters or digits")));
        }
        let time = self.time.as_deref().map(duration).transpose().map_err(|error| Error::field("time", error))?;
        if time.is_some_and(|time| time.is_zero()) {
            return Err(Error::field("time", "a turn takes some time: write 1s"));
        }
        let longest = longest.unwrap_or(usual.longest);
        Ok(TraxPlayer { team, time: time.unwrap_or(usual.time), longest, ..usual })
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
        let options = DriverOptions { engine: spec, trax: request.trax_player(self.matches.longest)? };
        driver(&self.engines, &options, input, output).map_err(|error| match error {
            DriverError::Engine(error) => Error::field("engine", error),
            DriverError::Io(_) => Error::failed(error),
        })
    }
}
