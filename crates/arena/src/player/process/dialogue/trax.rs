//! The Trax contest protocol. It cannot express the end of a game or a game with an opening.

use std::time::Duration;

use tesuji_game::{Notation, Record, Side};
use tesuji_protocol::trax::{Command, Response};

use super::{Dialogue, DialogueAnswer, move_texts, parse_legal};
use crate::player::process::io::{DialogueError, EngineIo};
use crate::player::{MoveRequest, PlayerAction, SearchInfo};

/// A program that speaks the contest protocol.
pub(super) struct TraxDialogue {
    team: bool,
    extended: bool,
    tells_end: bool,
    /// Whether its colour was sent in this game.
    colour_sent: bool,
    /// The plies that it knows.
    known: usize,
}

impl TraxDialogue {
    pub(super) fn new(team: bool, extended: bool, tells_end: bool) -> TraxDialogue {
        TraxDialogue { team, extended, tells_end, colour_sent: false, known: 0 }
    }

    /// Sends what precedes the request and returns the request, which is the last line.
    fn request_command<G: Notation>(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
    ) -> Result<Command, DialogueError> {
        let mut moves = move_texts(record);
        let last = moves.pop();
        if !self.colour_sent {
            self.colour_sent = true;
            match &last {
                None => return Ok(Command::White),
                // Red starts by receiving the first move of the other side.
                Some(_) if moves.is_empty() => io.send(Command::Red)?,
                // A loaded game goes on when the program knows its colour.
                Some(_) => {
                    io.send(Command::Load(moves))?;
                    io.send(if record.now().mover() == Side::First { Command::White } else { Command::Red })?
                }
            };
        }
        last.map(Command::Move).ok_or_else(|| DialogueError::Unable("the game started anew".to_owned()))
    }
}

impl<G: Notation> Dialogue<G> for TraxDialogue {
    fn handshake(&mut self, io: &mut EngineIo) -> Result<(), DialogueError> {
        if !self.team {
            return Ok(());
        }
        let until = io.send(Command::Team)? + io.timeouts.start;
        loop {
            match Response::parse(io.receive(until)?.bytes) {
                Some(Response::Text(code)) => {
                    io.name = Some(code);
                    return Ok(());
                }
                Some(Response::Move(mv)) => {
                    return Err(DialogueError::Protocol(format!("it answers -T with the move {mv}")));
                }
                None => {}
            }
        }
    }

    fn new_game(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        (self.colour_sent, self.known) = (false, 0);
        let unusual = *record.start() != G::start() || record.start().mover() != Side::First;
        if unusual || !(record.plies().is_empty() || self.extended) {
            let message = "the contest protocol cannot express a game with an opening; a program that \
                           takes -R moves -F plays it with extended=true";
            return Err(DialogueError::Unable(message.to_owned()));
        }
        io.receive_pending(|io, line| io.add_oddity("an unexpected line", line))
    }

    fn request_move(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
        _: &MoveRequest,
        wait: Duration,
    ) -> Result<DialogueAnswer<G::Move>, DialogueError> {
        io.receive_pending(|io, line| io.add_oddity("an unexpected line", line))?;
        let command = self.request_command(io, record)?;
        let asked = io.send(command)?;
        loop {
            let line = io.receive_answer(asked, wait)?;
            let Some(Response::Move(text) | Response::Text(text)) = Response::parse(&line.bytes) else {
                continue;
            };
            let action = PlayerAction::Move(parse_legal(record, &text)?);
            self.known = record.plies().len() + 1;
            return Ok(DialogueAnswer {
                action,
                info: SearchInfo::default(),
                line: Vec::new(),
                used: io.used(asked, line.at),
            });
        }
    }

    fn game_over(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        let is_news = self.colour_sent && record.plies().len() == self.known + 1 && record.board_ending().is_some();
        if let Some(last) = move_texts(record).pop().filter(|_| self.tells_end && is_news) {
            io.send(Command::Move(last))?;
        }
        Ok(())
    }

    fn quit_command(&self) -> Option<&'static str> {
        None
    }
}
