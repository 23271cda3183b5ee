//! A game by USI.

use std::time::Duration;

use tesuji_game::{Notation, Record, Side};
use tesuji_protocol::usi::{
    BestMove, Bound, ClockTimes, Command, GameResult, Go, Info, PositionSpec, Response, ScoreValue,
};
use tesuji_search::Time;

use super::{Dialogue, Said, legal, unready, used, written};
use crate::player::process::talk::{Talk, Trouble, shown};
use crate::player::{Reply, Thought, Turn};

/// A program that speaks USI.
pub(super) struct Usi {
    options: Vec<(String, String)>,
    /// The side it was last asked to play.
    side: Option<Side>,
    trust: Trust,
}

/// Whether the next answer can be taken for one to the next question. Only `readyok` proves it, and some
/// programs clear their tables before they say that: those that behave are asked once, when it costs least.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// It has not answered yet.
    Unknown,
    /// It has answered once, perhaps twice.
    Tested,
    /// It answered its first question once.
    Earned,
    /// It has answered without being asked, and must say that it is ready before every question.
    Lost,
}

impl Usi {
    pub(super) fn new(options: Vec<(String, String)>) -> Usi {
        Usi { options, side: None, trust: Trust::Unknown }
    }

    /// Waits for `readyok`; every answer before it was meant for somebody else.
    fn ready(&mut self, talk: &mut Talk, wait: Duration) -> Result<(), Trouble> {
        let until = talk.say(Command::IsReady)? + wait;
        loop {
            let line = talk.hear(until)?;
            match Response::parse(&line.bytes) {
                Some(Response::ReadyOk) => return Ok(()),
                answer => self.overheard(talk, answer, &line.bytes),
            }
        }
    }

    fn overheard(&mut self, talk: &mut Talk, answer: Option<Response>, line: &[u8]) {
        if let Some(Response::BestMove(_) | Response::Checkmate(_)) = answer {
            self.trust = Trust::Lost;
            talk.odd("an answer that nobody asked for", line);
        }
    }
}

impl<G: Notation> Dialogue<G> for Usi {
    fn greet(&mut self, talk: &mut Talk) -> Result<(), Trouble> {
        let until = talk.say(Command::Usi)? + talk.patience.start;
        loop {
            match Response::parse(talk.hear(until)?.bytes) {
                Some(Response::UsiOk) => break,
                Some(Response::Name(name)) => talk.name = Some(name),
                _ => {}
            }
        }
        for (name, value) in &self.options {
            let value = (!value.is_empty()).then(|| value.clone());
            talk.say(Command::SetOption { name: name.clone(), value })?;
        }
        Ok(())
    }

    fn begin(&mut self, talk: &mut Talk, _: &Record<G>) -> Result<(), Trouble> {
        self.side = None;
        self.ready(talk, talk.patience.game)?;
        talk.say(Command::NewGame).map(drop)
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        record: &Record<G>,
        turn: &Turn,
        wait: Duration,
    ) -> Result<Said<G::Move>, Trouble> {
        talk.overhear(|talk, line| self.overheard(talk, Response::parse(line), line))?;
        if matches!(self.trust, Trust::Tested | Trust::Lost) {
            let wait = talk.patience.ping;
            self.ready(talk, wait).map_err(unready(wait))?;
            if self.trust == Trust::Tested {
                self.trust = Trust::Earned;
            }
        }
        let side = record.now().mover();
        self.side = Some(side);
        let sfen = (*record.start() != G::start()).then(|| record.start().print());
        talk.say(Command::Position(PositionSpec { sfen, moves: written(record) }))?;
        let asked = talk.say(Command::Go(go(turn, side, wait)))?;
        let mut thought = Thought::default();
        loop {
            let line = talk.hear(asked + wait)?;
            let reply = match Response::parse(&line.bytes) {
                Some(Response::Info(news)) => {
                    learn(&mut thought, &news);
                    continue;
                }
                Some(Response::BestMove(BestMove::Win)) => Reply::Claim,
                Some(Response::BestMove(BestMove::Resign)) => Reply::Resign,
                Some(Response::BestMove(BestMove::Move { mv, .. })) => Reply::Move(legal(record, &mv)?),
                None if line.bytes.starts_with(b"bestmove") => {
                    let message = "bestmove is followed by a move, resign or win".to_owned();
                    return Err(Trouble::Illegal { text: shown(&line.bytes), message });
                }
                _ => continue,
            };
            if self.trust == Trust::Unknown {
                self.trust = Trust::Tested;
            }
            return Ok(Said { reply, thought, used: used(asked, line.at) });
        }
    }

    fn end(&mut self, talk: &mut Talk, record: &Record<G>) -> Result<(), Trouble> {
        let Some(side) = self.side.take() else { return Ok(()) };
        let verdict = match record.ending().and_then(|ending| ending.winner) {
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Lose,
            None => GameResult::Draw,
        };
        talk.say(Command::GameOver(Some(verdict))).map(drop)
    }
}

/// The limits of a turn in the words of `go`.
fn go(turn: &Turn, side: Side, wait: Duration) -> Go {
    let limits = &turn.limits;
    let mut go = Go { depth: limits.depth, nodes: limits.nodes, ..Go::default() };
    go.clock = match limits.time {
        Some(Time::Move(time)) => per_move(time),
        Some(own @ Time::Clock { .. }) => {
            let mut clock = ClockTimes::default();
            for which in Side::BOTH {
                let told = turn.clocks[which.index()].or((which == side).then_some(own));
                if let Some(Time::Clock { left, increment, byoyomi }) = told {
                    clock.left[which.index()] = Some(left);
                    if byoyomi.is_zero() || !increment.is_zero() {
                        clock.increment[which.index()] = Some(increment);
                    }
                    if which == side && !byoyomi.is_zero() {
                        clock.byoyomi = Some(byoyomi);
                    }
                }
            }
            // An engine told of one clock only would take the other for empty.
            for times in [&mut clock.left, &mut clock.increment] {
                let known = times[side.index()];
                times[(!side).index()] = times[(!side).index()].or(known);
            }
            clock
        }
        // Without any limit it would think until it is stopped.
        None if go.depth.is_none() && go.nodes.is_none() => per_move(wait / 2),
        None => ClockTimes::default(),
    };
    go
}

/// So much for every move: byoyomi, and no other time.
fn per_move(time: Duration) -> ClockTimes {
    ClockTimes { left: [Some(Duration::ZERO); 2], byoyomi: Some(time), ..ClockTimes::default() }
}

/// What a line of news adds to what is known; second-best lines add nothing.
fn learn(thought: &mut Thought, news: &Info) {
    if news.multipv.is_some_and(|number| number > 1) {
        return;
    }
    thought.depth = news.depth.or(thought.depth);
    thought.nodes = news.nodes.or(thought.nodes);
    let Some(score) = news.score.filter(|score| score.bound == Bound::Exact) else { return };
    let plies = |plies: Option<u32>| plies.map(|plies| i32::try_from(plies).unwrap_or(i32::MAX));
    (thought.value, thought.proven) = match score.value {
        ScoreValue::Centipawns(value) => (Some(f64::from(value)), None),
        ScoreValue::MateIn(distance) => (None, plies(distance)),
        ScoreValue::MatedIn(distance) => (None, plies(distance).map(|plies| -plies)),
    };
}
