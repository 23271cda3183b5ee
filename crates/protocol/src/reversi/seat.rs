//! Where a player stands in the conversation with a server, and what a message means there.

use super::{Colour, End, Message, Play, Standing, Start};

/// What is due next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// A game, or the end of all.
    Wait,
    /// Our move.
    OwnTurn,
    /// The server's word that our move was taken.
    AckWait,
    /// The opponent's move.
    OtherTurn,
    /// Nothing: the server has said farewell.
    Done,
}

/// What a message means to whoever hears it in this state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A game begins, with our move or with the opponent's.
    Begin(Start),
    /// Our move was taken; so many milliseconds are left.
    Taken(i64),
    /// The opponent moved: it is our turn.
    Moved(Play),
    /// The game is over.
    Over(End),
    /// All games are over.
    Farewell(Vec<Standing>),
    /// It makes no sense here and changes nothing.
    Astray,
}

/// A player's place at a server, after it has opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat {
    state: State,
}

impl Default for Seat {
    fn default() -> Seat {
        Seat { state: State::Wait }
    }
}

impl Seat {
    /// What is due next.
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether a game is on.
    pub fn is_playing(&self) -> bool {
        matches!(self.state, State::OwnTurn | State::AckWait | State::OtherTurn)
    }

    /// We have sent our move.
    pub fn moved(&mut self) {
        if self.state == State::OwnTurn {
            self.state = State::AckWait;
        }
    }

    /// Takes a message. Servers are believed where that harms nobody: a game may begin before the last one
    /// has ended, and an opponent's move tells that ours was taken.
    pub fn hear(&mut self, message: Message) -> Heard {
        use State::{AckWait, Done, OtherTurn, OwnTurn, Wait};
        let (state, heard) = match (self.state, message) {
            (Done, _) => (Done, Heard::Astray),
            (_, Message::Bye(table)) => (Done, Heard::Farewell(table)),
            (_, Message::Start(start)) => {
                let state = if start.colour == Colour::Black { OwnTurn } else { OtherTurn };
                (state, Heard::Begin(start))
            }
            (OwnTurn | AckWait | OtherTurn, Message::End(end)) => (Wait, Heard::Over(end)),
            (AckWait, Message::Ack(left)) => (OtherTurn, Heard::Taken(left)),
            (AckWait | OtherTurn, Message::Move(play)) => (OwnTurn, Heard::Moved(play)),
            (state, Message::Ack(_) | Message::Move(_) | Message::End(_)) => (state, Heard::Astray),
        };
        self.state = state;
        heard
    }
}
