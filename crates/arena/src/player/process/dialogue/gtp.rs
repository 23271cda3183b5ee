//! A game by GTP. The program keeps the board; it is told every move it did not choose itself.

use std::time::{Duration, Instant};

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_protocol::gtp::{Colour, Command, CommandKind, ReplyLine, ReplyReader};
use tesuji_search::Time;

use super::{Dialogue, Said, legal, unready, used};
use crate::player::process::talk::{Talk, Trouble};
use crate::player::{Reply, Thought, Turn};

/// A program that speaks GTP.
pub(super) struct Gtp<G: Game> {
    board_size: u32,
    /// The number of the last command.
    id: u32,
    replies: ReplyReader,
    /// The moves on its board.
    told: Vec<G::Move>,
    /// Whether it knows the clock of this game.
    timed: bool,
}

/// What a command was answered, and when.
struct Answered {
    text: Result<String, String>,
    at: Instant,
}

impl<G: Notation> Gtp<G> {
    pub(super) fn new(board_size: u32) -> Gtp<G> {
        Gtp { board_size, id: 0, replies: ReplyReader::default(), told: Vec::new(), timed: false }
    }

    /// Says a command.
    fn say(&mut self, talk: &mut Talk, kind: CommandKind) -> Result<Instant, Trouble> {
        self.id = self.id.wrapping_add(1);
        talk.say(Command { id: Some(self.id), kind })
    }

    /// Waits for the reply to the last command; replies to others are too late for anything.
    fn reply(&mut self, talk: &mut Talk, until: Instant) -> Result<Answered, Trouble> {
        loop {
            let line = talk.hear(until)?;
            let ReplyLine::Reply(reply) = self.replies.read_line(&line.bytes) else { continue };
            match reply.id {
                Some(id) if id != self.id => talk.odd("a reply that nobody asked for", &said(&reply.text)),
                Some(_) => return Ok(Answered { text: reply.text, at: line.at }),
                None => {
                    talk.odd("a reply without its number", &said(&reply.text));
                    return Ok(Answered { text: reply.text, at: line.at });
                }
            }
        }
    }

    /// Says a command and waits for its reply.
    fn tell(
        &mut self,
        talk: &mut Talk,
        kind: CommandKind,
        until: Instant,
    ) -> Result<Result<String, String>, Trouble> {
        self.say(talk, kind)?;
        self.reply(talk, until).map(|answered| answered.text)
    }

    /// Says a command that must not be refused.
    fn demand(&mut self, talk: &mut Talk, kind: CommandKind, until: Instant) -> Result<String, Trouble> {
        let command = kind.to_string();
        let answered = self.tell(talk, kind, until)?;
        answered.map_err(|text| Trouble::Protocol(format!("it refused {command:?}: {text}")))
    }

    /// Brings its board where `record` stands.
    fn catch_up(&mut self, talk: &mut Talk, record: &Record<G>, until: Instant) -> Result<(), Trouble> {
        let moves: Vec<G::Move> = record.moves().collect();
        if !moves.starts_with(&self.told) {
            self.demand(talk, CommandKind::ClearBoard, until)?;
            self.told.clear();
        }
        let mut now = record.start().clone();
        for (index, &mv) in moves.iter().enumerate() {
            if index >= self.told.len() {
                let kind = CommandKind::Play(colour(now.mover()), now.print_move(mv));
                self.demand(talk, kind, until)?;
                self.told.push(mv);
            }
            now.play(mv);
        }
        Ok(())
    }

    /// Tells the clocks, as far as the protocol has words for them; a program need not know any.
    fn tell_clocks(
        &mut self,
        talk: &mut Talk,
        side: Side,
        turn: &Turn,
        until: Instant,
    ) -> Result<(), Trouble> {
        let Some(time) = turn.limits.time else { return Ok(()) };
        if !self.timed {
            self.timed = true;
            let (main, byoyomi) = match time {
                Time::Move(time) => (Duration::ZERO, time),
                Time::Clock { left, byoyomi, .. } => (left, byoyomi),
            };
            let stones = u32::from(!byoyomi.is_zero());
            if let Err(text) = self.tell(talk, CommandKind::TimeSettings { main, byoyomi, stones }, until)? {
                talk.odd("it does not take the clock of the game", text.as_bytes());
            }
        }
        for which in Side::BOTH {
            let told = turn.clocks[which.index()].or((which == side).then_some(time));
            let Some(Time::Clock { left, byoyomi, .. }) = told else { continue };
            let (time, stones) = if left.is_zero() && !byoyomi.is_zero() { (byoyomi, 1) } else { (left, 0) };
            let kind = CommandKind::TimeLeft { colour: colour(which), time, stones };
            // A refusal here was told of before.
            let _ = self.tell(talk, kind, until)?;
        }
        Ok(())
    }
}

impl<G: Notation> Dialogue<G> for Gtp<G> {
    fn greet(&mut self, talk: &mut Talk) -> Result<(), Trouble> {
        let until = Instant::now() + talk.patience.start;
        let version = self.tell(talk, CommandKind::ProtocolVersion, until)?;
        if version.as_deref().map(str::trim) != Ok("2") {
            talk.odd("it does not speak version 2", &said(&version));
        }
        talk.name = self.tell(talk, CommandKind::Name, until)?.ok().filter(|name| !name.is_empty());
        Ok(())
    }

    fn begin(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble> {
        if *record.start() != G::start() {
            let message = "GTP has no words for a start position; only moves from the usual start";
            return Err(Trouble::Unable(message.to_owned()));
        }
        let until = Instant::now() + talk.patience.game;
        self.timed = false;
        self.told.clear();
        self.demand(talk, CommandKind::BoardSize(self.board_size), until)?;
        self.demand(talk, CommandKind::ClearBoard, until)?;
        self.catch_up(talk, record, until)
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        record: &Record<G>,
        turn: &Turn,
        wait: Duration,
    ) -> Result<Said<G::Move>, Trouble> {
        let side = record.now().mover();
        let ping = talk.patience.ping;
        let until = Instant::now() + ping;
        self.catch_up(talk, record, until).map_err(unready(ping))?;
        self.tell_clocks(talk, side, turn, until).map_err(unready(ping))?;
        let asked = self.say(talk, CommandKind::GenMove(colour(side)))?;
        let answered = self.reply(talk, asked + wait)?;
        let text = answered.text.map_err(|text| Trouble::Protocol(format!("it refused to move: {text}")))?;
        let reply = if text.trim().eq_ignore_ascii_case("resign") {
            Reply::Resign
        } else {
            let mv = legal(record, text.trim())?;
            self.told.push(mv);
            Reply::Move(mv)
        };
        Ok(Said { reply, thought: Thought::default(), used: used(asked, answered.at) })
    }
}

fn said(text: &Result<String, String>) -> Vec<u8> {
    let (Ok(text) | Err(text)) = text;
    text.clone().into_bytes()
}

fn colour(side: Side) -> Colour {
    match side {
        Side::First => Colour::Black,
        Side::Second => Colour::White,
    }
}
