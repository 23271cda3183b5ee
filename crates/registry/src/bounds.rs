//! Engine requests from people nobody knows: no file is opened for them, and no search takes more than its share.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_engines::{EngineKind, Spec, TABLE, clock, duration};

use crate::{EngineRequest, Error, Playable, Registration, SearchLimits, TablebaseStatus};

/// The most that a request may ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineBounds {
    /// Time per move.
    pub time: Duration,
    /// Time per move of a request that sets no limit at all.
    pub default_time: Duration,
    /// Transposition table or tree, in MiB.
    pub hash: u64,
    /// Threads of a search.
    pub threads: usize,
    /// The directory of tablebases that the engine `table` uses; the default one when absent.
    pub table: Option<String>,
    /// What there is of the tablebase of the game in that directory.
    pub tablebase: TablebaseStatus,
}

/// A setting that was cut down to what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClampedSetting {
    /// The setting.
    pub field: String,
    /// What was asked for.
    pub asked: String,
    /// What is used.
    pub used: String,
}

/// Engine requests within bounds.
pub trait BoundsApi {
    /// The request within these bounds, and what was cut down. Settings of the spec are bounded as well; a search always
    /// ends by time, whatever else limits it.
    ///
    /// # Errors
    /// The spec names no engine of the game, or a file; a time cannot be read.
    fn bounded(
        &self,
        request: &EngineRequest,
        bounds: &EngineBounds,
    ) -> Result<(EngineRequest, Vec<ClampedSetting>), Error>;
}

/// The setting that names the folder of a tablebase.
const FOLDER: &str = "dir";

/// An engine spec as strangers may see it: without the folder of this machine that [`BoundsApi::bounded`] put in.
pub fn public_spec(spec: &str) -> String {
    match Spec::parse(spec) {
        Ok(Spec { name, mut settings }) => {
            settings.retain(|(key, _)| key != FOLDER);
            Spec { name, settings }.to_string()
        }
        Err(_) => spec.to_owned(),
    }
}

/// Settings whose value is text that no bound is needed for.
const FREE: &[&str] = &[
    "n",
    "depth",
    "nodes",
    "playouts",
    "seed",
    "eval",
    "c",
    "fpu",
    "temperature",
    "sample",
    "resign",
    "noise",
    "solve",
    "wld",
];

/// The most positions that a network evaluates together, by request.
const BATCH: u64 = 64;
/// The most nodes of the mate search beside a tree search, by request.
const MATE_NODES: u64 = 10_000_000;

impl<G: Playable> BoundsApi for Registration<G> {
    fn bounded(
        &self,
        request: &EngineRequest,
        bounds: &EngineBounds,
    ) -> Result<(EngineRequest, Vec<ClampedSetting>), Error> {
        let wrong = |error: tesuji_engines::SpecError| Error::field("engine", error);
        let (level, limits) = request.limits.level_engine(&self.engines)?;
        let text = match (&request.engine, level) {
            (Some(_), Some(_)) => return Err(Error::field("level", "it chooses the engine; leave one of the two out")),
            (Some(engine), None) => engine.clone(),
            // Nothing is stronger than a tablebase.
            (None, _) if self.is_full_strength(&request.limits) && bounds.tablebase.present => {
                format!("{}:fallback=alphabeta", TABLE.name)
            }
            (None, level) => level.unwrap_or_else(|| self.engines.default.to_owned()),
        };
        let spec = Spec::parse(&text).map_err(wrong)?;
        let kind = EngineKind::of(&spec, &self.engines.kinds).map_err(wrong)?;
        let mut clamps = Clamps::default();
        let mut settings = Vec::with_capacity(spec.settings.len());
        for (key, value) in &spec.settings {
            let value = match key.as_str() {
                "hash" => clamps.number("hash", value, bounds.hash)?,
                "threads" => clamps.number("threads", value, bounds.threads as u64)?,
                "batch" => clamps.number("batch", value, BATCH)?,
                "mate" => clamps.number("mate", value, MATE_NODES)?,
                "level" => value.clone(),
                "time" => clamps.time(value, bounds.time)?,
                "eval" if !self.engines.evaluations.contains(&value.as_str()) => {
                    let known = self.engines.evaluations.join(", ");
                    return Err(Error::field("engine", format!("eval={value}: there are: {known}")));
                }
                "book" | "net" if value == "none" => value.clone(),
                "fallback" if value == "alphabeta" => value.clone(),
                key if FREE.contains(&key) => value.clone(),
                key => return Err(Error::field("engine", format!("{key}={value}: requests may not name files"))),
            };
            settings.push((key.clone(), value));
        }
        if kind.settings.iter().any(|setting| setting.key == FOLDER) {
            // Told here, since the message of the engine names the folder.
            if !bounds.tablebase.present {
                let message =
                    format!("{}: this server has no tablebase of {}; `alphabeta` plays without", kind.name, G::NAME);
                return Err(Error::field("engine", message));
            }
            if !bounds.tablebase.complete && spec.get("fallback").is_none() {
                settings.push(("fallback".to_owned(), "alphabeta".to_owned()));
            }
            if let Some(table) = &bounds.table {
                settings.push((FOLDER.to_owned(), table.clone()));
            }
        }
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || spec.is_limited();
        let time = match (&limits.time, &limits.clock) {
            (Some(time), _) => clamps.time(time, bounds.time)?,
            (None, Some(text)) => {
                clock(text).map_err(|error| Error::field("clock", error))?;
                return Err(Error::field("clock", "a request has no game clock; use time, such as 200ms"));
            }
            (None, None) if is_limited => text_of(bounds.time),
            (None, None) => text_of(bounds.default_time.min(bounds.time)),
        };
        let limits = SearchLimits {
            depth: limits.depth,
            nodes: limits.nodes,
            time: Some(time),
            clock: None,
            threads: Some(
                clamps.count("threads", limits.threads.map(|count| count as u64), bounds.threads as u64) as usize
            ),
            hash: Some(clamps.count("hash", limits.hash, bounds.hash)),
            seed: limits.seed,
            ..SearchLimits::default()
        };
        let engine = Some(Spec { name: spec.name, settings }.to_string());
        Ok((EngineRequest { engine, limits }, clamps.0))
    }
}

impl<G: Playable> Registration<G> {
    /// Whether no weaker level is asked for.
    fn is_full_strength(&self, limits: &SearchLimits) -> bool {
        limits.level.is_none_or(|level| level as usize == self.engines.levels.len())
    }
}

/// What was cut down so far.
#[derive(Default)]
struct Clamps(Vec<ClampedSetting>);

impl Clamps {
    fn number(&mut self, key: &'static str, value: &str, most: u64) -> Result<String, Error> {
        let asked: u64 =
            value.parse().map_err(|_| Error::field("engine", format!("{key}={value}: a whole number up to {most}")))?;
        Ok(self.count(key, Some(asked), most).to_string())
    }

    fn count(&mut self, key: &str, asked: Option<u64>, most: u64) -> u64 {
        let Some(asked) = asked else { return most };
        if asked > most {
            self.tell(key, asked.to_string(), most.to_string());
        }
        asked.min(most)
    }

    fn time(&mut self, value: &str, most: Duration) -> Result<String, Error> {
        let asked = duration(value).map_err(|error| Error::field("time", error))?;
        if asked > most {
            self.tell("time", value.to_owned(), text_of(most));
            return Ok(text_of(most));
        }
        Ok(value.to_owned())
    }

    fn tell(&mut self, field: &str, asked: String, used: String) {
        self.0.push(ClampedSetting { field: field.to_owned(), asked, used });
    }
}

fn text_of(time: Duration) -> String {
    format!("{}ms", time.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_not_shown() {
        assert_eq!(public_spec("table:seed=3,dir=\"/home/a, b/tables\",hash=4"), "table:seed=3,hash=4");
        assert_eq!(public_spec("table:dir=/var/tables"), "table");
        assert_eq!(public_spec("alphabeta:depth=4"), "alphabeta:depth=4");
    }
}
