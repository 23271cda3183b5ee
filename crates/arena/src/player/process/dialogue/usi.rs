//! USI.

use std::time::Duration;

use tesuji_game::{Notation, Record, Side};
use tesuji_protocol::usi::{
    BestMove, Bound, ClockTimes, Command, GameResult, Go, Info, Response, ScoreValue, UsiPosition,
};
use tesuji_search::Time;

use super::{Dialogue, DialogueAnswer, expected_line, move_texts, not_ready, parse_legal};
use crate::player::process::io::{DialogueError, EngineIo, printable};
use crate::player::{MoveRequest, PlayerAction, SearchInfo};

/// A program that speaks USI.
pub(super) struct UsiDialogue {
    options: Vec<(String, String)>,
    /// The side of the last request.
    side: Option<Side>,
    trust: Trust,
}

/// Whether the next answer belongs to the next request. Only `readyok` proves it, and some programs clear their tables
/// before they send it: a program that behaves is synchronised once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// It has not answered yet.
    Unknown,
    /// It has answered once; a second answer may follow.
    Tested,
    /// It answered its first request exactly once.
    Earned,
    /// It sent an unexpected answer and is synchronised before every request.
    Lost,
}

impl UsiDialogue {
    pub(super) fn new(options: Vec<(String, String)>) -> UsiDialogue {
        UsiDialogue { options, side: None, trust: Trust::Unknown }
    }

    /// Waits for `readyok`; earlier answers belong to outdated requests.
    fn ready(&mut self, io: &mut EngineIo, wait: Duration) -> Result<(), DialogueError> {
        let until = io.send(Command::IsReady)? + wait;
        loop {
            let line = io.receive(until)?;
            match Response::parse(&line.bytes) {
                Some(Response::ReadyOk) => return Ok(()),
                answer => self.unexpected(io, answer, &line.bytes),
            }
        }
    }

    fn unexpected(&mut self, io: &mut EngineIo, answer: Option<Response>, line: &[u8]) {
        if let Some(Response::BestMove(_) | Response::Checkmate(_)) = answer {
            self.trust = Trust::Lost;
            io.add_oddity("an unexpected answer", line);
        }
    }
}

impl<G: Notation> Dialogue<G> for UsiDialogue {
    fn handshake(&mut self, io: &mut EngineIo) -> Result<(), DialogueError> {
        let until = io.send(Command::Usi)? + io.timeouts.start;
        loop {
            match Response::parse(io.receive(until)?.bytes) {
                Some(Response::UsiOk) => break,
                Some(Response::Name(name)) => io.name = Some(name),
                _ => {}
            }
        }
        for (name, value) in &self.options {
            let value = (!value.is_empty()).then(|| value.clone());
            io.send(Command::SetOption { name: name.clone(), value })?;
        }
        Ok(())
    }

    fn new_game(&mut self, io: &mut EngineIo, _: &Record<G>) -> Result<(), DialogueError> {
        self.side = None;
        self.ready(io, io.timeouts.game)?;
        io.send(Command::NewGame).map(drop)
    }

    fn request_move(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
        request: &MoveRequest,
        wait: Duration,
    ) -> Result<DialogueAnswer<G::Move>, DialogueError> {
        io.receive_pending(|io, line| self.unexpected(io, Response::parse(line), line))?;
        if matches!(self.trust, Trust::Tested | Trust::Lost) {
            let wait = io.timeouts.ping;
            self.ready(io, wait).map_err(not_ready(wait))?;
            if self.trust == Trust::Tested {
                self.trust = Trust::Earned;
            }
        }
        let side = record.now().mover();
        self.side = Some(side);
        let sfen = (*record.start() != G::start()).then(|| record.start().print());
        io.send(Command::Position(UsiPosition { sfen, moves: move_texts(record) }))?;
        let asked = io.send(Command::Go(go(request, side, wait)))?;
        let (mut info, mut pv) = (SearchInfo::default(), Vec::new());
        loop {
            let line = io.receive_answer(asked, wait)?;
            let action = match Response::parse(&line.bytes) {
                Some(Response::Info(line)) => {
                    update(&mut info, &line);
                    if !line.pv.is_empty() && line.multipv.is_none_or(|number| number == 1) {
                        pv = line.pv;
                    }
                    continue;
                }
                Some(Response::BestMove(BestMove::Win)) => PlayerAction::Claim,
                Some(Response::BestMove(BestMove::Resign)) => PlayerAction::Resign,
                Some(Response::BestMove(BestMove::Move { mv, .. })) => PlayerAction::Move(parse_legal(record, &mv)?),
                None if line.bytes.starts_with(b"bestmove") => {
                    let message = "bestmove is followed by a move, resign or win".to_owned();
                    return Err(DialogueError::Illegal { text: printable(&line.bytes), message });
                }
                _ => continue,
            };
            if self.trust == Trust::Unknown {
                self.trust = Trust::Tested;
            }
            let expected = match action {
                PlayerAction::Move(mv) => expected_line(record, mv, &pv),
                PlayerAction::Claim | PlayerAction::Resign => Vec::new(),
            };
            return Ok(DialogueAnswer { action, info, line: expected, used: io.used(asked, line.at) });
        }
    }

    fn game_over(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        let Some(side) = self.side.take() else { return Ok(()) };
        let verdict = match record.ending().and_then(|ending| ending.winner) {
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Lose,
            None => GameResult::Draw,
        };
        io.send(Command::GameOver(Some(verdict))).map(drop)
    }
}

/// The limits of a request as a `go` command.
fn go(request: &MoveRequest, side: Side, wait: Duration) -> Go {
    let limits = &request.limits;
    let mut go = Go { depth: limits.depth, nodes: limits.nodes, ..Go::default() };
    go.clock = match limits.time {
        Some(Time::Move(time)) => per_move(time),
        Some(Time::Planned(plan)) => per_move(plan.hard),
        Some(own @ Time::Clock { .. }) => {
            let mut clock = ClockTimes::default();
            for which in Side::BOTH {
                let known = request.clocks[which.index()].or((which == side).then_some(own));
                if let Some(Time::Clock { left, increment, byoyomi }) = known {
                    clock.left[which.index()] = Some(left);
                    if byoyomi.is_zero() || !increment.is_zero() {
                        clock.increment[which.index()] = Some(increment);
                    }
                    if which == side && !byoyomi.is_zero() {
                        clock.byoyomi = Some(byoyomi);
                    }
                }
            }
            // An engine takes a missing clock for an empty one.
            for times in [&mut clock.left, &mut clock.increment] {
                let known = times[side.index()];
                times[(!side).index()] = times[(!side).index()].or(known);
            }
            clock
        }
        // Without any limit it would search until it is stopped.
        None if go.depth.is_none() && go.nodes.is_none() => per_move(wait / 2),
        None => ClockTimes::default(),
    };
    go
}

/// Time per move: byoyomi without main time.
fn per_move(time: Duration) -> ClockTimes {
    ClockTimes { left: [Some(Duration::ZERO); 2], byoyomi: Some(time), ..ClockTimes::default() }
}

/// Takes over an info line; other lines of MultiPV are ignored.
fn update(info: &mut SearchInfo, line: &Info) {
    if line.multipv.is_some_and(|number| number > 1) {
        return;
    }
    info.depth = line.depth.or(info.depth);
    info.nodes = line.nodes.or(info.nodes);
    let Some(score) = line.score.filter(|score| score.bound == Bound::Exact) else { return };
    let plies = |plies: Option<u32>| plies.map(|plies| i32::try_from(plies).unwrap_or(i32::MAX));
    (info.value, info.proven) = match score.value {
        ScoreValue::Centipawns(value) => (Some(f64::from(value)), None),
        ScoreValue::MateIn(distance) => (None, plies(distance)),
        ScoreValue::MatedIn(distance) => (None, plies(distance).map(|plies| -plies)),
    };
}
