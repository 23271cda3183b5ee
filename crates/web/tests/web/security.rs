//! What hostile clients may try.

use std::io::{BufReader, Read, Write};
use std::time::Duration;

use serde_json::json;
use tesuji_web::{Config, Limits};

use crate::client::{Answer, Server};
use crate::nim;

const POSITION: &str = "/api/v1/othello/position";

#[test]
fn foreign_hosts_are_refused() {
    let server = Server::start();
    let port = server.address.port();
    for host in
        ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.7.7", "", "localhost.evil.example"]
    {
        let answer = server.request("GET", "/api/v1/games", &[("Host", host)], "");
        assert_eq!(answer.status, 403, "{host}");
        assert!(answer.error(403).contains("--host"), "the message tells the way");
        assert_eq!(server.request("GET", "/", &[("Host", host)], "").status, 403, "{host}");
        assert_eq!(server.request("POST", POSITION, &[("Host", host)], "{}").status, 403, "{host}");
    }
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), "[::1]".to_owned(), "LOCALHOST".to_owned()];
    for host in own {
        assert_eq!(server.request("GET", "/healthz", &[("Host", &host)], "").status, 200, "{host}");
    }
    let nameless = server.raw(b"GET /healthz HTTP/1.1\r\n\r\n");
    assert_eq!(nameless.status, 400);
    let named = Server::with(Config { hosts: vec!["games.example".to_owned()], ..Config::default() });
    assert_eq!(named.request("GET", "/healthz", &[("Host", "games.example:8080")], "").status, 200);
}

#[test]
fn other_sites_may_not_ask() {
    let server = Server::start();
    let own = format!("http://{}", server.address);
    let post = |headers: &[(&str, &str)]| server.request("POST", POSITION, headers, "{}").status;
    assert_eq!(post(&[("Origin", &own)]), 200);
    assert_eq!(post(&[]), 200, "programs have no origin");
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
        assert_eq!(post(&[("Origin", origin)]), 403, "{origin}");
        let get = server.request("GET", "/api/v1/othello/analysis", &[("Origin", origin)], "");
        assert_eq!(get.status, 403, "{origin}");
    }
    assert_eq!(post(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(post(&[("Sec-Fetch-Site", "same-origin")]), 200);
    let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_ne!(server.request("GET", "/robots.txt", &link, "").status, 403, "a link to the page is welcome");
    assert_eq!(server.request("GET", "/api/v1/games", &link, "").status, 403);
    let preflight = [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")];
    let answer = server.request("OPTIONS", POSITION, &preflight, "");
    assert!(answer.status >= 400 && answer.header("access-control-allow-origin").is_none());
}

#[test]
fn answers_forbid_inline_code() {
    let server = Server::start();
    for path in ["/robots.txt", "/api/v1/games", "/nothing", "/assets/nothing"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").expect(path);
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
}

#[test]
fn no_path_reaches_the_file_system() {
    let compiled = Server::start();
    let folder = std::env::temp_dir().join(format!("tesuji-web-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("page")).unwrap();
    std::fs::write(folder.join("secret.txt"), "secret").unwrap();
    std::fs::write(folder.join("page/index.html"), "page").unwrap();
    let from_folder = Server::with(Config { assets: Some(folder.join("page")), ..Config::default() });
    assert_eq!(from_folder.get("/assets/index.html").text(), "page");
    assert_eq!(from_folder.get("/shogi").text(), "page");
    for server in [&compiled, &from_folder] {
        for path in [
            "/assets/../secret.txt",
            "/assets/%2e%2e/secret.txt",
            "/assets/..%2fsecret.txt",
            "/assets/%2e%2e%2fsecret.txt",
            "/assets/..%5csecret.txt",
            "/assets//etc/passwd",
            "/assets/%2fetc%2fpasswd",
            "/assets/x%00.txt",
            "/..%2f..%2fetc%2fpasswd",
            "/assets/page/../../secret.txt",
            "/assets/.",
            "/%",
            "/assets/%ff%fe",
        ] {
            let answer = server.get(path);
            assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
            assert!(!answer.text().contains("secret") || answer.text().contains("such"), "{path}");
        }
    }
    // Nor does a setting of an engine: files are named in specs only.
    for engine in [
        "expert:weights=/etc/passwd",
        "expert:book=/etc/passwd",
        "alphabeta:eval=../../x.bin",
        "puct:net=/etc/passwd",
        "expert:cuts=x",
    ] {
        let body = json!({ "engine": engine, "limits": { "nodes": 1 } });
        let message = compiled.post("/api/v1/othello/best-move", body).error(400);
        assert!(message.contains("may not name files") || message.contains("there are"), "{engine}: {message}");
    }
    let table = json!({ "engine": "table:dir=/etc", "limits": { "nodes": 1 } });
    assert!(compiled.post("/api/v1/ostle/best-move", table).error(400).contains("may not name files"));
    let process = json!({ "engine": "process:cmd=\"touch /tmp/x\"" });
    assert!(compiled.post("/api/v1/othello/best-move", process).error(400).contains("no engine"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn large_bodies_are_refused() {
    let server = Server::limited(Limits { patience: Duration::from_secs(3), ..Limits::default() });
    let text = "x".repeat(10 << 20);
    let answer = server.post("/api/v1/othello/import", json!({ "text": text }));
    assert!(answer.error(413).contains("1048576"));
    // The same without a length that tells it beforehand.
    let mut stream = server.connect();
    let head = format!("POST {POSITION} HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let sent = (0..160).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok()).count();
    let answer = Answer::read(&mut BufReader::new(stream));
    assert!(answer.is_none_or(|answer| answer.status == 413) && sent > 0);
    let nested = "[".repeat(100_000);
    assert_eq!(server.request("POST", POSITION, &[], &nested).status, 400);
    let long = json!({ "moves": vec!["f5"; 20_000] });
    assert!(server.post(POSITION, long).error(400).contains("10000 moves"));
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn slow_clients_are_cut_off() {
    let server = Server::limited(Limits { patience: Duration::from_secs(1), ..Limits::default() });
    let mut heads: Vec<_> = (0..50).map(|_| server.connect()).collect();
    for stream in &mut heads {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").unwrap();
    }
    let body = format!("POST {POSITION} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{{");
    let mut bodies: Vec<_> = (0..50).map(|_| server.connect()).collect();
    for stream in &mut bodies {
        stream.write_all(body.as_bytes()).unwrap();
    }
    assert_eq!(server.get("/healthz").status, 200, "others are served meanwhile");
    for mut stream in heads {
        // Closed, with or without a word.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    for stream in bodies {
        assert_eq!(Answer::read(&mut BufReader::new(stream)).expect("an answer").status, 408);
    }
}

/// A client that asks for much and takes nothing holds its connection, but not for ever.
#[test]
fn who_takes_no_answer_is_cut_off() {
    let server = Server::limited(Limits { patience: Duration::from_secs(1), ..Limits::default() });
    let mut stream = server.connect();
    let request = format!("GET /api/v1/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // The buffers of both sides hold a few answers; once they are full the server gives the connection up.
    while stream.write_all(request.repeat(10).as_bytes()).is_ok() {}
    assert_eq!(server.get("/healthz").status, 200);
}

/// A small generator of its own: the same requests in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

#[test]
fn ten_thousand_malformed_requests_change_nothing() {
    let time = Duration::from_millis(1);
    let server = Server::limited(Limits { time, ..Limits::default() });
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let good = [
        r#"{"moves":["f5","d6"]}"#,
        r#"{"position":"-","limits":{"nodes":10}}"#,
        r#"{"text":"f5d6c3"}"#,
        r#"{"record":{"moves":["f5"]},"format":"ggf"}"#,
        r#"{"cells":[],"mover":"first"}"#,
    ];
    let paths =
        ["position", "best-move", "import", "export", "analysis", "mate", "table/query", "edit", "game-analysis"];
    let games = ["othello", "trax", "ostle", "shogi", "nothing", "trax-8x8", "%ff"];
    let mut stream = None;
    for number in 0..10_000 {
        let mut body = good[noise.below(good.len())].as_bytes().to_vec();
        for _ in 0..=noise.below(4) {
            let at = noise.below(body.len());
            match noise.below(3) {
                0 => body[at] = noise.next() as u8,
                1 => drop(body.remove(at)),
                _ => body.insert(at, noise.next() as u8),
            }
            if body.is_empty() {
                body.push(b'{');
            }
        }
        let path = format!("/api/v1/{}/{}", games[noise.below(games.len())], paths[noise.below(paths.len())]);
        let method = ["GET", "POST", "PUT", "DELETE", "HEAD"][noise.below(5)];
        let query = if noise.below(2) == 0 { "?lines=x&time=-1&moves=%zz+%2B" } else { "?nodes=999999999999999999999" };
        let mut request =
            format!("{method} {path}{query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len())
                .into_bytes();
        request.extend(&body);
        // Every tenth request is damaged as a whole, and its connection is lost with it.
        let is_damaged = number % 10 == 0;
        if is_damaged {
            for _ in 0..3 {
                let at = noise.below(request.len().min(60));
                request[at] = noise.next() as u8;
            }
        }
        let kept = stream.take();
        let is_kept = kept.is_some();
        let mut own = kept.unwrap_or_else(|| BufReader::new(server.connect()));
        let sent = own.get_mut().write_all(&request);
        if is_damaged {
            let _ = own.get_mut().shutdown(std::net::Shutdown::Write);
            let _ = own.read_to_end(&mut Vec::new());
            continue;
        }
        if method == "HEAD" || sent.is_err() {
            continue;
        }
        match Answer::read(&mut own) {
            Some(answer) => {
                assert!(answer.status != 500, "{method} {path}: {}", String::from_utf8_lossy(&body));
                stream = (answer.header("connection") != Some("close")).then_some(own);
            }
            // A connection may be closed behind an answer, but not before the first.
            None => assert!(is_kept, "{method} {path} was not answered: {}", String::from_utf8_lossy(&body)),
        }
    }
    assert_eq!(server.metric("tesuji_panics_total"), 0);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_panic_ends_its_own_request_only() {
    let server = Server::of(nim::registry(), Config::default());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answer = server.post("/api/v1/nim/position", json!({ "position": "panic" }));
    let import = server.post("/api/v1/nim/import", json!({ "text": "panic: 1" }));
    std::panic::set_hook(hook);
    assert!(answer.error(500).contains("the server goes on"));
    assert_eq!(import.status, 500);
    let legal = server.post("/api/v1/nim/position", json!({ "position": "1" })).json();
    assert_eq!(legal["moves"], json!(["1"]));
    let best = server.post("/api/v1/nim/best-move", json!({ "position": "4", "limits": { "depth": 9 } })).json();
    assert_eq!((&best["move"], &best["exact"]), (&json!("1"), &json!(true)));
}
