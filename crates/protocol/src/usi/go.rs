//! The `go` command and its clock times.

use std::fmt;
use std::time::Duration;

use super::tokens::Tokens;

/// The parameters of `go`. Without any, the engine searches until `stop`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Search during the opponent's time: no answer before `stop` or `ponderhit`.
    pub ponder: bool,
    /// No answer before `stop`.
    pub infinite: bool,
    /// The clock times.
    pub clock: ClockTimes,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Search for a mate. The response is `checkmate`.
    pub mate: Option<MateLimit>,
    /// Search only these moves; empty for all.
    pub searchmoves: Vec<String>,
}

/// The clock times of both players, as far as given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockTimes {
    /// `btime`, `wtime`: the time left.
    pub left: [Option<Duration>; 2],
    /// `binc`, `winc`: the increment per move.
    pub increment: [Option<Duration>; 2],
    /// The time per move after the main time.
    pub byoyomi: Option<Duration>,
}

/// The limit of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// A time limit.
    Within(Duration),
    /// No limit: search until `stop`.
    Infinite,
}

const LEFT: [&str; 2] = ["btime", "wtime"];
const INCREMENT: [&str; 2] = ["binc", "winc"];
const BYOYOMI: &str = "byoyomi";
const OTHERS: [&str; 7] = ["ponder", "infinite", "depth", "nodes", "movetime", "mate", "searchmoves"];

impl ClockTimes {
    /// Whether no time is given.
    pub fn is_empty(&self) -> bool {
        *self == ClockTimes::default()
    }

    /// Reads the value after `word` if that names a clock time. Returns whether it does.
    fn read(&mut self, word: &str, tokens: &mut Tokens<'_>) -> bool {
        let index = |names: [&str; 2]| names.iter().position(|&name| name == word);
        let slot = if let Some(side) = index(LEFT) {
            &mut self.left[side]
        } else if let Some(side) = index(INCREMENT) {
            &mut self.increment[side]
        } else if word == BYOYOMI {
            &mut self.byoyomi
        } else {
            return false;
        };
        *slot = tokens.millis().or(*slot);
        true
    }

    /// Parses clock times alone, as they may follow `ponderhit`.
    pub(super) fn parse(tokens: &mut Tokens<'_>) -> ClockTimes {
        let mut clock = ClockTimes::default();
        while let Some(word) = tokens.next() {
            clock.read(word, tokens);
        }
        clock
    }
}

impl Go {
    /// Parses the tokens after `go`. Unknown ones are skipped.
    pub(super) fn parse(tokens: &mut Tokens<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = tokens.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "depth" => go.depth = tokens.number(0, u32::MAX).or(go.depth),
                "nodes" => go.nodes = tokens.number(0, u64::MAX).or(go.nodes),
                "movetime" => go.movetime = tokens.millis().or(go.movetime),
                "mate" => {
                    go.mate = Some(match tokens.millis() {
                        Some(time) => MateLimit::Within(time),
                        None => {
                            tokens.next_if("infinite");
                            MateLimit::Infinite
                        }
                    });
                }
                "searchmoves" => {
                    go.searchmoves.extend(tokens.list(is_word_of_go).into_iter().map(str::to_owned));
                }
                _ => {
                    go.clock.read(word, tokens);
                }
            }
        }
        go
    }
}

fn is_word_of_go(word: &str) -> bool {
    LEFT.contains(&word) || INCREMENT.contains(&word) || word == BYOYOMI || OTHERS.contains(&word)
}

impl fmt::Display for ClockTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [(LEFT, self.left), (INCREMENT, self.increment)];
        for (names, times) in named {
            for (name, time) in names.iter().zip(times) {
                if let Some(time) = time {
                    write!(f, " {name} {}", time.as_millis())?;
                }
            }
        }
        self.byoyomi.map_or(Ok(()), |time| write!(f, " {BYOYOMI} {}", time.as_millis()))
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        self.clock.fmt(f)?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(time) = self.movetime {
            write!(f, " movetime {}", time.as_millis())?;
        }
        match self.mate {
            None => {}
            Some(MateLimit::Within(time)) => write!(f, " mate {}", time.as_millis())?,
            Some(MateLimit::Infinite) => f.write_str(" mate infinite")?,
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}
