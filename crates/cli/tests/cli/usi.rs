//! USI over pipes: whole games, `stop` at any moment, and malformed input.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use tesuji_game::{Game, Record};
use tesuji_shogi::Shogi;

use crate::engine_process::EngineProcess;
use crate::folder::Folder;

/// An engine with a small transposition table.
fn start() -> EngineProcess {
    let mut engine = EngineProcess::start(&["usi"]);
    engine.say("setoption name USI_Hash value 1");
    is_ready(&mut engine);
    engine
}

/// Waits for `readyok`; the lines before it.
fn is_ready(engine: &mut EngineProcess) -> Vec<String> {
    engine.before_answer("isready", "readyok")
}

fn answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove") || line.starts_with("checkmate")).count()
}

#[test]
fn lists_its_name_and_options() {
    let mut engine = EngineProcess::start(&["usi"]);
    engine.say("usi");
    let (_, lines) = engine.until("usiok");
    assert!(lines[0].starts_with("id name tesuji"), "{lines:?}");
    for name in [
        "USI_Hash",
        "USI_Ponder",
        "Stochastic_Ponder",
        "MultiPV",
        "Threads",
        "DepthLimit",
        "NodesLimit",
        "ResignValue",
        "MaxMovesToDraw",
        "DrawValueBlack",
        "DrawValueWhite",
        "EnteringKingRule",
        "NetworkDelay",
        "NetworkDelay2",
        "MinimumThinkingTime",
        "SlowMover",
        "RoundUpToFullSecond",
        "USI_OwnBook",
        "BookFile",
        "PvInterval",
        "GenerateAllLegalMoves",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    engine.say("quit");
    let (code, rest, err) = engine.close();
    assert_eq!((code, rest.len(), err.as_str()), (0, 0, ""));
}

/// Every move is legal, and each `go` has one answer.
#[test]
fn a_whole_game_against_itself() {
    let mut engine = start();
    engine.say("setoption name MaxMovesToDraw value 120");
    engine.say("usinewgame");
    let mut record = Record::new(Shogi::start());
    let mut line = "position startpos moves".to_owned();
    while record.ending().is_none() && record.plies().len() < 120 {
        engine.say(if record.plies().is_empty() { "position startpos" } else { &line });
        engine.say("go nodes 300");
        let (best, infos) = engine.until("bestmove ");
        for info in &infos {
            assert!(info.starts_with("info depth ") && info.contains(" score ") && info.contains(" pv "), "{info}");
        }
        let mv = best.split(' ').nth(1).unwrap();
        if ["resign", "win"].contains(&mv) {
            break;
        }
        record.push_text(mv).unwrap_or_else(|error| panic!("{line}: {error}"));
        line = format!("{line} {mv}");
    }
    assert!(record.plies().len() > 20, "{line}");
    engine.say("gameover draw");
    engine.say("quit");
    let (code, rest, err) = engine.close();
    assert_eq!((code, answers(&rest), err.as_str()), (0, 0, ""));
}

/// Every `go` has exactly one answer, however it ends.
#[test]
fn stops_at_any_moment() {
    let mut engine = start();
    engine.say("setoption name USI_Ponder value true");
    let positions = [
        "position startpos",
        "position startpos moves 7g7f 3c3d 8h2b+ 3a2b",
        "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    ];
    let goes = [
        ("go infinite", "stop"),
        ("go ponder btime 1000 wtime 1000 byoyomi 5", "ponderhit"),
        ("go ponder", "ponderhit btime 5 wtime 5"),
        ("go ponder btime 60000 wtime 60000", "stop"),
        ("go btime 60000 wtime 60000 byoyomi 1000", "stop"),
        ("go movetime 1", "stop"),
        ("go depth 2", "stop"),
        ("go nodes 1", "stop"),
        ("go mate infinite", "stop"),
        ("go mate 1", "stop"),
        ("go", "stop"),
    ];
    let mut state = 7_u64;
    let mut random = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    for round in 0..300 {
        let (go, end) = goes[random(goes.len())];
        engine.say(positions[random(positions.len())]);
        engine.say(go);
        let held = go.contains("infinite") || go.contains("ponder");
        let mut early = 0;
        for _ in 0..random(4) {
            early += answers(&is_ready(&mut engine));
        }
        assert!(!held || early == 0 || go.contains("mate"), "round {round}: {go} answered before {end}");
        engine.say(end);
        if end == "ponderhit btime 5 wtime 5" || early == 0 {
            let wanted = if go.contains("mate") { "checkmate " } else { "bestmove " };
            assert_eq!(answers(&engine.until(wanted).1), 0, "round {round}: {go}");
        }
        assert_eq!(answers(&is_ready(&mut engine)), 0, "round {round}: {go} answered twice");
    }
    let (code, rest, err) = engine.close();
    assert_eq!((code, answers(&rest), err.as_str()), (0, 0, ""));
}

/// A finished search does not answer before `stop` or `ponderhit`.
#[test]
fn infinite_waits_for_stop() {
    let mut engine = start();
    for (go, end) in [("go infinite", "stop"), ("go ponder", "ponderhit")] {
        engine.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        engine.say(go);
        engine.until("info depth 1 ");
        for _ in 0..50 {
            assert_eq!(answers(&is_ready(&mut engine)), 0);
        }
        engine.say(end);
        assert_eq!(engine.until("bestmove").0, "bestmove G*5b");
    }
}

/// A second `go` ends the first. All are answered in order, even if `stop` comes at once.
#[test]
fn overlapping_go_commands() {
    let mut engine = start();
    for _ in 0..20 {
        engine.send(b"position startpos\ngo infinite\nposition sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo infinite\ngo mate infinite\nstop\n");
        engine.until("bestmove ");
        engine.until("bestmove ");
        engine.until("checkmate ");
        assert_eq!(answers(&is_ready(&mut engine)), 0);
    }
}

#[test]
fn mates_and_declarations() {
    let mut engine = start();
    engine.say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    engine.say("go mate infinite");
    assert_eq!(engine.until("checkmate").0, "checkmate G*5b");
    engine.say("position startpos");
    engine.say("go mate infinite");
    assert_eq!(engine.until("checkmate").0, "checkmate nomate");
    // Black's king has entered with ten pieces and enough points.
    let entered = "K1+R+B1GGSS/1+P+P+P+P4/9/9/9/9/9/9/4k4 b RB2G2S4N4L14P 1";
    engine.say(&format!("position sfen {entered}"));
    engine.say("go btime 1000 wtime 1000");
    assert_eq!(engine.until("bestmove").0, "bestmove win");
    engine.say("setoption name EnteringKingRule value NoEnteringKing");
    engine.say(&format!("position sfen {entered}"));
    engine.say("go nodes 10");
    assert_ne!(engine.until("bestmove").0, "bestmove win");
    // Mated: the only answer is to resign.
    engine.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    engine.say("go nodes 10");
    assert_eq!(engine.until("bestmove").0, "bestmove resign");
}

#[test]
fn options_have_an_effect() {
    let mut engine = start();
    engine.say("setoption name USI_MultiPV value 3");
    engine.say("position startpos");
    engine.say("go depth 2");
    let (best, infos) = engine.until("bestmove");
    assert!(infos.iter().any(|info| info.contains(" multipv 3 ")), "{infos:?}");
    assert!(!best.contains("ponder"));
    engine.say("setoption name MultiPV value 1");
    engine.say("setoption name USI_Ponder value true");
    engine.say("go depth 3");
    assert!(engine.until("bestmove").0.contains(" ponder "));
    engine.say("setoption name DepthLimit value 1");
    engine.say("go depth 9");
    let (_, infos) = engine.until("bestmove");
    assert!(infos.iter().all(|info| info.contains("depth 1 ")), "{infos:?}");
    engine.say("setoption name ResignValue value 1");
    engine.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1");
    engine.say("go nodes 10");
    assert_eq!(engine.until("bestmove").0, "bestmove resign");
}

/// A book of YaneuraOu is played on a clock, and a search is a search.
#[test]
fn books_are_played_where_the_options_say_so() {
    let folder = Folder::new("usi-book");
    let book = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n9i9h none 7 3 1\n";
    fs::write(folder.file("my.db"), book).unwrap();
    let mut engine = start();
    engine.say(&format!("setoption name BookFile value {}", folder.path("my.db")));
    assert_eq!(is_ready(&mut engine), [""; 0]);
    engine.say("position startpos");
    engine.say("go btime 100 wtime 100");
    let (best, infos) = engine.until("bestmove");
    assert_eq!(best, "bestmove 9i9h");
    assert!(infos.len() == 1 && infos[0].contains(" score cp 7 ") && infos[0].ends_with(" pv 9i9h"), "{infos:?}");
    engine.say("go nodes 500");
    assert_ne!(engine.until("bestmove").0, "bestmove 9i9h");
    engine.say("setoption name USI_OwnBook value false");
    engine.say("go btime 100 wtime 100");
    assert_ne!(engine.until("bestmove").0, "bestmove 9i9h");
    fs::write(folder.file("bad.db"), format!("{book}7g7x\n")).unwrap();
    engine.say("setoption name USI_OwnBook value true");
    engine.say(&format!("setoption name BookFile value {}", folder.path("bad.db")));
    let said = is_ready(&mut engine);
    assert!(said.len() == 1 && said[0].contains("line 4: \"7g7x\""), "{said:?}");
}

/// Only one move is legal: it is searched and played, once. A clock that runs out before the search began is no reason to
/// wait for a value.
#[test]
fn a_single_legal_move() {
    let mut engine = start();
    let clocks = ["go btime 200 wtime 200", "go byoyomi 50", "go btime 0 wtime 0 binc 50 winc 50"];
    for go in clocks.into_iter().chain(["go nodes 100", "go depth 1"]) {
        engine.say("position sfen 4k4/4G4/9/9/9/9/9/9/4K4 w - 1");
        engine.say(go);
        let (best, infos) = engine.until("bestmove");
        assert_eq!(best, "bestmove 5a5b");
        assert!(clocks.contains(&go) || infos.iter().any(|info| info.contains(" score ")), "{go}: {infos:?}");
        assert_eq!(answers(&is_ready(&mut engine)), 0);
    }
}

/// The ponder search looks at all replies of the opponent; the hit is searched as usual.
#[test]
fn a_stochastic_ponder_search() {
    let mut engine = start();
    engine.say("setoption name USI_Ponder value true");
    engine.say("setoption name Stochastic_Ponder value true");
    let mut game = Shogi::start();
    let play = |game: &mut Shogi, text: &str| {
        let mv = tesuji_game::Notation::parse_move(game, text).unwrap();
        game.play(mv);
    };
    play(&mut game, "7g7f");
    engine.say("position startpos moves 7g7f 3c3d");
    engine.say("go ponder btime 1000 wtime 1000");
    let line = engine.until("info depth 2 ").0;
    let first = line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(tesuji_game::Notation::parse_move(&mut game.clone(), &first).is_ok(), "{line}");
    engine.say("ponderhit btime 100 wtime 100");
    let best = engine.until("bestmove").0;
    play(&mut game, "3c3d");
    assert!(tesuji_game::Notation::parse_move(&mut game, best.split(' ').nth(1).unwrap()).is_ok(), "{best}");
    assert_eq!(answers(&is_ready(&mut engine)), 0);
}

/// Lines that are too long, empty, binary or meaningless change nothing.
#[test]
fn malformed_input() {
    let mut engine = start();
    engine.send(&[vec![b'x'; 1 << 20], b"\n".to_vec()].concat());
    engine.send(&[vec![0; 1 << 20], b"\n".to_vec()].concat());
    engine.send(&[vec![b'y'; 9 << 20], b"\n".to_vec()].concat());
    engine.send(b"\xff\xfe\x80 \r\n\r\n\n   \n\x00stop\x00\n");
    engine.send(
        b"position\nposition sfen\nposition sfen x y z\nposition startpos moves 7g7e\nposition startpos moves x\n",
    );
    engine.send(b"setoption\nsetoption name\nsetoption name Foo value bar\nsetoption name USI_Hash value lots\n");
    engine.send(b"stop\nponderhit\ngameover\ngameover nobody\nusinewgame\nhello world\n");
    engine.send(("position startpos moves".to_owned() + &" 7g7f".repeat(200_000) + "\n").as_bytes());
    let said = is_ready(&mut engine);
    assert_eq!(answers(&said), 0, "{said:?}");
    assert!(said.iter().any(|line| line.contains("7g7e")), "errors are reported: {said:?}");
    engine.send(b"go depth one nodes 5 foo bar btime -1\r\n");
    assert_eq!(answers(&engine.until("bestmove ").1), 0);
    let (code, _, err) = engine.close();
    assert_eq!((code, err.as_str()), (0, ""));
}

/// Positions beyond a fourth repetition are searched like any other.
#[test]
fn beyond_repetition() {
    let mut engine = start();
    let shuffle = " 2h3h 8b7b 3h2h 7b8b".repeat(5);
    engine.say(&format!("position startpos moves{shuffle}"));
    assert_eq!(is_ready(&mut engine).len(), 0);
    engine.say("go nodes 100");
    let best = engine.until("bestmove").0;
    assert_ne!(best, "bestmove resign");
    let mut game = Shogi::start();
    let mv = best.split(' ').nth(1).unwrap();
    assert!(tesuji_game::Notation::parse_move(&mut game, mv).is_ok(), "{best}");
    assert_eq!(game.mover(), tesuji_game::Side::First);
}

/// The process ends with its input, even during a search.
#[test]
fn end_of_input_ends_the_engine() {
    for go in ["go infinite", "go ponder", "go mate infinite", "go btime 600000 wtime 600000"] {
        let mut engine = start();
        engine.say("position startpos");
        engine.say(go);
        let (code, _, err) = engine.close();
        assert_eq!((code, err.as_str()), (0, ""), "{go}");
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["engine", "usi"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The process may end before all of this is written.
    let _ = input.write_all(b"usi\nisready\nposition startpos\ngo depth 2\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    drop(input);
}
