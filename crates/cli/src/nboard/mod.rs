//! `tesuji engine nboard`: an Othello engine for NBoard and other boards that speak its protocol, on standard
//! input and output.
//!
//! One thread reads, one searches, and this one alone decides and writes; they meet in one channel.

mod clock;
mod session;
mod speech;

use std::sync::mpsc;
use std::time::Instant;

use tesuji_engines::EngineFactory;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Choice, Engine, Report};

use crate::failure::{Done, Failure};
use crate::input;
use crate::out::Out;
use session::Session;

/// What may wait while a search is being stopped.
const WAITING: usize = 64;

/// What the session hears of.
enum Event {
    /// A line came in.
    Line(Vec<u8>),
    /// There will be no more lines.
    End,
    /// News from the search.
    News(Report<Move>),
    /// The search is over, and the engine back, unless it broke.
    Found(Option<Box<dyn Engine<Othello>>>, Choice<Move>),
}

/// Speaks NBoard until `quit` or the end of the input.
pub(crate) fn run(engines: &EngineFactory<Othello>, spec: Option<&str>, out: &mut Out) -> Done {
    let (to, from) = mpsc::sync_channel(WAITING);
    let mut session = Session::new(engines, spec, to.clone(), from, out)?;
    let tell = move |line: Option<(Vec<u8>, Instant)>| {
        to.send(line.map_or(Event::End, |(line, _)| Event::Line(line))).is_ok()
    };
    input::start(tell).map_err(|error| Failure::usage(format!("no thread to read with: {error}")))?;
    session.run()
}
