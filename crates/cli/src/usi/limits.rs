//! How long a `go` lets an engine think.

use std::time::{Duration, Instant};

use tesuji_game::Game;
use tesuji_protocol::usi::{Clock, Mate};
use tesuji_search::{Limits, Time};
use tesuji_shogi::Shogi;

use super::options::Options;
use super::session::Asked;

/// What a `go` allows.
pub(super) fn limits(options: &Options, asked: &Asked) -> Limits {
    let go = &asked.go;
    let least = |own: Option<u64>, asked: Option<u64>| own.into_iter().chain(asked).min();
    let depth = least(options.depth().map(u64::from), go.depth.map(u64::from));
    let untimed = go.infinite || go.ponder;
    let time = go.movetime.map(Time::Move).or_else(|| clock(options, &go.clock, asked.record.now()));
    Limits {
        depth: depth.map(|depth| depth.clamp(1, 200) as u32),
        nodes: least(options.nodes(), go.nodes).map(|nodes| nodes.max(1)),
        time: time.filter(|_| !untimed),
        lines: options.lines(),
        begun: Some(asked.at),
        ..Limits::default()
    }
}

fn clock(options: &Options, clock: &Clock, now: &Shogi) -> Option<Time> {
    if clock.is_empty() {
        return None;
    }
    let (side, delay) = (now.mover().index(), options.delay());
    let of = |time: Option<Duration>| time.unwrap_or_default();
    let (left, increment, byoyomi) = (of(clock.left[side]), of(clock.increment[side]), of(clock.byoyomi));
    // The delay is paid out of what runs last.
    Some(match byoyomi.is_zero() {
        true => Time::Clock { left: left.saturating_sub(delay), increment, byoyomi },
        false => Time::Clock { left, increment, byoyomi: byoyomi.saturating_sub(delay) },
    })
}

/// What a `go mate` allows.
pub(super) fn mate_limits(options: &Options, mate: Mate, at: Instant) -> Limits {
    let time = match mate {
        Mate::Within(time) => Some(Time::Move(time.saturating_sub(options.delay()))),
        Mate::Infinite => None,
    };
    Limits { time, nodes: options.nodes(), lines: 1, begun: Some(at), ..Limits::default() }
}
