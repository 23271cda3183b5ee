//! Workers that end, freeze, or live in another hour.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tesuji_postgres_tests::{Cluster, Server, Worker, run, signal_to, tesuji, wait_until};

use crate::{journal, locally, shared};

/// Units that take long enough to be interrupted.
const SLOW: &[&str] = &["match", "othello", "alphabeta:depth=6,hash=1", "alphabeta:depth=5,hash=1", "--games", "12"];

/// Random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// `TESUJI_GAMES` asks for more games, as in docs/cluster.md.
#[test]
fn a_tournament_survives_killed_workers_and_restarts_of_the_server() {
    let games: usize = std::env::var("TESUJI_GAMES").map_or(120, |games| games.parse().expect("a number"));
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("tournament.toml");
    let engines = [
        "alphabeta:depth=1,hash=1",
        "alphabeta:depth=2,hash=1",
        "random",
        "alphabeta:depth=3,hash=1,eval=classic",
        "alphabeta:depth=1,hash=1,eval=classic",
    ];
    let players: String = engines.iter().map(|engine| format!("[[event.player]]\nengine = \"{engine}\"\n")).collect();
    // Ten pairings of two games each.
    let pairs = games / 20;
    let text = format!(
        "name = \"kills\"\nseed = 1\nconcurrency = 1\n[[event]]\ngame = \"othello\"\npairs = {pairs}\n{players}"
    );
    std::fs::write(&config, text).unwrap();
    let config = config.display().to_string();

    let mut server = Server::start();
    let (database, mut dice) = (server.database(), Dice(7));
    let job = Cluster { server: &server, database: database.clone() }.submit(&[], &["tournament", &config]);
    let start = |server: &Server| {
        let cluster = Cluster { server, database: database.clone() };
        Worker::spawn(&mut cluster.worker(&["--threads", "1", "--lease", "5s", "--batch", "2"]))
    };
    let mut workers: Vec<Worker> = (0..4).map(|_| start(&server)).collect();
    let (mut kills, mut restarts) = (0, 0);
    let total = server.number(&database, "select count(*) from tesuji.unit");
    loop {
        // Between kills there is work to be done: as many units as a few seconds bring.
        let done = server.number(&database, "select count(*) from tesuji.result");
        if done == total {
            break;
        }
        let wanted = (done + 1 + dice.below(total as u64 / 12) as i64).min(total);
        let begun = Instant::now();
        wait_until("more units are done", || {
            begun.elapsed() > Duration::from_secs(4)
                || server.number(&database, "select count(*) from tesuji.result") >= wanted
        });
        let victim = dice.below(4) as usize;
        workers[victim] = start(&server);
        kills += 1;
        if restarts < 2 && done > total * (restarts + 1) / 3 {
            server.crash();
            server.resume();
            restarts += 1;
        }
    }
    drop(workers);
    assert!(kills >= 3 && restarts == 2, "{kills} kills, {restarts} restarts");
    let cluster = Cluster { server: &server, database };
    assert_eq!(cluster.number("select count(distinct number) from tesuji.result"), total);
    assert_eq!(cluster.units("done"), total);
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let told = cluster.collect(job, &there);
    locally(&["tournament", "run", &config], &here);
    assert_eq!(journal(&there).len(), journal(&here).len());
    assert_eq!(journal(&there), journal(&here));
    let losses = cluster.number("select sum(losses) from tesuji.unit");
    println!("{kills} kills, {restarts} restarts, {losses} units claimed again, {total} units\n{told}");
}

#[test]
fn a_worker_that_is_asked_to_end_gives_its_units_back() {
    let cluster = Cluster::new(shared());
    cluster.submit(&[], SLOW);
    let worker = cluster.start(&["--threads", "2", "--batch", "4"]);
    wait_until("units are under way", || cluster.units("leased") >= 2);
    worker.signal("TERM");
    let (code, said) = worker.end();
    assert_eq!(code, Some(0), "{said}");
    let done = cluster.units("done");
    assert_eq!((cluster.units("leased"), cluster.units("queued")), (0, 6 - done));
    assert_eq!(cluster.number("select sum(losses) + sum(errors) from tesuji.unit"), 0);
    assert_eq!(cluster.number("select count(*) from tesuji.worker where state = 'gone'"), 1);
    cluster.work(&["--threads", "2"]);
    assert_eq!(cluster.units("done"), 6);
}

#[test]
fn a_worker_that_froze_past_its_lease_loses_its_units_and_goes_on() {
    let cluster = Cluster::new(shared());
    cluster.submit(&[], SLOW);
    let frozen = cluster.start(&["--threads", "2", "--lease", "1h", "--batch", "6", "--until-idle"]);
    wait_until("units are under way", || cluster.units("leased") >= 2);
    frozen.signal("STOP");
    let first = cluster.number("select min(id) from tesuji.worker");
    // Its lease ends: nobody waits for an hour here.
    cluster.server.query(&cluster.database, "update tesuji.worker set until = '-infinity'");
    // Another worker takes what the frozen one held, and does it.
    cluster.work(&["--threads", "2", "--lease", "1h"]);
    assert_eq!(cluster.units("done"), 6);
    assert_eq!(cluster.number("select count(*) from tesuji.worker where state = 'lost'"), 1);
    let before = cluster.number(&format!("select count(*) from tesuji.result where worker = {first}"));
    frozen.signal("CONT");
    let (code, said) = frozen.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("the lease had ended"), "{said}");
    // What it had done meanwhile does not count a second time.
    assert_eq!(cluster.number(&format!("select count(*) from tesuji.result where worker = {first}")), before);
    assert_eq!(cluster.number("select count(*) from tesuji.result"), 6);
}

/// A library that shifts the clock of a process.
const SKEW: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(clock, time);
    const char *seconds = getenv("SKEW");
    if (!done && clock == CLOCK_REALTIME && seconds) time->tv_sec += atol(seconds);
    return done;
}
"#;

#[test]
fn clocks_of_workers_do_not_matter() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let (source, library) = (folder.path().join("skew.c"), folder.path().join("skew.so"));
    std::fs::write(&source, SKEW).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).arg("-ldl").status();
    assert!(built.expect("a C compiler").success());
    let skewed = |command: &mut Command, seconds: &str| {
        command.env("LD_PRELOAD", &library).env("SKEW", seconds);
    };
    // The library does what it should: files are compared by this clock.
    let mut date = Command::new("date");
    skewed(date.arg("+%s"), "3600");
    let shown: u64 = String::from_utf8(date.output().unwrap().stdout).unwrap().trim().parse().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert!((3000..4200).contains(&(shown - now)), "{shown} {now}");

    cluster.submit(&[], SLOW);
    let workers: Vec<Worker> = ["3600", "-3600", "0"]
        .iter()
        .map(|seconds| {
            let mut command = cluster.worker(&["--threads", "1", "--lease", "10m", "--until-idle"]);
            skewed(&mut command, seconds);
            Worker::spawn(&mut command)
        })
        .collect();
    for worker in workers {
        let (code, said) = worker.end();
        assert_eq!(code, Some(0), "{said}");
        assert!(!said.contains("lease"), "{said}");
    }
    assert_eq!(cluster.units("done"), 6);
    assert_eq!(cluster.number("select sum(losses) + sum(errors) from tesuji.unit"), 0);
    let wrong = "select count(*) from tesuji.worker where abs(extract(epoch from clock_timestamp() - seen)) > 600";
    assert_eq!(cluster.number(wrong), 0);
}

#[test]
fn the_status_tells_jobs_workers_and_metrics() {
    let cluster = Cluster::new(shared());
    cluster.submit(&["--name", "a test"], &["match", "othello", "random", "random:seed=1", "--games", "20"]);
    let status = cluster.status();
    let job = &status["jobs"][0];
    assert_eq!((job["state"].as_str(), job["units"]["queued"].as_u64()), (Some("waiting"), Some(10)));
    cluster.work(&["--threads", "2", "--name", "here"]);
    let status = cluster.status();
    let job = &status["jobs"][0];
    assert_eq!((job["state"].as_str(), job["units"]["done"].as_u64()), (Some("complete"), Some(10)));
    assert!(job["rate"].as_f64().unwrap() > 0.0 && job["work"].as_f64().unwrap() > 0.0, "{job}");
    let worker = &status["workers"][0];
    assert_eq!((worker["name"].as_str(), worker["state"].as_str()), (Some("here"), Some("gone")));
    let url = cluster.url("tesuji_submitter");
    let metrics = run(&["cluster", "status", "--prometheus", "--db", &url]);
    assert!(metrics.contains("name=\"a test\",state=\"done\"} 10\n"), "{metrics}");
    assert!(metrics.contains("tesuji_cluster_workers{state=\"gone\"} 1\n"), "{metrics}");
    let text = run(&["cluster", "status", "--db", &url]);
    assert!(text.contains("a test: complete") && text.contains("10 of 10 units are done"), "{text}");
}

#[test]
fn the_simulation_loses_nothing() {
    let cluster = Cluster::new(shared());
    let url = cluster.url("owner");
    let told = run(&[
        "cluster",
        "simulate",
        "--workers",
        "50",
        "--connections",
        "5",
        "--batch",
        "4",
        "--unit",
        "50ms",
        "--for",
        "2s",
        "--db",
        &url,
        "--json",
    ]);
    let report: serde_json::Value = serde_json::from_str(&told).unwrap();
    // How much it is depends on the machine; what was claimed is delivered, four units at a time.
    let [units, claims] = ["units", "claims"].map(|name| report[name].as_u64().unwrap());
    assert!(claims >= 5 && units % 4 == 0 && units <= 4 * claims && report["leases_ended"] == 0, "{told}");
    assert_eq!(cluster.number("select count(*) from tesuji.job"), 0);
}

#[test]
fn the_page_of_the_server_shows_jobs() {
    let cluster = Cluster::new(shared());
    cluster.submit(&["--name", "shown"], &["match", "othello", "random", "random:seed=1", "--games", "6"]);
    cluster.work(&[]);
    let url = cluster.url("tesuji_submitter");
    let mut serve = tesuji(&["serve", "--listen", "127.0.0.1:0", "--cluster", &url]);
    let mut serve = serve.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut address = String::new();
    // Kept open: a server whose output nobody reads ends.
    let mut output = BufReader::new(serve.stdout.take().expect("piped"));
    output.read_line(&mut address).expect("an address");
    let host = address.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    };
    for (path, part) in [
        ("/cluster", "3 of 3 units are done"),
        ("/api/v1/cluster", "\"name\":\"shown\""),
        ("/metrics", "name=\"shown\",state=\"done\"} 3\n"),
    ] {
        let answer = get(path);
        assert!(answer.contains(part), "{path}: {answer}");
    }
    signal_to(serve.id(), "TERM");
    assert!(serve.wait().expect("it ends").success());
}
