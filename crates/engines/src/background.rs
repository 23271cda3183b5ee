//! Searches on threads of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use tesuji_game::{Game, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport};

/// Deep lines need more than the default stack.
const STACK: usize = 32 << 20;

/// An event of a search in the background.
pub enum SearchEvent<G: Game> {
    /// An iteration is complete.
    Report(SearchReport<G::Move>),
    /// The search is over. Always the last event.
    Done {
        /// The engine, ready for the next search; `None` if it panicked.
        engine: Option<Box<dyn Engine<G>>>,
        /// Its choice; [`Choice::Over`] if it panicked.
        choice: Choice<G::Move>,
    },
}

/// Searches on a new thread and sends the events of the search, from that thread, to `send`.
pub fn spawn_search<G: Game>(
    mut engine: Box<dyn Engine<G>>,
    record: Record<G>,
    limits: Limits,
    cancel: CancelToken,
    send: impl Fn(SearchEvent<G>) + Clone + Send + 'static,
) {
    let report = send.clone();
    let search = move || {
        let choice = engine.think(&record, &limits, &cancel, &mut |found| report(SearchEvent::Report(found.clone())));
        SearchEvent::Done { engine: Some(engine), choice }
    };
    spawn(search, || SearchEvent::Done { engine: None, choice: Choice::Over }, send);
}

/// Runs `work` on a new thread with a large stack and sends its result. If it panics, or if no thread can be started,
/// sends `fallback` instead, so that the receiver never waits in vain.
pub fn spawn<T: 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    fallback: fn() -> T,
    send: impl Fn(T) + Clone + Send + 'static,
) {
    let sender = send.clone();
    let spawned = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
        sender(catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| fallback()));
    });
    if spawned.is_err() {
        send(fallback());
    }
}
