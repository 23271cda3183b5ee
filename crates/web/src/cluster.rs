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
         <meta name=\"viewport\" content=\"width=device-width\"><title>tesuji cluster</title>\
         <link rel=\"stylesheet\" href=\"/assets/cluster.css\"></head><body><main><h1>Jobs</h1>",
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
    let threads: u32 = alive().map(|worker| worker.threads).sum();
    let _ = write!(
        page,
        "<h1>Workers</h1><p>{} alive with {threads} threads, {lost} lost in the last hour</p>",
        alive().count()
    );
    if alive().next().is_some() {
        page.push_str(
            "<div class=\"table\"><table><thead><tr><th scope=\"col\">worker<th scope=\"col\">machine\
             <th scope=\"col\">version<th scope=\"col\" class=\"number\">threads<th scope=\"col\" class=\"number\">units\
             <th scope=\"col\" class=\"number\">seen</thead><tbody>",
        );
        for worker in alive().take(500) {
            let (name, host, version) = (escaped(&worker.name), escaped(&worker.host), escaped(&worker.version));
            let (threads, units, seen) = (worker.threads, worker.leased, span(worker.seen));
            let _ = write!(
                page,
                "<tr><td>{name}<td>{host}<td>{version}<td class=\"number\">{threads}<td class=\"number\">{units}\
                 <td class=\"number\">{seen} ago"
            );
        }
        page.push_str("</tbody></table></div>");
    }
    page.push_str("</main></body></html>\n");
    page
}

fn job_section(page: &mut String, job: &ClusterJob) -> fmt::Result {
    // Units that are not needed do not keep a job from being complete.
    let share = 100.0 * (job.units.done + job.units.cancelled) as f64 / job.units.all().max(1) as f64;
    write!(
        page,
        "<section><h2>{}: {}</h2><p class=\"soft\">{}, {}</p>\
         <progress max=\"100\" value=\"{share:.1}\" aria-label=\"{}\">{share:.1} %</progress><p>{}</p>",
        job.job,
        escaped(&job.name),
        escaped(&job.kind),
        escaped(&job.state),
        escaped(&job.name),
        job.units,
    )?;
    if job.rate > 0.0 {
        write!(page, "<p>{:.1} units per second in the last minute", job.rate)?;
        if let Some(left) = job.left {
            write!(page, ", about {} left", span(left))?;
        }
        page.push_str("</p>");
    }
    if let Some(lag) = job.lag {
        write!(page, "<p class=\"soft\">The oldest claim under way is {} old.</p>", span(lag))?;
    }
    if !job.faults.is_empty() || !job.refusals.is_empty() {
        page.push_str("<ul class=\"bad\">");
        for fault in &job.faults {
            let word = if fault.is_set_aside { "set aside" } else { "tried again" };
            write!(page, "<li>unit {}, {word}: {}", fault.unit, escaped(&fault.message))?;
        }
        for refusal in &job.refusals {
            let workers = if refusal.workers == 1 { "worker" } else { "workers" };
            write!(page, "<li>refused by {} {workers}: {}", refusal.workers, escaped(&refusal.reason))?;
        }
        page.push_str("</ul>");
    }
    page.push_str("</section>");
    Ok(())
}

/// Seconds as people say them.
fn span(seconds: f64) -> String {
    match seconds.round() as u64 {
        seconds if seconds < 120 => format!("{seconds} s"),
        seconds if seconds < 7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Text that is no markup: names and errors come from others.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
