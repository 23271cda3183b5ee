//! Games on a CSA server over the loopback interface. The server follows scripts with the words of floodgate's server.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_arena::online::{CsaClient, CsaDisconnect, CsaEvent, CsaNotation, CsaSettings};
use tesuji_arena::player::{MoveRequest, Player, PlayerAction, PlayerAnswer, PlayerFault, SearchInfo};
use tesuji_game::{Formats, Game, Notation, Record, Side, reason};
use tesuji_search::{CancelToken, Time};
use tesuji_shogi::{Declaration, Move, Rules, Shogi};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

const NOTATION: fn() -> CsaNotation<Shogi> = || CsaNotation {
    format: *Shogi::FORMATS.iter().find(|format| format.name == "csa").unwrap(),
    print_move: Shogi::csa_move,
    parse_move: Shogi::parse_csa_move,
    rules: |summary| Rules {
        declaration: Declaration::Points27,
        move_limit: summary.max_moves.map(|moves| moves as usize),
    },
    unlimited: |rules| Rules { move_limit: None, ..rules.clone() },
};

/// A summary as the server prints it.
fn offer(side: char, position: &str) -> String {
    format!(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
         Game_ID:test+game-10-2F+us+them+20261118203000\nName+:us\nName-:them\nYour_Turn:{side}\nRematch_On_Draw:NO\n\
         To_Move:+\nMax_Moves:256\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:10\nByoyomi:0\nIncrement:2\n\
         Least_Time_Per_Move:0\nEND Time\nBEGIN Position\n{position}\nEND Position\nEND Game_Summary\n"
    )
}

const START: &str = "\
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+
P-
+";
const GO: &str = "START:test+game-10-2F+us+them+20261118203000\n";

/// A server that follows a script: lines to send, `?` to receive one, and the end of the connection.
fn scripted(script: Vec<String>) -> (u16, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut received = vec![lines.next().unwrap().unwrap()];
        for line in script {
            match line.as_str() {
                "?" => received.push(lines.next().unwrap().unwrap()),
                line => drop(stream.write_all(line.as_bytes())),
            }
        }
        received
    });
    (port, server)
}

fn script(parts: &[&str]) -> Vec<String> {
    let mut all = vec!["LOGIN:us OK\n".to_owned()];
    all.extend(parts.iter().map(|&part| part.to_owned()));
    all
}

/// What a player is to do, move by move.
#[derive(Clone, Copy)]
enum Act {
    Move(&'static str),
    Claim,
    Resign,
    Crash,
    Panic,
    /// Thinks until it is cancelled.
    Wait,
}

/// Does what a list says, and remembers its clock. The list is shared by all players of a client.
struct Scripted {
    acts: Arc<Mutex<Vec<Act>>>,
    clocks: Arc<Mutex<Vec<Option<Time>>>>,
}

impl Player<Shogi> for Scripted {
    fn begin(&mut self, _: &Record<Shogi>, _: &CancelToken) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose(&mut self, record: &Record<Shogi>, request: &MoveRequest) -> Result<PlayerAnswer<Move>, PlayerFault> {
        self.clocks.lock().unwrap().push(request.limits.time);
        let act = self.acts.lock().unwrap().remove(0);
        let (action, line) = match act {
            Act::Move(words) => {
                let mut now = record.now().clone();
                let mut moves = words.split(' ').map(|word| {
                    let mv = now.parse_move(word).unwrap();
                    now.play(mv);
                    mv
                });
                (PlayerAction::Move(moves.next().unwrap()), moves.collect())
            }
            Act::Claim => (PlayerAction::Claim, Vec::new()),
            Act::Resign => (PlayerAction::Resign, Vec::new()),
            Act::Crash => return Err(PlayerFault::Crash("it fell over".to_owned())),
            Act::Panic => panic!("a player that panics"),
            Act::Wait => {
                while !request.cancel.is_cancelled() {
                    thread::yield_now();
                }
                return Err(PlayerFault::Late(Duration::ZERO));
            }
        };
        let info = SearchInfo { value: Some(55.0), ..SearchInfo::default() };
        Ok(PlayerAnswer { action, info, line, used: Duration::ZERO })
    }

    fn end(&mut self, _: &Record<Shogi>) {}
}

/// What a connection was like.
struct Connected {
    disconnect: CsaDisconnect,
    odd: Vec<String>,
    games: Vec<Record<Shogi>>,
    /// Whether the server told how each game ended.
    told: Vec<bool>,
    clocks: Vec<Option<Time>>,
    received: Vec<String>,
}

fn play_until(acts: Vec<Act>, script: Vec<String>, cancel: &CancelToken, stop_at: &str) -> Connected {
    let (port, server) = scripted(script);
    let settings = CsaSettings {
        name: "us".to_owned(),
        password: "game-10-2F,secret".to_owned(),
        depth: None,
        patience: PATIENCE,
        keep_alive: None,
        comments: true,
        games: None,
    };
    let (acts, clocks) = (Arc::new(Mutex::new(acts)), Arc::new(Mutex::new(Vec::new())));
    let shared = clocks.clone();
    let make = Box::new(move || -> Result<Box<dyn Player<Shogi>>, String> {
        Ok(Box::new(Scripted { acts: acts.clone(), clocks: shared.clone() }))
    });
    let mut client = CsaClient::new(settings, NOTATION(), make, &CancelToken::new()).unwrap();
    let (mut odd, mut games, mut told) = (Vec::new(), Vec::new(), Vec::new());
    let disconnect = client.connect("127.0.0.1", port, cancel, &mut |event| match event {
        CsaEvent::Warning(words) => odd.push(words),
        CsaEvent::GameEnded(game) => {
            games.push(game.record.clone());
            told.push(game.end.is_some());
        }
        CsaEvent::Sent(line) => assert!(!line.contains("secret"), "{line}"),
        CsaEvent::Received(line) if line == stop_at => cancel.cancel(),
        _ => {}
    });
    drop(client);
    let clocks = clocks.lock().unwrap().clone();
    Connected { disconnect, odd, games, told, clocks, received: server.join().unwrap() }
}

fn play(acts: Vec<Act>, script: Vec<String>) -> Connected {
    play_until(acts, script, &CancelToken::new(), "never")
}

fn seconds(time: f64) -> Duration {
    Duration::from_secs_f64(time)
}

#[test]
fn a_game_with_moves_in_the_summary_clocks_and_comments() {
    let begun = offer('+', &format!("{START}\n+7776FU,T3\n-3334FU,T1"));
    let played = play(
        vec![Act::Move("2g2f 8c8d 2f2e"), Act::Move("2f2e"), Act::Resign],
        script(&[
            &begun,
            "?",
            GO,
            "?",
            "+2726FU,T1\n-8384FU,T0\n",
            "?",
            "+2625FU,T12\n-8485FU,T2\n",
            "?",
            "%TORYO\n#RESIGN\n#LOSE\n",
        ]),
    );
    assert_eq!(played.disconnect, CsaDisconnect::Finished, "{:?}", played.odd);
    assert_eq!(
        played.received,
        [
            "LOGIN us game-10-2F,secret",
            "AGREE test+game-10-2F+us+them+20261118203000",
            "+2726FU,'* 55 -8384FU +2625FU",
            "+2625FU,'* 55",
            "%TORYO"
        ]
    );
    let record = &played.games[0];
    assert_eq!(record.ending().map(|end| (end.winner, end.reason)), Some((Some(Side::Second), reason::RESIGNATION)));
    let times: Vec<_> = record.plies().iter().map(|ply| ply.time.unwrap().as_secs()).collect();
    assert_eq!(times, [3, 1, 1, 0, 12, 2]);
    assert_eq!((record.plies()[2].value, record.plies()[2].line.len(), record.plies()[3].value), (Some(55.0), 2, None));
    // 10 + 2 - 3 = 9 s are left, then 10 s, in the end nothing but the increment. What is kept back for the lag varies.
    let expected = [(9.0, 2.0), (10.0, 2.0), (0.0, 2.0)];
    assert_eq!(played.clocks.len(), expected.len());
    for (time, (most, increment)) in played.clocks.iter().zip(expected) {
        let (left, added) = match *time {
            Some(Time::Clock { left, increment, byoyomi }) if byoyomi.is_zero() => (left, increment),
            // A machine that is busy for seconds.
            Some(Time::Move(left)) => (left, seconds(0.0)),
            other => panic!("{other:?}"),
        };
        assert!(left <= seconds(most) && left + added < seconds(most + increment), "{left:?} of {most}");
    }
    // The record survives its format.
    let bytes = Shogi::write(NOTATION().format, record).unwrap();
    let again = Shogi::read(NOTATION().format, &bytes).next().unwrap();
    assert!(again.fault.is_none() && again.record.plies() == record.plies());
}

#[test]
fn every_ending_of_a_game() {
    let ends = |lines: &str| {
        let first = script(&[&offer('+', START), "?", GO, "?", "+7776FU,T0\n-3334FU,T1\n", "?", lines]);
        let played = play(vec![Act::Move("7g7f"), Act::Claim], first);
        assert_eq!((played.disconnect, played.odd), (CsaDisconnect::Finished, Vec::new()), "{lines}");
        assert_eq!(played.received.last().map(String::as_str), Some("%KACHI"));
        let ending = played.games[0].ending().unwrap();
        (ending.winner, ending.reason)
    };
    let (us, them) = (Some(Side::First), Some(Side::Second));
    assert_eq!(ends("%KACHI\n#JISHOGI\n#WIN\n"), (us, reason::DECLARATION));
    assert_eq!(ends("%KACHI\n#ILLEGAL_MOVE\n#LOSE\n"), (them, reason::ILLEGAL));
    assert_eq!(ends("#TIME_UP\n#WIN\n"), (us, reason::TIME));
    assert_eq!(ends("#SENNICHITE\n#DRAW\n"), (None, reason::STATED));
    assert_eq!(ends("#OUTE_SENNICHITE\n#LOSE\n"), (them, reason::STATED));
    assert_eq!(ends("#MAX_MOVES\n#CENSORED\n"), (None, reason::MOVE_LIMIT));
    assert_eq!(ends("%TORYO\n#RESIGN\n#WIN\n"), (us, reason::RESIGNATION));
}

/// No server says that a king is mated: the player resigns without a search.
#[test]
fn a_mated_player_resigns() {
    let rank = |rank: usize, middle: &str| format!("P{rank} *  *  *  * {middle} *  *  *  * \n");
    let ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|number| {
        rank(
            number,
            match number {
                1 => "-OU",
                3 => "+FU",
                9 => "+OU",
                _ => " * ",
            },
        )
    });
    let position = &format!("{}P+00KI\nP-\n+", ranks.concat());
    let mated = script(&[&offer('-', position), "?", GO, "+0052KI,T1\n", "?", "%TORYO\n#RESIGN\n#LOSE\n"]);
    let played = play(Vec::new(), mated);
    assert_eq!(played.received[2], "%TORYO");
    assert_eq!((played.disconnect, played.clocks.len()), (CsaDisconnect::Finished, 0));
}

#[test]
fn a_client_survives_every_server() {
    let lost = |disconnect: &CsaDisconnect| match disconnect {
        CsaDisconnect::Lost { playing, .. } => Some(*playing),
        _ => None,
    };
    // The login is refused.
    let refused = play(Vec::new(), vec!["LOGIN:incorrect\n".to_owned()]);
    assert!(matches!(refused.disconnect, CsaDisconnect::Unreachable(why) if why.contains("logged in already")));
    // The server goes away before a game, and in the middle of one.
    assert_eq!(lost(&play(Vec::new(), script(&[])).disconnect), Some(false));
    let cut = play(vec![Act::Move("7g7f")], script(&[&offer('+', START), "?", GO, "?"]));
    assert_eq!((lost(&cut.disconnect), cut.told), (Some(true), vec![false]));
    // Our move was not confirmed: it is not in the record.
    assert_eq!(cut.games[0].plies().len(), 0);
    // The opponent refuses; another game follows on the same connection.
    let again = script(&[
        &offer('+', START),
        "?",
        "REJECT:test+game-10-2F+us+them+20261118203000 by them\n",
        &offer('-', START),
        "?",
        GO,
        "##[ERROR] what\nnonsense\n\n#TIME_UP\n#WIN\n",
    ]);
    let played = play(Vec::new(), again);
    assert_eq!((played.disconnect, played.told), (CsaDisconnect::Finished, vec![true]));
    assert_eq!(played.odd.len(), 3, "{:?}", played.odd);
    // A summary that cannot be read, and a position that cannot be.
    let wrong = play(Vec::new(), script(&[&offer('+', START).replace("Total_Time:10", "Total_Time:x"), "?"]));
    assert!(matches!(wrong.disconnect, CsaDisconnect::PlayerFault(why) if why.contains("Total_Time:x")));
    let wrong = play(Vec::new(), script(&[&offer('+', &START.replace("-OU", "-OX")), "?"]));
    assert_eq!(wrong.received[1], "REJECT");
    // A move that cannot be played: the boards differ, and the client resigns.
    let differing = script(&[&offer('-', START), "?", GO, "+5545FU,T1\n", "?", "%TORYO\n#RESIGN\n#LOSE\n"]);
    let differing = play(Vec::new(), differing);
    assert_eq!(differing.received[2], "%TORYO");
}

#[test]
fn a_player_that_fails_is_started_again() {
    let game = |acts: Vec<Act>| {
        let lines = script(&[&offer('+', START), "?", GO, "?", "#TIME_UP\n#WIN\n"]);
        let played = play(acts, lines);
        assert_eq!(played.disconnect, CsaDisconnect::Finished);
        (played.received[2].clone(), played.odd.len())
    };
    let moved = || ("+7776FU,'* 55".to_owned(), 1);
    assert_eq!(game(vec![Act::Crash, Act::Move("7g7f")]), moved());
    assert_eq!(game(vec![Act::Panic, Act::Move("7g7f")]), moved());
    // Twice at the same move: any legal move is played.
    let (fallback, warnings) = game(vec![Act::Crash, Act::Panic]);
    let mut record = Record::new(Shogi::start());
    record.push(Shogi::parse_csa_move(&record, &fallback).unwrap()).unwrap();
    assert_eq!(warnings, 2);
}

#[test]
fn a_cancelled_client_resigns_before_it_leaves() {
    let thinking = script(&[&offer('+', START), "?", GO, "?", "%TORYO\n#RESIGN\n#LOSE\n"]);
    let played = play_until(vec![Act::Wait], thinking, &CancelToken::new(), GO.trim_end());
    assert_eq!((played.disconnect, played.told), (CsaDisconnect::Cancelled, vec![true]));
    assert_eq!(played.received[2], "%TORYO");
    let waiting = play_until(Vec::new(), script(&["?"]), &CancelToken::new(), "LOGIN:us OK");
    assert_eq!((waiting.disconnect, waiting.received[1].as_str()), (CsaDisconnect::Cancelled, "LOGOUT"));
}
