//! GTP. The program keeps the board and is sent every move it did not choose itself.

use std::time::{Duration, Instant};

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_protocol::gtp::{Colour, Command, CommandKind, ReplyLine, ReplyReader};
use tesuji_search::Time;

use super::{Dialogue, DialogueAnswer, not_ready, parse_legal};
use crate::player::process::io::{DialogueError, EngineIo, OutputLine};
use crate::player::{MoveRequest, PlayerAction, SearchInfo};

/// A program that speaks GTP.
pub(super) struct GtpDialogue<G: Game> {
    board_size: u32,
    /// The number of the last command.
    id: u32,
    replies: ReplyReader,
    /// The moves on its board.
    played: Vec<G::Move>,
    /// Whether the time settings of this game were sent.
    timed: bool,
}

/// The reply to a command, and when it arrived.
struct CommandReply {
    text: Result<String, String>,
    at: Instant,
}

impl<G: Notation> GtpDialogue<G> {
    pub(super) fn new(board_size: u32) -> GtpDialogue<G> {
        GtpDialogue { board_size, id: 0, replies: ReplyReader::default(), played: Vec::new(), timed: false }
    }

    /// Sends a command.
    fn send(&mut self, io: &mut EngineIo, kind: CommandKind) -> Result<Instant, DialogueError> {
        self.id = self.id.wrapping_add(1);
        io.send(Command { id: Some(self.id), kind })
    }

    /// Waits for the reply to the last command and ignores others. `receive` waits for a line.
    fn reply(
        &mut self,
        io: &mut EngineIo,
        receive: impl Fn(&mut EngineIo) -> Result<OutputLine, DialogueError>,
    ) -> Result<CommandReply, DialogueError> {
        loop {
            let line = receive(io)?;
            let ReplyLine::Reply(reply) = self.replies.read_line(&line.bytes) else { continue };
            match reply.id {
                Some(id) if id != self.id => io.add_oddity("an unexpected reply", &reply_text(&reply.text)),
                Some(_) => return Ok(CommandReply { text: reply.text, at: line.at }),
                None => {
                    io.add_oddity("a reply without its id", &reply_text(&reply.text));
                    return Ok(CommandReply { text: reply.text, at: line.at });
                }
            }
        }
    }

    /// Sends a command and waits for its reply.
    fn command(
        &mut self,
        io: &mut EngineIo,
        kind: CommandKind,
        until: Instant,
    ) -> Result<Result<String, String>, DialogueError> {
        self.send(io, kind)?;
        self.reply(io, |io| io.receive(until)).map(|reply| reply.text)
    }

    /// Sends a command that must succeed.
    fn require(&mut self, io: &mut EngineIo, kind: CommandKind, until: Instant) -> Result<String, DialogueError> {
        let command = kind.to_string();
        let reply = self.command(io, kind, until)?;
        reply.map_err(|text| DialogueError::Protocol(format!("it refused {command:?}: {text}")))
    }

    /// Sends the moves of `record` that are not on its board yet.
    fn send_moves(&mut self, io: &mut EngineIo, record: &Record<G>, until: Instant) -> Result<(), DialogueError> {
        let moves: Vec<G::Move> = record.moves().collect();
        if !moves.starts_with(&self.played) {
            self.require(io, CommandKind::ClearBoard, until)?;
            self.played.clear();
        }
        let mut now = record.start().clone();
        for (index, &mv) in moves.iter().enumerate() {
            if index >= self.played.len() {
                let kind = CommandKind::Play(colour(now.mover()), now.print_move(mv));
                self.require(io, kind, until)?;
                self.played.push(mv);
            }
            now.play(mv);
        }
        Ok(())
    }

    /// Sends the clocks. A program need not support them.
    fn send_clocks(
        &mut self,
        io: &mut EngineIo,
        side: Side,
        request: &MoveRequest,
        until: Instant,
    ) -> Result<(), DialogueError> {
        let Some(time) = request.limits.time else { return Ok(()) };
        if !self.timed {
            self.timed = true;
            let (main, byoyomi) = match time {
                Time::Move(time) => (Duration::ZERO, time),
                Time::Clock { left, byoyomi, .. } => (left, byoyomi),
                Time::Planned(plan) => (Duration::ZERO, plan.hard),
            };
            let stones = u32::from(!byoyomi.is_zero());
            if let Err(text) = self.command(io, CommandKind::TimeSettings { main, byoyomi, stones }, until)? {
                io.add_oddity("it rejected the time settings", text.as_bytes());
            }
        }
        for which in Side::BOTH {
            let played = request.clocks[which.index()].or((which == side).then_some(time));
            let Some(Time::Clock { left, byoyomi, .. }) = played else { continue };
            let (time, stones) = if left.is_zero() && !byoyomi.is_zero() { (byoyomi, 1) } else { (left, 0) };
            let kind = CommandKind::TimeLeft { colour: colour(which), time, stones };
            // A rejection was reported with the time settings.
            let _ = self.command(io, kind, until)?;
        }
        Ok(())
    }
}

impl<G: Notation> Dialogue<G> for GtpDialogue<G> {
    fn handshake(&mut self, io: &mut EngineIo) -> Result<(), DialogueError> {
        let until = Instant::now() + io.timeouts.start;
        let version = self.command(io, CommandKind::ProtocolVersion, until)?;
        if version.as_deref().map(str::trim) != Ok("2") {
            io.add_oddity("its protocol version is not 2", &reply_text(&version));
        }
        io.name = self.command(io, CommandKind::Name, until)?.ok().filter(|name| !name.is_empty());
        Ok(())
    }

    fn new_game(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        if *record.start() != G::start() {
            let message = "GTP cannot set a start position; only moves from the usual start";
            return Err(DialogueError::Unable(message.to_owned()));
        }
        let until = Instant::now() + io.timeouts.game;
        self.timed = false;
        self.played.clear();
        self.require(io, CommandKind::BoardSize(self.board_size), until)?;
        self.require(io, CommandKind::ClearBoard, until)?;
        self.send_moves(io, record, until)
    }

    fn request_move(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
        request: &MoveRequest,
        wait: Duration,
    ) -> Result<DialogueAnswer<G::Move>, DialogueError> {
        let side = record.now().mover();
        let ping = io.timeouts.ping;
        let until = Instant::now() + ping;
        self.send_moves(io, record, until).map_err(not_ready(ping))?;
        self.send_clocks(io, side, request, until).map_err(not_ready(ping))?;
        let asked = self.send(io, CommandKind::GenMove(colour(side)))?;
        let reply = self.reply(io, |io| io.receive_answer(asked, wait))?;
        let text = reply.text.map_err(|text| DialogueError::Protocol(format!("it refused to move: {text}")))?;
        let action = if text.trim().eq_ignore_ascii_case("resign") {
            PlayerAction::Resign
        } else {
            let mv = parse_legal(record, text.trim())?;
            self.played.push(mv);
            PlayerAction::Move(mv)
        };
        Ok(DialogueAnswer { action, info: SearchInfo::default(), line: Vec::new(), used: io.used(asked, reply.at) })
    }
}

fn reply_text(text: &Result<String, String>) -> Vec<u8> {
    let (Ok(text) | Err(text)) = text;
    text.clone().into_bytes()
}

fn colour(side: Side) -> Colour {
    match side {
        Side::First => Colour::Black,
        Side::Second => Colour::White,
    }
}
