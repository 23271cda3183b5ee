//! Trax programs that connect over the loopback interface, and every way to lose a game.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_arena::player::{ExternalProgram, NetworkSeat, PlayerProtocol, ProcessPlayer, SeatError, Timeouts, of_spec};
use tesuji_arena::{Adjudication, GameClocks, PlayConditions, PlayResult, PlayedGame, TimeControl, play};
use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Game, Record, Side};
use tesuji_search::CancelToken;
use tesuji_trax::{Trax, Unlimited};

type Board = Trax<Unlimited>;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn seat(asks_team: bool) -> Arc<NetworkSeat> {
    let address: SocketAddr = (Ipv4Addr::LOCALHOST, 0).into();
    Arc::new(NetworkSeat::new(address, PATIENCE, asks_team).unwrap())
}

fn program() -> ExternalProgram {
    ExternalProgram {
        command: Vec::new(),
        dir: None,
        environment: Vec::new(),
        protocol: PlayerProtocol::Trax,
        options: Vec::new(),
        restart: false,
        extended: false,
        team: false,
        tells_end: true,
        board_size: 8,
        timeouts: Timeouts::default(),
    }
}

/// What a program answers to each line.
type Script = Vec<Option<Vec<u8>>>;

/// A program that answers each line by these words, and then closes the connection. It returns what it read.
fn scripted(seat: &NetworkSeat, answers: Script) -> JoinHandle<Vec<String>> {
    let address = seat.address().unwrap();
    thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut read = Vec::new();
        for answer in answers {
            let Some(Ok(line)) = lines.next() else { break };
            read.push(line);
            if let Some(bytes) = answer {
                let _ = stream.write_all(&bytes);
            }
        }
        let _ = stream.shutdown(Shutdown::Write);
        read.extend(lines.map_while(Result::ok));
        read
    })
}

fn line(text: &str) -> Option<Vec<u8>> {
    Some(format!("{text}\r\n").into_bytes())
}

/// A game of the program that is seated, as white, against a random mover.
fn game(seat: &Arc<NetworkSeat>, turn: Duration) -> PlayedGame<Board> {
    let mut one = ProcessPlayer::<Board>::at_seat(program(), seat.clone());
    let spec = Spec::parse("random:seed=3").unwrap();
    let mut two = of_spec(&spec, &EngineFactory::<Board>::of_game(), &[]).unwrap();
    let conditions = PlayConditions {
        clocks: GameClocks::new(TimeControl::Move(turn), Duration::ZERO, PATIENCE),
        longest: Some(255),
        adjudication: Adjudication::default(),
        claim: None,
        oracle: None,
    };
    match play(Record::new(Board::start()), [&mut one, two.as_mut()], &conditions, &CancelToken::new()) {
        PlayResult::Played(played) => *played,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_fault_of_a_connected_program_loses_its_game() {
    let faults: Vec<(&str, Script)> = vec![
        ("illegal", vec![line("A1/")]),
        ("illegal", vec![line("hello")]),
        ("illegal", vec![line("ZZZZZZZ99999999999999999999+")]),
        ("illegal", vec![line("@0/"), line("@0/ B1+")]),
        ("crash", vec![None]),
        ("crash", vec![line("@0+"), None]),
        ("protocol", vec![Some(vec![b'x'; 70_000])]),
        ("protocol", vec![Some(b"\x01\x02\n".to_vec())]),
    ];
    for (reason, answers) in faults {
        let seat = seat(false);
        let told = scripted(&seat, answers.clone());
        let played = game(&seat, PATIENCE);
        assert_eq!((played.ending.reason, played.ending.winner), (reason, Some(Side::Second)), "{answers:?}");
        assert!(played.fault.is_some());
        assert_eq!(told.join().unwrap()[0], "-W");
    }
}

#[test]
fn a_silent_program_loses_on_time() {
    let seat = seat(false);
    // It waits for a second line, which never comes.
    let told = scripted(&seat, vec![None, None]);
    let played = game(&seat, Duration::from_millis(20));
    assert_eq!((played.ending.reason, played.ending.winner), ("time", Some(Side::Second)));
    assert_eq!(told.join().unwrap(), ["-W"], "the connection is closed");
}

#[test]
fn a_program_tells_its_team_code_or_is_refused() {
    let seat = seat(true);
    let (go, wait) = channel();
    let wrong = [scripted(&seat, vec![line("@0/")]), scripted(&seat, vec![None])];
    let address = seat.address().unwrap();
    let right = thread::spawn(move || {
        wait.recv().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "-T");
        stream.write_all(b"\r\nK7\r\n").unwrap();
        lines.next().is_none()
    });
    let mut refused = Vec::new();
    let greeted = seat.greet(&CancelToken::new(), &mut |_, reason| {
        refused.push(reason);
        if refused.len() == wrong.len() {
            go.send(()).unwrap();
        }
    });
    assert_eq!(greeted.unwrap().1.as_deref(), Some("K7"));
    refused.sort();
    assert_eq!(refused, ["it closed the connection", "it did not answer -T with a team code"]);
    drop(seat);
    assert!(right.join().unwrap(), "the connection is closed with its seat");
    for thread in wrong {
        assert_eq!(thread.join().unwrap(), ["-T"]);
    }
}

#[test]
fn nobody_is_waited_for_when_it_was_cancelled() {
    let cancel = CancelToken::new();
    cancel.cancel();
    assert!(matches!(seat(true).greet(&cancel, &mut |_, _| {}), Err(SeatError::Cancelled)));
}
