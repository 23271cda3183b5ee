//! `info`: what an engine tells while it thinks.

use std::fmt;
use std::time::Duration;

use super::words::{Words, on_one_line};

/// One `info` line; what it does not tell is `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// The deepest line.
    pub seldepth: Option<u32>,
    /// Which of the best lines this is, from 1.
    pub multipv: Option<u32>,
    /// What the line is worth.
    pub score: Option<Score>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The move being looked at.
    pub currmove: Option<String>,
    /// The line.
    pub pv: Vec<String>,
    /// Words for people; they end the line.
    pub string: Option<String>,
}

/// What a line is worth to the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// How much.
    pub worth: Worth,
    /// Whether that is all, or only a bound.
    pub bound: Bound,
}

/// How much a line is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mates in so many plies, if it knows.
    Mates(Option<u32>),
    /// Is mated in so many plies, if it knows.
    IsMated(Option<u32>),
}

/// How a score bounds the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the truth.
    Exact,
    /// The truth is at least this.
    Lower,
    /// The truth is at most this.
    Upper,
}

impl News {
    /// Words for people and nothing else.
    pub fn words(text: impl Into<String>) -> News {
        News { string: Some(text.into()), ..News::default() }
    }

    /// Reads the words behind `info`; what is not known is left out.
    pub(super) fn parse(words: &mut Words<'_>) -> News {
        let mut news = News::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => news.depth = words.number(0, u32::MAX),
                "seldepth" => news.seldepth = words.number(0, u32::MAX),
                "multipv" => news.multipv = words.number(0, u32::MAX),
                "score" => news.score = Score::parse(words),
                "time" => news.time = words.millis(),
                "nodes" => news.nodes = words.number(0, u64::MAX),
                "nps" => news.nps = words.number(0, u64::MAX),
                "hashfull" => news.hashfull = words.number(0, u32::MAX),
                "currmove" => news.currmove = words.next().map(str::to_owned),
                "pv" => {
                    news.pv = words.list(|word| word == "string").into_iter().map(str::to_owned).collect();
                }
                "string" => news.string = Some(words.rest().to_owned()),
                _ => {}
            }
        }
        news
    }
}

impl Score {
    fn parse(words: &mut Words<'_>) -> Option<Score> {
        let worth = match words.next()? {
            "cp" => Worth::Centipawns(words.number(i32::MIN, i32::MAX)?),
            "mate" => {
                let loses = words.peek()?.starts_with('-');
                let plies = words.number(i64::MIN, i64::MAX);
                if plies.is_none() {
                    let sign = words.next();
                    if !matches!(sign, Some("+" | "-")) {
                        return None;
                    }
                }
                let plies = plies.map(|plies| u32::try_from(plies.unsigned_abs()).unwrap_or(u32::MAX));
                if loses { Worth::IsMated(plies) } else { Worth::Mates(plies) }
            }
            _ => return None,
        };
        let bound = match words.peek() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => Bound::Exact,
        };
        if bound != Bound::Exact {
            words.next();
        }
        Some(Score { worth, bound })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.worth {
            Worth::Centipawns(cp) => write!(f, "cp {cp}")?,
            Worth::Mates(Some(plies)) => write!(f, "mate {plies}")?,
            Worth::IsMated(Some(plies)) => write!(f, "mate -{plies}")?,
            Worth::Mates(None) => f.write_str("mate +")?,
            Worth::IsMated(None) => f.write_str("mate -")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn tell<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, what: Option<T>) -> fmt::Result {
            what.map_or(Ok(()), |what| write!(f, " {name} {what}"))
        }
        f.write_str("info")?;
        tell(f, "depth", self.depth)?;
        tell(f, "seldepth", self.seldepth)?;
        tell(f, "multipv", self.multipv)?;
        tell(f, "score", self.score)?;
        tell(f, "time", self.time.map(|time| time.as_millis()))?;
        tell(f, "nodes", self.nodes)?;
        tell(f, "nps", self.nps)?;
        tell(f, "hashfull", self.hashfull)?;
        tell(f, "currmove", self.currmove.as_deref())?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", on_one_line(&self.pv.join(" ")))?;
        }
        tell(f, "string", self.string.as_deref().map(on_one_line))
    }
}
