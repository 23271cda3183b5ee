//! An engine thinking in a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use tesuji_game::{Game, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Report};

/// Deep lines need more than the usual stack.
const STACK: usize = 32 << 20;

/// What is heard from an engine.
pub(crate) enum Heard<G: Game> {
    /// News.
    News(Report<G::Move>),
    /// Its choice, and the engine itself, unless it broke.
    Chose(Option<Box<dyn Engine<G>>>, Choice<G::Move>),
}

/// Lets an engine think; `tell` hears its news and, in any case, its choice.
pub(crate) fn think<G: Game>(
    mut engine: Box<dyn Engine<G>>,
    record: Record<G>,
    limits: Limits,
    stop: CancelToken,
    tell: impl Fn(Heard<G>) + Clone + Send + 'static,
) {
    let news = tell.clone();
    let work = move || {
        let choice = engine.think(&record, &limits, &stop, &mut |report| news(Heard::News(report.clone())));
        Heard::Chose(Some(engine), choice)
    };
    apart(work, || Heard::Chose(None, Choice::Over), tell);
}

/// Does `work` in a thread and tells what it gives. When it panics, or no thread can be had, that is
/// `otherwise`: whoever waits must hear something.
pub(crate) fn apart<T: 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    otherwise: fn() -> T,
    tell: impl Fn(T) + Clone + Send + 'static,
) {
    let teller = tell.clone();
    let spawned = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
        teller(catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| otherwise()));
    });
    if spawned.is_err() {
        tell(otherwise());
    }
}
