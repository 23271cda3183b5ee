//! Games over the loopback interface: misbehaving servers and misbehaving players.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_arena::online::{
    Client, ClientEvent, ClientSettings, Disconnect, LoginError, MatchServer, MatchServerEvent, ServerReport,
    ServerSettings, ServerWinner,
};
use tesuji_arena::player::{MoveRequest, Player, PlayerAction, PlayerAnswer, PlayerFault, SearchInfo, of_spec};
use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Game, Notation, Record, Side};
use tesuji_othello::{Move, Othello};
use tesuji_search::CancelToken;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

fn client(name: &str, engine: &str) -> Client<Othello> {
    let engines = EngineFactory::<Othello>::of_game();
    let player = of_spec(&Spec::parse(engine).unwrap(), &engines, &[]).unwrap();
    Client::new(ClientSettings { name: name.to_owned(), depth: None, patience: PATIENCE }, player, &CancelToken::new())
        .unwrap()
}

/// What a connection was like.
struct Connected {
    disconnect: Disconnect,
    odd: Vec<String>,
    said: Vec<String>,
    /// Result and reason of every game, if the server reported them.
    games: Vec<Option<String>>,
}

fn connect(port: u16, mut client: Client<Othello>) -> Connected {
    let (mut odd, mut said, mut games) = (Vec::new(), Vec::new(), Vec::new());
    let disconnect = client.connect("127.0.0.1", port, &CancelToken::new(), &mut |event| match event {
        ClientEvent::Warning(words) => odd.push(words),
        ClientEvent::Sent(line) => said.push(line.to_owned()),
        ClientEvent::GameEnded(game) => {
            games.push(game.end.as_ref().map(|end| format!("{} {}", end.verdict, end.reason)));
        }
        _ => {}
    });
    Connected { disconnect, odd, said, games }
}

/// A server that follows a script: lines to send, and `?` to receive one.
fn scripted(script: &[&str]) -> (u16, JoinHandle<Vec<String>>) {
    let script: Vec<String> = script.iter().map(|&line| line.to_owned()).collect();
    let listener = TcpListener::bind(loopback()).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut received = vec![lines.next().unwrap().unwrap()];
        for line in script {
            match line.as_str() {
                "?" => received.push(lines.next().unwrap().unwrap()),
                // The client may have disconnected.
                line => drop(stream.write_all(line.as_bytes())),
            }
        }
        received
    });
    (port, server)
}

#[test]
fn a_client_survives_every_server() {
    let lost = |disconnect: &Disconnect| match disconnect {
        Disconnect::Lost { playing, .. } => Some(*playing),
        _ => None,
    };
    // A negative ACK, then the end: the flag fell.
    let (port, server) = scripted(&["START BLACK x 1000\n", "?", "ACK -70123\n"]);
    let dying = connect(port, client("a", "random"));
    assert_eq!((lost(&dying.disconnect), dying.games), (Some(true), vec![None]));
    assert!(server.join().unwrap()[1].starts_with("MOVE "));
    // The server closes at once.
    let (port, _) = scripted(&[]);
    assert_eq!(lost(&connect(port, client("a", "random")).disconnect), Some(false));
    // Lines with CR, unknown words, an ACK out of turn, an END instead of an ACK, a BYE without a table.
    let (port, server) = scripted(&[
        "WELCOME to the club\r\n\r\nACK 5\r\n",
        "START BLACK some-body_2.0 60000\r\n",
        "?",
        "END WIN 4 1 SUDDEN_LUCK\r\n",
        "START WHITE some-body_2.0 60000\r\nMOVE F5\r\n",
        "?",
        "ACK 0\r\nEND TIE 3 3\r\nBYE\r\n",
    ]);
    let odd = connect(port, client("odd-name_1.5", "random"));
    assert_eq!(odd.disconnect, Disconnect::Bye(Vec::new()));
    assert_eq!(odd.games, [Some("WIN SUDDEN_LUCK".to_owned()), Some("TIE ".to_owned())]);
    assert_eq!(odd.odd.len(), 2, "{:?}", odd.odd);
    assert_eq!(server.join().unwrap()[0], "OPEN odd-name_1.5");
    // An impossible move: the boards differ, and the client gives up.
    let (port, server) =
        scripted(&["START WHITE x 1000\nMOVE A1\n", "?", "END LOSE 2 2 GIVEUP\nBYE x 1 1 0 a -1 0 1\n"]);
    let differing = connect(port, client("a", "random"));
    assert_eq!(server.join().unwrap()[1], "MOVE GIVEUP");
    assert!(matches!(differing.disconnect, Disconnect::Bye(table) if table.len() == 2 && table[1].score == -1));
    // A second START without an END, and a line without an end.
    let endless = "x".repeat(1 << 20);
    let (port, _server) = scripted(&["START BLACK x 1000\n", "?", "START BLACK y 1000\n", "?", &endless]);
    let cut = connect(port, client("a", "random"));
    assert_eq!((lost(&cut.disconnect), cut.games), (Some(true), vec![None, None]));
}

/// The END arrives during the search: the search is cancelled, and nothing more is sent.
#[test]
fn a_game_may_end_during_the_search() {
    let (port, server) = scripted(&["START WHITE x 6000000\nMOVE F5\n", "END WIN 4 1 DISCONNECTED\n", "BYE\n"]);
    let play = connect(port, client("a", "alphabeta:hash=1"));
    assert_eq!(play.disconnect, Disconnect::Bye(Vec::new()));
    assert_eq!((play.said, server.join().unwrap().len()), (vec!["OPEN a".to_owned()], 1));
    assert_eq!(play.games, [Some("WIN DISCONNECTED".to_owned())]);
}

/// Plays the moves of a list.
struct Scripted(&'static [&'static str]);

impl Player<Othello> for Scripted {
    fn begin(&mut self, _: &Record<Othello>, _: &CancelToken) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose(&mut self, record: &Record<Othello>, _: &MoveRequest) -> Result<PlayerAnswer<Move>, PlayerFault> {
        let mv = record.now().clone().parse_move(self.0[record.plies().len()]).unwrap();
        Ok(PlayerAnswer {
            action: PlayerAction::Move(mv),
            info: SearchInfo::default(),
            line: Vec::new(),
            used: Duration::ZERO,
        })
    }

    fn end(&mut self, _: &Record<Othello>) {}
}

/// When no side can move, both have to pass; the second pass is answered by END without ACK.
#[test]
fn the_client_passes_when_the_game_is_over() {
    /// White has no disc left.
    const WIPED: &[&str] = &["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let mut record = Record::new(Othello::start());
    WIPED.iter().for_each(|mv| record.push_text(mv).unwrap());
    assert!(record.ending().is_some() && record.now().empties() != 0);
    let settings = || ClientSettings { name: "parrot".to_owned(), depth: None, patience: PATIENCE };
    let white = ["MOVE E6\n", "ACK 9\nMOVE E3\n", "ACK 9\nMOVE G5\n", "ACK 9\nMOVE E7\n", "ACK 9\nMOVE C5\n"];
    let (port, server) = scripted(&[
        "START WHITE x 9000\n",
        white[0],
        "?",
        white[1],
        "?",
        white[2],
        "?",
        white[3],
        "?",
        white[4],
        "?",
        "ACK 9\nEND LOSE 0 13 DOUBLE_PASS\n",
        "START BLACK x 9000\n",
        "?",
        "ACK 9\nMOVE F4\n",
        "?",
        "ACK 9\nMOVE F6\n",
        "?",
        "ACK 9\nMOVE D6\n",
        "?",
        "ACK 9\nMOVE F5\n",
        "?",
        "ACK 9\nMOVE PASS\n",
        "?",
        "END WIN 13 0 DOUBLE_PASS\nBYE\n",
    ]);
    let play = connect(port, Client::new(settings(), Box::new(Scripted(WIPED)), &CancelToken::new()).unwrap());
    assert_eq!(play.disconnect, Disconnect::Bye(Vec::new()), "{:?}", play.odd);
    let received = server.join().unwrap();
    assert_eq!(received[1..6], ["MOVE F4", "MOVE F6", "MOVE D6", "MOVE F5", "MOVE PASS"]);
    assert_eq!(received[6..], ["MOVE E6", "MOVE E3", "MOVE G5", "MOVE E7", "MOVE C5", "MOVE PASS"]);
    assert_eq!(play.games.len(), 2);
}

fn settings(players: usize, rounds: usize) -> ServerSettings {
    ServerSettings { players, rounds, time: PATIENCE, byoyomi: Duration::ZERO, wait: PATIENCE, concurrency: 8 }
}

type ServerRun = Result<ServerReport<Othello>, LoginError>;

/// A running server: its port, the names that logged in, and its result.
fn serve(settings: ServerSettings) -> (u16, Receiver<String>, JoinHandle<ServerRun>) {
    let discs = |board: &Othello| Side::BOTH.map(|side| board.discs(side).count_ones());
    let host = MatchServer::new(loopback(), settings, discs).unwrap();
    let port = host.address().unwrap().port();
    let (to, from) = channel();
    let server = thread::spawn(move || {
        host.run(&CancelToken::new(), &mut |event| match event {
            MatchServerEvent::LoggedIn(name, _) | MatchServerEvent::Left(name) => {
                drop(to.send(name.to_owned()));
            }
            MatchServerEvent::Refused(_, why) => drop(to.send(why)),
            _ => {}
        })
    });
    (port, from, server)
}

/// A client without an engine that sends given lines.
struct RawClient(TcpStream, BufReader<TcpStream>);

impl RawClient {
    fn open(port: u16, name: &str) -> RawClient {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut raw = RawClient(stream.try_clone().unwrap(), BufReader::new(stream));
        raw.send(&format!("OPEN {name}"));
        raw
    }

    fn send(&mut self, line: &str) {
        // The server may have disconnected.
        let _ = self.0.write_all(format!("{line}\n").as_bytes());
    }

    fn receive(&mut self) -> String {
        let mut line = String::new();
        let _ = self.1.read_line(&mut line);
        line.trim_end().to_owned()
    }

    /// The next line with this prefix.
    fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.receive();
            if line.starts_with(start) || line.is_empty() {
                return line;
            }
        }
    }
}

#[test]
fn misbehaviour_loses_only_the_own_games() {
    /// What a player sends when it is to move as black, and the reason it loses for.
    const MISBEHAVIOURS: [(&str, &str); 6] = [
        ("MOVE A1", "INVALID_MOVE"),
        ("MOVE PASS", "INVALID_MOVE"),
        ("MOVE Z9", "INVALID_COMMAND"),
        ("hello there", "INVALID_COMMAND"),
        ("OPEN again", "INVALID_COMMAND"),
        ("MOVE GIVEUP", "GIVEUP"),
    ];
    let (port, came, server) = serve(settings(2, 12));
    let mut bad = RawClient::open(port, "bad");
    assert_eq!(came.recv().unwrap(), "bad");
    let mut good = RawClient::open(port, "good");
    let mut expected = Vec::new();
    for (line, reason) in MISBEHAVIOURS {
        for _ in 0..2 {
            let (black, white) = (bad.until("START"), good.until("START"));
            if black.contains("BLACK") {
                bad.send(line);
            } else {
                assert_eq!(white, "START BLACK bad 60000");
                good.send("MOVE F5");
                assert_eq!(bad.receive(), "MOVE F5");
                bad.send(if line == "MOVE A1" { "MOVE F5" } else { line });
            }
            let (lost, won) = (bad.until("END"), good.until("END"));
            assert!(lost.starts_with("END LOSE ") && lost.ends_with(reason), "{line}: {lost}");
            assert!(won.starts_with("END WIN ") && won.ends_with(reason), "{line}: {won}");
            expected.push(reason);
        }
    }
    assert_eq!(bad.receive(), "BYE good 12 12 0 bad -12 0 12");
    assert_eq!(bad.receive(), "");
    let report = server.join().unwrap().unwrap();
    assert_eq!(report.games.len(), 12);
    assert!(report.games.iter().zip(&expected).all(|(game, reason)| game.outcome.reason == *reason));
    let blacks = report.games.iter().filter(|game| game.names[0] == "bad").count();
    assert_eq!(blacks, 6, "colours are exchanged from round to round");
}

/// A flag fall, a flood of garbage and a disconnect; the other players play on to full boards.
#[test]
fn a_tournament_with_every_kind_of_player() {
    let quick = ServerSettings { time: Duration::from_secs(5), ..settings(5, 2) };
    let (port, came, server) = serve(quick);
    let engines = ["alphabeta:depth=1,hash=1", "random"];
    let clients: Vec<JoinHandle<Connected>> = engines
        .into_iter()
        .enumerate()
        .map(|(index, engine)| thread::spawn(move || connect(port, client(&format!("client-{index}"), engine))))
        .collect();
    // Floods the server as soon as it is to move.
    let flood = thread::spawn(move || {
        let mut raw = RawClient::open(port, "flood");
        loop {
            let line = raw.receive();
            if line.starts_with("START BLACK") || line.starts_with("MOVE") {
                raw.send(&"x".repeat(1 << 20));
                return raw.until("never");
            }
        }
    });
    // Plays one move and disconnects.
    let vanish = thread::spawn(move || {
        let mut raw = RawClient::open(port, "vanish");
        let start = raw.until("START");
        if start.contains("BLACK") {
            raw.send("MOVE F5");
            raw.receive();
        }
    });
    // Stays silent until its flag falls.
    let mute = thread::spawn(move || RawClient::open(port, "mute.1").until("END LOSE"));
    let mut names: Vec<String> = (0..5).map(|_| came.recv().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["client-0", "client-1", "flood", "mute.1", "vanish"]);
    let report = server.join().unwrap().unwrap();
    assert!(!report.cancelled);
    assert_eq!(report.games.len(), 20);
    for game in &report.games {
        let [black, white] = &game.names;
        let clients = [black, white].map(|name| name.starts_with("client"));
        let outcome = &game.outcome;
        match clients {
            [true, true] => {
                assert_eq!(outcome.reason, "DOUBLE_PASS");
                let [black, white] = outcome.discs;
                let winner = match black.cmp(&white) {
                    std::cmp::Ordering::Greater => ServerWinner::Side(Side::First),
                    std::cmp::Ordering::Less => ServerWinner::Side(Side::Second),
                    std::cmp::Ordering::Equal => ServerWinner::Tie,
                };
                assert_eq!(outcome.winner, winner);
                assert!(outcome.record.now().is_over());
            }
            [true, false] => assert_eq!(outcome.winner, ServerWinner::Side(Side::First), "{black} {white}"),
            [false, true] => assert_eq!(outcome.winner, ServerWinner::Side(Side::Second), "{black} {white}"),
            [false, false] => {}
        }
    }
    let reasons: Vec<&str> = report.games.iter().map(|game| game.outcome.reason).collect();
    for reason in ["DOUBLE_PASS", "DISCONNECTED", "TIME_OUT", "INVALID_COMMAND"] {
        assert!(reasons.contains(&reason), "{reason} is missing in {reasons:?}");
    }
    for play in clients.into_iter().map(|client| client.join().unwrap()) {
        assert!(matches!(&play.disconnect, Disconnect::Bye(table) if table.len() == 5), "{:?}", play.disconnect);
        assert_eq!(play.odd, [""; 0]);
    }
    assert!(mute.join().unwrap().ends_with("TIME_OUT"));
    assert_eq!(flood.join().unwrap(), "", "an endless line ends the connection");
    vanish.join().unwrap();
}

#[test]
fn invalid_logins_are_refused() {
    let (port, came, server) = serve(settings(2, 1));
    let first = RawClient::open(port, "one");
    assert_eq!(came.recv().unwrap(), "one");
    let mut second = RawClient::open(port, "one");
    assert_eq!((second.receive().as_str(), second.receive().as_str()), ("BYE", ""));
    assert_eq!(came.recv().unwrap(), "there is a one already");
    let mut web = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    web.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let mut page = String::new();
    let _ = web.read_to_string(&mut page);
    assert_eq!(page, "BYE\n");
    assert!(came.recv().unwrap().contains("OPEN"));
    let _silent = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    drop(first);
    assert_eq!(came.recv().unwrap(), "one", "who leaves before the first game is not waited for");
    let mut players = ["two", "one"].map(|name| {
        let raw = RawClient::open(port, name);
        assert_eq!(came.recv().unwrap(), name);
        raw
    });
    for raw in &mut players {
        if raw.until("START").contains("BLACK") {
            raw.send("MOVE GIVEUP");
        }
    }
    assert!(players.iter_mut().all(|raw| raw.until("BYE").len() > 3));
    assert_eq!(server.join().unwrap().unwrap().games[0].outcome.reason, "GIVEUP");
}

#[test]
fn waiting_for_players_has_a_limit() {
    let (port, came, server) = serve(ServerSettings { wait: Duration::from_millis(1), ..settings(3, 1) });
    let few = server.join().unwrap().unwrap_err();
    assert!(matches!(few, LoginError::TooFew { came: 0, wanted: 3, .. }), "{few}");
    assert!(came.recv().is_err());
    let unreachable = connect(port, client("late", "random")).disconnect;
    assert!(matches!(unreachable, Disconnect::Unreachable(_)), "{unreachable:?}");
}
