//! A search whose progress is a stream of events.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use tesuji_task::Context;

use crate::error::ApiError;
use crate::events::Events;
use crate::pool::{Lane, Sharing, Ticket};
use crate::state::{App, Client};
use crate::thread::search;

/// How often a waiting client is told its place, if that has changed.
const PLACE: Duration = Duration::from_millis(500);
/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(10);

/// The event `waiting`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WaitingEvent {
    /// The place in the queue, from 1.
    pub(crate) place: usize,
    /// The position.
    pub(crate) position: String,
}

/// Starts a job: `work` runs on a thread of its own once it has a slot. It ends when the client goes away.
pub(crate) fn stream(
    app: &App,
    client: Client,
    sharing: Sharing,
    position: String,
    work: impl FnOnce(&mut Ticket, Context<'_>, &Events) -> Result<(), ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let mut ticket = app.pool.join(client, Lane::Analysis)?;
    ticket.sharing = sharing;
    let events = Events::default();
    let response = events.response(app);
    tokio::spawn(drive(app.clone(), ticket, events, position, work));
    Ok(response)
}

async fn drive(
    app: App,
    mut ticket: Ticket,
    events: Events,
    position: String,
    work: impl FnOnce(&mut Ticket, Context<'_>, &Events) -> Result<(), ApiError> + Send + 'static,
) {
    if wait(&app, &mut ticket, &events, position).await {
        app.metrics.searches.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::clone(&ticket.stop);
        let told = events.clone();
        let task = search(move || {
            let stop = Arc::clone(&ticket.stop);
            work(&mut ticket, Context::silent(&stop.cancel), &told)
        });
        tokio::pin!(task);
        let mut stopping = app.stopping.clone();
        let done = loop {
            tokio::select! {
                done = &mut task => break done,
                () = events.gone(), if !stop.cancel.is_cancelled() => stop.cancel.cancel(),
                _ = stopping.wait_for(|stop| *stop), if !stop.cancel.is_cancelled() => stop.cancel.cancel(),
                () = tokio::time::sleep(ALIVE) => events.keep_alive(),
            }
        };
        if stop.made_room() {
            app.metrics.shared.fetch_add(1, Ordering::Relaxed);
        }
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => events.push("failed", &error.body()),
            Err(error) => {
                app.metrics.panics.fetch_add(1, Ordering::Relaxed);
                tracing::error!("a search failed");
                events.push("failed", &error.body());
            }
        }
    }
    events.finish();
}

/// Waits for a slot and tells the place meanwhile. False when nobody waits any more.
async fn wait(app: &App, ticket: &mut Ticket, events: &Events, position: String) -> bool {
    let mut stopping = app.stopping.clone();
    let mut told = None;
    let mut silent = Duration::ZERO;
    loop {
        let stop = async { drop(stopping.wait_for(|stop| *stop).await) };
        tokio::select! {
            biased;
            () = ticket.slot() => return true,
            () = events.gone() => return false,
            () = stop => return false,
            () = tokio::time::sleep(if told.is_none() { Duration::ZERO } else { PLACE }) => {}
        }
        let place = ticket.place();
        if let (Some(place), true) = (place, place != told) {
            events.update("waiting", &WaitingEvent { place, position: position.clone() });
            (told, silent) = (Some(place), Duration::ZERO);
        }
        silent += PLACE;
        if silent >= ALIVE {
            events.keep_alive();
            silent = Duration::ZERO;
        }
    }
}
