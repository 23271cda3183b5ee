//! The summary by which a server offers a game: players, clocks, start position and the moves played already.

use std::fmt;
use std::time::Duration;

use tesuji_game::Side;
use thiserror::Error;

/// Summaries of more lines are refused. The longest game of a record has about 600 moves.
const MAX_LINES: usize = 4096;
/// The largest number of a summary. Longer clocks are cut to this.
const MAX_NUMBER: u64 = 10_000_000;

/// A game that a server offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// The id of the game, by which the player accepts it.
    pub id: String,
    /// The names of both players.
    pub names: [String; 2],
    /// The side of the player.
    pub side: Side,
    /// The side that moves first in the start position.
    pub to_move: Option<Side>,
    /// The rule of declarations, such as `Jishogi 1.1`.
    pub declaration: Option<String>,
    /// The number of moves after which the game ends.
    pub max_moves: Option<u32>,
    /// The clocks of both sides.
    pub times: [GameTime; 2],
    /// The start position and the moves from there, as in a record: `P1-KY…`, `+`, `+7776FU,T1`.
    pub position: Vec<String>,
}

/// A clock as a server announces it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// The unit of times.
    pub unit: Duration,
    /// The time for the whole game; none when there is no limit.
    pub total: Option<Duration>,
    /// The time per move after that.
    pub byoyomi: Duration,
    /// Added with every move.
    pub increment: Duration,
    /// Charged for every move at least.
    pub least: Duration,
}

/// What is wrong with a summary.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SummaryError {
    /// A line cannot be read.
    #[error("line {line:?} of the game summary: {expected}")]
    Line {
        /// The line.
        line: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Something is missing.
    #[error("the game summary has no {0}")]
    Missing(&'static str),
    /// It does not end.
    #[error("the game summary has more than {MAX_LINES} lines")]
    TooLong,
}

/// Reads a summary line by line, from the line after `BEGIN Game_Summary` on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SummaryReader {
    block: Block,
    lines: usize,
    id: Option<String>,
    names: [String; 2],
    side: Option<Side>,
    to_move: Option<Side>,
    declaration: Option<String>,
    max_moves: Option<u32>,
    clocks: [RawClock; 2],
    position: Vec<String>,
    error: Option<SummaryError>,
}

/// The part of a summary that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Block {
    #[default]
    Top,
    /// The clock of one side, or of both.
    Time(Option<Side>),
    Position,
}

/// The numbers of a clock, before the unit is known for sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct RawClock {
    unit: Option<Duration>,
    total: Option<u64>,
    byoyomi: u64,
    increment: u64,
    least: u64,
}

impl SummaryReader {
    /// Takes the next line. The summary, or what is wrong with it, comes with `END Game_Summary`.
    pub fn push(&mut self, line: &str) -> Option<Result<GameSummary, SummaryError>> {
        let line = line.trim();
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Some(Err(SummaryError::TooLong));
        }
        match line {
            "END Game_Summary" => return Some(std::mem::take(self).finish()),
            "BEGIN Time" => self.block = Block::Time(None),
            "BEGIN Time+" => self.block = Block::Time(Some(Side::First)),
            "BEGIN Time-" => self.block = Block::Time(Some(Side::Second)),
            "BEGIN Position" => self.block = Block::Position,
            "END Time" | "END Time+" | "END Time-" | "END Position" => self.block = Block::Top,
            "" => {}
            line => {
                let read = match self.block {
                    Block::Position => {
                        self.position.push(line.to_owned());
                        Ok(())
                    }
                    Block::Top => self.top(line),
                    Block::Time(side) => self.time(line, side),
                };
                if let Err(expected) = read {
                    self.error.get_or_insert(SummaryError::Line { line: line.to_owned(), expected });
                }
            }
        }
        None
    }

    fn top(&mut self, line: &str) -> Result<(), &'static str> {
        // Keys that nobody knows are skipped, and so are lines without one.
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let value = value.trim();
        match key {
            "Game_ID" => self.id = (!value.is_empty()).then(|| value.to_owned()),
            "Name+" => value.clone_into(&mut self.names[0]),
            "Name-" => value.clone_into(&mut self.names[1]),
            "Your_Turn" => self.side = Some(side(value)?),
            "To_Move" => self.to_move = Some(side(value)?),
            "Declaration" => self.declaration = (!value.is_empty()).then(|| value.to_owned()),
            "Max_Moves" => {
                let number: u32 = value.parse().map_err(|_| "the move limit is a number, Max_Moves:256")?;
                self.max_moves = (number > 0).then_some(number);
            }
            "Format" if !value.starts_with("Shogi") => return Err("the game must be shogi, Format:Shogi 1.0"),
            _ => {}
        }
        Ok(())
    }

    fn time(&mut self, line: &str, side: Option<Side>) -> Result<(), &'static str> {
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let value = value.trim();
        let number = || -> Result<u64, &'static str> {
            let number: u64 = value.parse().map_err(|_| "times are whole numbers, Total_Time:600")?;
            Ok(number.min(MAX_NUMBER))
        };
        let mut change = RawClock::default();
        let write: fn(&mut RawClock, &RawClock) = match key {
            "Time_Unit" => {
                change.unit = Some(unit(value)?);
                |clock, change| clock.unit = change.unit
            }
            "Total_Time" => {
                change.total = Some(number()?);
                |clock, change| clock.total = change.total
            }
            "Byoyomi" => {
                change.byoyomi = number()?;
                |clock, change| clock.byoyomi = change.byoyomi
            }
            "Increment" => {
                change.increment = number()?;
                |clock, change| clock.increment = change.increment
            }
            "Least_Time_Per_Move" => {
                change.least = number()?;
                |clock, change| clock.least = change.least
            }
            _ => return Ok(()),
        };
        for which in Side::BOTH {
            if side.is_none_or(|side| side == which) {
                write(&mut self.clocks[which.index()], &change);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<GameSummary, SummaryError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.position.is_empty() {
            return Err(SummaryError::Missing("position"));
        }
        Ok(GameSummary {
            id: self.id.ok_or(SummaryError::Missing("Game_ID"))?,
            names: self.names,
            side: self.side.ok_or(SummaryError::Missing("Your_Turn"))?,
            to_move: self.to_move,
            declaration: self.declaration,
            max_moves: self.max_moves,
            times: self.clocks.map(RawClock::time),
            position: self.position,
        })
    }
}

const MINUTE: Duration = Duration::from_secs(60);

impl RawClock {
    fn time(self) -> GameTime {
        let mut unit = self.unit.unwrap_or(Duration::from_secs(1));
        let (mut byoyomi, mut least) = (self.byoyomi, self.least);
        // The stop-watch clock of floodgate's server announces minutes and means seconds: thinking is charged in whole
        // periods of byoyomi, which is no time of its own.
        if unit == MINUTE && byoyomi >= 60 {
            unit = Duration::from_secs(1);
            (byoyomi, least) = (0, 0);
        }
        let times = |number: u64| unit.saturating_mul(u32::try_from(number).unwrap_or(u32::MAX));
        let none = self.total.is_none_or(|total| total == 0) && byoyomi == 0 && self.increment == 0;
        GameTime {
            unit,
            total: if none { None } else { Some(times(self.total.unwrap_or(0))) },
            byoyomi: times(byoyomi),
            increment: times(self.increment),
            least: times(least),
        }
    }
}

/// `+` or `-`.
fn side(text: &str) -> Result<Side, &'static str> {
    match text {
        "+" => Ok(Side::First),
        "-" => Ok(Side::Second),
        _ => Err("a side is + or -"),
    }
}

fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

/// `1sec`, `1min`, `100msec`.
fn unit(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "a unit is 1sec, 1min or 1msec";
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, word) = text.split_at(digits);
    let number = if digits == 0 { 1 } else { number.parse::<u64>().map_err(|_| EXPECTED)? };
    let number = number.clamp(1, MAX_NUMBER);
    match word.trim() {
        "sec" => Ok(Duration::from_secs(number)),
        "min" => Ok(Duration::from_secs(60 * number)),
        "msec" => Ok(Duration::from_millis(number)),
        _ => Err(EXPECTED),
    }
}

impl fmt::Display for GameSummary {
    /// The lines from `BEGIN Game_Summary` to `END Game_Summary`, with the clock in milliseconds unless it is the same in
    /// whole seconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0")?;
        if let Some(declaration) = &self.declaration {
            writeln!(f, "Declaration:{declaration}")?;
        }
        writeln!(f, "Game_ID:{}\nName+:{}\nName-:{}", self.id, self.names[0], self.names[1])?;
        writeln!(f, "Your_Turn:{}\nRematch_On_Draw:NO", sign(self.side))?;
        if let Some(side) = self.to_move {
            writeln!(f, "To_Move:{}", sign(side))?;
        }
        if let Some(moves) = self.max_moves {
            writeln!(f, "Max_Moves:{moves}")?;
        }
        if self.times[0] == self.times[1] {
            self.times[0].write("Time", f)?;
        } else {
            self.times[0].write("Time+", f)?;
            self.times[1].write("Time-", f)?;
        }
        writeln!(f, "BEGIN Position")?;
        self.position.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        f.write_str("END Position\nEND Game_Summary")
    }
}

impl GameTime {
    fn write(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, of): (_, fn(Duration) -> u128) = match self.unit.subsec_millis() {
            0 => ("sec", |time| u128::from(time.as_secs())),
            _ => ("msec", |time| time.as_millis()),
        };
        let unit = of(self.unit).max(1);
        writeln!(f, "BEGIN {name}\nTime_Unit:{unit}{word}\nTotal_Time:{}", of(self.total.unwrap_or_default()) / unit)?;
        writeln!(f, "Byoyomi:{}\nIncrement:{}", of(self.byoyomi) / unit, of(self.increment) / unit)?;
        writeln!(f, "Least_Time_Per_Move:{}\nEND {name}", of(self.least) / unit)
    }
}
