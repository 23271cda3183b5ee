//! `tesuji cluster`: jobs on many machines.

use std::io::IsTerminal;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use tesuji_cluster::{
    ClusterError, Database, SimulationRequest, StatusSource, Submitter, WorkEvent, WorkRequest, WorkSummary,
    initialise, simulate, work,
};
use tesuji_registry::{
    ClusterStatus, CollectedJob, CompetitionEvent, DataSetJob, DistributedJob, Registry, TournamentConfig,
    with_absolute_paths,
};
use tesuji_report::grouped;

use super::compete::{match_config, print_standings};
use super::counted;
use crate::args::{self, ClusterVerb, SubmitWhat};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// What a unit has where nothing is said: games of self-play, positions to label, positions of a book to search, and ranges
/// of boards to verify.
const GROUPS: [u32; 4] = [16, 256, 1, 64];

pub(crate) fn run(registry: &Registry, args: &args::Cluster, out: &mut Out) -> Done {
    match &args.verb {
        ClusterVerb::Init { address, json } => init(&database(address)?, json.json, out),
        ClusterVerb::Submit(submitted) => submit(registry, submitted, out),
        ClusterVerb::Work(args) => run_worker(registry, args, out),
        ClusterVerb::Status { address, prometheus, json } => status(&database(address)?, *prometheus, json.json, out),
        ClusterVerb::Collect { job, out: path, partial, address, json } => {
            collect(registry, *job, path.as_deref(), *partial, &database(address)?, json.json, out)
        }
        ClusterVerb::Cancel { job, remove, address } => {
            let mut submitter = Submitter::connect(&database(address)?)?;
            if *remove {
                submitter.remove(*job)?;
                return out.line(format_args!("job {job} is removed"));
            }
            submitter.cancel(*job)?;
            out.line(format_args!("job {job} is cancelled"))
        }
        ClusterVerb::Retry { job, address } => {
            let units = Submitter::connect(&database(address)?)?.retry(*job)?;
            out.line(format_args!("{} queued again", counted(units as usize, "unit")))
        }
        ClusterVerb::Simulate(args) => run_simulation(args, out),
    }
}

pub(super) fn database(address: &args::DatabaseAddress) -> Result<Database, Failure> {
    let from_environment = || std::env::var("TESUJI_DB").ok();
    let url = address.db.clone().or_else(from_environment).ok_or_else(|| {
        Failure::usage("--db is missing: postgres://user@host/name, or the environment variable TESUJI_DB")
    })?;
    Ok(Database::from_str(&url)?)
}

fn init(database: &Database, json: bool, out: &mut Out) -> Done {
    let password = |role: &str| std::env::var(format!("TESUJI_{role}_PASSWORD")).ok();
    let (submitter, worker) = (password("SUBMITTER"), password("WORKER"));
    let made = initialise(database, [submitter.as_deref(), worker.as_deref()])?;
    if json {
        return out.json("cluster-init", &made);
    }
    for role in &made.roles {
        out.line(format_args!("created the role {role}"))?;
    }
    match made.from {
        from if from == made.to => out.line(format_args!("the schema is up to date, version {from}")),
        0 => out.line(format_args!("made the schema tesuji, version {}", made.to)),
        from => out.line(format_args!("upgraded the schema tesuji from version {from} to {}", made.to)),
    }
}

fn submit(registry: &Registry, args: &args::Submit, out: &mut Out) -> Done {
    let (job, name, json) = job(registry, args)?;
    let mut submitter = Submitter::connect(&database(&args.address)?)?;
    let cancel = out.cancel_on_interrupt();
    let name = args.name.as_ref().unwrap_or(&name);
    let submitted = submitter.submit(registry, &job, name, args.priority, &cancel)?;
    if json {
        return out.json("cluster-submit", &submitted);
    }
    let units = counted(submitted.units as usize, "unit");
    out.line(format_args!("job {}: {}, {units}", submitted.job, submitted.name))
}

/// The job of a command, a name for it, and whether JSON is printed.
fn job(registry: &Registry, args: &args::Submit) -> Result<(DistributedJob, String, bool), Failure> {
    if args.group.is_some() && matches!(args.what, SubmitWhat::Match(_) | SubmitWhat::Tournament { .. }) {
        return Err(Failure::usage("--group: a unit of a match or tournament is a pair of games"));
    }
    let tournament = |config: TournamentConfig, out: Option<&Path>| -> Result<_, Failure> {
        let name = config.name.clone();
        let job = DistributedJob::Tournament { config: with_absolute_paths(config).print(), out: absolute(out)? };
        Ok((job, name))
    };
    match &args.what {
        SubmitWhat::Match(command) => {
            let (job, name) = tournament(match_config(registry, command)?, command.out.as_deref())?;
            Ok((job, name, command.json.json))
        }
        SubmitWhat::Tournament { config, out, json } => {
            let shown = config.display();
            let text = std::fs::read_to_string(config)
                .map_err(|error| Failure::usage(format!("cannot read {shown}: {error}")))?;
            let config = TournamentConfig::parse(&text).map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
            let (job, name) = tournament(config, out.as_deref())?;
            Ok((job, name, json.json))
        }
        SubmitWhat::Selfplay(command) => {
            let job = with_absolute_out(super::selfplay::job(registry.game(&command.game)?, command)?)?;
            let name = format!("{} of {}", counted(command.games as usize, "game"), command.game);
            let group = args.group.unwrap_or(GROUPS[0]);
            Ok((DistributedJob::DataSet { game: command.game.clone(), job, group }, name, command.json.json))
        }
        SubmitWhat::Label(command) => {
            let game = command.searched.game.clone();
            let mut job = super::train::label_job(command);
            for path in job.data.iter_mut().chain(&mut job.weights) {
                *path = std::path::absolute(&*path).map_err(|error| Failure::usage(error.to_string()))?;
            }
            let job = with_absolute_out(DataSetJob::Label(job))?;
            let group = args.group.unwrap_or(GROUPS[1]);
            let name = format!("labels of {game}");
            Ok((DistributedJob::DataSet { game, job, group }, name, command.searched.json.json))
        }
        SubmitWhat::Book(command) => {
            let game = command.game.clone();
            let mut job = super::book::job(command);
            for path in job.records.iter_mut().chain(&mut job.weights).chain([&mut job.out]) {
                *path = std::path::absolute(&*path).map_err(|error| Failure::usage(error.to_string()))?;
            }
            let name = format!("book of {game}");
            let group = args.group.unwrap_or(GROUPS[2]);
            Ok((DistributedJob::Book { game, job, group }, name, command.json.json))
        }
        SubmitWhat::Verify(command) => {
            let mut request = super::verify::request(command);
            let path = std::path::absolute(&request.path).map_err(|error| Failure::usage(error.to_string()))?;
            request.path = path.display().to_string();
            let game = registry.tablebase_game(&request)?;
            let name = format!("verification of {}", request.path);
            let group = args.group.unwrap_or(GROUPS[3]);
            Ok((DistributedJob::Verification { game, request, group }, name, command.json.json))
        }
    }
}

fn absolute(path: Option<&Path>) -> Result<Option<std::path::PathBuf>, Failure> {
    path.map(std::path::absolute).transpose().map_err(|error| Failure::usage(error.to_string()))
}

fn with_absolute_out(mut job: DataSetJob) -> Result<DataSetJob, Failure> {
    let out = job.out_mut();
    *out = std::path::absolute(&*out).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(job)
}

fn run_worker(registry: &Registry, args: &args::ClusterWork, out: &mut Out) -> Done {
    let database = database(&args.address)?;
    let threads = args.threads.get().unwrap_or_else(tesuji_task::cores);
    let host = || std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    let request = WorkRequest {
        name: args.name.clone().unwrap_or_else(host),
        threads,
        batch: args.batch.map(usize::from),
        lease: args.lease,
        until_idle: args.until_idle,
        jobs: args.jobs.clone(),
    };
    let cancel = out.cancel_on_interrupt();
    let json = args.json.json;
    let mut written = Ok(());
    let summary = work(registry, &database, &request, &cancel, &mut |event| {
        if !json {
            tell(&event, out.quiet());
        } else if written.is_ok() {
            written = out.json("cluster-work", &event).and_then(|()| out.flush());
            if written.is_err() {
                cancel.cancel();
            }
        }
    })?;
    written?;
    if json {
        return out.json("cluster-work", summary);
    }
    let WorkSummary { units, failed, .. } = summary;
    let failed = if failed > 0 { format!(", {} failed", grouped(failed)) } else { String::new() };
    out.line(format_args!("{} done{failed}", counted(units as usize, "unit")))
}

/// Tells an event of a worker on standard error.
fn tell(event: &WorkEvent, is_quiet: bool) {
    match event {
        WorkEvent::Began { worker } if !is_quiet => eprintln!("worker {worker}"),
        WorkEvent::Accepted { job, name } if !is_quiet => eprintln!("job {job}, {name}"),
        WorkEvent::Began { .. } | WorkEvent::Accepted { .. } => {}
        WorkEvent::Refused { job, name, reason } => eprintln!("tesuji: job {job}, {name}, is refused: {reason}"),
        WorkEvent::Failed { job, unit, message } => eprintln!("tesuji: job {job}, unit {unit}: {message}"),
        WorkEvent::LeaseEnded => {
            eprintln!("tesuji: the lease had ended: the units were queued again, and their results are dropped");
        }
        WorkEvent::Unavailable { message, waiting } => {
            let results = counted(*waiting, "result");
            eprintln!("tesuji: {message}; {results} wait, and the work goes on");
        }
        WorkEvent::Reconnected => eprintln!("tesuji: the database is back"),
        WorkEvent::Decided { job, units } => {
            eprintln!("job {job} is decided: {} not needed", counted(*units, "unit"));
        }
    }
}

fn status(database: &Database, prometheus: bool, json: bool, out: &mut Out) -> Done {
    let status = StatusSource::connect(database)?.read()?;
    if prometheus {
        return out.bytes(status.prometheus().as_bytes());
    }
    if json {
        return out.json("cluster-status", &status);
    }
    print_status(&status, out)
}

fn print_status(status: &ClusterStatus, out: &mut Out) -> Done {
    if status.jobs.is_empty() {
        out.line("no jobs")?;
    }
    for job in &status.jobs {
        out.line(format_args!("job {}, {}: {} ({})", job.job, job.name, job.state, job.kind))?;
        out.line(format_args!("  {}", job.units))?;
        if job.rate > 0.0 {
            let mean = job.mean.map_or(String::new(), |mean| format!(", {mean:.3} s each"));
            let left = job.left.map_or(String::new(), |left| format!(", about {} left", span(left)));
            out.line(format_args!("  {:.1} units/s in the last minute{mean}{left}", job.rate))?;
        }
        if let Some(lag) = job.lag {
            out.line(format_args!("  the oldest claim under way is {} old", span(lag)))?;
        }
        for fault in &job.faults {
            let word = if fault.is_set_aside { "set aside" } else { "is tried again" };
            out.line(format_args!("  unit {} {word}: {}", fault.unit, fault.message))?;
        }
        for refusal in &job.refusals {
            let workers = counted(refusal.workers as usize, "worker");
            out.line(format_args!("  refused by {workers}: {}", refusal.reason))?;
        }
    }
    let alive: Vec<_> = status.workers.iter().filter(|worker| worker.state == "alive").collect();
    let lost = status.workers.iter().filter(|worker| worker.state == "lost").count();
    let threads: u32 = alive.iter().map(|worker| worker.threads).sum();
    let lost = if lost > 0 { format!(", {lost} lost in the last hour") } else { String::new() };
    let threads = counted(threads as usize, "thread");
    out.line(format_args!("{}, {threads}{lost}", counted(alive.len(), "worker")))?;
    for worker in alive.iter().take(50) {
        let seen = span(worker.seen);
        let (number, name, host, leased) = (worker.worker, &worker.name, &worker.host, worker.leased);
        let units = counted(leased as usize, "unit");
        out.line(format_args!("  {number:>6}  {name} on {host}, tesuji {}: {units}, seen {seen} ago", worker.version))?;
    }
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

fn collect(
    registry: &Registry,
    job: i64,
    path: Option<&Path>,
    partial: bool,
    database: &Database,
    json: bool,
    out: &mut Out,
) -> Done {
    let mut submitter = Submitter::connect(database)?;
    let path = match path {
        Some(path) => path.to_owned(),
        None => submitter.out(job)?.ok_or_else(|| Failure::usage("--out is missing: where the results go"))?,
    };
    let collected = out.operation(|_, context| Ok(submitter.collect(registry, job, &path, partial, context)?))?;
    let schema = json.then_some("cluster-collect");
    match collected {
        CollectedJob::Tournament { standings, files } => {
            print_standings(&standings, schema, out)?;
            match schema {
                Some(schema) => out.json(schema, CompetitionEvent::End { missing: 0, files }),
                None => {
                    out.line("")?;
                    files.iter().try_for_each(|file| out.line(format_args!("written: {file}")))
                }
            }
        }
        CollectedJob::DataSet { set, positions } => match schema {
            Some(schema) => out.json(schema, CollectedJob::DataSet { set, positions }),
            None => out.line(format_args!("{} in {set}", counted(positions as usize, "position"))),
        },
        CollectedJob::Book(book) => match schema {
            Some(schema) => out.json(schema, book),
            None => out.line(format_args!("{} in {}", counted(book.positions, "position"), book.book)),
        },
        CollectedJob::Verification { events, response } => super::verify::tell(events, &response, json, out),
    }
}

fn run_simulation(args: &args::ClusterSimulate, out: &mut Out) -> Done {
    let request = SimulationRequest {
        workers: args.workers as usize,
        connections: usize::from(args.connections),
        batch: usize::from(args.batch),
        unit: args.unit,
        bytes: args.bytes as usize,
        duration: args.duration,
        lease: Duration::from_secs(60),
    };
    if !args.json.json && std::io::stderr().is_terminal() && !out.quiet() {
        eprintln!("simulating for {:?}", request.duration);
    }
    let cancel = out.cancel_on_interrupt();
    let report = simulate(&database(&args.address)?, &request, &cancel)?;
    if args.json.json {
        return out.json("cluster-simulate", &report);
    }
    let [median, late, longest] = report.claim_ms;
    out.line(format_args!(
        "{} over {}, {} at a time: {:.0} units/s, {:.0} calls/s",
        counted(report.workers, "worker"),
        counted(report.connections, "connection"),
        counted(report.batch, "unit"),
        report.rate,
        report.calls
    ))?;
    out.line(format_args!(
        "a claim: {median:.1} ms at the median, {late:.1} ms at the 99th percentile, {longest:.1} ms at most"
    ))?;
    let [median, late, longest] = report.claim_with_wait_ms;
    out.line(format_args!("with the wait for a connection: {median:.1} ms, {late:.1} ms, {longest:.1} ms"))?;
    let [median, late, longest] = report.finish_ms;
    out.line(format_args!("a delivery: {median:.1} ms, {late:.1} ms, {longest:.1} ms"))?;
    out.line(format_args!("{} ended", counted(report.leases_ended as usize, "lease")))
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        match error {
            ClusterError::Invalid(message) => Failure::Usage(message),
            ClusterError::Cancelled => Failure::No,
            error => Failure::Failed(error.to_string()),
        }
    }
}
