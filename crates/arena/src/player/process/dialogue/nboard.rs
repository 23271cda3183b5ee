//! NBoard. The whole game is sent before every request, so the boards cannot diverge.

use std::time::Duration;

use tesuji_game::{Formats, Record, Side, tags};
use tesuji_protocol::nboard::{Command, Response, SearchLine};
use tesuji_search::Time;

use super::{Dialogue, DialogueAnswer, not_ready, parse_legal};
use crate::player::process::io::{DialogueError, EngineIo, printable};
use crate::player::{MoveRequest, PlayerAction, SearchInfo};

/// A program that speaks NBoard.
#[derive(Default)]
pub(super) struct NBoardDialogue {
    /// The number of the last ping.
    ping: u32,
}

impl NBoardDialogue {
    /// Waits for the pong; earlier answers belong to outdated requests.
    fn synchronise(&mut self, io: &mut EngineIo, wait: Duration) -> Result<(), DialogueError> {
        self.ping = self.ping.wrapping_add(1);
        let until = io.send(Command::Ping(self.ping))? + wait;
        loop {
            let line = io.receive(until)?;
            match Response::parse(&line.bytes) {
                Some(Response::Pong(number)) if number == self.ping => return Ok(()),
                Some(Response::MyName(name)) => io.name = Some(name),
                Some(Response::Move(_)) => io.add_oddity("an unexpected answer", &line.bytes),
                _ => {}
            }
        }
    }
}

impl<G: Formats> Dialogue<G> for NBoardDialogue {
    fn handshake(&mut self, io: &mut EngineIo) -> Result<(), DialogueError> {
        io.send(Command::NBoard(2))?;
        self.synchronise(io, io.timeouts.start)
    }

    fn new_game(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        io.send(Command::SetGame(ggf(record, None)?))?;
        self.synchronise(io, io.timeouts.game)
    }

    fn request_move(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
        request: &MoveRequest,
        wait: Duration,
    ) -> Result<DialogueAnswer<G::Move>, DialogueError> {
        if let Some(depth) = request.limits.depth {
            io.send(Command::SetDepth(depth))?;
        }
        io.send(Command::SetGame(ggf(record, request.limits.time)?))?;
        let ping = io.timeouts.ping;
        self.synchronise(io, ping).map_err(not_ready(ping))?;
        let asked = io.send(Command::Go)?;
        let mut info = SearchInfo::default();
        loop {
            let line = io.receive_answer(asked, wait)?;
            match Response::parse(&line.bytes) {
                Some(Response::Move(played)) => {
                    let action = PlayerAction::Move(parse_legal(record, &played.mv)?);
                    info.value = played.eval.or(info.value);
                    return Ok(DialogueAnswer { action, info, line: Vec::new(), used: io.used(asked, line.at) });
                }
                Some(
                    Response::Search(SearchLine { eval, depth, .. })
                    | Response::Book(SearchLine { eval, depth, .. }, _),
                ) => {
                    info.value = Some(eval);
                    // `100%` is not a number of plies.
                    info.depth = depth.parse().ok().or(info.depth);
                }
                Some(Response::NodeStats(nodes, _)) => info.nodes = Some(nodes),
                None if line.bytes.starts_with(b"===") => {
                    let message = "=== is followed by a move".to_owned();
                    return Err(DialogueError::Illegal { text: printable(&line.bytes), message });
                }
                _ => {}
            }
        }
    }
}

/// The game in GGF. Its moves carry no times, so the clock is what is left now.
fn ggf<G: Formats>(record: &Record<G>, time: Option<Time>) -> Result<String, DialogueError> {
    let unable = |why: String| DialogueError::Unable(format!("NBoard wants a game in GGF: {why}"));
    let format = G::FORMATS.iter().find(|format| format.name == "ggf");
    let format = *format.ok_or_else(|| unable(format!("{} has no such format", G::NAME)))?;
    let mut bare = Record::new(record.start().clone());
    for mv in record.moves() {
        bare.push(mv).map_err(|refusal| unable(refusal.to_string()))?;
    }
    for (tag, side) in [(tags::FIRST, Side::First), (tags::SECOND, Side::Second)] {
        bare.set_tag(tag, side.to_string());
    }
    if let Some(time) = time {
        bare.set_tag(tags::CLOCK, clock(time));
    }
    let bytes = G::write(format, &bare).map_err(unable)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// A clock as GGF writes it: `left/increment/extension`, in adjudicator and seconds.
fn clock(time: Time) -> String {
    let adjudicator = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    match time {
        Time::Move(time) => adjudicator(time),
        Time::Planned(plan) => adjudicator(plan.hard),
        Time::Clock { left, increment, byoyomi } => {
            format!("{}/{}/{}", adjudicator(left), adjudicator(increment), adjudicator(byoyomi))
        }
    }
}
