//! `tesuji engine gtp`: an Othello engine for whatever speaks the Go text protocol, on standard input and
//! output.
//!
//! Commands are obeyed one after the other, as the protocol has it; the end of the input ends the engine once
//! everything before it was answered.

mod clocks;
mod session;
mod told;

use std::io;

use tesuji_engines::EngineFactory;
use tesuji_othello::Othello;
use tesuji_protocol::gtp::{Command, Reply, Verb};

use crate::failure::Done;
use crate::input::next_line;
use crate::out::Out;
use session::Session;

/// Speaks GTP until `quit` or the end of the input.
pub(crate) fn run(engines: &EngineFactory<Othello>, spec: Option<&str>, out: &mut Out) -> Done {
    let mut session = Session::new(engines, spec)?;
    let mut input = io::stdin().lock();
    while let Some(line) = next_line(&mut input)? {
        let Some(Command { id, verb }) = Command::parse(line) else { continue };
        let quit = verb == Verb::Quit;
        let text = session.obey(verb);
        out.bytes(Reply { id, text }.to_string().as_bytes())?;
        out.flush()?;
        if quit {
            break;
        }
    }
    Ok(())
}
