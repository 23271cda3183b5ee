//! One game on the server: its board, its clocks and its result.

use std::time::Instant;

use tesuji_game::{Ending, Notation, Record, Side};
use tesuji_protocol::reversi::{Colour, Command, GameEnd, GameResult, GameStart, Message, ServerMove, reason};
use tesuji_search::CancelToken;

use super::ServerSettings;
use super::clocks::ServerClocks;
use super::player::{ReceiveError, ServerPlayer};
use super::results::{ServerGameOutcome, ServerWinner};
use crate::referee::reason as arena;

/// The board of a game, and the passes since no side can move.
#[derive(Debug)]
pub(super) struct ServerBoard<G: Notation> {
    pub(super) record: Record<G>,
    closing: u8,
}

/// What follows from a command of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveRuling {
    /// The move was played; the opponent is informed.
    On(ServerMove),
    /// The game was played to the end.
    Finished,
    /// The mover loses, for this reason.
    Lost(&'static str),
}

impl<G: Notation> ServerBoard<G> {
    pub(super) fn new() -> ServerBoard<G> {
        ServerBoard { record: Record::new(G::start()), closing: 0 }
    }

    /// The side to move, also when only passes are left.
    pub(super) fn mover(&self) -> Side {
        let mover = self.record.now().mover();
        if self.closing == 1 { !mover } else { mover }
    }

    /// Rules on a command of the mover; `None` stands for an invalid line.
    pub(super) fn rule(&mut self, command: Option<Command>) -> MoveRuling {
        let play = match command {
            Some(Command::Move(ServerMove::GiveUp)) => return MoveRuling::Lost(reason::GIVEUP),
            Some(Command::Move(play)) => play,
            Some(Command::Open(_)) | None => return MoveRuling::Lost(reason::INVALID_COMMAND),
        };
        if self.record.ending().is_some() {
            if play != ServerMove::Pass {
                return MoveRuling::Lost(reason::INVALID_MOVE);
            }
            self.closing += 1;
            return if self.closing < 2 { MoveRuling::On(play) } else { MoveRuling::Finished };
        }
        match self.record.push_text(&play.to_string()) {
            Ok(()) => MoveRuling::On(play),
            Err(_) => MoveRuling::Lost(reason::INVALID_MOVE),
        }
    }
}

/// A game between two connected players.
pub(super) struct ServerGame<'a, G: Notation> {
    players: [&'a mut ServerPlayer; 2],
    board: ServerBoard<G>,
    clocks: ServerClocks,
    discs: fn(&G) -> [u32; 2],
    cancel: &'a CancelToken,
}

impl<'a, G: Notation> ServerGame<'a, G> {
    pub(super) fn new(
        players: [&'a mut ServerPlayer; 2],
        settings: ServerSettings,
        discs: fn(&G) -> [u32; 2],
        cancel: &'a CancelToken,
    ) -> ServerGame<'a, G> {
        ServerGame {
            players,
            board: ServerBoard::new(),
            clocks: ServerClocks::new(settings.time, settings.byoyomi),
            discs,
            cancel,
        }
    }

    /// Plays to the end; a cancelled game has no result.
    pub(super) fn play(mut self) -> Option<ServerGameOutcome<G>> {
        Side::BOTH.into_iter().for_each(|side| self.player(side).drain());
        match Side::BOTH.map(|side| self.player(side).gone()) {
            [true, true] => return Some(self.end(ServerWinner::Nobody, reason::DISCONNECTED)),
            [true, false] => return Some(self.end(ServerWinner::Side(Side::Second), reason::DISCONNECTED)),
            [false, true] => return Some(self.end(ServerWinner::Side(Side::First), reason::DISCONNECTED)),
            [false, false] => {}
        }
        for (side, colour) in [(Side::First, Colour::Black), (Side::Second, Colour::White)] {
            let (opponent, time) = (self.player(!side).name.clone(), self.clocks.left(side));
            self.player(side).send(&Message::Start(GameStart { colour, opponent, time }));
        }
        loop {
            let (winner, reason) = match self.turn() {
                Ok(MoveRuling::On(_)) => continue,
                Ok(MoveRuling::Finished) => (self.leader(), reason::DOUBLE_PASS),
                Ok(MoveRuling::Lost(reason)) => (ServerWinner::Side(!self.board.mover()), reason),
                Err(ReceiveError::Cancelled) => return None,
                Err(silence) => (ServerWinner::Side(!self.board.mover()), self.reason_of(silence)),
            };
            let outcome = self.end(winner, reason);
            self.announce(&outcome);
            return Some(outcome);
        }
    }

    fn player(&mut self, side: Side) -> &mut ServerPlayer {
        self.players[side.index()]
    }

    /// Waits for the mover, plays its move and informs both.
    fn turn(&mut self) -> Result<MoveRuling, ReceiveError> {
        let side = self.board.mover();
        let (asked, cancel) = (Instant::now(), self.cancel);
        let until = asked + self.clocks.allowed(side);
        let (line, at) = self.player(side).receive(until, cancel)?;
        let used = at.saturating_duration_since(asked);
        let left = self.clocks.spend(side, used).map_err(|_| ReceiveError::Late)?;
        let plies = self.board.record.plies().len();
        let ruling = self.board.rule(Command::parse(line));
        if self.board.record.plies().len() > plies
            && let Some(note) = self.board.record.note()
        {
            note.time(used);
        }
        if let MoveRuling::On(play) = ruling {
            self.player(side).send(&Message::Ack(left));
            // The opponent's clock starts when the move is sent.
            self.player(!side).drain();
            self.player(!side).send(&Message::Move(play));
        }
        Ok(ruling)
    }

    /// The reason for which a missing answer loses.
    fn reason_of(&mut self, silence: ReceiveError) -> &'static str {
        let mover = self.board.mover();
        match silence {
            ReceiveError::Late => reason::TIME_OUT,
            ReceiveError::TooLong => {
                self.player(mover).disconnect();
                reason::INVALID_COMMAND
            }
            ReceiveError::Gone | ReceiveError::Cancelled => {
                self.player(mover).disconnect();
                reason::DISCONNECTED
            }
        }
    }

    /// The winner of a game that was played to the end.
    fn leader(&self) -> ServerWinner {
        let winner = self.board.record.ending().and_then(|ending| ending.winner);
        winner.map_or(ServerWinner::Tie, ServerWinner::Side)
    }

    fn end(&mut self, winner: ServerWinner, reason: &'static str) -> ServerGameOutcome<G> {
        let mut record = self.board.record.clone();
        let discs = (self.discs)(record.now());
        if record.ending().is_none() {
            let side = if let ServerWinner::Side(side) = winner { Some(side) } else { None };
            // A record without an ending takes any.
            let _ = record.end(Ending { winner: side, reason: arena_reason(reason) });
        }
        let left = Side::BOTH.map(|side| self.clocks.left(side));
        ServerGameOutcome { winner, reason, discs, left, record }
    }

    fn announce(&mut self, outcome: &ServerGameOutcome<G>) {
        for side in Side::BOTH {
            let verdict = match outcome.winner {
                ServerWinner::Side(winner) if winner == side => GameResult::Win,
                ServerWinner::Tie => GameResult::Tie,
                ServerWinner::Side(_) | ServerWinner::Nobody => GameResult::Lose,
            };
            let [own, other] = [side, !side].map(|side| outcome.discs[side.index()]);
            let reason = outcome.reason.to_owned();
            self.player(side).send(&Message::End(GameEnd { verdict, own, other, reason }));
        }
    }
}

/// The arena's arena_reason for a reason of the protocol.
fn arena_reason(reason: &str) -> &'static str {
    match reason {
        reason::GIVEUP => arena::RESIGNATION,
        reason::TIME_OUT => arena::TIME,
        reason::INVALID_MOVE => arena::ILLEGAL,
        reason::INVALID_COMMAND => arena::PROTOCOL,
        _ => arena::CRASH,
    }
}
