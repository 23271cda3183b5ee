//! `go` and the clocks it brings along.

use std::fmt;
use std::time::Duration;

use super::words::Words;

/// How to think: everything a `go` may ask for. Without any of it the engine thinks until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Think on the opponent's time: no answer before `stop` or `ponderhit`.
    pub ponder: bool,
    /// No answer before `stop`.
    pub infinite: bool,
    /// The clocks.
    pub clock: Clock,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Look for a mate instead of a move; `checkmate` answers.
    pub mate: Option<Mate>,
    /// Only these moves are to be thought about; none means all.
    pub searchmoves: Vec<String>,
}

/// The clocks of both players, as far as they were told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// `btime`, `wtime`: what is left.
    pub left: [Option<Duration>; 2],
    /// `binc`, `winc`: what each move adds.
    pub increment: [Option<Duration>; 2],
    /// What each move has besides, once nothing is left.
    pub byoyomi: Option<Duration>,
}

/// How long to look for a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mate {
    /// So long.
    Within(Duration),
    /// Until `stop`.
    Infinite,
}

const LEFT: [&str; 2] = ["btime", "wtime"];
const INCREMENT: [&str; 2] = ["binc", "winc"];
const BYOYOMI: &str = "byoyomi";
const OTHERS: [&str; 7] = ["ponder", "infinite", "depth", "nodes", "movetime", "mate", "searchmoves"];

impl Clock {
    /// Whether nothing was told.
    pub fn is_empty(&self) -> bool {
        *self == Clock::default()
    }

    /// Reads what follows `word` if it names a clock, and says whether it does.
    fn read(&mut self, word: &str, words: &mut Words<'_>) -> bool {
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
        *slot = words.millis().or(*slot);
        true
    }

    /// Reads clocks alone, as `ponderhit` may bring them.
    pub(super) fn parse(words: &mut Words<'_>) -> Clock {
        let mut clock = Clock::default();
        while let Some(word) = words.next() {
            clock.read(word, words);
        }
        clock
    }
}

impl Go {
    /// Reads the words behind `go`; what is not known is left out.
    pub(super) fn parse(words: &mut Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "depth" => go.depth = words.number(0, u32::MAX).or(go.depth),
                "nodes" => go.nodes = words.number(0, u64::MAX).or(go.nodes),
                "movetime" => go.movetime = words.millis().or(go.movetime),
                "mate" => {
                    go.mate = Some(match words.millis() {
                        Some(time) => Mate::Within(time),
                        None => {
                            words.next_if("infinite");
                            Mate::Infinite
                        }
                    });
                }
                "searchmoves" => {
                    go.searchmoves.extend(words.list(is_word_of_go).into_iter().map(str::to_owned));
                }
                _ => {
                    go.clock.read(word, words);
                }
            }
        }
        go
    }
}

fn is_word_of_go(word: &str) -> bool {
    LEFT.contains(&word) || INCREMENT.contains(&word) || word == BYOYOMI || OTHERS.contains(&word)
}

impl fmt::Display for Clock {
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
            Some(Mate::Within(time)) => write!(f, " mate {}", time.as_millis())?,
            Some(Mate::Infinite) => f.write_str(" mate infinite")?,
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}
