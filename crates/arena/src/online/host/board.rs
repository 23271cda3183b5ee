//! The game on the server's board: what a command means there, and when it is over. Pure: no clock, no socket.

use tesuji_game::{Notation, Record, Side};
use tesuji_protocol::reversi::{Command, ServerMove, reason};

/// A game that is not over, and how many have passed since nobody could move any more.
#[derive(Debug)]
pub(super) struct Board<G: Notation> {
    pub(super) record: Record<G>,
    closing: u8,
}

/// What a command of the mover led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ruling {
    /// It was played; the opponent is to be told.
    On(ServerMove),
    /// The game was played to its end.
    Finished,
    /// The mover has lost, for this reason.
    Lost(&'static str),
}

impl<G: Notation> Board<G> {
    pub(super) fn new() -> Board<G> {
        Board { record: Record::new(G::start()), closing: 0 }
    }

    /// Whose turn it is, also when nothing is left but to pass.
    pub(super) fn mover(&self) -> Side {
        let mover = self.record.now().mover();
        if self.closing == 1 { !mover } else { mover }
    }

    /// What the mover's line means; none is a line that was no command.
    pub(super) fn judge(&mut self, command: Option<Command>) -> Ruling {
        let play = match command {
            Some(Command::Move(ServerMove::GiveUp)) => return Ruling::Lost(reason::GIVEUP),
            Some(Command::Move(play)) => play,
            Some(Command::Open(_)) | None => return Ruling::Lost(reason::INVALID_COMMAND),
        };
        if self.record.ending().is_some() {
            if play != ServerMove::Pass {
                return Ruling::Lost(reason::INVALID_MOVE);
            }
            self.closing += 1;
            return if self.closing < 2 { Ruling::On(play) } else { Ruling::Finished };
        }
        match self.record.push_text(&play.to_string()) {
            Ok(()) => Ruling::On(play),
            Err(_) => Ruling::Lost(reason::INVALID_MOVE),
        }
    }
}
