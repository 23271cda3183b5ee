//! USI, the protocol of shogi board programs.
//!
//! One thread reads, one searches, and the calling thread alone decides and writes. They meet in one channel.

mod engine_options;
mod options;
mod response;
mod search;
mod session;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc;

use tesuji_engines::EngineFactory;
use tesuji_shogi::Shogi;

use crate::input::{QUEUE, spawn_reader};
use crate::{DriverError, DriverResult, ignore_closed_output};
use session::UsiSession;

/// Speaks USI with the engine of `spec`, or the default engine, until `quit` or the end of the input.
///
/// # Errors
/// If the spec is wrong, if no thread can be started, or if writing fails.
pub fn run(
    engines: &EngineFactory<Shogi>,
    spec: Option<&str>,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), DriverError> {
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let session = UsiSession::new(engines, spec, sender.clone(), output)?;
    spawn_reader(input, sender)?;
    ignore_closed_output(converse(session, &events))
}

fn converse(mut session: UsiSession<'_>, events: &mpsc::Receiver<session::Event>) -> DriverResult {
    while let Ok(event) = events.recv() {
        if let ControlFlow::Break(()) = session.handle(event)? {
            return session.quit(events);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, pipe};
    use std::thread;

    use super::*;

    #[test]
    fn a_conversation_over_pipes() {
        let ((input, mut gui), (replies, mut output)) = (pipe().unwrap(), pipe().unwrap());
        let driver = thread::spawn(move || {
            run(&EngineFactory::of_game(), Some("alphabeta"), BufReader::new(input), &mut output)
        });
        let mut lines = BufReader::new(replies).lines().map(Result::unwrap);
        let mut ask = |command: &str, until: &str| {
            writeln!(gui, "{command}").unwrap();
            lines.find(|line| line.starts_with(until)).expect(command)
        };
        ask("usi", "usiok");
        ask("setoption name USI_Hash value 1\nisready", "readyok");
        let mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        assert_eq!(ask(&format!("{mate}\ngo depth 3"), "bestmove"), "bestmove G*5b");
        assert_eq!(ask("go mate infinite", "checkmate"), "checkmate G*5b");
        assert!(ask("position startpos moves 7g7e\nisready", "info string").contains("7g7e"));
        assert!(ask("position startpos\ngo infinite\nstop", "bestmove").len() > "bestmove ".len());
        writeln!(gui, "quit").unwrap();
        driver.join().unwrap().unwrap();
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_wrong_spec_is_an_error() {
        let wrong = run(&EngineFactory::of_game(), Some("alphabetta"), &b"usi\n"[..], &mut Vec::new());
        assert!(wrong.unwrap_err().to_string().contains("did you mean"));
    }
}
