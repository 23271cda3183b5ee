//! One event of a tournament: a game, who plays it, under which clock, from which openings, and when it ends.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_engines::Spec;

use crate::clock::{Control, MARGIN, PATIENCE, duration, print_duration};
use crate::config::{ConfigError, Entrant};
use crate::referee::{Adjudication, Agreement};
use crate::schedule::Kind;

/// An event as the tournament's text describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The name of the game on the command line.
    pub game: String,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: Schedule,
    /// How many run the gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
    /// How many rounds a Swiss has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// Openings that two players play when they meet, each with both colours.
    #[serde(default = "one")]
    pub pairs: usize,
    /// The clock.
    #[serde(default, with = "control")]
    pub control: Control,
    /// How late an answer may come.
    #[serde(default = "margin", with = "span")]
    pub margin: Duration,
    /// How long a player without a clock is waited for.
    #[serde(default = "patience", with = "span")]
    pub patience: Duration,
    /// Plies that a player may look ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions that a player may visit for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A game of so many plies is a draw; 0 for no limit, nothing for that of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<usize>,
    /// Where games begin.
    #[serde(default)]
    pub openings: OpeningSettings,
    /// When games end early.
    #[serde(default)]
    pub adjudicate: Adjudicate,
    /// The test that ends the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Who takes part.
    #[serde(rename = "player", default)]
    pub players: Vec<Entrant>,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Two players.
    Match,
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first against all others.
    Gauntlet,
    /// Rounds among players with like scores.
    Swiss,
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSettings {
    /// Random plies, or how many plies of a file's openings are taken; nothing for the custom of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// A file of records or positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How uneven a drawn opening may be, in the unit of the evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<i16>,
    /// The engine that says how uneven it is, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// In which order a file is played.
    #[serde(default)]
    pub order: Order,
}

/// The order of a file's openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// When games end early.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// Both see the same winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<Accord>,
    /// Both see nobody win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Accord>,
    /// The solver of the game is asked, where there is one.
    #[serde(default)]
    pub solver: bool,
}

/// What both have to say, and how often.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accord {
    /// In the unit of the game.
    pub value: f64,
    /// Moves of each in a row.
    pub moves: usize,
    /// Not before so many plies.
    #[serde(default)]
    pub after: usize,
}

/// A sequential test of two players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// What the bounds are measured in.
    #[serde(default)]
    pub model: Model,
    /// The first player is not stronger than this.
    pub elo0: f64,
    /// The first player is at least so strong.
    pub elo1: f64,
    /// How often a wrong yes is accepted.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often a wrong no is accepted.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Elo by the deviation of results.
    #[default]
    Normalised,
    /// The usual Elo.
    Logistic,
}

impl Event {
    /// An event of this game and these players, as it is when nothing else is said.
    pub fn new(game: impl Into<String>, players: Vec<Entrant>) -> Event {
        Event {
            game: game.into(),
            schedule: Schedule::default(),
            seeds: None,
            rounds: None,
            pairs: 1,
            control: Control::None,
            margin: MARGIN,
            patience: PATIENCE,
            depth: None,
            nodes: None,
            longest: None,
            openings: OpeningSettings::default(),
            adjudicate: Adjudicate::default(),
            sprt: None,
            players,
        }
    }

    /// The shape of the schedule.
    pub fn kind(&self) -> Kind {
        match self.schedule {
            Schedule::Match | Schedule::RoundRobin => Kind::RoundRobin,
            Schedule::Gauntlet => Kind::Gauntlet { seeds: self.seeds.unwrap_or(1) },
            Schedule::Swiss => Kind::Swiss { rounds: self.rounds.unwrap_or(1) },
        }
    }

    /// When games end by agreement.
    pub fn adjudication(&self) -> Adjudication {
        let agreement = |Accord { value, moves, after }| Agreement { value, moves, after };
        Adjudication {
            win: self.adjudicate.win.map(agreement),
            draw: self.adjudicate.draw.map(agreement),
            solver: self.adjudicate.solver,
        }
    }

    /// Fills in names and refuses what makes no sense.
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
                return wrong(format!(
                    "two players are called {:?}: give each a name of its own",
                    entrant.name
                ));
            }
        }
        if self.pairs == 0 || self.pairs > 10_000_000 {
            return wrong(format!("pairs = {}: a whole number from 1 to 10000000", self.pairs));
        }
        match self.schedule {
            Schedule::Match if count != 2 => {
                return wrong(format!("a match has two players, not {count}; round-robin takes more"));
            }
            Schedule::Gauntlet if !(1..count).contains(&self.seeds.unwrap_or(1)) => {
                return wrong(format!("seeds: from 1 to {} with {count} players", count - 1));
            }
            Schedule::Swiss if !(1..=1000).contains(&self.rounds.unwrap_or(0)) => {
                return wrong("a Swiss needs rounds, from 1 to 1000".to_owned());
            }
            _ => {}
        }
        if self.schedule != Schedule::Gauntlet && self.seeds.is_some() {
            return wrong("seeds belong to a gauntlet".to_owned());
        }
        if self.schedule != Schedule::Swiss && self.rounds.is_some() {
            return wrong(
                "rounds belong to a Swiss; elsewhere pairs says how often two players meet".to_owned(),
            );
        }
        self.nodes = self.nodes.map(|nodes| nodes.clamp(1, i64::MAX as u64));
        self.depth = self.depth.map(|depth| depth.max(1));
        for accord in [self.adjudicate.win, self.adjudicate.draw].into_iter().flatten() {
            if !accord.value.is_finite() || accord.value < 0.0 || accord.moves == 0 {
                return wrong("adjudicate: value is at least 0, and moves at least 1".to_owned());
            }
        }
        match self.sprt {
            Some(_) if count != 2 => wrong(format!("sprt compares two players, not {count}")),
            Some(_) if self.schedule == Schedule::Swiss => {
                wrong("sprt needs a match, not a Swiss".to_owned())
            }
            Some(sprt) => sprt.check().or_else(wrong),
            None => Ok(()),
        }
    }
}

impl Sprt {
    fn check(&self) -> Result<(), String> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(format!("sprt: elo0 = {elo0} must be less than elo1 = {elo1}"));
        }
        let share = |share: f64| share > 0.0 && share < 1.0;
        if !(share(alpha) && share(beta) && alpha + beta < 1.0) {
            return Err(format!(
                "sprt: alpha = {alpha} and beta = {beta} must be above 0 and less than 1 together"
            ));
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

mod control {
    use super::*;
    use serde::{Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(control: &Control, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(control)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Control, D::Error> {
        Control::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

mod span {
    use super::*;
    use serde::{Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&print_duration(*time))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(from)?;
        duration(&text)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is no duration: write 20ms, 1s or 2m")))
    }
}
