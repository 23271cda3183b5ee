//! Which engine searches, and how long.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_engines::{EngineFactory, LEVEL, Spec, clock, duration};
use tesuji_game::{Game, Notation};
use tesuji_search::{Choice, Engine, Limits, Time};
use tesuji_task::cores;

use crate::Error;

/// When a search ends, and the resources it may use.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchLimits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time per move: `250ms`, `1s`, `2m`.
    pub time: Option<String>,
    /// A game clock: `300s`, `300s+2s` with an increment, `300s/10s` with byoyomi. `time` has precedence.
    pub clock: Option<String>,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
    /// Size of the transposition table in MiB.
    pub hash: Option<u64>,
    /// The level of play, from 1 (first steps) to 10 (full strength), instead of an engine.
    pub level: Option<u32>,
    /// The seed of engines that play by chance, such as the mistakes of weak levels.
    pub seed: Option<u64>,
}

/// An engine with the limits of its searches.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineRequest {
    /// The engine spec; the default engine of the game when absent.
    pub engine: Option<String>,
    /// The limits.
    #[serde(flatten)]
    pub limits: SearchLimits,
}

/// An engine spec with the size of its transposition table or tree in MiB, unless it names one itself.
///
/// # Errors
/// The text is no engine spec.
pub fn with_hash(engine: &str, mib: Option<u64>) -> Result<String, Error> {
    let mut spec = Spec::parse(engine).map_err(|error| Error::field("engine", error))?;
    if spec.get("hash").is_none() {
        spec.settings.extend(mib.map(|mib| ("hash".to_owned(), mib.to_string())));
    }
    Ok(spec.to_string())
}

/// What an engine decides to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "choice")]
pub enum EngineChoice {
    /// It plays a move.
    Move {
        /// The move in the game's notation.
        #[serde(rename = "move")]
        mv: String,
    },
    /// It claims the win.
    Claim,
    /// It resigns.
    Resign,
    /// There is no move: the game is over.
    Over,
}

impl EngineChoice {
    pub(crate) fn of<G: Notation>(position: &G, choice: &Choice<G::Move>) -> EngineChoice {
        match choice {
            Choice::Move { mv, .. } => EngineChoice::Move { mv: position.print_move(*mv) },
            Choice::Claim => EngineChoice::Claim,
            Choice::Resign => EngineChoice::Resign,
            Choice::Over => EngineChoice::Over,
        }
    }
}

/// An engine that is ready to search.
pub(crate) struct PreparedEngine<G: Game> {
    pub(crate) engine: Box<dyn Engine<G>>,
    pub(crate) limits: Limits,
    /// The spec with all settings that were filled in.
    pub(crate) spec: Spec,
}

impl EngineRequest {
    /// Creates the engine. If neither the request nor the spec limits the search, it gets `default_time` per move.
    ///
    /// # Errors
    /// The spec, which `field` of the request holds, names no engine; or a time cannot be read.
    pub(crate) fn prepare<G: Game>(
        &self,
        engines: &EngineFactory<G>,
        field: &'static str,
        default_time: Duration,
    ) -> Result<PreparedEngine<G>, Error> {
        let wrong = |error| Error::field(field, error);
        let mut spec = match (&self.engine, self.limits.level) {
            (Some(_), Some(_)) => return Err(Error::field("level", "it chooses the engine; leave one of the two out")),
            (Some(text), None) => Spec::parse(text).map_err(wrong)?,
            (None, Some(level)) => self.limits.level_spec(level, engines)?,
            (None, None) => Spec::parse(engines.default).map_err(wrong)?,
        };
        let mut limits = self.limits.limits()?;
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        if !is_limited && !spec.is_limited() {
            limits.time = Some(Time::Move(default_time));
        }
        let threads = self.limits.threads.unwrap_or_else(cores);
        engines.fill_setting(&mut spec, "threads", Some(threads.to_string()));
        engines.fill_setting(&mut spec, "hash", self.limits.hash.map(|mib| mib.to_string()));
        engines.fill_setting(&mut spec, "seed", self.limits.seed.map(|seed| seed.to_string()));
        let engine = (engines.make)(&spec).map_err(wrong)?;
        Ok(PreparedEngine { engine, limits, spec })
    }
}

impl SearchLimits {
    /// The engine spec of the level, if there is one, and the other limits.
    ///
    /// # Errors
    /// There is no such level.
    pub(crate) fn level_engine<G: Game>(
        &self,
        engines: &EngineFactory<G>,
    ) -> Result<(Option<String>, SearchLimits), Error> {
        let spec = self.level.map(|level| self.level_spec(level, engines)).transpose()?;
        Ok((spec.map(|spec| spec.to_string()), SearchLimits { level: None, ..self.clone() }))
    }

    /// The engine of a level.
    ///
    /// # Errors
    /// There is no such level.
    fn level_spec<G: Game>(&self, level: u32, engines: &EngineFactory<G>) -> Result<Spec, Error> {
        let levels = engines.levels.len();
        if !(1..=levels).contains(&(level as usize)) {
            return Err(Error::field("level", format!("{level} is not a level; there are 1 to {levels}")));
        }
        Ok(Spec { name: LEVEL.name.to_owned(), settings: vec![("n".to_owned(), level.to_string())] })
    }

    fn limits(&self) -> Result<Limits, Error> {
        let time = self.time.as_ref().map(|text| duration(text).map(Time::Move)).transpose();
        let clock = self.clock.as_ref().map(|text| clock(text)).transpose();
        let time = time.map_err(|error| Error::field("time", error))?;
        let clock = clock.map_err(|error| Error::field("clock", error))?;
        Ok(Limits { depth: self.depth, nodes: self.nodes, time: time.or(clock), lines: 1, ..Limits::default() })
    }
}

#[cfg(test)]
mod tests {
    use tesuji_othello::Othello;

    use super::*;

    #[test]
    fn a_table_size_that_the_spec_names_has_precedence() {
        assert_eq!(with_hash("puct:playouts=8", Some(32)).unwrap(), "puct:playouts=8,hash=32");
        assert_eq!(with_hash("puct:hash=1", Some(32)).unwrap(), "puct:hash=1");
        assert_eq!(with_hash("uct", None).unwrap(), "uct");
        assert!(with_hash("uct:=", Some(1)).unwrap_err().to_string().contains("engine"));
    }

    fn prepared(spec: &str, limits: SearchLimits) -> PreparedEngine<Othello> {
        let request = EngineRequest { engine: Some(spec.to_owned()), limits };
        request.prepare(&EngineFactory::of_game(), "engine", Duration::from_secs(3)).expect(spec)
    }

    #[test]
    fn the_default_time_applies_only_without_any_limit() {
        let three = Some(Time::Move(Duration::from_secs(3)));
        let none = SearchLimits { hash: Some(1), threads: Some(1), ..SearchLimits::default() };
        assert_eq!(prepared("alphabeta", none.clone()).limits.time, three);
        assert_eq!(prepared("alphabeta:depth=2", none.clone()).limits.time, None);
        assert_eq!(prepared("alphabeta", SearchLimits { nodes: Some(9), ..none.clone() }).limits.time, None);
        let timed = SearchLimits { time: Some("5ms".to_owned()), ..none.clone() };
        assert_eq!(prepared("alphabeta", timed).limits.time, Some(Time::Move(Duration::from_millis(5))));
        assert_eq!(prepared("alphabeta", none.clone()).spec.to_string(), "alphabeta:threads=1,hash=1");
        assert_eq!(prepared("random", none).spec.to_string(), "random");
    }

    #[test]
    fn a_level_chooses_the_engine() {
        let at = |level, engine: Option<&str>| {
            let limits =
                SearchLimits { level: Some(level), seed: Some(7), threads: Some(1), ..SearchLimits::default() };
            let request = EngineRequest { engine: engine.map(str::to_owned), limits };
            let prepared = request.prepare(&EngineFactory::<Othello>::of_game(), "engine", Duration::from_secs(3));
            prepared
                .map(|prepared| (prepared.spec.to_string(), prepared.limits.time))
                .map_err(|error| error.to_string())
        };
        let three = Some(Time::Move(Duration::from_secs(3)));
        assert_eq!(at(3, None), Ok(("level:n=3,threads=1,seed=7".to_owned(), None)));
        assert_eq!(at(10, None), Ok(("level:n=10,threads=1,seed=7".to_owned(), three)));
        assert_eq!(at(11, None), Err("level: 11 is not a level; there are 1 to 10".to_owned()));
        assert_eq!(at(3, Some("random")), Err("level: it chooses the engine; leave one of the two out".to_owned()));
    }

    #[test]
    fn errors_name_their_field() {
        let error = |request: EngineRequest| {
            let factory = EngineFactory::<Othello>::of_game();
            request.prepare(&factory, "first", Duration::ZERO).map(|_| ()).expect_err("an error").to_string()
        };
        let engine = EngineRequest { engine: Some("alphabta".to_owned()), ..EngineRequest::default() };
        assert!(error(engine).starts_with("first: there is no engine \"alphabta\""));
        let limits = SearchLimits { clock: Some("5m+x".to_owned()), ..SearchLimits::default() };
        assert!(error(EngineRequest { engine: None, limits }).starts_with("clock: "));
    }
}
