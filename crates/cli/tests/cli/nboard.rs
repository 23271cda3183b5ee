//! NBoard over pipes: games, hints that stop when they are told to, and lines nobody should send.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;

use crate::run::fed;

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

const START: &str = "---------------------------O*------*O--------------------------- *";

struct Engine {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    pings: u32,
}

impl Engine {
    fn start(spec: &str) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["engine", "nboard", "--engine", spec])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (to, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take().unwrap();
        Engine { child, input, output, pings: 0 }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    /// The next line that begins so, and those before it.
    fn until(&self, start: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE).expect("an answer in time");
            if line.starts_with(start) {
                return (line, before);
            }
            before.push(line);
        }
    }

    /// What was still said before the answer to a ping.
    fn ping(&mut self) -> Vec<String> {
        self.pings += 1;
        let pings = self.pings;
        self.say(&format!("ping {pings}"));
        self.until(&format!("pong {pings}")).1
    }

    fn leave(mut self) -> (i32, Vec<String>) {
        drop(self.input);
        let code = self.child.wait().unwrap().code().unwrap();
        (code, self.output.iter().collect())
    }
}

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 {START}]{moves};)")
}

/// A game against itself: `go` does not play, `move` does.
#[test]
fn a_whole_game() {
    let mut engine = Engine::start("alphabeta:hash=1");
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
        // Asked again it answers the same, because nothing was played.
        if record.plies().len() == 6 {
            engine.say("go");
            assert_eq!(engine.until("=== ").0[4..].split('/').next(), Some(mv.as_str()));
        }
        record.push_text(&mv).unwrap_or_else(|refusal| panic!("{answer}: {refusal}"));
        engine.say(&format!("move {mv}/1.00/0.5"));
    }
    engine.say("go");
    assert_eq!(engine.until("=== ").0, "=== PA", "there is an answer even when there is no move");
    assert_eq!(engine.leave().0, 0);
}

/// A hint goes on until a ping, which nothing follows that was asked before.
#[test]
fn hints_stop_at_a_ping() {
    let mut engine = Engine::start("alphabeta:hash=1");
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
        engine.ping();
        let late = engine.ping();
        assert_eq!(late, [""; 0], "round {round}");
    }
    // The end of the game is in sight: solved, and said so. White passes on the way.
    engine.say("set depth 60");
    let position = format!("{:-<64}", "XXO").replace('X', "*");
    engine.say(&format!("set game (;GM[Othello]BO[8 {position} O];)"));
    engine.say("hint 1");
    let (line, _) = engine.until("search PAD1 -64 0 100%");
    assert_eq!(line, "search PAD1 -64 0 100%");
    engine.ping();
    assert_eq!(engine.leave().0, 0);
}

#[test]
fn a_game_is_analysed_from_its_end() {
    let mut engine = Engine::start("alphabeta:hash=1");
    engine.say("set depth 2");
    engine.say(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.say("analyze");
    let numbers: Vec<u32> =
        (0..10).map(|_| engine.until("analysis ").0.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(numbers, (0..10).rev().collect::<Vec<_>>());
    engine.say("learn");
    engine.until("learned");
    assert_eq!(engine.leave().0, 0);
}

/// What was asked before the input ended is answered; noise changes nothing.
#[test]
fn the_end_of_the_input_and_noise() {
    let asked = format!("nboard 2\nset depth 4\n{}\ngo\n", game("B[F5]"));
    let run = fed(&["engine", "nboard", "--engine", "alphabeta:hash=1"], asked.as_bytes());
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
