//! However a command is asked to end (signals, a closed pipe, a lost terminal), its work is saved and it ends.
//!
//! Every command here would work for an hour or for ever: a test that ends has shown what it should.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::folder::Folder;
use crate::run::tesuji;
use crate::terminal::Terminal;

/// Far longer than anything takes: a hang fails the test instead of blocking it.
const TIMEOUT: Duration = Duration::from_secs(120);
const ENDS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

/// A command that runs, with its output line by line.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Running {
    fn start(words: &[&str]) -> Running {
        Running::run(Command::new(env!("CARGO_BIN_EXE_tesuji")).args(words))
    }

    fn run(command: &mut Command) -> Running {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        for pipe in [Box::new(out) as Box<dyn Read + Send>, Box::new(err)] {
            let sender = sender.clone();
            thread::spawn(move || {
                BufReader::new(pipe).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
        }
        let input = child.stdin.take();
        Running { child, input, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for a line with this part, on either output.
    fn shows(&self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("no {part:?}: {error}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end: the exit code and the rest of the output.
    fn end(mut self) -> (Option<i32>, String) {
        // The input stays open meanwhile.
        let input = self.input.take();
        let code = ended(self.child).code();
        drop(input);
        (code, self.lines.iter().collect::<Vec<_>>().join("\n"))
    }
}

fn ended(mut child: Child) -> ExitStatus {
    let id = Pid::from_child(&child);
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(child.wait().unwrap()));
    receiver.recv_timeout(TIMEOUT).unwrap_or_else(|_| {
        let _ = kill_process(id, Signal::KILL);
        panic!("the command does not end")
    })
}

/// A person who is asked for a move need not answer.
#[test]
fn plain_play_by_signals() {
    let folder = Folder::new("plain-signals");
    for signal in ENDS {
        let save = folder.path(&format!("{signal:?}.txt").replace(['(', ')'], ""));
        let mut running = Running::start(&["play", "othello", "--plain", "--second", "random", "--save", &save]);
        running.say("f5");
        running.shows("white plays");
        running.signal(signal);
        let (code, rest) = running.end();
        assert_eq!(code, Some(1), "{signal:?}: {rest}");
        assert!(rest.contains("the game is saved in"), "{signal:?}: {rest}");
        assert!(fs::read_to_string(&save).unwrap().starts_with("f5"), "{signal:?}");
    }
}

#[test]
fn plain_play_without_a_terminal() {
    let folder = Folder::new("plain-hang-up");
    for (number, start) in [Terminal::start, Terminal::log_in].into_iter().enumerate() {
        for engine in ["random", "alphabeta:time=1h,hash=1"] {
            let save = folder.path(&format!("{number}.txt"));
            let mut terminal = start(&["play", "othello", "--plain", "--second", engine, "--save", &save]);
            terminal.shows("black>");
            terminal.press("f5\n");
            terminal.shows(if engine == "random" { "white plays" } else { "white to move" });
            ended(terminal.hang_up());
            assert!(fs::read_to_string(&save).unwrap().starts_with("f5"));
        }
    }
}

const ANALYSIS: [&str; 8] = ["analyze", "shogi", "--time", "1h", "--threads", "1", "--hash", "1"];

#[test]
fn analysis_by_signals() {
    for signal in ENDS {
        let running = Running::start(&ANALYSIS);
        running.shows("7g7f");
        running.signal(signal);
        assert!(running.end().0.is_some(), "{signal:?} was not handled");
    }
}

#[test]
fn analysis_without_a_terminal() {
    for start in [Terminal::start, Terminal::log_in] {
        let mut terminal = start(&ANALYSIS);
        terminal.shows("7g7f");
        ended(terminal.hang_up());
    }
}

/// Nobody reads the values any more.
#[test]
fn analysis_into_a_closed_pipe() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let mut child = command.args(ANALYSIS).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("to move"), "{line}");
    ended(child);
}

/// Nothing is saved, and no node is too large to end in.
#[test]
fn counting_by_signals_and_without_a_terminal() {
    for words in [&["perft", "shogi", "30", "--threads", "1"][..], &["perft", "trax", "30", "--distinct"]] {
        for signal in ENDS {
            let running = Running::start(words);
            running.signal(signal);
            running.end();
        }
        ended(Terminal::start(words).hang_up());
    }
}

/// `nohup` and scripts make a process ignore hang-ups: then it goes on.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hang_up() {
    let mut command = Command::new("sh");
    let running = Running::run(
        command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_tesuji")]).args(ANALYSIS),
    );
    running.shows("7g7f");
    running.signal(Signal::HUP);
    // A deeper iteration follows.
    running.shows("7g7f");
    running.signal(Signal::TERM);
    assert!(running.end().0.is_some());
}

const MATCH: [&str; 9] =
    ["match", "shogi", "alphabeta:hash=1,time=1h", "alphabeta:hash=2,time=1h", "--games", "4", "--plies", "2", "--out"];

/// The journal is there and can be continued.
fn is_resumable(folder: &str) {
    let verified = tesuji(&["verify", folder]);
    assert_eq!(verified.code, 0, "{} {}", verified.out, verified.err);
}

#[test]
fn a_match_by_signals() {
    let folder = Folder::new("match-signals");
    for signal in ENDS {
        let out = folder.path(&format!("{signal:?}").replace(['(', ')'], ""));
        let running = Running::start(&[&MATCH[..], &[&out, "--json"]].concat());
        running.shows("began");
        running.signal(signal);
        let (code, rest) = running.end();
        assert_eq!(code, Some(1), "{signal:?}: {rest}");
        assert!(rest.contains("tesuji tournament resume"), "{signal:?}: {rest}");
        is_resumable(&out);
    }
}

#[test]
fn a_match_without_a_terminal() {
    let folder = Folder::new("match-hang-up");
    for (name, start) in [("one", Terminal::start as fn(&[&str]) -> Terminal), ("two", Terminal::log_in)] {
        let out = folder.path(name);
        let mut terminal = start(&[&MATCH[..], &[&out]].concat());
        terminal.shows("0/4 games");
        ended(terminal.hang_up());
        is_resumable(&out);
    }
}

/// Another program that never answers does not keep the tournament alive.
#[test]
fn a_tournament_with_a_silent_program() {
    let folder = Folder::new("tournament-signals");
    let config = folder.path("silent.toml");
    let text = "name = \"silent\"\n[[event]]\ngame = \"shogi\"\npairs = 1\n\
        [[event.player]]\nname = \"silent\"\nengine = 'process:cmd=\"sleep 3600\",protocol=usi'\n\
        [[event.player]]\nname = \"random\"\nengine = \"random\"\n";
    fs::write(&config, text).unwrap();
    for signal in ENDS {
        let out = folder.path(&format!("{signal:?}").replace(['(', ')'], ""));
        let running = Running::start(&["tournament", "run", &config, "--out", &out, "--json"]);
        running.shows("began");
        running.signal(signal);
        let (code, rest) = running.end();
        assert_eq!(code, Some(1), "{signal:?}: {rest}");
        is_resumable(&out);
    }
}

/// What to say to each engine until it searches for hours, and what it says then.
const ENGINES: [(&str, &[&str], &str); 3] = [
    ("usi", &["setoption name USI_Hash value 1", "isready", "position startpos", "go infinite"], "info depth"),
    ("gtp", &["time_settings 360000 0 0", "genmove b"], ""),
    ("nboard", &["nboard 2", "set depth 60", "hint 1"], "search"),
];

#[test]
fn engines_whose_input_ends() {
    // By GTP every command is answered first, as scripts expect.
    for (protocol, lines, searching) in ENGINES.into_iter().filter(|(protocol, ..)| *protocol != "gtp") {
        let mut running = Running::start(&["engine", protocol]);
        lines.iter().for_each(|line| running.say(line));
        running.shows(searching);
        drop(running.input.take());
        assert_eq!(running.end().0, Some(0), "{protocol}");
    }
}

/// A board program that crashes closes both pipes.
#[test]
fn engines_whose_board_program_is_gone() {
    for (protocol, lines, _) in ENGINES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let command = command.args(["engine", protocol]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        lines.iter().for_each(|line| writeln!(input, "{line}").unwrap());
        drop((input, child.stdout.take()));
        ended(child);
    }
}

#[test]
fn engines_without_a_terminal() {
    for (protocol, lines, searching) in ENGINES {
        for start in [Terminal::start, Terminal::log_in] {
            let mut terminal = start(&["engine", protocol]);
            lines.iter().for_each(|line| terminal.press(&format!("{line}\n")));
            terminal.shows(if searching.is_empty() { "genmove" } else { searching });
            ended(terminal.hang_up());
        }
    }
}

#[test]
fn engines_by_signals() {
    for signal in ENDS {
        for (protocol, lines, searching) in ENGINES {
            let mut running = Running::start(&["engine", protocol]);
            lines.iter().for_each(|line| running.say(line));
            if !searching.is_empty() {
                running.shows(searching);
            }
            running.signal(signal);
            running.end();
        }
    }
}

/// A name for a file.
fn name(signal: Signal) -> String {
    format!("{signal:?}").chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The passes over all boards are long, and end in the middle.
#[test]
fn a_tablebase_by_signals() {
    let folder = Folder::new("solve-signals");
    for signal in ENDS {
        let out = folder.path(&name(signal));
        let running = Running::start(&["solve", "ostle", "--pieces", "8", "--threads", "1", "--out", &out]);
        running.shows("layer 0");
        running.signal(signal);
        let (code, rest) = running.end();
        assert_eq!(code, Some(1), "{signal:?}: {rest}");
        let command = format!("`tesuji solve ostle --pieces 8 --threads 1 --out {out}` goes on");
        assert!(rest.contains("interrupted: the table is not complete"), "{signal:?}: {rest}");
        assert!(rest.contains(&command), "{signal:?}: {rest}");
    }
}

/// Each run goes on with the checkpoint of the one before, which holds the errors after each iteration.
#[test]
fn a_training_by_signals() {
    let folder = Folder::new("train-signals");
    let (games, set, out) = (crate::train::records(&folder, 20), folder.path("games.set"), folder.path("weights"));
    let run = tesuji(&["train", "data", "othello", &games, "--out", &set]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut saved = 0;
    for signal in ENDS {
        let words = ["train", "othello", "-v", "--data", &set, "--out", &out, "--iterations", "100000"];
        let running = Running::start(&[&words[..], &["--stages", "12..13", "--checkpoint", "1ms"]].concat());
        running.shows("file written");
        running.signal(signal);
        let (code, rest) = running.end();
        assert_eq!(code, Some(1), "{signal:?}: {rest}");
        assert!(rest.contains("a checkpoint is saved, the same command continues"), "{signal:?}: {rest}");
        let files = folder.file("weights.work").read_dir().unwrap();
        let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!(bytes > saved, "{signal:?}: {bytes} bytes after {saved}");
        saved = bytes;
    }
    assert!(!folder.file("weights").exists());
}
