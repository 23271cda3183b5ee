//! The Othello match protocol over the loopback: servers and clients as processes, tournaments, and faulty players.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::folder::Folder;
use crate::run::{Run, tesuji};

/// Far longer than any message takes: a hang fails the test instead of blocking it.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running server.
struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(words: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args([&["host", "othello", "--port", "0", "--json", "--quiet"], words].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let listening: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&listening["schema"], &listening["event"]), (&"tesuji/host/1".into(), &"listening".into()));
        let port = listening["port"].as_u64().unwrap() as u16;
        Server { child, out, port }
    }

    /// Waits for the end: the exit code and all events.
    fn wait(mut self) -> (i32, Vec<Value>) {
        let lines: Vec<Value> = self.out.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        (self.child.wait().unwrap().code().unwrap(), lines)
    }
}

fn connect(port: u16, name: &str, more: &[&str]) -> JoinHandle<Run> {
    let words = ["connect", "othello", "--quiet", "--json", "--port", &port.to_string(), "--name", name]
        .into_iter()
        .chain(more.iter().copied())
        .map(str::to_owned)
        .collect::<Vec<_>>();
    thread::spawn(move || tesuji(&words.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// A player that speaks the protocol by hand.
fn raw_client(port: u16, name: &str) -> (TcpStream, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(format!("OPEN {name}\n").as_bytes()).unwrap();
    let lines = BufReader::new(stream.try_clone().unwrap());
    (stream, lines)
}

/// Reads until a line for which `wanted` holds; whether there was one.
fn until(lines: &mut BufReader<TcpStream>, wanted: impl Fn(&str) -> bool) -> bool {
    loop {
        let mut line = String::new();
        match lines.read_line(&mut line) {
            Ok(1..) if wanted(&line) => return true,
            Ok(1..) => {}
            _ => return false,
        }
    }
}

#[test]
fn a_tournament_with_faulty_players() {
    let folder = Folder::new("protocols-tournament");
    let (games, log) = (folder.path("games.ggf"), folder.path("dialogue.txt"));
    let server =
        Server::start(&["--players", "5", "--rounds", "2", "--time", "8s", "--byoyomi", "100ms", "--out", &games]);
    let port = server.port;
    let one = connect(port, "deep-1.0", &["--engine", "alphabeta:depth=1,hash=1", "--log", &log]);
    let two = connect(port, "any_2", &["--engine", "random"]);
    let garbage = thread::spawn(move || {
        let (mut stream, mut lines) = raw_client(port, "garbage");
        if until(&mut lines, |line| line.starts_with("START BLACK") || line.starts_with("MOVE")) {
            let _ = stream.write_all(&[vec![0xff; 1 << 20], vec![b'\n']].concat());
        }
        // The server has disconnected it.
        assert!(!until(&mut lines, |line| line.starts_with("BYE")));
    });
    let vanishing = thread::spawn(move || {
        let (_stream, mut lines) = raw_client(port, "vanishing");
        assert!(until(&mut lines, |line| line.starts_with("START")));
    });
    // Moves only after its time is over.
    let slow = thread::spawn(move || {
        let (mut stream, mut lines) = raw_client(port, "slow");
        assert!(until(&mut lines, |line| line.ends_with("TIME_OUT\n")));
        let _ = stream.write_all(b"MOVE GIVEUP\n");
    });
    let (code, events) = server.wait();
    assert_eq!(code, 0);
    let played: Vec<&Value> = events.iter().filter(|line| line["event"] == "game").collect();
    assert_eq!(played.len(), 20);
    let ours = ["deep-1.0", "any_2"];
    for game in &played {
        let strong = ["first", "second"].map(|side| ours.contains(&game[side].as_str().unwrap()));
        match strong {
            [true, true] => assert_eq!(game["reason"], "DOUBLE_PASS", "{game}"),
            [true, false] => assert_eq!(game["outcome"], "first", "{game}"),
            [false, true] => assert_eq!(game["outcome"], "second", "{game}"),
            [false, false] => {}
        }
    }
    for reason in ["DOUBLE_PASS", "INVALID_COMMAND", "DISCONNECTED", "TIME_OUT"] {
        assert!(played.iter().any(|game| game["reason"] == reason), "no {reason} in {played:?}");
    }
    let last = events.last().unwrap();
    assert_eq!((&last["event"], last["table"].as_array().unwrap().len()), (&"final".into(), 5));
    let top: Vec<&str> = (0..2).map(|row| last["table"][row]["name"].as_str().unwrap()).collect();
    assert!(ours.iter().all(|name| top.contains(name)), "{last}");
    for (name, client) in ours.into_iter().zip([one.join().unwrap(), two.join().unwrap()]) {
        assert_eq!((client.code, client.err.as_str()), (0, ""));
        let lines = client.json();
        assert!(lines.iter().all(|line| line["schema"] == "tesuji/connect/2"));
        let bye = lines.last().unwrap();
        assert_eq!((&bye["event"], bye["table"].as_array().unwrap().len()), (&"bye".into(), 5));
        // Six games against the three faulty players. Games against players who left are won without being played.
        let row = bye["table"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        assert!(row["won"].as_u64().unwrap() >= 6, "{bye}");
        let lost = lines.iter().filter(|line| line["result"] == "loss").count() as u64;
        assert_eq!(row["lost"], lost, "{lines:?}");
    }
    garbage.join().unwrap();
    vanishing.join().unwrap();
    slow.join().unwrap();
    // The record file contains every game.
    let replayed = tesuji(&["replay", "othello", &games, "--json"]);
    assert_eq!((replayed.code, replayed.json().len()), (0, 20), "{}", replayed.err);
    let dialogue = fs::read_to_string(&log).unwrap();
    assert!(dialogue.contains(" > OPEN deep-1.0") && dialogue.contains(" < BYE "), "{dialogue}");
}

/// Games end when both pass; the disc counts are right; colours alternate.
#[test]
fn games_end_with_a_double_pass() {
    let server = Server::start(&["--rounds", "4", "--time", "60s"]);
    let two = ["--engine", "random:seed=1"];
    let [one, two] =
        [("x", ["--engine", "random:seed=7"]), ("y", two)].map(|(name, engine)| connect(server.port, name, &engine));
    let (code, events) = server.wait();
    assert_eq!(code, 0);
    let games: Vec<&Value> = events.iter().filter(|line| line["event"] == "game").collect();
    let blacks: Vec<&str> = games.iter().map(|game| game["first"].as_str().unwrap()).collect();
    assert_eq!(games.len(), 4);
    assert!(blacks.windows(2).all(|pair| pair[0] != pair[1]), "{blacks:?}");
    for game in games {
        assert_eq!(game["reason"], "DOUBLE_PASS");
        let moves = game["moves"].as_str().unwrap();
        let shown = tesuji(&["show", "othello", "--moves", moves, "--json"]).json().remove(0);
        assert_eq!(shown["outcome"], game["outcome"], "{game}");
        let count = |disc| shown["position"].as_str().unwrap()[..64].matches(disc).count();
        assert_eq!(game["discs"], serde_json::json!([count('X'), count('O')]));
    }
    for client in [one.join().unwrap(), two.join().unwrap()] {
        assert_eq!((client.code, client.json().len()), (0, 5), "{}", client.err);
    }
}

#[test]
fn a_client_reconnects_and_reports_a_lost_server() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        // Disconnects during a game, then sends garbage, then ends properly.
        for script in ["START BLACK x 1000\n", "NONSENSE\n", "BYE\n"] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            assert_eq!(lines.next().unwrap().unwrap(), "OPEN again");
            stream.write_all(script.as_bytes()).unwrap();
            if script.starts_with("START") {
                lines.next().unwrap().unwrap();
                stream.write_all(b"ACK -90000\n").unwrap();
            }
        }
        let (stream, _) = listener.accept().unwrap();
        drop(stream);
    });
    let client = connect(port, "again", &["--engine", "random", "--reconnect", "5"]).join().unwrap();
    assert_eq!(client.code, 0, "{}", client.err);
    let lines = client.json();
    assert_eq!((lines.len(), &lines[0]["result"], &lines[1]["event"]), (2, &Value::Null, &"bye".into()));
    assert!(client.err.contains("middle of a game") && client.err.contains("NONSENSE"), "{}", client.err);
    let once = connect(port, "again", &["--engine", "random"]).join().unwrap();
    assert_eq!((once.code, &once.json()[0]["event"]), (1, &"lost".into()), "{}", once.err);
    server.join().unwrap();
    let refused = connect(port, "again", &["--engine", "random"]).join().unwrap();
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("no connection"), "{}", refused.err);
}

#[test]
fn bad_arguments_are_rejected() {
    for (words, message) in [
        (&["connect", "othello", "--name", "WIN"][..], "word of the protocol"),
        (&["connect", "othello", "--name", "a b"], "letters, digits"),
        (&["connect", "othello", "--engine", "alphabetta"], "did you mean"),
        (&["connect", "othello", "--engine", "process:cmd=/no/such/program,protocol=gtp"], "/no/such/program"),
        (&["connect", "shogi"], "othello, trax, csa have"),
        (&["host", "ostle"], "othello, trax have"),
        (&["host", "othello", "--players", "1"], "from 2 to 256"),
        (&["engine", "gtp", "--engine", "randon"], "did you mean"),
        (&["engine", "nboard", "--engine", "randon"], "did you mean"),
    ] {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
    }
    let few = tesuji(&["host", "othello", "--port", "0", "--wait", "1ms"]);
    assert_eq!(few.code, 1);
    assert!(few.err.contains("only 0 of 2 players"), "{}", few.err);
}
