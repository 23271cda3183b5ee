//! `info`: search progress.

use std::fmt;
use std::time::Duration;

use super::tokens::Tokens;
use crate::on_one_line;

/// One `info` line. Missing fields are `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The selective depth: the length of the deepest line.
    pub seldepth: Option<u32>,
    /// The rank of this line, from 1.
    pub multipv: Option<u32>,
    /// The score of the line.
    pub score: Option<Score>,
    /// The time since the start of the search.
    pub time: Option<Duration>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The usage of the transposition table, in permille.
    pub hashfull: Option<u32>,
    /// The move that is being searched.
    pub currmove: Option<String>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// A message for the user, up to the end of the line.
    pub string: Option<String>,
}

/// A score from the point of view of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The value.
    pub value: ScoreValue,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
}

/// The value of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many plies; `None` when the length is not known.
    MateIn(Option<u32>),
    /// Mated in this many plies; `None` when the length is not known.
    MatedIn(Option<u32>),
}

/// The relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Equal.
    Exact,
    /// A lower bound.
    Lower,
    /// An upper bound.
    Upper,
}

impl Info {
    /// A message for the user and nothing else.
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Parses the tokens after `info`. Unknown ones are skipped.
    pub(super) fn parse(tokens: &mut Tokens<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = tokens.number(0, u32::MAX),
                "seldepth" => info.seldepth = tokens.number(0, u32::MAX),
                "multipv" => info.multipv = tokens.number(0, u32::MAX),
                "score" => info.score = Score::parse(tokens),
                "time" => info.time = tokens.millis(),
                "nodes" => info.nodes = tokens.number(0, u64::MAX),
                "nps" => info.nps = tokens.number(0, u64::MAX),
                "hashfull" => info.hashfull = tokens.number(0, u32::MAX),
                "currmove" => info.currmove = tokens.next().map(str::to_owned),
                "pv" => {
                    info.pv = tokens.list(|word| word == "string").into_iter().map(str::to_owned).collect();
                }
                "string" => info.string = Some(tokens.rest().to_owned()),
                _ => {}
            }
        }
        info
    }
}

impl Score {
    fn parse(tokens: &mut Tokens<'_>) -> Option<Score> {
        let value = match tokens.next()? {
            "cp" => ScoreValue::Centipawns(tokens.number(i32::MIN, i32::MAX)?),
            "mate" => {
                let loses = tokens.peek()?.starts_with('-');
                let plies = tokens.number(i64::MIN, i64::MAX);
                if plies.is_none() {
                    let sign = tokens.next();
                    if !matches!(sign, Some("+" | "-")) {
                        return None;
                    }
                }
                let plies = plies.map(|plies| u32::try_from(plies.unsigned_abs()).unwrap_or(u32::MAX));
                if loses { ScoreValue::MatedIn(plies) } else { ScoreValue::MateIn(plies) }
            }
            _ => return None,
        };
        let bound = match tokens.peek() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => Bound::Exact,
        };
        if bound != Bound::Exact {
            tokens.next();
        }
        Some(Score { value, bound })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Centipawns(cp) => write!(f, "cp {cp}")?,
            ScoreValue::MateIn(Some(plies)) => write!(f, "mate {plies}")?,
            ScoreValue::MatedIn(Some(plies)) => write!(f, "mate -{plies}")?,
            ScoreValue::MateIn(None) => f.write_str("mate +")?,
            ScoreValue::MatedIn(None) => f.write_str("mate -")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "currmove", self.currmove.as_deref())?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", on_one_line(&self.pv.join(" ")))?;
        }
        field(f, "string", self.string.as_deref().map(on_one_line))
    }
}
