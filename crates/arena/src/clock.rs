//! Game clocks: time left, flag falls and the time part of a move request. Nothing here reads a clock; the caller passes
//! the time an answer took.

use std::fmt;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tesuji_game::Side;
use tesuji_search::{CancelToken, Limits, Time};
use thiserror::Error;

use crate::player::MoveRequest;

/// Default tolerance before an answer counts as late.
pub const MARGIN: Duration = Duration::from_millis(20);

/// Default time limit of an answer when there is no clock.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A time control, the same for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// No clock: depth or nodes limit the search.
    #[default]
    None,
    /// Time per move.
    Move(Duration),
    /// Time for the game, and an increment after each move.
    Increment {
        /// For the game.
        main: Duration,
        /// After each move.
        increment: Duration,
    },
    /// Time for the game, then byoyomi for each move; unused byoyomi is lost.
    Byoyomi {
        /// For the game.
        main: Duration,
        /// For each move afterwards.
        byoyomi: Duration,
    },
}

/// A text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a clock: write 1s (for each move), 300s+2s, 300s/10s (byoyomi) or none")]
pub struct TimeControlError(pub String);

impl TimeControl {
    /// Reads `none`, `1s` (each move), `300s+2s` or `300s/10s`.
    pub fn parse(text: &str) -> Result<TimeControl, TimeControlError> {
        let read = || {
            if text.trim() == "none" {
                return Some(TimeControl::None);
            }
            if let Some((main, increment)) = text.split_once('+') {
                return Some(TimeControl::Increment {
                    main: parse_duration(main)?,
                    increment: parse_duration(increment)?,
                });
            }
            if let Some((main, byoyomi)) = text.split_once('/') {
                return Some(TimeControl::Byoyomi { main: parse_duration(main)?, byoyomi: parse_duration(byoyomi)? });
            }
            parse_duration(text).map(TimeControl::Move)
        };
        // A clock without any time is an error.
        read()
            .filter(|control| control.first_limit() != Some(Duration::ZERO))
            .ok_or_else(|| TimeControlError(text.to_owned()))
    }

    /// The time limit of the first move, if there is a clock.
    fn first_limit(self) -> Option<Duration> {
        match self {
            TimeControl::None => None,
            TimeControl::Move(each) => Some(each),
            TimeControl::Increment { main, .. } => Some(main),
            TimeControl::Byoyomi { main, byoyomi } => Some(main.saturating_add(byoyomi)),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::None => f.write_str("none"),
            TimeControl::Move(each) => f.write_str(&print_duration(each)),
            TimeControl::Increment { main, increment } => {
                write!(f, "{}+{}", print_duration(main), print_duration(increment))
            }
            TimeControl::Byoyomi { main, byoyomi } => {
                write!(f, "{}/{}", print_duration(main), print_duration(byoyomi))
            }
        }
    }
}

/// Reads `0`, `250ms`, `1s`, `1.5s`, `2m`, `1h`.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text == "0" {
        return Some(Duration::ZERO);
    }
    tesuji_engines::duration(text).ok()
}

/// The duration as [`parse_duration`] reads it.
pub fn print_duration(time: Duration) -> String {
    if time.subsec_nanos() == 0 { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_secs_f64() * 1e3) }
}

/// Durations as text, for serde: `#[serde(with = "duration_text")]`.
pub mod duration_text {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::{parse_duration, print_duration};

    /// Writes `20ms`.
    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&print_duration(*time))
    }

    /// Reads `20ms`.
    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(from)?;
        parse_duration(&text)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is not a duration: write 20ms, 1s or 2m")))
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'a> Deserialize<'a> for TimeControl {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<TimeControl, D::Error> {
        TimeControl::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Both clocks of one game.
#[derive(Clone, Debug)]
pub struct GameClocks {
    control: TimeControl,
    margin: Duration,
    patience: Duration,
    depth: Option<u32>,
    nodes: Option<u64>,
    left: [Duration; 2],
    lag: [Duration; 2],
}

/// A flag that fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFall {
    /// The time the answer took.
    pub used: Duration,
    /// The time limit without the margin.
    pub allowed: Duration,
}

impl GameClocks {
    /// GameClocks at the beginning of a game.
    pub fn new(control: TimeControl, margin: Duration, patience: Duration) -> GameClocks {
        let main = match control {
            TimeControl::Increment { main, .. } | TimeControl::Byoyomi { main, .. } => main,
            TimeControl::None | TimeControl::Move(_) => Duration::ZERO,
        };
        let lag = [Duration::ZERO; 2];
        GameClocks { control, margin, patience, depth: None, nodes: None, left: [main; 2], lag }
    }

    /// Adds limits for every move.
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> GameClocks {
        (self.depth, self.nodes) = (depth, nodes);
        self
    }

    /// The main time left to `side`.
    pub fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// The largest overrun of a move of `side` within the margin.
    pub fn lag(&self, side: Side) -> Duration {
        self.lag[side.index()]
    }

    /// The time limit of the next move of `side` without the margin; `None` without a clock.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        match self.control {
            TimeControl::None => None,
            TimeControl::Move(each) => Some(each),
            TimeControl::Increment { .. } => Some(self.left(side)),
            TimeControl::Byoyomi { byoyomi, .. } => Some(self.left(side).saturating_add(byoyomi)),
        }
    }

    /// The move request to the player of `side`.
    pub fn request(&self, side: Side, cancel: &CancelToken) -> MoveRequest {
        let limits =
            Limits { depth: self.depth, nodes: self.nodes, time: self.time(side), lines: 1, ..Limits::default() };
        let deadline = self.allowed(side).map_or(self.patience, |time| time.saturating_add(self.margin));
        let clocks = Side::BOTH.map(|side| self.time(side));
        MoveRequest { limits, clocks, deadline: Some(deadline), cancel: cancel.clone() }
    }

    fn time(&self, side: Side) -> Option<Time> {
        let (increment, byoyomi) = match self.control {
            TimeControl::None => return None,
            TimeControl::Move(each) => return Some(Time::Move(each)),
            TimeControl::Increment { increment, .. } => (increment, Duration::ZERO),
            TimeControl::Byoyomi { byoyomi, .. } => (Duration::ZERO, byoyomi),
        };
        Some(Time::Clock { left: self.left(side), increment, byoyomi })
    }

    /// Subtracts the time of an answer from the clock of `side` and returns how late it was within the margin. Beyond
    /// the margin the flag has fallen and the answer does not count.
    pub fn spend(&mut self, side: Side, used: Duration) -> Result<Duration, FlagFall> {
        let Some(allowed) = self.allowed(side) else {
            return if used > self.patience {
                Err(FlagFall { used, allowed: self.patience })
            } else {
                Ok(Duration::ZERO)
            };
        };
        if used > allowed.saturating_add(self.margin) {
            return Err(FlagFall { used, allowed });
        }
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(used);
        if let TimeControl::Increment { increment, .. } = self.control {
            *left = left.saturating_add(increment);
        }
        let lag = used.saturating_sub(allowed);
        self.lag[side.index()] = self.lag[side.index()].max(lag);
        Ok(lag)
    }
}
