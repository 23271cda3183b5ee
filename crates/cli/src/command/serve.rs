//! `tesuji serve`: the page in the browser, and the HTTP interface behind it.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_cluster::{Database, StatusSource};
use tesuji_registry::Registry;
use tesuji_web::{Config, ServeError, WatchedCluster};

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// A program that has opened a browser says so within this time.
const OPENING: Duration = Duration::from_secs(10);

pub(crate) fn run(registry: &Registry, args: &args::Serve, out: &mut Out) -> Done {
    let cluster = args.cluster.as_deref().map(watched_cluster).transpose()?;
    let config = Config {
        cluster: cluster.clone(),
        listen: args.listen,
        hosts: args.host.clone(),
        assets: args.assets.clone(),
        table: args.table.clone(),
        tournament: args.tournament.clone(),
        ..Config::default()
    };
    let cancel = out.cancel_on_interrupt();
    let mut told = Ok(());
    let served = tesuji_web::serve(registry, config, &cancel, |listening| {
        let address = address(listening.address);
        told = out.line(&address);
        if told.is_err() {
            cancel.cancel();
        } else if args.open {
            open(&address);
        }
    });
    // Its connection is closed here, outside the threads of the server.
    drop(cluster);
    told?;
    served.map_err(|error| match error {
        ServeError::Tournament(error) => Failure::usage(format!("--tournament: {error}")),
        ServeError::Listen(error) => {
            Failure::Failed(format!("cannot listen on {}: {error}; choose another address with --listen", args.listen))
        }
    })
}

/// The cluster of a database. A server is not started for a wrong address.
fn watched_cluster(url: &str) -> Result<WatchedCluster, Failure> {
    let source = StatusSource::connect(&Database::from_str(url)?)?;
    Ok(WatchedCluster::new(Box::new(source)))
}

/// The address to type into a browser.
fn address(listening: SocketAddr) -> String {
    let host = match listening.ip() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        ip if ip.is_ipv6() => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    format!("http://{host}:{}/", listening.port())
}

/// Opens the browser of this machine. The server goes on without one.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Stdio::null;
    let opened =
        Command::new(program).args(arguments).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    let address = address.to_owned();
    let failed = move || eprintln!("no browser could be opened; open {address} in one");
    match opened {
        Err(_) => failed(),
        Ok(mut child) => {
            let begin = Instant::now();
            thread::spawn(move || {
                // Some openers are the browser itself, which may end much later and as it likes.
                if child.wait().is_ok_and(|status| !status.success()) && begin.elapsed() < OPENING {
                    failed();
                }
            });
        }
    }
}
