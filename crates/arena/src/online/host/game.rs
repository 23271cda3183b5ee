//! One game on the server: questions, answers, clocks, and the verdict.

use std::time::Instant;

use tesuji_game::{Ending, Notation, Side};
use tesuji_protocol::reversi::{Colour, Command, GameEnd, GameResult, GameStart, Message, reason};
use tesuji_search::CancelToken;

use super::Terms;
use super::board::{Board, Ruling};
use super::member::{Contestant, Silence};
use super::result::{Outcome, Winner};
use super::watch::Watch;
use crate::referee::reason as words;

/// Two players at a board.
pub(super) struct Table<'a, G: Notation> {
    players: [&'a mut Contestant; 2],
    board: Board<G>,
    watch: Watch,
    discs: fn(&G) -> [u32; 2],
    stop: &'a CancelToken,
}

impl<'a, G: Notation> Table<'a, G> {
    pub(super) fn new(
        players: [&'a mut Contestant; 2],
        terms: Terms,
        discs: fn(&G) -> [u32; 2],
        stop: &'a CancelToken,
    ) -> Table<'a, G> {
        Table { players, board: Board::new(), watch: Watch::new(terms.time, terms.byoyomi), discs, stop }
    }

    /// Plays to the end; nothing comes of a game during which everything is stopped.
    pub(super) fn play(mut self) -> Option<Outcome<G>> {
        Side::BOTH.into_iter().for_each(|side| self.player(side).hush());
        match Side::BOTH.map(|side| self.player(side).gone()) {
            [true, true] => return Some(self.end(Winner::Nobody, reason::DISCONNECTED)),
            [true, false] => return Some(self.end(Winner::Side(Side::Second), reason::DISCONNECTED)),
            [false, true] => return Some(self.end(Winner::Side(Side::First), reason::DISCONNECTED)),
            [false, false] => {}
        }
        for (side, colour) in [(Side::First, Colour::Black), (Side::Second, Colour::White)] {
            let (opponent, time) = (self.player(!side).name.clone(), self.watch.left(side));
            self.player(side).say(&Message::Start(GameStart { colour, opponent, time }));
        }
        loop {
            let (winner, reason) = match self.turn() {
                Ok(Ruling::On(_)) => continue,
                Ok(Ruling::Finished) => (self.leader(), reason::DOUBLE_PASS),
                Ok(Ruling::Lost(reason)) => (Winner::Side(!self.board.mover()), reason),
                Err(Silence::Stopped) => return None,
                Err(silence) => (Winner::Side(!self.board.mover()), self.blame(silence)),
            };
            let outcome = self.end(winner, reason);
            self.tell(&outcome);
            return Some(outcome);
        }
    }

    fn player(&mut self, side: Side) -> &mut Contestant {
        self.players[side.index()]
    }

    /// Waits for the mover, plays what it says, and tells both.
    fn turn(&mut self) -> Result<Ruling, Silence> {
        let side = self.board.mover();
        let (asked, stop) = (Instant::now(), self.stop);
        let until = asked + self.watch.allowed(side);
        let (line, at) = self.player(side).hear(until, stop)?;
        let used = at.saturating_duration_since(asked);
        let left = self.watch.spend(side, used).map_err(|_| Silence::Late)?;
        let plies = self.board.record.plies().len();
        let ruling = self.board.judge(Command::parse(line));
        if self.board.record.plies().len() > plies
            && let Some(note) = self.board.record.note()
        {
            note.time(used);
        }
        if let Ruling::On(play) = ruling {
            self.player(side).say(&Message::Ack(left));
            // The opponent's clock runs from the moment it is told.
            self.player(!side).hush();
            self.player(!side).say(&Message::Move(play));
        }
        Ok(ruling)
    }

    /// The reason for which silence loses.
    fn blame(&mut self, silence: Silence) -> &'static str {
        let mover = self.board.mover();
        match silence {
            Silence::Late => reason::TIME_OUT,
            Silence::Endless => {
                self.player(mover).dismiss();
                reason::INVALID_COMMAND
            }
            Silence::Gone | Silence::Stopped => {
                self.player(mover).dismiss();
                reason::DISCONNECTED
            }
        }
    }

    /// Who has won a game that was played to its end.
    fn leader(&self) -> Winner {
        let winner = self.board.record.ending().and_then(|ending| ending.winner);
        winner.map_or(Winner::Tie, Winner::Side)
    }

    fn end(&mut self, winner: Winner, reason: &'static str) -> Outcome<G> {
        let mut record = self.board.record.clone();
        let discs = (self.discs)(record.now());
        if record.ending().is_none() {
            let side = if let Winner::Side(side) = winner { Some(side) } else { None };
            // An open record takes any ending.
            let _ = record.end(Ending { winner: side, reason: word(reason) });
        }
        let left = Side::BOTH.map(|side| self.watch.left(side));
        Outcome { winner, reason, discs, left, record }
    }

    fn tell(&mut self, outcome: &Outcome<G>) {
        for side in Side::BOTH {
            let verdict = match outcome.winner {
                Winner::Side(winner) if winner == side => GameResult::Win,
                Winner::Tie => GameResult::Tie,
                Winner::Side(_) | Winner::Nobody => GameResult::Lose,
            };
            let [own, other] = [side, !side].map(|side| outcome.discs[side.index()]);
            let reason = outcome.reason.to_owned();
            self.player(side).say(&Message::End(GameEnd { verdict, own, other, reason }));
        }
    }
}

/// The arena's word for a reason of the protocol.
fn word(reason: &str) -> &'static str {
    match reason {
        reason::GIVEUP => words::RESIGNATION,
        reason::TIME_OUT => words::TIME,
        reason::INVALID_MOVE => words::ILLEGAL,
        reason::INVALID_COMMAND => words::PROTOCOL,
        _ => words::CRASH,
    }
}
