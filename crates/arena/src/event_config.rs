//! The configuration of one event: game, players, time control, openings, adjudication and stopping rule.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_engines::{Spec, SpecError};

use crate::clock::{MARGIN, PATIENCE, TimeControl, duration_text};
use crate::config::{ConfigError, Entrant};
use crate::referee::Adjudication;
use crate::schedule::PairingSystem;
use crate::stats::SprtModel;

/// One event of a tournament, as its TOML text describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventConfig {
    /// The name of the game on the command line.
    pub game: String,
    /// How players are paired.
    #[serde(default)]
    pub schedule: ScheduleKind,
    /// Players that run the gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
    /// How many places away in the list of players the furthest opponent of a schedule of neighbours is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<usize>,
    /// Rounds of a Swiss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// Openings per pairing, each played with both colours.
    #[serde(default = "one")]
    pub pairs: usize,
    /// The time control.
    #[serde(default)]
    pub control: TimeControl,
    /// Tolerance before an answer counts as late.
    #[serde(default = "margin", with = "duration_text")]
    pub margin: Duration,
    /// Time limit of an answer when there is no clock.
    #[serde(default = "patience", with = "duration_text")]
    pub patience: Duration,
    /// Search depth limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Node limit per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A game of this many plies is a draw; 0 for no limit, none for the default of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<usize>,
    /// The openings.
    #[serde(default)]
    pub openings: OpeningSettings,
    /// Early adjudication.
    #[serde(default)]
    pub adjudicate: Adjudication,
    /// The sequential test that ends the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    /// The player whose rating is 0; the mean of all ratings by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The players.
    #[serde(rename = "player", default)]
    pub players: Vec<Entrant>,
}

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// Two players.
    Match,
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// Players that are close in the list meet.
    Neighbours,
    /// The first players meet all others.
    Gauntlet,
    /// Players with similar scores meet.
    Swiss,
}

/// Which openings are played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSettings {
    /// Random plies, or the plies taken of each opening of a file; none for the default of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// A file of records or positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The largest absolute value of a random opening, in the unit of the game (discs, centipawns).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The engine that evaluates random openings, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// The order of the openings of a file.
    #[serde(default)]
    pub order: OpeningOrder,
}

/// The order of the openings of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// The settings of a sequential test of two players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSettings {
    /// The unit of the bounds.
    #[serde(default)]
    pub model: SprtModel,
    /// H0: the first player is at most this much stronger.
    pub elo0: f64,
    /// H1: the first player is at least this much stronger.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 holds.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of accepting H0 although H1 holds.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

impl EventConfig {
    /// An event of this game and these players with default settings.
    pub fn new(game: impl Into<String>, players: Vec<Entrant>) -> EventConfig {
        EventConfig {
            game: game.into(),
            schedule: ScheduleKind::default(),
            seeds: None,
            reach: None,
            rounds: None,
            pairs: 1,
            control: TimeControl::None,
            margin: MARGIN,
            patience: PATIENCE,
            depth: None,
            nodes: None,
            longest: None,
            openings: OpeningSettings::default(),
            adjudicate: Adjudication::default(),
            sprt: None,
            anchor: None,
            players,
        }
    }

    /// How players are paired.
    pub fn pairing_system(&self) -> PairingSystem {
        match self.schedule {
            ScheduleKind::Match | ScheduleKind::RoundRobin => PairingSystem::RoundRobin,
            ScheduleKind::Neighbours => PairingSystem::Neighbours { reach: self.reach.unwrap_or(1) },
            ScheduleKind::Gauntlet => PairingSystem::Gauntlet { seeds: self.seeds.unwrap_or(1) },
            ScheduleKind::Swiss => PairingSystem::Swiss { rounds: self.rounds.unwrap_or(1) },
        }
    }

    /// Fills in names and rejects invalid settings.
    pub(crate) fn check(&mut self, place: &str) -> Result<(), ConfigError> {
        let wrong = |message: String| Err(ConfigError::wrong(place, message));
        for entrant in &mut self.players {
            if let Err(error) = Spec::parse(&entrant.engine) {
                return wrong(error.to_string());
            }
            if entrant.name.is_empty() {
                entrant.name.clone_from(&entrant.engine);
            }
        }
        let count = self.players.len();
        if count < 2 {
            return wrong(format!("{count} players: at least two [[player]] are needed"));
        }
        for (index, entrant) in self.players.iter().enumerate() {
            if self.players[..index].iter().any(|other| other.name == entrant.name) {
                return wrong(format!("two players are named {:?}: give each its own name", entrant.name));
            }
        }
        if self.pairs == 0 || self.pairs > 10_000_000 {
            return wrong(format!("pairs = {}: a whole number from 1 to 10000000", self.pairs));
        }
        match self.schedule {
            ScheduleKind::Match if count != 2 => {
                return wrong(format!("a match has two players, not {count}; round-robin takes more"));
            }
            ScheduleKind::Gauntlet if !(1..count).contains(&self.seeds.unwrap_or(1)) => {
                return wrong(format!("seeds: from 1 to {} with {count} players", count - 1));
            }
            ScheduleKind::Neighbours if !(1..count).contains(&self.reach.unwrap_or(1)) => {
                return wrong(format!("reach: from 1 to {} with {count} players", count - 1));
            }
            ScheduleKind::Swiss if !(1..=1000).contains(&self.rounds.unwrap_or(0)) => {
                return wrong("a Swiss needs rounds, from 1 to 1000".to_owned());
            }
            _ => {}
        }
        if self.schedule != ScheduleKind::Gauntlet && self.seeds.is_some() {
            return wrong("seeds belong to a gauntlet".to_owned());
        }
        if self.schedule != ScheduleKind::Neighbours && self.reach.is_some() {
            return wrong("reach belongs to a schedule of neighbours".to_owned());
        }
        if self.schedule != ScheduleKind::Swiss && self.rounds.is_some() {
            return wrong("rounds belong to a Swiss; elsewhere pairs sets the games of a pairing".to_owned());
        }
        if let Some(anchor) = &self.anchor
            && !self.players.iter().any(|player| player.name == *anchor)
        {
            let known: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
            return wrong(format!("anchor: {}", SpecError::unknown("player", anchor, &known)));
        }
        self.nodes = self.nodes.map(|nodes| nodes.clamp(1, i64::MAX as u64));
        self.depth = self.depth.map(|depth| depth.max(1));
        for agreement in [self.adjudicate.win, self.adjudicate.draw].into_iter().flatten() {
            if !agreement.value.is_finite() || agreement.value < 0.0 || agreement.moves == 0 {
                return wrong("adjudicate: value is at least 0, and moves at least 1".to_owned());
            }
        }
        match self.sprt {
            Some(_) if count != 2 => wrong(format!("sprt compares two players, not {count}")),
            Some(_) if self.schedule == ScheduleKind::Swiss => wrong("sprt needs a match, not a Swiss".to_owned()),
            Some(sprt) => sprt.check().or_else(wrong),
            None => Ok(()),
        }
    }
}

impl SprtSettings {
    fn check(&self) -> Result<(), String> {
        let SprtSettings { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(format!("sprt: elo0 = {elo0} must be less than elo1 = {elo1}"));
        }
        let is_rate = |share: f64| share > 0.0 && share < 1.0;
        if !(is_rate(alpha) && is_rate(beta) && alpha + beta < 1.0) {
            return Err(format!("sprt: alpha = {alpha} and beta = {beta} must be above 0 and less than 1 together"));
        }
        Ok(())
    }
}

fn one() -> usize {
    1
}

fn margin() -> Duration {
    MARGIN
}

fn patience() -> Duration {
    PATIENCE
}

fn five_percent() -> f64 {
    0.05
}
