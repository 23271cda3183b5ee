//! The contest protocol of Trax, player's side: over standard input and output, or over a network connection.
//!
//! A move is answered within a fixed time from the moment its line was read. The search gets most of that time; if it is
//! still busy near the end, the best move so far is played.

mod answer_times;
mod session;

use std::io::{BufRead, Write};
use std::time::Duration;

use tesuji_engines::EngineFactory;
use tesuji_game::{Notation, Record, Side};

use crate::{DriverError, ignore_closed_output};
use session::TraxSession;

/// The settings of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraxPlayer {
    /// The engine spec; the default engine of the game without one.
    pub engine: Option<String>,
    /// The team code that answers `-T`.
    pub team: String,
    /// The time of a turn, communication included.
    pub time: Duration,
    /// A game of so many turns is a draw.
    pub longest: usize,
    /// Whether the other side still reads after the end of its lines. If so, a move that was asked for is answered.
    pub answers_at_end: bool,
}

impl TraxPlayer {
    /// The team code of tesuji.
    pub const TEAM: &'static str = "TS";
    /// The time of a turn in contests.
    pub const TIME: Duration = Duration::from_secs(1);
    /// Turns after which a contest game is a draw.
    pub const LONGEST: usize = 255;

    /// Whether a text is a team code: two letters or digits.
    pub fn is_team_code(text: &str) -> bool {
        text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }
}

impl Default for TraxPlayer {
    fn default() -> TraxPlayer {
        TraxPlayer {
            engine: None,
            team: TraxPlayer::TEAM.to_owned(),
            time: TraxPlayer::TIME,
            longest: TraxPlayer::LONGEST,
            answers_at_end: true,
        }
    }
}

/// What happens in a conversation.
#[derive(Debug)]
pub enum TraxEvent<'a, G: Notation> {
    /// A line was received.
    Received(&'a str),
    /// A line was sent.
    Sent(&'a str),
    /// Something unexpected that does not end the conversation.
    Warning(String),
    /// A game starts: our side.
    Started(Side),
    /// A game is over, or was abandoned: our side, and the game.
    Ended(Side, &'a Record<G>),
}

/// Plays games by the contest protocol until `-E` or the end of the input.
///
/// # Errors
/// If the spec is wrong, or if reading or writing fails.
pub fn run<G: Notation>(
    engines: &EngineFactory<G>,
    player: &TraxPlayer,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    report: &mut dyn FnMut(TraxEvent<'_, G>),
) -> Result<(), DriverError> {
    ignore_closed_output(TraxSession::new(engines, player, output, report)?.run(input))
}

#[cfg(test)]
mod tests;
