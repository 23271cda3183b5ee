//! USI, the protocol of shogi board programs.
//!
//! One thread reads, one searches, and the calling thread alone decides and writes. They meet in one channel.

mod engine_options;
mod options;
mod response;
mod search;
mod session;
mod waiting;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

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
    loop {
        let event = match session.due() {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => events.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(event) => {
                if let ControlFlow::Break(()) = session.handle(event)? {
                    return session.quit(events);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        session.check_deadline()?;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{BufReader, PipeReader, PipeWriter, pipe};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::thread::{self, JoinHandle};

    use tesuji_engines::{RandomMover, Spec, SpecError};
    use tesuji_game::{Game, Record};
    use tesuji_search::{Choice, Engine, Limits, SearchReport};
    use tesuji_task::CancelToken;

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

    /// Does not heed the clock, and returns only when it is told to.
    struct Sleeper(Arc<Mutex<Receiver<()>>>);

    thread_local! {
        static WAKES: RefCell<Option<Arc<Mutex<Receiver<()>>>>> = const { RefCell::new(None) };
    }

    impl Engine<Shogi> for Sleeper {
        fn think(
            &mut self,
            record: &Record<Shogi>,
            limits: &Limits,
            stop: &CancelToken,
            watch: &mut dyn FnMut(&SearchReport<<Shogi as Game>::Move>),
        ) -> Choice<<Shogi as Game>::Move> {
            self.0.lock().unwrap().recv().unwrap();
            assert!(stop.is_cancelled());
            RandomMover::new(1).think(record, limits, stop, watch)
        }
    }

    fn sleeper(_: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let wakes = WAKES.with(|wakes| wakes.borrow().clone().unwrap());
        Ok(Box::new(Sleeper(wakes)))
    }

    /// A conversation with a [`Sleeper`]: its input, its output, what wakes the engine once, its thread.
    fn with_a_sleeper() -> (PipeWriter, BufReader<PipeReader>, Sender<()>, JoinHandle<DriverResult>) {
        let ((input, gui), (replies, mut output)) = (pipe().unwrap(), pipe().unwrap());
        let (wake, wakes) = channel();
        let driver = thread::spawn(move || {
            WAKES.with(|slot| *slot.borrow_mut() = Some(Arc::new(Mutex::new(wakes))));
            let engines = EngineFactory { make: sleeper, ..EngineFactory::of_game() };
            run(&engines, Some("random"), BufReader::new(input), &mut output)
        });
        (gui, BufReader::new(replies), wake, driver)
    }

    #[test]
    fn a_search_that_does_not_return_in_time_is_answered_for() {
        let (mut gui, replies, wake, driver) = with_a_sleeper();
        let mut lines = replies.lines().map(Result::unwrap);
        let mut ask = |command: &str, until: &str| {
            writeln!(gui, "{command}").unwrap();
            lines.find(|line| line.starts_with(until)).expect(command)
        };
        ask("isready", "readyok");
        // The engine still sleeps when the answers come, of its own search and of the next one, which waits for it.
        let first = ask("position startpos\ngo byoyomi 40", "bestmove ");
        let mv = first.strip_prefix("bestmove ").unwrap();
        let second = ask(&format!("position startpos moves {mv}\ngo btime 0 wtime 0 byoyomi 40"), "bestmove ");
        let reply = second.strip_prefix("bestmove ").unwrap();
        // Its search ends, and its own answer is kept back. The third request is searched.
        wake.send(()).unwrap();
        let third = ask(&format!("position startpos moves {mv} {reply}\ngo byoyomi 40"), "bestmove ");
        let last = third.strip_prefix("bestmove ").unwrap();
        wake.send(()).unwrap();
        writeln!(gui, "position startpos moves {mv} {reply} {last}\nisready").unwrap();
        let rest: Vec<String> = lines.by_ref().take_while(|line| line != "readyok").collect();
        assert!(rest.is_empty(), "{mv} {reply} {last}: {rest:?}");
        writeln!(gui, "quit").unwrap();
        driver.join().unwrap().unwrap();
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_ponder_hit_is_for_the_search_that_still_waits() {
        let (mut gui, replies, wake, driver) = with_a_sleeper();
        let mut lines = replies.lines().map(Result::unwrap);
        let mut ask = |command: &str, until: &str| {
            writeln!(gui, "{command}").unwrap();
            lines.find(|line| line.starts_with(until)).expect(command)
        };
        ask("isready", "readyok");
        // The engine still sleeps when the answers come, that of the ponder search by the clock since its hit.
        ask("position startpos\ngo byoyomi 40", "bestmove ");
        ask("position startpos moves 7g7f 3c3d\ngo ponder btime 0 wtime 0 byoyomi 40\nponderhit", "bestmove ");
        wake.send(()).unwrap();
        drop(gui);
        driver.join().unwrap().unwrap();
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_wrong_spec_is_an_error() {
        let wrong = run(&EngineFactory::of_game(), Some("alphabetta"), &b"usi\n"[..], &mut Vec::new());
        assert!(wrong.unwrap_err().to_string().contains("did you mean"));
    }
}
