//! The state machine of the player: what it waits for, and what a line means there.

use super::{EndReason, GameEnd, GameSummary, Message, SummaryError, SummaryReader, text};

/// What the player waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientPhase {
    /// The answer to its login.
    Login,
    /// A game.
    Waiting,
    /// The rest of a game summary.
    Summary,
    /// Our answer to the offered game.
    Offered,
    /// The start of a game that we accepted.
    Agreed,
    /// The end of a game, and moves until then.
    Playing,
}

/// The meaning of a line in the current phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerEvent {
    /// Logged in.
    LoggedIn,
    /// The login was refused.
    LoginRefused,
    /// A game is offered.
    Offer(Box<GameSummary>),
    /// A game is offered, and its summary cannot be read.
    BadOffer(SummaryError),
    /// The game starts.
    Started,
    /// The game does not take place.
    Rejected {
        /// Who refused.
        by: String,
    },
    /// A move of either side.
    Move {
        /// The move.
        mv: String,
        /// The time charged, in units of the clock.
        time: Option<u64>,
    },
    /// The game is over.
    Ended(GameEnd),
    /// The server accepted the logout.
    LoggedOut,
    /// A remark.
    Notice(String),
    /// Nothing to do: part of something longer, or an empty line.
    Nothing,
    /// The line does not fit the phase, which stays the same.
    Unexpected,
    /// The line is no message.
    Unknown,
}

/// The state of a player after `LOGIN`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientState {
    phase: ClientPhase,
    summary: SummaryReader,
    reason: Option<EndReason>,
}

impl Default for ClientState {
    fn default() -> ClientState {
        ClientState { phase: ClientPhase::Login, summary: SummaryReader::default(), reason: None }
    }
}

impl ClientState {
    /// What the player waits for.
    pub fn phase(&self) -> ClientPhase {
        self.phase
    }

    /// Whether a game is in progress.
    pub fn is_playing(&self) -> bool {
        self.phase == ClientPhase::Playing
    }

    /// Records that we accepted the offered game.
    pub fn agreed(&mut self) {
        if self.phase == ClientPhase::Offered {
            self.phase = ClientPhase::Agreed;
        }
    }

    /// Handles a line.
    pub fn receive(&mut self, line: &[u8]) -> ServerEvent {
        if self.phase == ClientPhase::Summary {
            return self.summary_line(line);
        }
        let Some(message) = Message::parse(line) else { return ServerEvent::Unknown };
        self.message(message)
    }

    fn summary_line(&mut self, line: &[u8]) -> ServerEvent {
        // Bytes that are no text belong to no line that matters.
        let line = text(line).unwrap_or_default();
        match self.summary.push(line) {
            None => ServerEvent::Nothing,
            Some(Ok(summary)) => {
                self.phase = ClientPhase::Offered;
                ServerEvent::Offer(Box::new(summary))
            }
            Some(Err(error)) => {
                self.phase = ClientPhase::Offered;
                ServerEvent::BadOffer(error)
            }
        }
    }

    fn message(&mut self, message: Message) -> ServerEvent {
        use ClientPhase::{Agreed, Login, Offered, Playing, Summary, Waiting};
        let (phase, event) = match (self.phase, message) {
            (phase, Message::KeepAlive) => (phase, ServerEvent::Nothing),
            (phase, Message::Notice(words)) => (phase, ServerEvent::Notice(words)),
            (phase, Message::LoggedOut) => (phase, ServerEvent::LoggedOut),
            (Login, Message::LoggedIn(_)) => (Waiting, ServerEvent::LoggedIn),
            (Login, Message::LoginRefused) => (Login, ServerEvent::LoginRefused),
            // An offer that was not answered may be replaced.
            (Waiting | Offered | Agreed, Message::BeginSummary) => {
                self.summary = SummaryReader::default();
                (Summary, ServerEvent::Nothing)
            }
            (Agreed, Message::Start(_)) => {
                self.reason = None;
                (Playing, ServerEvent::Started)
            }
            (Offered | Agreed, Message::Rejected { by, .. }) => (Waiting, ServerEvent::Rejected { by }),
            (Playing, Message::Move { mv, time }) => (Playing, ServerEvent::Move { mv, time }),
            // It is echoed before the lines that matter.
            (Playing, Message::Special(_)) => (Playing, ServerEvent::Nothing),
            (Playing, Message::Reason(reason)) => {
                self.reason = Some(reason);
                (Playing, ServerEvent::Nothing)
            }
            (Playing, Message::Result(result)) => {
                (Waiting, ServerEvent::Ended(GameEnd { reason: self.reason.take(), result }))
            }
            (phase, _) => (phase, ServerEvent::Unexpected),
        };
        self.phase = phase;
        event
    }
}
