//! Searches in threads of their own; what they find comes back through the one channel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::thread;

use tesuji_game::Record;
use tesuji_search::dfpn::{Answer, Dfpn, Question};
use tesuji_search::{Choice, Engine, Limits, Report, Stop};
use tesuji_shogi::{Move, Shogi};

use super::Event;
use super::mate::Checks;

/// Deep lines need more than the usual stack.
const STACK: usize = 32 << 20;

/// What a search came back with. Whoever searched comes back too, unless it panicked.
pub(super) enum Found {
    /// A choice.
    Choice(Option<Box<dyn Engine<Shogi>>>, Choice<Move>),
    /// A mate, or that there is none.
    Mate(Option<Box<Dfpn<Checks>>>, Answer<Move>),
}

/// Lets an engine think.
pub(super) fn think(
    mut engine: Box<dyn Engine<Shogi>>,
    record: Record<Shogi>,
    limits: Limits,
    stop: Stop,
    to: SyncSender<Event>,
) {
    start(to.clone(), Found::Choice(None, Choice::Over), move || {
        let mut watch = |report: &Report<Move>| {
            // Nobody reads along once the session is over.
            let _ = to.send(Event::News(report.clone()));
        };
        let choice = engine.think(&record, &limits, &stop, &mut watch);
        Found::Choice(Some(engine), choice)
    });
}

/// Looks for a mate.
pub(super) fn solve(
    mut solver: Box<Dfpn<Checks>>,
    record: Record<Shogi>,
    limits: Limits,
    stop: Stop,
    to: SyncSender<Event>,
) {
    start(to, Found::Mate(None, Answer::Unknown), move || {
        let answer = solver.solve(&Question::of(&record), &limits, &stop);
        Found::Mate(Some(solver), answer)
    });
}

/// Runs `work` in a thread. When it panics, or no thread can be had, `otherwise` is the answer: a `go` must
/// have one.
fn start(to: SyncSender<Event>, otherwise: Found, work: impl FnOnce() -> Found + Send + 'static) {
    let sender = to.clone();
    let spare = match &otherwise {
        Found::Choice(_, choice) => Found::Choice(None, *choice),
        Found::Mate(_, answer) => Found::Mate(None, answer.clone()),
    };
    let spawned = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
        let found = catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise);
        let _ = sender.send(Event::Found(found));
    });
    if spawned.is_err() {
        let _ = to.send(Event::Found(spare));
    }
}
