//! A background search of a session.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tesuji_engines::{SearchEvent, spawn_search};
use tesuji_game::{Game, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, ValueUnit};

use super::{SearchPurpose, SearchStatus};
use crate::{AnalysisUpdate, Playable, SideName};

/// A running search.
pub(super) struct BackgroundSearch<G: Game> {
    pub(super) purpose: SearchPurpose,
    /// The side whose engine searches; none for the assistant.
    pub(super) side: Option<SideName>,
    /// The version of the session it belongs to.
    pub(super) version: u64,
    /// Whether its result is no longer wanted.
    pub(super) dropped: bool,
    pub(super) update: Option<AnalysisUpdate>,
    pub(super) cancel: CancelToken,
    begun: Instant,
    position: G,
    unit: ValueUnit,
    events: Receiver<SearchEvent<G>>,
}

/// What a search ends with.
pub(super) struct SearchEnd<G: Game> {
    /// None if the engine panicked.
    pub(super) engine: Option<Box<dyn Engine<G>>>,
    pub(super) choice: Choice<G::Move>,
}

impl<G: Playable> BackgroundSearch<G> {
    pub(super) fn start(
        purpose: SearchPurpose,
        side: Option<SideName>,
        version: u64,
        (engine, unit): (Box<dyn Engine<G>>, ValueUnit),
        record: Record<G>,
        limits: Limits,
    ) -> BackgroundSearch<G> {
        let (send, events) = channel();
        let cancel = CancelToken::new();
        let (begun, position) = (Instant::now(), record.now().clone());
        spawn_search(engine, record, limits, cancel.clone(), move |event| {
            // The session may have ended.
            let _ = send.send(event);
        });
        BackgroundSearch { purpose, side, version, dropped: false, update: None, cancel, begun, position, unit, events }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(super) fn status(&self) -> SearchStatus {
        SearchStatus {
            purpose: self.purpose,
            seconds: self.elapsed().as_secs_f64(),
            is_running: true,
            update: self.update.clone(),
        }
    }

    /// Takes in the events so far. If there are none, waits up to `wait` for one. Returns the end of the search.
    pub(super) fn receive(&mut self, wait: Duration) -> Option<SearchEnd<G>> {
        let mut next = self.events.recv_timeout(wait).ok();
        while let Some(event) = next {
            match event {
                SearchEvent::Report(report) => {
                    self.update = Some(AnalysisUpdate::of(&self.position, &report, self.unit));
                }
                SearchEvent::Done { engine, choice } => return Some(SearchEnd { engine, choice }),
            }
            next = self.events.try_recv().ok();
        }
        None
    }
}
