//! Load on a server: open analysis streams and, beside them, position requests at a fixed rate.
//!
//! `cargo run --release -p tesuji-web --example load -- [STREAMS] [RATE] [SECONDS] [ADDRESS]`, by default 1,000 streams and
//! 2,000 requests a second for 10 seconds. Without an address it starts a server of its own on a free loopback port; only
//! loopback addresses are accepted. Prints one line per second and a summary: latencies from the moment a request was due,
//! so that a slow answer also counts against those that wait behind it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tesuji_registry::shipped;
use tesuji_task::CancelToken;
use tesuji_web::Config;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Connections that share the rate.
const CONNECTIONS: usize = 32;

/// What is asked: a few plies of each game.
const REQUESTS: [(&str, &str); 4] = [
    ("othello", r#"{"moves":["f5","d6","c3","d3","c4","f4"]}"#),
    ("shogi", r#"{"moves":["7g7f","3c3d","2g2f","8c8d","2f2e","8d8e"]}"#),
    ("ostle", r#"{}"#),
    ("trax", r#"{"moves":["@0/","@1/"]}"#),
];

#[derive(Default)]
struct Counts {
    open: AtomicUsize,
    events: AtomicU64,
    updates: AtomicU64,
    waiting: AtomicU64,
    done: AtomicU64,
    failures: AtomicU64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: usize| arguments.get(index).map_or(Ok(default), |text| text.parse());
    let (streams, rate) = (number(0, 1000)?.min(20_000), number(1, 2000)?.clamp(1, 100_000));
    let seconds = number(2, 10)?.clamp(1, 3600);
    let cancel = CancelToken::new();
    let mut server = None;
    let address: SocketAddr = match arguments.get(3) {
        Some(text) => text.parse()?,
        None => {
            let (send, receive) = mpsc::channel();
            let token = cancel.clone();
            server = Some(thread::spawn(move || {
                let config = Config { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..Config::default() };
                tesuji_web::serve(&shipped(), config, &token, |listening| {
                    // Nobody waits any more if the program has ended.
                    let _ = send.send(listening.address);
                })
            }));
            receive.recv()?
        }
    };
    if !address.ip().is_loopback() {
        return Err("only servers on this machine are put under load".into());
    }
    let cpu = ProcessTime::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let done = runtime.block_on(load(address, streams, rate, Duration::from_secs(seconds as u64)));
    println!("CPU time of this process: {:.1} s", cpu.elapsed().as_secs_f64());
    runtime.shutdown_background();
    cancel.cancel();
    if let Some(server) = server {
        server.join().map_err(|_| "the server panicked")?.map_err(|error| format!("{error:?}"))?;
    }
    done
}

async fn load(
    address: SocketAddr,
    streams: usize,
    rate: usize,
    time: Duration,
) -> Result<(), Box<dyn std::error::Error>> {
    let counts = Arc::new(Counts::default());
    println!("memory of the server before: {} MiB", memory(address).await?);
    let begun = Instant::now();
    for number in 0..streams {
        let counts = Arc::clone(&counts);
        tokio::spawn(async move {
            loop {
                if stream(address, number, &counts).await.is_err() {
                    counts.failures.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        });
    }
    while counts.open.load(Ordering::Relaxed) < streams && begun.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    println!("{} streams open after {:.2} s", counts.open.load(Ordering::Relaxed), begun.elapsed().as_secs_f64());
    let end = Instant::now() + time;
    let tasks: Vec<_> = (0..CONNECTIONS).map(|number| tokio::spawn(positions(address, number, rate, end))).collect();
    for second in 1..=time.as_secs() {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if second % 10 == 0 || second <= 3 {
            let (updates, waiting) = (counts.updates.load(Ordering::Relaxed), counts.waiting.load(Ordering::Relaxed));
            let open = counts.open.load(Ordering::Relaxed);
            println!(
                "{second:>4} s: {open} streams, {updates} updates, {waiting} places told, {} MiB",
                memory(address).await?
            );
        }
    }
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await??);
    }
    latencies.sort_unstable();
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!(
        "{} positions, {:.0} a second: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, max {:.2} ms",
        latencies.len(),
        latencies.len() as f64 / time.as_secs_f64(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    println!(
        "events {}, updates {}, analyses done {}, failures {}",
        counts.events.load(Ordering::Relaxed),
        counts.updates.load(Ordering::Relaxed),
        counts.done.load(Ordering::Relaxed),
        counts.failures.load(Ordering::Relaxed)
    );
    println!("memory of the server after: {} MiB", memory(address).await?);
    Ok(())
}

/// One analysis from its begin to its end.
async fn stream(address: SocketAddr, number: usize, counts: &Counts) -> std::io::Result<()> {
    let (game, _) = REQUESTS[number % REQUESTS.len()];
    let mut connection = BufReader::new(TcpStream::connect(address).await?);
    let request = format!("GET /api/v1/{game}/analysis?time=5s HTTP/1.1\r\nHost: localhost\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    let mut line = String::new();
    let mut is_open = false;
    let ended = loop {
        line.clear();
        match connection.read_line(&mut line).await {
            Ok(0) => break Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
        if !is_open && line.starts_with("HTTP/1.1") {
            if !line.contains(" 200 ") {
                break Err(std::io::Error::other(line.clone()));
            }
            is_open = true;
            counts.open.fetch_add(1, Ordering::Relaxed);
        }
        let Some(name) = line.strip_prefix("event: ") else { continue };
        counts.events.fetch_add(1, Ordering::Relaxed);
        match name.trim_end() {
            "update" => drop(counts.updates.fetch_add(1, Ordering::Relaxed)),
            "waiting" => drop(counts.waiting.fetch_add(1, Ordering::Relaxed)),
            "done" => {
                counts.done.fetch_add(1, Ordering::Relaxed);
                break Ok(());
            }
            _ => {}
        }
    };
    if is_open {
        counts.open.fetch_sub(1, Ordering::Relaxed);
    }
    ended
}

/// Asks for positions on one connection, each when it is due.
async fn positions(address: SocketAddr, number: usize, rate: usize, end: Instant) -> std::io::Result<Vec<Duration>> {
    let pause = Duration::from_secs_f64(CONNECTIONS as f64 / rate as f64);
    let mut connection = BufReader::new(TcpStream::connect(address).await?);
    connection.get_ref().set_nodelay(true)?;
    let mut latencies = Vec::new();
    let mut due = Instant::now() + pause.mul_f64(number as f64 / CONNECTIONS as f64);
    while due < end {
        tokio::time::sleep_until(due.into()).await;
        let (game, body) = REQUESTS[latencies.len() % REQUESTS.len()];
        let head = format!(
            "POST /api/v1/{game}/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        connection.write_all((head + body).as_bytes()).await?;
        read_answer(&mut connection).await?;
        latencies.push(due.elapsed());
        due += pause;
    }
    Ok(latencies)
}

async fn read_answer(connection: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let (mut length, mut line) = (0, String::new());
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        if line.starts_with("HTTP/1.1") && !line.contains(" 200 ") {
            return Err(std::io::Error::other(line));
        }
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = text.trim().parse().map_err(std::io::Error::other)?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    String::from_utf8(body).map_err(std::io::Error::other)
}

/// The resident memory of the server in MiB.
async fn memory(address: SocketAddr) -> std::io::Result<u64> {
    let mut connection = BufReader::new(TcpStream::connect(address).await?);
    connection.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").await?;
    let text = read_answer(&mut connection).await?;
    let line = text.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
    Ok(line.and_then(|bytes| bytes.parse::<u64>().ok()).unwrap_or_default() >> 20)
}
