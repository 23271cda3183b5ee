//! `tesuji serve`: starts, answers and ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::run::tesuji;

#[test]
fn a_server_answers_until_it_is_asked_to_end() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap());
        let mut told = String::new();
        lines.read_line(&mut told).unwrap();
        let address = told.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect(&told);
        let ask = |path: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(ask("/healthz").ends_with(r#"{"status":"ok"}"#));
        for path in ["/", "/othello", "/trax", "/ostle", "/shogi"] {
            let page = ask(path);
            assert!(page.starts_with("HTTP/1.1 200") && page.contains("<html"), "{path}: {page}");
        }
        // A search that would take a minute does not hold the end up.
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /api/v1/shogi/analysis?time=60s HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        let mut events = BufReader::new(stream).lines().map_while(Result::ok);
        assert!(events.any(|line| line == "event: update"));
        kill_process(Pid::from_child(&server), signal).unwrap();
        assert_eq!(server.wait().unwrap().code(), Some(0), "{signal:?}");
        assert!(events.any(|line| line == "event: done"), "the stream was ended, not cut off");
    }
}

/// `--open` with an `xdg-open` of our own.
#[cfg(target_os = "linux")]
mod opening {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Child, ChildStdout};

    use super::*;
    use crate::folder::Folder;

    /// A server started with `--open` and this program in the folder as `xdg-open`; none at all without a text. Its
    /// output, without which it ends, and its address.
    fn opened_by(folder: &Folder, script: Option<&str>) -> (Child, BufReader<ChildStdout>, String) {
        if let Some(script) = script {
            let path = folder.0.join("xdg-open");
            fs::write(&path, format!("#!/bin/bash\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut server = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["serve", "--open", "--listen", "127.0.0.1:0"])
            .env("PATH", &folder.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = String::new();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        output.read_line(&mut told).unwrap();
        (server, output, told.trim().to_owned())
    }

    fn ended(mut server: Child) {
        kill_process(Pid::from_child(&server), Signal::TERM).unwrap();
        assert_eq!(server.wait().unwrap().code(), Some(0));
    }

    #[test]
    fn the_browser_gets_the_address_of_the_page() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = Folder::new("serve-open");
        let (server, _output, told) =
            opened_by(&folder, Some(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}; echo \"$1\" >&3")));
        let mut address = String::new();
        listener.accept().unwrap().0.read_to_string(&mut address).unwrap();
        assert_eq!(address.trim(), told);
        ended(server);
    }

    #[test]
    fn without_a_browser_the_server_says_so_and_goes_on() {
        for script in [None, Some("exit 3")] {
            let folder = Folder::new("serve-no-browser");
            let (mut server, _output, told) = opened_by(&folder, script);
            let mut error = String::new();
            BufReader::new(server.stderr.take().unwrap()).read_line(&mut error).unwrap();
            assert_eq!(error, format!("no browser could be opened; open {told} in one\n"), "{script:?}");
            let host = told.trim_start_matches("http://").trim_end_matches('/');
            let mut stream = TcpStream::connect(host).unwrap();
            write!(stream, "GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.ends_with(r#"{"status":"ok"}"#), "{answer}");
            ended(server);
        }
    }
}

#[test]
fn what_hinders_a_server_is_told_in_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = tesuji(&["serve", "--listen", &address]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains(&address) && run.err.contains("--listen") && run.err.lines().count() == 1, "{}", run.err);
    let run = tesuji(&["serve", "--listen", "127.0.0.1:0", "--tournament", "/nowhere"]);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
    let run = tesuji(&["serve", "--listen", "here"]);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
}
