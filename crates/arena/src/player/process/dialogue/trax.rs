//! A game by the Trax contest protocol. It has no words for the end of a game, and none for a game that does
//! not begin at the beginning.

use std::time::Duration;

use tesuji_game::{Notation, Record, Side};
use tesuji_protocol::trax::{Command, Response};

use super::{Dialogue, Said, legal, used, written};
use crate::player::process::talk::{Talk, Trouble};
use crate::player::{Reply, Thought, Turn};

/// A program that speaks the contest protocol.
pub(super) struct Trax {
    team: bool,
    extended: bool,
    /// Whether it has been told its colour in this game.
    seated: bool,
}

impl Trax {
    pub(super) fn new(team: bool, extended: bool) -> Trax {
        Trax { team, extended, seated: false }
    }

    /// What the program must be told before the question itself, the last line, which is returned.
    fn question<G: Notation>(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<Command, Trouble> {
        let mut moves = written(record);
        let last = moves.pop();
        if !self.seated {
            self.seated = true;
            match &last {
                None => return Ok(Command::White),
                // The first move it hears is the other side's: that is how red begins.
                Some(_) if moves.is_empty() => talk.say(Command::Red)?,
                Some(_) => talk.say(Command::Load(moves))?,
            };
        }
        last.map(Command::Move).ok_or_else(|| Trouble::Unable("the game began anew".to_owned()))
    }
}

impl<G: Notation> Dialogue<G> for Trax {
    fn greet(&mut self, talk: &mut Talk) -> Result<(), Trouble> {
        if !self.team {
            return Ok(());
        }
        let until = talk.say(Command::Team)? + talk.patience.start;
        loop {
            match Response::parse(talk.hear(until)?.bytes) {
                Some(Response::Text(code)) => {
                    talk.name = Some(code);
                    return Ok(());
                }
                Some(Response::Move(mv)) => {
                    return Err(Trouble::Protocol(format!("it answers -T with the move {mv}")));
                }
                None => {}
            }
        }
    }

    fn begin(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble> {
        self.seated = false;
        let unusual = *record.start() != G::start() || record.start().mover() != Side::First;
        if unusual || !(record.plies().is_empty() || self.extended) {
            let message = "the contest protocol has no words for a game that has begun already; a program that \
                           takes -R moves -F plays it with extended=true";
            return Err(Trouble::Unable(message.to_owned()));
        }
        talk.overhear(|talk, line| talk.odd("a line that nobody asked for", line))
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        record: &Record<G>,
        _: &Turn,
        wait: Duration,
    ) -> Result<Said<G::Move>, Trouble> {
        talk.overhear(|talk, line| talk.odd("a line that nobody asked for", line))?;
        let question = self.question(talk, record)?;
        let asked = talk.say(question)?;
        loop {
            let line = talk.hear(asked + wait)?;
            let Some(Response::Move(text) | Response::Text(text)) = Response::parse(&line.bytes) else {
                continue;
            };
            let reply = Reply::Move(legal(record, &text)?);
            return Ok(Said { reply, thought: Thought::default(), used: used(asked, line.at) });
        }
    }

    fn farewell(&self) -> Option<&'static str> {
        None
    }
}
