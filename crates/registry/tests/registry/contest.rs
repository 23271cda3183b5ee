//! A Trax contest over the loopback interface: our referee and two of our clients.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use tesuji_registry::{ConnectEvent, ConnectRequest, Error, HostEvent, HostRequest, JOURNAL, shipped};
use tesuji_task::{CancelToken, Context};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn client(port: u16, team: &str, engine: &str) -> ConnectRequest {
    ConnectRequest {
        host: "127.0.0.1".to_owned(),
        port,
        name: team.to_owned(),
        engine: Some(engine.to_owned()),
        depth: None,
        solve: None,
        no_book: false,
        threads: Some(1),
        hash: Some(1),
        reconnect: 0,
        patience: PATIENCE,
        time: Some("60s".to_owned()),
        games: None,
        password: None,
        game_name: None,
        keep_alive: Duration::ZERO,
        comments: false,
        records: None,
    }
}

/// Plays as a client; the results of its games.
fn play(request: ConnectRequest) -> (Vec<Option<String>>, Result<(), Error>) {
    let mut results = Vec::new();
    let cancel = CancelToken::new();
    let ended = shipped().game("trax").unwrap().connect(&request, Context::silent(&cancel), &mut |event| match event {
        ConnectEvent::Game(game) => results.push(game.result),
        ConnectEvent::Warning { message } => panic!("{message}"),
        _ => {}
    });
    (results, ended)
}

fn host(out: Option<std::path::PathBuf>, rounds: usize, ports: Sender<u16>) -> (Vec<HostEvent>, Result<(), Error>) {
    let request = HostRequest {
        listen: "127.0.0.1:0".parse().unwrap(),
        players: 2,
        rounds,
        time: PATIENCE,
        byoyomi: Duration::ZERO,
        wait: PATIENCE,
        concurrency: None,
        out,
        second_port: None,
        asks_team: true,
    };
    let mut events = Vec::new();
    let cancel = CancelToken::new();
    let ended = shipped().game("trax").unwrap().host(&request, Context::silent(&cancel), &mut |event| {
        if let HostEvent::Listening { port, .. } = event {
            ports.send(port).unwrap();
        }
        events.push(event);
    });
    (events, ended)
}

fn ports(receiver: &Receiver<u16>) -> [u16; 2] {
    [receiver.recv().unwrap(), receiver.recv().unwrap()]
}

#[test]
fn two_clients_play_both_colours_under_our_referee() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("contest");
    let (send, receive) = channel();
    let kept = out.clone();
    let server = thread::spawn(move || host(Some(kept), 4, send));
    let [one, two] = ports(&receive);
    let weak = thread::spawn(move || play(client(two, "RA", "random:seed=7")));
    let (strong, ended) = play(client(one, "AB", "alphabeta:depth=2,hash=1"));
    let (events, hosted) = server.join().unwrap();
    hosted.unwrap();
    ended.unwrap();
    let (other, ended) = weak.join().unwrap();
    ended.unwrap();
    assert_eq!((strong.len(), other.len()), (4, 4));
    // Both saw the end of every game, and agree with the referee.
    let opposite = |result: &Option<String>| match result.as_deref() {
        Some("win") => Some("loss".to_owned()),
        Some("loss") => Some("win".to_owned()),
        other => other.map(str::to_owned),
    };
    assert_eq!(strong.iter().map(opposite).collect::<Vec<_>>(), other);
    let games: Vec<_> =
        events.iter().filter_map(|event| if let HostEvent::Game(game) = event { Some(game) } else { None }).collect();
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        assert_eq!((&pair[0].first, &pair[0].second), (&pair[1].second, &pair[1].first), "colours are exchanged");
    }
    assert!(games.iter().all(|game| game.fault.is_none() && ["loop", "line"].contains(&game.reason.as_str())));
    let Some(HostEvent::Final { table, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(table.iter().map(|row| row.won + row.lost + row.drawn).collect::<Vec<_>>(), [4, 4]);
    assert_eq!(table[0].name, "AB", "{table:?}");
    for file in [JOURNAL, "report.html"] {
        assert!(out.join(file).is_file(), "{file}");
    }
}

#[test]
fn wrong_requests_say_what_would_be_right() {
    let (_, error) = play(client(1, "TESUJI", "random"));
    assert!(error.unwrap_err().to_string().contains("two letters or digits, such as TS"));
    let (_, error) = play(client(1, "TS", "randon"));
    assert!(error.unwrap_err().to_string().starts_with("engine: there is no engine"));
    let (_, error) = play(ConnectRequest { time: Some("soon".to_owned()), ..client(1, "TS", "random") });
    assert!(error.unwrap_err().to_string().starts_with("time: a duration is written"));
}

/// A server that leaves in the middle of a game is no farewell.
#[test]
fn a_lost_connection_is_a_failure() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"-T\n-W\n").unwrap();
        let mut bytes = [0; 7];
        stream.read_exact(&mut bytes).unwrap();
        bytes
    });
    let (results, ended) = play(client(port, "TS", "random:seed=1"));
    assert_eq!(results, [None]);
    assert_eq!(ended.unwrap_err().to_string(), "the connection ended in the middle of a game");
    assert!(server.join().unwrap().starts_with(b"TS\n@0"));
}
