//! Figures of the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::cluster;
use crate::state::App;

/// Upper bounds of the histogram of answer times, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0];

/// Counters of the server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Requests by route and status.
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
    /// Streams of events that are open.
    pub(crate) streams: AtomicU64,
    /// Searches that were begun.
    pub(crate) searches: AtomicU64,
    /// Searches that ended early for others.
    pub(crate) shared: AtomicU64,
    /// Requests that failed by a fault of ours.
    pub(crate) panics: AtomicU64,
    /// Connections that are open.
    pub(crate) connections: AtomicU64,
}

impl Metrics {
    fn count(&self, route: &str, status: u16, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let seconds = time.as_secs_f64();
        let bucket = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.times[bucket].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }

    fn text(&self, app: &App) -> String {
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut text, "tesuji_http_requests_total", "counter", "Requests by route and status.");
        for ((route, status), count) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(text, "tesuji_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        head(&mut text, "tesuji_http_request_seconds", "histogram", "Time to the head of an answer.");
        let mut sum = 0;
        for (bucket, count) in self.times.iter().enumerate() {
            sum += count.load(Ordering::Relaxed);
            let bound = BOUNDS.get(bucket).map_or("+Inf".to_owned(), f64::to_string);
            let _ = writeln!(text, "tesuji_http_request_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = self.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(text, "tesuji_http_request_seconds_sum {seconds}\ntesuji_http_request_seconds_count {sum}");
        let (running, waiting) = app.pool.counts();
        for (name, kind, help, value) in [
            ("tesuji_connections", "gauge", "Open connections.", self.connections.load(Ordering::Relaxed)),
            ("tesuji_streams", "gauge", "Open streams of events.", self.streams.load(Ordering::Relaxed)),
            ("tesuji_searches_running", "gauge", "Searches that run.", running as u64),
            ("tesuji_searches_waiting", "gauge", "Searches that wait for a slot.", waiting as u64),
            ("tesuji_searches_total", "counter", "Searches that were begun.", self.searches.load(Ordering::Relaxed)),
            (
                "tesuji_searches_shared_total",
                "counter",
                "Searches that made room.",
                self.shared.load(Ordering::Relaxed),
            ),
            ("tesuji_panics_total", "counter", "Requests that failed by a fault.", self.panics.load(Ordering::Relaxed)),
            ("process_resident_memory_bytes", "gauge", "Resident memory.", resident_memory().unwrap_or_default()),
        ] {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }
}

/// The resident memory of this process, where the system tells it.
fn resident_memory() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * PAGE)
}

/// Counts and logs every request.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("other".to_owned(), |path| path.as_str().to_owned());
    let method = request.method().clone();
    let response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), begun.elapsed());
    app.metrics.count(&route, status, time);
    tracing::info!(%method, route, status, ms = time.as_secs_f64() * 1e3, "request");
    response
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let text = app.metrics.text(&app) + &cluster::metrics(&app).await;
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
