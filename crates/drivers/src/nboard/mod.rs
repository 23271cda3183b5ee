//! NBoard, the protocol of the Othello board of that name, in its second version.
//!
//! One thread reads, one searches, and the calling thread alone decides and writes. They meet in one channel.

mod clock;
mod response;
mod session;

use std::io::{BufRead, Write};
use std::sync::mpsc;

use tesuji_engines::EngineFactory;
use tesuji_othello::Othello;

use crate::input::{QUEUE, spawn_reader};
use crate::{DriverError, ignore_closed_output};
use session::NBoardSession;

/// Speaks NBoard with the engine of `spec`, or the default engine, until `quit` or the end of the input.
///
/// # Errors
/// If the spec is wrong, if no thread can be started, or if writing fails.
pub fn run(
    engines: &EngineFactory<Othello>,
    spec: Option<&str>,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), DriverError> {
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let mut session = NBoardSession::new(engines, spec, sender.clone(), events, output)?;
    spawn_reader(input, sender)?;
    ignore_closed_output(session.run())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command before the end of the input is answered.
    #[test]
    fn a_conversation_from_memory() {
        let commands = "nboard 2\nset depth 2\nset game nothing\n\
                        set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)\n\
                        move A1\nmove D6\nping 7\nlearn\nanalyze\n";
        let mut output = Vec::new();
        run(&EngineFactory::of_game(), Some("alphabeta:hash=1"), commands.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let starts = [
            "set myname tesuji",
            "status Cannot read the game",
            "status Move ignored: \"A1\"",
            "pong 7",
            "status Books are made by tesuji book, not learned here",
            "learned",
            "status Analyzing move 2",
            "analysis 2 ",
            "status Analyzing move 1",
            "analysis 1 ",
            "status Analyzing move 0",
            "analysis 0 ",
            "status ",
        ];
        assert_eq!(output.lines().count(), starts.len(), "{output}");
        assert!(output.lines().zip(starts).all(|(line, start)| line.starts_with(start)), "{output}");
    }
}
