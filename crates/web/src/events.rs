//! Server-sent events: a queue that a search fills and a client empties at its own pace.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use http_body::Frame;
use serde::Serialize;
use tokio::sync::Notify;

use crate::state::App;

/// As many events wait for a client that reads slowly; of more, the oldest updates are dropped.
const KEPT: usize = 64;

/// The writing end of a stream of events; clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    gone: Notify,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<(Kept, Bytes)>,
    number: u64,
    is_finished: bool,
    is_gone: bool,
    reader: Option<Waker>,
}

/// Whether an event may be dropped when the client is slow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Always,
    UnlessSlow,
}

impl Events {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells an event.
    pub(crate) fn push(&self, name: &str, content: &impl Serialize) {
        self.add(Kept::Always, name, content);
    }

    /// Tells an event that the next one of its kind replaces.
    pub(crate) fn update(&self, name: &str, content: &impl Serialize) {
        self.add(Kept::UnlessSlow, name, content);
    }

    fn add(&self, kept: Kept, name: &str, content: &impl Serialize) {
        let Ok(text) = serde_json::to_string(content) else { return };
        let mut queue = self.queue();
        queue.number += 1;
        let event = format!("id: {}\nevent: {name}\ndata: {text}\n\n", queue.number);
        if queue.events.len() >= KEPT
            && let Some(at) = queue.events.iter().position(|(kept, _)| *kept == Kept::UnlessSlow)
        {
            queue.events.remove(at);
        }
        queue.add(kept, event.into());
    }

    /// A comment, which tells a client that the server is there, and the server that the client is.
    pub(crate) fn keep_alive(&self) {
        let mut queue = self.queue();
        if queue.events.is_empty() {
            queue.add(Kept::UnlessSlow, Bytes::from_static(b": \n\n"));
        }
    }

    /// No more events.
    pub(crate) fn finish(&self) {
        let mut queue = self.queue();
        queue.is_finished = true;
        queue.wake();
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.queue().is_gone
    }

    /// Waits until nobody reads any more.
    pub(crate) async fn gone(&self) {
        while !self.is_gone() {
            self.0.gone.notified().await;
        }
    }

    /// The answer that carries the events.
    pub(crate) fn response(&self, app: &App) -> Response {
        app.metrics.streams.fetch_add(1, Ordering::Relaxed);
        let mut response = Response::new(Body::new(EventBody { events: self.clone(), app: app.clone() }));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        // Proxies would hold events back otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

impl Queue {
    fn add(&mut self, kept: Kept, bytes: Bytes) {
        if !self.is_gone {
            self.events.push_back((kept, bytes));
            self.wake();
        }
    }

    fn wake(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }
}

/// The reading end of a stream of events; dropping it tells that nobody reads any more.
struct EventBody {
    events: Events,
    app: App,
}

impl http_body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let mut queue = self.events.queue();
        match queue.events.pop_front() {
            Some((_, bytes)) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None if queue.is_finished => Poll::Ready(None),
            None => {
                queue.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for EventBody {
    fn drop(&mut self) {
        self.app.metrics.streams.fetch_sub(1, Ordering::Relaxed);
        self.events.queue().is_gone = true;
        // One permit is kept for a task that does not wait yet.
        self.events.0.gone.notify_one();
    }
}
