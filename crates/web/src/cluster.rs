//! `/cluster` and `/api/v1/cluster`: jobs on many machines, as a page that renews itself and as data.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use tesuji_registry::{ClusterJob, ClusterObserver, ClusterStatus, Error};

use crate::body::ok;
use crate::error::ApiError;
use crate::state::App;

/// However many people look, the queue is asked this often.
const FRESH: Duration = Duration::from_secs(2);

/// The cluster that a server watches.
#[derive(Clone)]
pub struct WatchedCluster(Arc<Watched>);

struct Watched {
    observer: Box<dyn ClusterObserver>,
    last: Mutex<Option<(Instant, ClusterStatus)>>,
}

impl WatchedCluster {
    /// A cluster that tells its status.
    pub fn new(observer: Box<dyn ClusterObserver>) -> WatchedCluster {
        WatchedCluster(Arc::new(Watched { observer, last: Mutex::default() }))
    }

    fn status(&self) -> Result<ClusterStatus, Error> {
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((read, status)) = last.as_ref().filter(|(read, _)| read.elapsed() < FRESH) {
            tracing::debug!(age = read.elapsed().as_secs_f64(), "the status is fresh");
            return Ok(status.clone());
        }
        let status = self.0.observer.status()?;
        *last = Some((Instant::now(), status.clone()));
        Ok(status)
    }
}

impl fmt::Debug for WatchedCluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WatchedCluster")
    }
}

async fn status(app: &App) -> Result<ClusterStatus, ApiError> {
    let Some(cluster) = app.config.cluster.clone() else {
        return Err(ApiError::not_found("no cluster is watched; start the server with --cluster URL"));
    };
    let asked = tokio::task::spawn_blocking(move || cluster.status());
    Ok(asked.await.map_err(|_| ApiError::broken())??)
}

/// `GET /api/v1/cluster`.
pub(crate) async fn overview(State(app): State<App>) -> Result<Response, ApiError> {
    Ok(ok(&status(&app).await?))
}

/// `GET /cluster`: a page without a script, which the browser renews.
pub(crate) async fn page(State(app): State<App>) -> Result<Response, ApiError> {
    Ok(Html(render(&status(&app).await?)).into_response())
}

/// The metrics of the cluster, where there is one and it can be reached.
pub(crate) async fn metrics(app: &App) -> String {
    match app.config.cluster {
        Some(_) => status(app).await.map(|status| status.prometheus()).unwrap_or_default(),
        None => String::new(),
    }
}

fn render(status: &ClusterStatus) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"5\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>tesuji cluster</title></head><body><main>\
         <h1>Jobs</h1>",
    );
    // Writing to a string cannot fail.
    for job in &status.jobs {
        let _ = job_section(&mut page, job);
    }
    if status.jobs.is_empty() {
        page.push_str("<p>There are no jobs.</p>");
    }
    let alive = || status.workers.iter().filter(|worker| worker.state == "alive");
    let lost = status.workers.iter().filter(|worker| worker.state == "lost").count();
    let _ = write!(page, "<h1>Workers</h1><p>{} alive, {lost} lost in the last hour</p>", alive().count());
    page.push_str("<table><thead><tr><th scope=\"col\">worker<th scope=\"col\">machine<th scope=\"col\">version<th scope=\"col\">threads<th scope=\"col\">units<th scope=\"col\">seen</thead><tbody>");
    for worker in alive().take(500) {
        let (name, host, version) = (escaped(&worker.name), escaped(&worker.host), escaped(&worker.version));
        let (threads, units, seen) = (worker.threads, worker.leased, worker.seen);
        let _ = write!(page, "<tr><td>{name}<td>{host}<td>{version}<td>{threads}<td>{units}<td>{seen:.0} s ago");
    }
    page.push_str("</tbody></table></main></body></html>\n");
    page
}

fn job_section(page: &mut String, job: &ClusterJob) -> fmt::Result {
    let share = 100.0 * job.units.done as f64 / job.units.all().max(1) as f64;
    write!(
        page,
        "<section><h2>{}: {}</h2><p><progress max=\"100\" value=\"{share:.1}\">{share:.1} %</progress> {} ({}, {})</p>",
        job.job,
        escaped(&job.name),
        job.units,
        escaped(&job.kind),
        escaped(&job.state),
    )?;
    if job.rate > 0.0 {
        write!(page, "<p>{:.1} units per second in the last minute", job.rate)?;
        if let Some(left) = job.left {
            write!(page, ", about {:.0} minutes left", left / 60.0)?;
        }
        page.push_str("</p>");
    }
    if let Some(lag) = job.lag {
        write!(page, "<p>The oldest claim under way is {lag:.0} s old.</p>")?;
    }
    if !job.faults.is_empty() || !job.refusals.is_empty() {
        page.push_str("<ul>");
        for fault in &job.faults {
            let word = if fault.is_set_aside { "set aside" } else { "tried again" };
            write!(page, "<li>unit {}, {word}: {}", fault.unit, escaped(&fault.message))?;
        }
        for refusal in &job.refusals {
            write!(page, "<li>refused by {} workers: {}", refusal.workers, escaped(&refusal.reason))?;
        }
        page.push_str("</ul>");
    }
    page.push_str("</section>");
    Ok(())
}

/// Text that is no markup: names and errors come from others.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
