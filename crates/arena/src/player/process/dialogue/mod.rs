//! How to play a game with a program, protocol by protocol. Every one of them is told the same things and
//! answers the same question.

mod gtp;
mod nboard;
mod trax;
mod usi;

use std::time::{Duration, Instant};

use tesuji_game::{Formats, Game, Notation, Record};

use super::program::Program;
use super::talk::{Talk, Trouble, shown};
use crate::player::{Protocol, Reply, Thought, Turn};

/// One protocol's way to play.
pub(super) trait Dialogue<G: Game>: Send {
    /// The introduction, once for every process.
    fn greet(&mut self, talk: &mut Talk) -> Result<(), Trouble>;

    /// A new game begins where `record` stands.
    fn begin(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble>;

    /// Asks for a move and waits for it, no longer than `wait` from the question.
    fn ask(
        &mut self,
        talk: &mut Talk,
        record: &Record<G>,
        turn: &Turn,
        wait: Duration,
    ) -> Result<Said<G::Move>, Trouble>;

    /// The game is over.
    fn end(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble> {
        let _ = (talk, record);
        Ok(())
    }

    /// The last line for a program, if the protocol has one; the end of its input follows in any case.
    fn farewell(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// What a program answered.
pub(super) struct Said<M> {
    pub(super) reply: Reply<M>,
    pub(super) thought: Thought,
    /// From the question to the answer.
    pub(super) used: Duration,
}

/// The dialogue with a program.
pub(super) fn of<G: Formats>(program: &Program) -> Box<dyn Dialogue<G>> {
    match program.protocol {
        Protocol::Usi => Box::new(usi::Usi::new(program.options.clone())),
        Protocol::Gtp => Box::new(gtp::Gtp::<G>::new(program.board_size)),
        Protocol::NBoard => Box::new(nboard::NBoard::default()),
        Protocol::Trax => Box::new(trax::Trax::new(program.team, program.extended)),
    }
}

/// The move that a program wrote, if it can be played.
fn legal<G: Notation>(record: &Record<G>, text: &str) -> Result<G::Move, Trouble> {
    record
        .now()
        .clone()
        .parse_move(text)
        .map_err(|error| Trouble::Illegal { text: shown(text.as_bytes()), message: error.message })
}

/// The moves of a record as text, in the order they were played.
fn written<G: Notation>(record: &Record<G>) -> Vec<String> {
    let mut now = record.start().clone();
    let text = |mv| {
        let text = now.print_move(mv);
        now.play(mv);
        text
    };
    record.moves().map(text).collect()
}

/// What it means when a program is silent before the question was put: no clock of the game runs yet.
fn unready(wait: Duration) -> impl Fn(Trouble) -> Trouble {
    move |trouble| match trouble {
        Trouble::Late => Trouble::Protocol(format!("it was not ready for its turn within {wait:?}")),
        other => other,
    }
}

/// From the question to the answer.
fn used(asked: Instant, answered: Instant) -> Duration {
    answered.saturating_duration_since(asked)
}
