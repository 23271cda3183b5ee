//! A server for tests and the simplest client there is.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use tesuji_registry::{Registry, shipped};
use tesuji_task::CancelToken;
use tesuji_web::{Config, Limits};

/// No answer takes longer; without this a fault would hang a test.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with the test.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    cancel: CancelToken,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::with(Config::default())
    }

    pub(crate) fn limited(limits: Limits) -> Server {
        Server::with(Config { limits, ..Config::default() })
    }

    pub(crate) fn with(config: Config) -> Server {
        Server::of(shipped(), config)
    }

    pub(crate) fn of(registry: Registry, config: Config) -> Server {
        let config = Config { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..config };
        let cancel = CancelToken::new();
        let (send, receive) = channel();
        let token = cancel.clone();
        let thread = thread::spawn(move || {
            tesuji_web::serve(&registry, config, &token, |listening| send.send(listening.address).unwrap()).unwrap();
        });
        Server { address: receive.recv().unwrap(), cancel, thread: Some(thread) }
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) fn stop(mut self) {
        self.cancel.cancel();
        self.thread.take().unwrap().join().unwrap();
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Sends these bytes and reads one answer.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may answer before it has read everything.
        let _ = stream.write_all(request);
        Answer::read(&mut BufReader::new(stream)).expect("an answer")
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.raw(self.text(method, path, headers, body).as_bytes())
    }

    fn text(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text + &format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], "")
    }

    /// The JSON that a path answers to a body.
    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.request("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// A figure of `/metrics`.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").text();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    /// Opens a stream of events.
    pub(crate) fn events(&self, path: &str) -> EventStream {
        let mut stream = self.connect();
        stream.write_all(self.text("GET", path, &[], "").as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = head(&mut reader).unwrap();
        assert_eq!(status, 200, "{path}: {:?}", Answer::rest(status, headers, &mut reader));
        EventStream { reader, text: String::new() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn head(reader: &mut impl BufRead) -> Option<(u16, Vec<(String, String)>)> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let status = lines.first()?.split(' ').nth(1)?.parse().ok()?;
    let header = |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    Some((status, lines[1..].iter().filter_map(header).collect()))
}

fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    reader.read_line(&mut size).ok()?;
    let size = usize::from_str_radix(size.trim(), 16).ok()?;
    let mut bytes = vec![0; size + 2];
    reader.read_exact(&mut bytes).ok()?;
    bytes.truncate(size);
    Some(bytes)
}

impl Answer {
    pub(crate) fn read(reader: &mut impl BufRead) -> Option<Answer> {
        let (status, headers) = head(reader)?;
        Some(Answer::rest(status, headers, reader))
    }

    fn rest(status: u16, headers: Vec<(String, String)>, reader: &mut impl BufRead) -> Answer {
        let mut answer = Answer { status, headers, body: Vec::new() };
        if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().unwrap()];
            reader.read_exact(&mut answer.body).unwrap();
        } else if answer.header("transfer-encoding").is_some() {
            while let Some(bytes) = chunk(reader).filter(|bytes| !bytes.is_empty()) {
                answer.body.extend(bytes);
            }
        }
        answer
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The JSON of an answer that succeeded.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status / 100, 2, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The message of an answer that is an error with this status.
    pub(crate) fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body: Value = serde_json::from_slice(&self.body).unwrap();
        body["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// A stream of events; dropping it closes the connection.
pub(crate) struct EventStream {
    reader: BufReader<TcpStream>,
    text: String,
}

impl EventStream {
    /// The name and the content of the next event; none at the end.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                if let (Some(name), Some(data)) = (field("event: "), field("data: ")) {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let bytes = chunk(&mut self.reader).filter(|bytes| !bytes.is_empty())?;
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// All events to the end.
    pub(crate) fn all(mut self) -> Vec<(String, Value)> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// The first event of this name.
    pub(crate) fn until(&mut self, name: &str) -> Value {
        let mut last = None;
        loop {
            let (found, content) = self.next().unwrap_or_else(|| panic!("no event {name}, the last was {last:?}"));
            if found == name {
                return content;
            }
            last = Some((found, content));
        }
    }
}
