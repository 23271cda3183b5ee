//! `tesuji engine usi`: a shogi engine on standard input and output.
//!
//! One thread reads, one searches, and this one alone decides and writes; they meet in one channel.

mod limits;
mod mate;
mod options;
mod position;
mod session;
mod speech;
mod worker;

use std::sync::mpsc;
use std::time::Instant;

use tesuji_engines::EngineFactory;
use tesuji_search::Report;
use tesuji_shogi::{Move, Shogi};

use crate::failure::{Done, Failure};
use crate::input;
use crate::out::Out;
use session::{Next, Session};

/// Lines that may wait while a search is being stopped.
const WAITING: usize = 64;

/// What the session hears of.
enum Event {
    /// A line came in, at that moment.
    Line(Vec<u8>, Instant),
    /// There will be no more lines.
    End,
    /// News from the search.
    News(Report<Move>),
    /// The search is over.
    Found(worker::Found),
}

/// Speaks USI until `quit` or the end of the input.
pub(crate) fn run(engines: &EngineFactory<Shogi>, spec: Option<&str>, out: &mut Out) -> Done {
    let (to, from) = mpsc::sync_channel(WAITING);
    let lines = to.clone();
    let tell = move |line: Option<(Vec<u8>, Instant)>| {
        lines.send(line.map_or(Event::End, |(line, at)| Event::Line(line, at))).is_ok()
    };
    input::start(tell).map_err(|error| Failure::usage(format!("no thread to read with: {error}")))?;
    let mut session = Session::new(engines, spec, to, out)?;
    while let Ok(event) = from.recv() {
        match session.hear(event)? {
            Next::Go => {}
            Next::Leave => return session.leave(&from),
        }
    }
    Ok(())
}
