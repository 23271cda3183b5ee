//! The configuration of a tournament in TOML, read strictly. Top-level settings apply to every event that does not set
//! its own; unknown keys are rejected with the nearest known one.

use serde::{Deserialize, Serialize};
use tesuji_engines::{Spec, SpecError};
use thiserror::Error;
use toml::{Table, Value};

use crate::config_lines::{ConfigLines, position};
use crate::event_config::EventConfig;

/// A tournament: one or more events, each of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentConfig {
    /// Its name.
    pub name: String,
    /// The seed of all random numbers.
    #[serde(default)]
    pub seed: u64,
    /// Games at a time; by default as many as the cores allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// The events.
    #[serde(rename = "event")]
    pub events: Vec<EventConfig>,
}

/// A participant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The name in tables; by default the engine spec.
    #[serde(default)]
    pub name: String,
    /// The engine spec.
    pub engine: String,
}

/// Why a configuration is invalid.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ConfigError {
    /// It is not valid TOML.
    #[error("{0}")]
    Toml(String),
    /// An error whose line is known.
    #[error("line {line}: {error}")]
    At {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        error: Box<ConfigError>,
    },
    /// An unknown key.
    #[error("{place}: {error}")]
    Unknown {
        /// Where.
        place: String,
        /// The key, and the nearest known one.
        error: SpecError,
    },
    /// An invalid value.
    #[error("{place}: {message}")]
    Wrong {
        /// Where.
        place: String,
        /// The reason, and what would be valid.
        message: String,
    },
}

impl ConfigError {
    pub(crate) fn wrong(place: &str, message: impl Into<String>) -> ConfigError {
        ConfigError::Wrong { place: place.to_owned(), message: message.into() }
    }

    fn at(self, line: Option<usize>) -> ConfigError {
        match line {
            Some(line) => ConfigError::At { line, error: Box::new(self) },
            None => self,
        }
    }
}

/// The keys of an event.
const EVENT: &[&str] = &[
    "game",
    "schedule",
    "seeds",
    "reach",
    "rounds",
    "pairs",
    "control",
    "margin",
    "patience",
    "depth",
    "nodes",
    "longest",
    "openings",
    "adjudicate",
    "sprt",
    "anchor",
    "player",
    "players",
];
const TOP: &[&str] = &["name", "seed", "concurrency", "event"];
const PLAYER: &[&str] = &["name", "engine"];
const OPENINGS: &[&str] = &["plies", "file", "bound", "judge", "order"];
const ADJUDICATE: &[&str] = &["win", "draw", "solver"];
const AGREEMENT: &[&str] = &["value", "moves", "after"];
const SPRT: &[&str] = &["model", "elo0", "elo1", "alpha", "beta"];

impl TournamentConfig {
    /// Reads a configuration.
    pub fn parse(text: &str) -> Result<TournamentConfig, ConfigError> {
        let mut top: Table = text.parse().map_err(|error: toml::de::Error| syntax_error(text, &error))?;
        let lines = ConfigLines::of(text);
        let known: Vec<&str> = TOP.iter().chain(EVENT).copied().collect();
        Place { name: "tournament".to_owned(), path: Vec::new(), lines: &lines }.check_keys(&top, &known)?;
        let events = match top.remove("event") {
            None => vec![Table::new()],
            Some(Value::Array(events)) => events
                .into_iter()
                .map(|event| match event {
                    Value::Table(event) => Ok(event),
                    _ => Err(ConfigError::wrong("event", "write [[event]] before its settings")),
                })
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(ConfigError::wrong("event", "write [[event]], in double brackets")),
        };
        let mut config = Table::new();
        for key in TOP {
            config.extend(top.remove_entry(*key));
        }
        config.entry("name").or_insert_with(|| Value::from("tournament"));
        let events = events.into_iter().enumerate();
        let events: Vec<Value> = events
            .map(|(index, event)| resolve(index, &top, event, &lines).map(Value::Table))
            .collect::<Result<_, _>>()?;
        // One by one, since an error of all together does not say which event it is about.
        for (index, event) in events.iter().enumerate() {
            event.clone().try_into::<EventConfig>().map_err(|error| Place::event(index, &lines).type_error(&error))?;
        }
        config.insert("event".to_owned(), Value::Array(events));
        let place = Place { name: "tournament".to_owned(), path: Vec::new(), lines: &lines };
        let config: TournamentConfig =
            Value::Table(config).try_into().map_err(|error: toml::de::Error| place.type_error(&error))?;
        config.checked()
    }

    /// Validates the configuration and fills in names.
    pub fn checked(mut self) -> Result<TournamentConfig, ConfigError> {
        if self.seed > i64::MAX as u64 {
            return Err(ConfigError::wrong("seed", format!("{} is larger than {}", self.seed, i64::MAX)));
        }
        if self.concurrency == Some(0) {
            return Err(ConfigError::wrong("concurrency", "at least 1"));
        }
        for (index, event) in self.events.iter_mut().enumerate() {
            event.check(&format!("event {} ({})", index + 1, event.game))?;
        }
        Ok(self)
    }

    /// Keeps the events of these games; all where none is named.
    ///
    /// # Errors
    /// There is no event of one of them.
    pub fn select(&mut self, games: &[String]) -> Result<(), String> {
        if let Some(absent) = games.iter().find(|game| !self.events.iter().any(|event| event.game == **game)) {
            let known: Vec<&str> = self.events.iter().map(|event| event.game.as_str()).collect();
            return Err(format!("there is no event of {absent}; there are: {}", known.join(", ")));
        }
        self.events.retain(|event| games.is_empty() || games.contains(&event.game));
        Ok(())
    }

    /// The configuration as TOML that [`TournamentConfig::parse`] reads.
    pub fn print(&self) -> String {
        // Every value can be written: `checked` validated the numbers, and the rest is text.
        toml::to_string(self).unwrap_or_default()
    }

    /// Every setting that the games depend on, by its path, such as `event.1.control`.
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        if let Ok(Value::Table(mut table)) = Value::try_from(self) {
            table.remove("concurrency");
            flatten(String::new(), &Value::Table(table), &mut facts);
        }
        facts
    }

    /// The most threads of any engine.
    pub fn threads(&self) -> usize {
        let threads = |entrant: &Entrant| {
            let spec = Spec::parse(&entrant.engine).ok()?;
            spec.number("threads", 1, 4096).ok()?.map(|threads| threads as usize)
        };
        self.events.iter().flat_map(|event| &event.players).filter_map(threads).max().unwrap_or(1)
    }

    /// Games at a time on a machine with `cores` cores, and a warning where that is too many: one engine searches in each
    /// game at any moment.
    pub fn workers(&self, cores: usize) -> (usize, Option<String>) {
        let fit = (cores / self.threads()).max(1);
        let workers = self.concurrency.unwrap_or(fit);
        let warning = (workers > fit).then(|| {
            let threads = self.threads();
            format!("{workers} games at a time with {threads} threads each on {cores} cores: times will not be fair")
        });
        (workers, warning)
    }
}

/// A table of the file: its name for people, the keys that lead to it, and where everything is.
#[derive(Clone)]
struct Place<'a> {
    name: String,
    path: Vec<String>,
    lines: &'a ConfigLines<'a>,
}

impl<'a> Place<'a> {
    /// An event, by its number from 0.
    fn event(index: usize, lines: &'a ConfigLines<'a>) -> Place<'a> {
        let number = index + 1;
        Place { name: format!("event {number}"), path: vec!["event".to_owned(), number.to_string()], lines }
    }

    /// A table in this one.
    fn inner(&self, keys: &[&str]) -> Place<'a> {
        let name = format!("{}, {}", self.name, keys.join("."));
        let path = self.path.iter().cloned().chain(keys.iter().map(|&key| key.to_owned())).collect();
        Place { name, path, lines: self.lines }
    }

    fn line(&self, keys: &[&str]) -> Option<usize> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain(keys.iter().copied()).collect();
        self.lines.line(&path)
    }

    /// Rejects unknown keys of a table.
    fn check_keys(&self, table: &Table, known: &[&str]) -> Result<(), ConfigError> {
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let error = SpecError::unknown("setting", key, known);
                Err(ConfigError::Unknown { place: self.name.clone(), error }.at(self.line(&[key])))
            }
        }
    }

    /// A value of the wrong type. The error knows the keys, but not the line.
    fn type_error(&self, error: &toml::de::Error) -> ConfigError {
        let text = error.to_string();
        let keys = text.lines().find_map(|line| line.strip_prefix("in `")?.strip_suffix('`'));
        match keys {
            None => ConfigError::wrong(&self.name, error.message()),
            Some(keys) => {
                let path: Vec<&str> = keys.split('.').collect();
                ConfigError::wrong(&self.inner(&path).name, error.message()).at(self.line(&path))
            }
        }
    }
}

/// What is no TOML, with its place.
fn syntax_error(text: &str, error: &toml::de::Error) -> ConfigError {
    let message = error.message().replace('\n', ", ");
    let Some(span) = error.span() else { return ConfigError::Toml(message) };
    let (line, column) = position(text, span.start);
    ConfigError::Toml(format!("column {column}: {message}")).at(Some(line))
}

/// An event with the top-level settings as defaults.
fn resolve(index: usize, top: &Table, event: Table, lines: &ConfigLines<'_>) -> Result<Table, ConfigError> {
    let at = Place::event(index, lines);
    let place = at.name.clone();
    at.check_keys(&event, EVENT)?;
    let mut whole = top.clone();
    let common = entrants(&at, whole.remove("player"))?;
    let mut own = event;
    let mut added = entrants(&at, own.remove("player"))?;
    whole.extend(own);
    let chosen = match whole.remove("players") {
        None => common,
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| {
                let text = name.as_str().unwrap_or_default();
                let known: Vec<&str> = common.iter().filter_map(name_of).collect();
                common.iter().find(|entrant| name_of(entrant) == Some(text)).cloned().ok_or_else(|| {
                    let error = SpecError::unknown("player", text, &known);
                    ConfigError::Unknown { place: format!("{place}, players"), error }
                })
            })
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(ConfigError::wrong(&place, "players: write a list of names in brackets")),
    };
    let mut players: Vec<Value> = chosen;
    players.append(&mut added);
    whole.insert("player".to_owned(), Value::Array(players));
    let inner = [("openings", OPENINGS), ("adjudicate", ADJUDICATE), ("sprt", SPRT)];
    for (key, known) in inner {
        if let Some(Value::Table(table)) = whole.get(key) {
            at.inner(&[key]).check_keys(table, known)?;
        }
    }
    if let Some(Value::Table(adjudicate)) = whole.get("adjudicate") {
        for (key, value) in adjudicate {
            if let Value::Table(table) = value {
                at.inner(&["adjudicate", key]).check_keys(table, AGREEMENT)?;
            }
        }
    }
    Ok(whole)
}

fn name_of(entrant: &Value) -> Option<&str> {
    entrant.get("name").or_else(|| entrant.get("engine")).and_then(Value::as_str)
}

fn entrants(at: &Place<'_>, value: Option<Value>) -> Result<Vec<Value>, ConfigError> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(players)) => {
            for (index, player) in players.iter().enumerate() {
                match player {
                    Value::Table(table) => at.inner(&["player", &(index + 1).to_string()]).check_keys(table, PLAYER)?,
                    _ => {
                        return Err(ConfigError::wrong(&at.name, "player: write [[player]] with name and engine"));
                    }
                }
            }
            Ok(players)
        }
        Some(_) => Err(ConfigError::wrong(&at.name, "player: write [[player]], in double brackets")),
    }
}

fn flatten(path: String, value: &Value, facts: &mut Vec<(String, String)>) {
    let under = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| flatten(under(key), value, facts)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| flatten(under(&(index + 1).to_string()), value, facts));
        }
        Value::String(text) => facts.push((path, text.clone())),
        other => facts.push((path, other.to_string())),
    }
}
