//! Game clocks: what each side has, when a flag falls, and what a player is told about it. Nothing here reads
//! a clock; whoever asked a player says how long the answer took, by a clock that never goes back.

use std::fmt;
use std::time::Duration;

use tesuji_game::Side;
use tesuji_search::{CancelToken, Limits, Time};
use thiserror::Error;

use crate::player::Turn;

/// How late an answer may come before it counts as late, unless somebody says otherwise.
pub const MARGIN: Duration = Duration::from_millis(20);

/// How long a player without a clock is waited for, unless somebody says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A time control, the same for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Control {
    /// No clock: depth or nodes end the thinking.
    #[default]
    None,
    /// So much for each move.
    Move(Duration),
    /// So much for the game, and so much more after each move.
    Increment {
        /// For the game.
        main: Duration,
        /// After each move.
        increment: Duration,
    },
    /// So much for the game; once that is gone, so much for each move, and what is not used of it is lost.
    Byoyomi {
        /// For the game.
        main: Duration,
        /// For each move afterwards.
        byoyomi: Duration,
    },
}

/// Text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no clock: write 1s (for each move), 300s+2s, 300s/10s (byoyomi) or none")]
pub struct ControlError(pub String);

impl Control {
    /// Reads `none`, `1s` (each move), `300s+2s` or `300s/10s`.
    pub fn parse(text: &str) -> Result<Control, ControlError> {
        let read = || {
            if text.trim() == "none" {
                return Some(Control::None);
            }
            if let Some((main, increment)) = text.split_once('+') {
                return Some(Control::Increment { main: duration(main)?, increment: duration(increment)? });
            }
            if let Some((main, byoyomi)) = text.split_once('/') {
                return Some(Control::Byoyomi { main: duration(main)?, byoyomi: duration(byoyomi)? });
            }
            duration(text).map(Control::Move)
        };
        // A clock on which nobody could ever move is a slip.
        read()
            .filter(|control| control.most() != Some(Duration::ZERO))
            .ok_or_else(|| ControlError(text.to_owned()))
    }

    /// What the first move has, if there is a clock.
    fn most(self) -> Option<Duration> {
        match self {
            Control::None => None,
            Control::Move(each) => Some(each),
            Control::Increment { main, .. } => Some(main),
            Control::Byoyomi { main, byoyomi } => Some(main.saturating_add(byoyomi)),
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Control::None => f.write_str("none"),
            Control::Move(each) => f.write_str(&print_duration(each)),
            Control::Increment { main, increment } => {
                write!(f, "{}+{}", print_duration(main), print_duration(increment))
            }
            Control::Byoyomi { main, byoyomi } => {
                write!(f, "{}/{}", print_duration(main), print_duration(byoyomi))
            }
        }
    }
}

/// Reads `250ms`, `1s`, `1.5s`, `2m`, `1h`; a bare `0` is nothing.
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text == "0" {
        return Some(Duration::ZERO);
    }
    tesuji_engines::duration(text).ok()
}

/// The duration as [`duration`] reads it.
pub fn print_duration(time: Duration) -> String {
    if time.subsec_nanos() == 0 {
        format!("{}s", time.as_secs())
    } else {
        format!("{}ms", time.as_secs_f64() * 1e3)
    }
}

/// Both clocks of one game.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: Control,
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
    /// How long the answer took.
    pub used: Duration,
    /// What there was, without the margin.
    pub allowed: Duration,
}

impl Clocks {
    /// Clocks at the beginning of a game.
    pub fn new(control: Control, margin: Duration, patience: Duration) -> Clocks {
        let main = match control {
            Control::Increment { main, .. } | Control::Byoyomi { main, .. } => main,
            Control::None | Control::Move(_) => Duration::ZERO,
        };
        let lag = [Duration::ZERO; 2];
        Clocks { control, margin, patience, depth: None, nodes: None, left: [main; 2], lag }
    }

    /// The same, with limits for every move beside the clock.
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> Clocks {
        (self.depth, self.nodes) = (depth, nodes);
        self
    }

    /// What `side` has left of its main time.
    pub fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// The latest that a move of `side` came after its time, within the margin.
    pub fn lag(&self, side: Side) -> Duration {
        self.lag[side.index()]
    }

    /// What `side` has for its next move, without the margin; `None` without a clock.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        match self.control {
            Control::None => None,
            Control::Move(each) => Some(each),
            Control::Increment { .. } => Some(self.left(side)),
            Control::Byoyomi { byoyomi, .. } => Some(self.left(side).saturating_add(byoyomi)),
        }
    }

    /// What the player of `side` is told.
    pub fn turn(&self, side: Side, stop: &CancelToken) -> Turn {
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time(side),
            lines: 1,
            ..Limits::default()
        };
        let deadline = self.allowed(side).map_or(self.patience, |time| time.saturating_add(self.margin));
        let clocks = Side::BOTH.map(|side| self.time(side));
        Turn { limits, clocks, deadline: Some(deadline), stop: stop.clone() }
    }

    fn time(&self, side: Side) -> Option<Time> {
        let (increment, byoyomi) = match self.control {
            Control::None => return None,
            Control::Move(each) => return Some(Time::Move(each)),
            Control::Increment { increment, .. } => (increment, Duration::ZERO),
            Control::Byoyomi { byoyomi, .. } => (Duration::ZERO, byoyomi),
        };
        Some(Time::Clock { left: self.left(side), increment, byoyomi })
    }

    /// Takes the time that an answer of `side` took off its clock, and tells how late it was within the
    /// margin; beyond that the flag has fallen and the answer does not count.
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
        if let Control::Increment { increment, .. } = self.control {
            *left = left.saturating_add(increment);
        }
        let lag = used.saturating_sub(allowed);
        self.lag[side.index()] = self.lag[side.index()].max(lag);
        Ok(lag)
    }
}
