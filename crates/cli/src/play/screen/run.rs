//! An engine at work behind the screen.

use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use tesuji_engines::{SearchEvent, spawn_search};
use tesuji_game::{Game, Record, Side};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport};

/// What an engine is thinking for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Its own move.
    Move,
    /// A move for a person who asked.
    Assist,
    /// A move to suggest.
    Hint,
    /// The values of the position shown.
    Values,
}

/// A search under way.
pub(super) struct Run<G: Game> {
    pub(super) purpose: Purpose,
    /// Whose engine it is; none for the helper.
    pub(super) side: Option<Side>,
    /// Nobody wants to hear of it any more.
    pub(super) dropped: bool,
    /// Which state of the desk it belongs to; what comes for an older one is not shown.
    pub(super) stamp: u64,
    pub(super) begun: Instant,
    pub(super) news: Option<SearchReport<G::Move>>,
    pub(super) stop: CancelToken,
    from: Receiver<SearchEvent<G>>,
}

/// A search that is done.
pub(super) struct Finished<G: Game> {
    pub(super) engine: Option<Box<dyn Engine<G>>>,
    pub(super) choice: Choice<G::Move>,
}

impl<G: Game> Run<G> {
    pub(super) fn start(
        purpose: Purpose,
        side: Option<Side>,
        stamp: u64,
        engine: Box<dyn Engine<G>>,
        record: Record<G>,
        limits: Limits,
    ) -> Run<G> {
        let (to, from) = channel();
        let stop = CancelToken::new();
        spawn_search(engine, record, limits, stop.clone(), move |event| {
            // The screen may be gone.
            let _ = to.send(event);
        });
        Run { purpose, side, dropped: false, stamp, begun: Instant::now(), news: None, stop, from }
    }

    /// Takes in what came since; the end when it came.
    pub(super) fn hear(&mut self) -> Option<Finished<G>> {
        while let Ok(event) = self.from.try_recv() {
            match event {
                SearchEvent::Report(report) => self.news = Some(report),
                SearchEvent::Done { engine, choice } => return Some(Finished { engine, choice }),
            }
        }
        None
    }
}
