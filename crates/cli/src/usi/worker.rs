//! Searches in threads of their own; what they find comes back through the one channel.

use std::sync::mpsc::SyncSender;

use tesuji_engines::{SearchEvent, spawn, spawn_search};
use tesuji_game::Record;
use tesuji_search::dfpn::{Answer, Dfpn, Question};
use tesuji_search::{CancelToken, Choice, Engine, Limits};
use tesuji_shogi::{Move, Shogi};

use super::Event;
use super::mate::Checks;

/// What a search came back with. Whoever searched comes back too, unless it panicked.
pub(super) enum Found {
    /// A choice.
    Choice(Option<Box<dyn Engine<Shogi>>>, Choice<Move>),
    /// A mate, or that there is none.
    Mate(Option<Box<Dfpn<Checks>>>, Answer<Move>),
}

/// Lets an engine think.
pub(super) fn think(
    engine: Box<dyn Engine<Shogi>>,
    record: Record<Shogi>,
    limits: Limits,
    stop: CancelToken,
    to: SyncSender<Event>,
) {
    spawn_search(engine, record, limits, stop, move |heard| {
        // Nobody reads along once the session is over.
        let _ = to.send(match heard {
            SearchEvent::Report(report) => Event::News(report),
            SearchEvent::Done { engine, choice } => Event::Found(Found::Choice(engine, choice)),
        });
    });
}

/// Looks for a mate.
pub(super) fn solve(
    mut solver: Box<Dfpn<Checks>>,
    record: Record<Shogi>,
    limits: Limits,
    stop: CancelToken,
    to: SyncSender<Event>,
) {
    let work = move || {
        let answer = solver.solve(&Question::of(&record), &limits, &stop);
        Found::Mate(Some(solver), answer)
    };
    spawn(
        work,
        || Found::Mate(None, Answer::Unknown),
        move |found| {
            let _ = to.send(Event::Found(found));
        },
    );
}
