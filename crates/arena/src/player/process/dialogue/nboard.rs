//! A game by NBoard. The program is shown the whole game before every question, so it can never be astray.

use std::time::Duration;

use tesuji_game::{Formats, Record, Side, tags};
use tesuji_protocol::nboard::{Command, Response, SearchLine};
use tesuji_search::Time;

use super::{Dialogue, Said, legal, unready, used};
use crate::player::process::talk::{Talk, Trouble, shown};
use crate::player::{Reply, Thought, Turn};

/// A program that speaks NBoard.
#[derive(Default)]
pub(super) struct NBoard {
    /// The number of the last ping.
    ping: u32,
}

impl NBoard {
    /// Waits until the program has nothing left to say; every answer before that was meant for somebody else.
    fn quiet(&mut self, talk: &mut Talk, wait: Duration) -> Result<(), Trouble> {
        self.ping = self.ping.wrapping_add(1);
        let until = talk.say(Command::Ping(self.ping))? + wait;
        loop {
            let line = talk.hear(until)?;
            match Response::parse(&line.bytes) {
                Some(Response::Pong(number)) if number == self.ping => return Ok(()),
                Some(Response::MyName(name)) => talk.name = Some(name),
                Some(Response::Move(_)) => talk.odd("an answer that nobody asked for", &line.bytes),
                _ => {}
            }
        }
    }
}

impl<G: Formats> Dialogue<G> for NBoard {
    fn greet(&mut self, talk: &mut Talk) -> Result<(), Trouble> {
        talk.say(Command::NBoard(2))?;
        self.quiet(talk, talk.patience.start)
    }

    fn begin(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble> {
        talk.say(Command::SetGame(ggf(record, None)?))?;
        self.quiet(talk, talk.patience.game)
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        record: &Record<G>,
        turn: &Turn,
        wait: Duration,
    ) -> Result<Said<G::Move>, Trouble> {
        if let Some(depth) = turn.limits.depth {
            talk.say(Command::SetDepth(depth))?;
        }
        talk.say(Command::SetGame(ggf(record, turn.limits.time)?))?;
        let ping = talk.patience.ping;
        self.quiet(talk, ping).map_err(unready(ping))?;
        let asked = talk.say(Command::Go)?;
        let mut thought = Thought::default();
        loop {
            let line = talk.hear(asked + wait)?;
            match Response::parse(&line.bytes) {
                Some(Response::Move(played)) => {
                    let reply = Reply::Move(legal(record, &played.mv)?);
                    thought.value = played.eval.or(thought.value);
                    return Ok(Said { reply, thought, used: used(asked, line.at) });
                }
                Some(
                    Response::Search(SearchLine { eval, depth, .. })
                    | Response::Book(SearchLine { eval, depth, .. }, _),
                ) => {
                    thought.value = Some(eval);
                    // `100%` is no number of plies.
                    thought.depth = depth.parse().ok().or(thought.depth);
                }
                Some(Response::NodeStats(nodes, _)) => thought.nodes = Some(nodes),
                None if line.bytes.starts_with(b"===") => {
                    let message = "=== is followed by a move".to_owned();
                    return Err(Trouble::Illegal { text: shown(&line.bytes), message });
                }
                _ => {}
            }
        }
    }
}

/// The game in GGF. Its moves carry no times, so that the clock, which says what is left now, holds for both.
fn ggf<G: Formats>(record: &Record<G>, time: Option<Time>) -> Result<String, Trouble> {
    let unable = |why: String| Trouble::Unable(format!("NBoard wants a game in GGF: {why}"));
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

/// A clock as GGF writes it: `left/increment/extension`, in minutes and seconds.
fn clock(time: Time) -> String {
    let minutes = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    match time {
        Time::Move(time) => minutes(time),
        Time::Clock { left, increment, byoyomi } => {
            format!("{}/{}/{}", minutes(left), minutes(increment), minutes(byoyomi))
        }
    }
}
