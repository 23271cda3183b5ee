//! The dialogues with external programs, one per protocol.

mod gtp;
mod nboard;
mod trax;
mod usi;

use std::time::Duration;

use tesuji_game::{Formats, Game, Notation, Record};

use super::io::{DialogueError, EngineIo, printable};
use super::program::ExternalProgram;
use crate::player::{MoveRequest, PlayerAction, PlayerProtocol, SearchInfo};

/// The dialogue of one protocol.
pub(super) trait Dialogue<G: Game>: Send {
    /// The handshake, once per process.
    fn handshake(&mut self, io: &mut EngineIo) -> Result<(), DialogueError>;

    /// Starts a new game from `record`.
    fn new_game(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError>;

    /// Requests a move and waits for it, at most `wait` from the request.
    fn request_move(
        &mut self,
        io: &mut EngineIo,
        record: &Record<G>,
        request: &MoveRequest,
        wait: Duration,
    ) -> Result<DialogueAnswer<G::Move>, DialogueError>;

    /// The game is over.
    fn game_over(&mut self, io: &mut EngineIo, record: &Record<G>) -> Result<(), DialogueError> {
        let _ = (io, record);
        Ok(())
    }

    /// The command that ends a program, if the protocol has one. Its input is closed in any case.
    fn quit_command(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// The answer of a program.
pub(super) struct DialogueAnswer<M> {
    pub(super) action: PlayerAction<M>,
    pub(super) info: SearchInfo,
    /// The moves that it expects after its own.
    pub(super) line: Vec<M>,
    /// From the request to the answer.
    pub(super) used: Duration,
}

/// The dialogue with a program.
pub(super) fn of<G: Formats>(program: &ExternalProgram) -> Box<dyn Dialogue<G>> {
    match program.protocol {
        PlayerProtocol::Usi => Box::new(usi::UsiDialogue::new(program.options.clone())),
        PlayerProtocol::Gtp => Box::new(gtp::GtpDialogue::<G>::new(program.board_size)),
        PlayerProtocol::NBoard => Box::new(nboard::NBoardDialogue::default()),
        PlayerProtocol::Trax => Box::new(trax::TraxDialogue::new(program.team, program.extended, program.tells_end)),
    }
}

/// Parses the move of a program, which must be legal.
fn parse_legal<G: Notation>(record: &Record<G>, text: &str) -> Result<G::Move, DialogueError> {
    record
        .now()
        .clone()
        .parse_move(text)
        .map_err(|error| DialogueError::Illegal { text: printable(text.as_bytes()), message: error.message })
}

/// The moves behind `mv` in the line that a program expects, as far as they are legal.
fn expected_line<G: Notation>(record: &Record<G>, mv: G::Move, line: &[String]) -> Vec<G::Move> {
    let mut now = record.now().clone();
    let mut moves = line.iter().map_while(|text| {
        let mv = now.parse_move(text).ok()?;
        now.play(mv);
        Some(mv)
    });
    if moves.next() == Some(mv) { moves.collect() } else { Vec::new() }
}

/// The moves of a record as text, in order.
fn move_texts<G: Notation>(record: &Record<G>) -> Vec<String> {
    let mut now = record.start().clone();
    let text = |mv| {
        let text = now.print_move(mv);
        now.play(mv);
        text
    };
    record.moves().map(text).collect()
}

/// Turns a timeout before the request into a protocol violation: no game clock is running yet.
fn not_ready(wait: Duration) -> impl Fn(DialogueError) -> DialogueError {
    move |error| match error {
        DialogueError::Late => DialogueError::Protocol(format!("it was not ready for its request within {wait:?}")),
        other => other,
    }
}
