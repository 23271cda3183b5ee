//! The state machine of a player: what it waits for, and what a message means there.

use super::{Colour, GameEnd, GameStart, Message, ServerMove, ServerStanding};

/// What the player waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientPhase {
    /// A new game, or the end of the match.
    Wait,
    /// Our own move.
    OwnTurn,
    /// The acknowledgement of our move.
    AckWait,
    /// The opponent's move.
    OtherTurn,
    /// Nothing: the server ended the match.
    Done,
}

/// The meaning of a message in the current phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerEvent {
    /// A game starts.
    Start(GameStart),
    /// The server accepted our move; the milliseconds left.
    Ack(i64),
    /// The opponent moved. It is our turn.
    Move(ServerMove),
    /// The game is over.
    End(GameEnd),
    /// All games are over.
    Bye(Vec<ServerStanding>),
    /// The message does not fit the phase. The phase stays the same.
    Unexpected,
}

/// The state of a player after `OPEN`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientState {
    phase: ClientPhase,
}

impl Default for ClientState {
    fn default() -> ClientState {
        ClientState { phase: ClientPhase::Wait }
    }
}

impl ClientState {
    /// What the player waits for.
    pub fn phase(&self) -> ClientPhase {
        self.phase
    }

    /// Whether a game is in progress.
    pub fn is_playing(&self) -> bool {
        matches!(self.phase, ClientPhase::OwnTurn | ClientPhase::AckWait | ClientPhase::OtherTurn)
    }

    /// Records that we sent our move.
    pub fn moved(&mut self) {
        if self.phase == ClientPhase::OwnTurn {
            self.phase = ClientPhase::AckWait;
        }
    }

    /// Handles a message. Two harmless deviations are accepted: a game may start before the last one has ended,
    /// and an opponent's move may replace the acknowledgement of ours.
    pub fn receive(&mut self, message: Message) -> ServerEvent {
        use ClientPhase::{AckWait, Done, OtherTurn, OwnTurn, Wait};
        let (phase, event) = match (self.phase, message) {
            (Done, _) => (Done, ServerEvent::Unexpected),
            (_, Message::Bye(table)) => (Done, ServerEvent::Bye(table)),
            (_, Message::Start(start)) => {
                let phase = if start.colour == Colour::Black { OwnTurn } else { OtherTurn };
                (phase, ServerEvent::Start(start))
            }
            (OwnTurn | AckWait | OtherTurn, Message::End(end)) => (Wait, ServerEvent::End(end)),
            (AckWait, Message::Ack(left)) => (OtherTurn, ServerEvent::Ack(left)),
            (AckWait | OtherTurn, Message::Move(mv)) => (OwnTurn, ServerEvent::Move(mv)),
            (phase, Message::Ack(_) | Message::Move(_) | Message::End(_)) => (phase, ServerEvent::Unexpected),
        };
        self.phase = phase;
        event
    }
}
