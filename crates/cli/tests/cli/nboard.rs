//! NBoard over pipes: games, hints that stop at a ping, and malformed input.

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;

use crate::engine_process::EngineProcess;
use crate::run::fed;

const START: &str = "---------------------------O*------*O--------------------------- *";

fn start() -> EngineProcess {
    EngineProcess::start(&["nboard", "--engine", "alphabeta:hash=1"])
}

/// Waits for the `pong` of a ping; the lines before it.
fn ping(engine: &mut EngineProcess, number: u32) -> Vec<String> {
    engine.before_answer(&format!("ping {number}"), &format!("pong {number}"))
}

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 {START}]{moves};)")
}

/// A game against itself: `go` does not play, `move` does.
#[test]
fn a_whole_game() {
    let mut engine = start();
    engine.say("nboard 2");
    assert!(engine.until("set myname").0.starts_with("set myname tesuji"));
    engine.say("set depth 2");
    engine.say(&game(""));
    let mut record = Record::new(Othello::start());
    while record.ending().is_none() {
        engine.say("go");
        let (answer, _) = engine.until("=== ");
        let mv = answer[4..].split('/').next().unwrap().to_owned();
        assert_eq!(mv == "PA", record.now().must_pass(), "{answer}");
        // `go` plays nothing, so a second one has the same answer.
        if record.plies().len() == 6 {
            engine.say("go");
            assert_eq!(engine.until("=== ").0[4..].split('/').next(), Some(mv.as_str()));
        }
        record.push_text(&mv).unwrap_or_else(|error| panic!("{answer}: {error}"));
        engine.say(&format!("move {mv}/1.00/0.5"));
    }
    engine.say("go");
    assert_eq!(engine.until("=== ").0, "=== PA", "`go` is answered after the end of the game");
    let (code, _, err) = engine.close();
    assert_eq!((code, err.as_str()), (0, ""));
}

/// A hint goes on until a ping. Nothing of it follows the pong.
#[test]
fn hints_stop_at_a_ping() {
    let mut engine = start();
    for round in 0..20 {
        engine.say(&game(if round % 2 == 0 { "" } else { "B[F5]" }));
        engine.say("hint 3");
        if round % 3 == 0 {
            let lines: Vec<String> = (0..3).map(|_| engine.until("search ").0).collect();
            assert!(lines.iter().all(|line| line.split(' ').count() >= 5), "{lines:?}");
        }
        if round % 5 == 0 {
            engine.say("go");
        }
        ping(&mut engine, 2 * round + 1);
        let late = ping(&mut engine, 2 * round + 2);
        assert_eq!(late, [""; 0], "round {round}");
    }
    // A solved position has depth 100%. White passes first.
    engine.say("set depth 60");
    let position = format!("{:-<64}", "XXO").replace('X', "*");
    engine.say(&format!("set game (;GM[Othello]BO[8 {position} O];)"));
    engine.say("hint 1");
    let (line, _) = engine.until("search PAD1 -64 0 100%");
    assert_eq!(line, "search PAD1 -64 0 100%");
    ping(&mut engine, 99);
    let (code, _, err) = engine.close();
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn analysis_runs_backwards() {
    let mut engine = start();
    engine.say("set depth 2");
    engine.say(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.say("analyze");
    let numbers: Vec<u32> =
        (0..10).map(|_| engine.until("analysis ").0.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(numbers, (0..10).rev().collect::<Vec<_>>());
    engine.say("learn");
    engine.until("learned");
    let (code, _, err) = engine.close();
    assert_eq!((code, err.as_str()), (0, ""));
}

/// Commands before the end of the input are answered. Malformed input changes nothing.
#[test]
fn end_of_input_and_malformed_input() {
    let commands = format!("nboard 2\nset depth 4\n{}\ngo\n", game("B[F5]"));
    let run = fed(&["engine", "nboard", "--engine", "alphabeta:hash=1"], commands.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.lines().any(|line| line.starts_with("=== ")), "{}", run.out);
    let quit = fed(&["engine", "nboard", "--engine", "alphabeta:hash=1"], b"hint 5\nquit\n");
    assert_eq!(quit.code, 0);
    let noise = [
        &b"\xff\xfe\n\nset\nset game\nset game (;GM[Go];)\nset game nothing\nmove\nmove A1\nmove PA\n"[..],
        &vec![b'x'; 3 << 20],
        b"\nhint x\nping x\nset depth\nset contempt 100\nset depth 0\nping 5\n",
    ]
    .concat();
    let run = fed(&["engine", "nboard"], &noise);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.ends_with("pong 5\n"), "{}", run.out);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("status ")).count(), 4, "{}", run.out);
}
