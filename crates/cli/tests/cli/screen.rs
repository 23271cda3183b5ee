//! `play` on a terminal: however it ends, the terminal is restored and the game is saved.

use std::fs;
use std::path::PathBuf;

use rustix::process::{Signal, WaitOptions, waitpid};

use crate::terminal::{ENTERED, LEFT, Terminal};

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Plays one move, ends in this way, and checks the terminal and the saved game.
fn ends(name: &str, code: i32, end: impl FnOnce(&mut Terminal)) {
    let path = file(name);
    let mut terminal = Terminal::start(&["play", "othello", "--second", "random", "--save", path.to_str().unwrap()]);
    terminal.shows("black");
    terminal.press("f5\r");
    terminal.shows("white played");
    assert!(!terminal.is_cooked());
    end(&mut terminal);
    terminal.shows(LEFT);
    terminal.shows("the game is saved in");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(code), "{}", terminal.seen);
    assert!(terminal.is_cooked());
    let moves = fs::read_to_string(&path).unwrap();
    assert!(moves.starts_with("f5") && moves.trim_end().len() == 4, "{moves:?}");
}

#[test]
fn quitting() {
    ends("quit.txt", 0, |terminal| terminal.press("q"));
}

#[test]
fn interrupting() {
    ends("interrupt.txt", 1, |terminal| terminal.press("\x03"));
}

#[test]
fn a_signal_from_outside() {
    ends("signal.txt", 1, |terminal| terminal.signal(Signal::TERM));
    ends("hung-up.txt", 1, |terminal| terminal.signal(Signal::HUP));
}

/// Interrupted while the engine thinks and values are computed.
#[test]
fn interrupting_a_search() {
    let path = file("thinking.usi");
    let words =
        ["play", "shogi", "--second", "alphabeta", "--time", "1h", "--hash", "1", "--save", path.to_str().unwrap()];
    let mut terminal = Terminal::start(&words);
    terminal.shows("black");
    terminal.press("7g7f\r");
    terminal.shows("nodes");
    terminal.press("\x03");
    terminal.shows(LEFT);
    assert_eq!(terminal.child.wait().unwrap().code(), Some(1));
    assert!(terminal.is_cooked());
    assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 7g7f\n");
}

/// The terminal is closed: the game is saved and the process ends. It used to spin in `read` for ever.
#[test]
fn closing_the_terminal() {
    for engine in ["random", "alphabeta:time=1h,hash=1"] {
        let path = file("closed.txt");
        let words = ["play", "othello", "--second", engine, "--save", path.to_str().unwrap()];
        for start in [Terminal::start, Terminal::log_in] {
            let mut terminal = start(&words);
            terminal.shows("black");
            terminal.press("f5\r");
            terminal.shows(if engine == "random" { "white played" } else { "nodes" });
            assert!(terminal.hang_up().wait().unwrap().code().is_some());
            assert!(fs::read_to_string(&path).unwrap().starts_with("f5"));
            let _ = fs::remove_file(&path);
        }
    }
}

/// Stopped, the terminal is as the shell needs it; continued, the board is there again.
#[test]
fn stopping_and_continuing() {
    let path = file("stopped.txt");
    let mut terminal = Terminal::start(&["play", "othello", "--second", "random", "--save", path.to_str().unwrap()]);
    terminal.shows("black");
    // By the first signal the program stops itself; by the second it is stopped without knowing.
    for signal in [Signal::TSTP, Signal::STOP] {
        terminal.seen.clear();
        terminal.signal(signal);
        let (_, status) = waitpid(Some(terminal.id()), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}");
        if signal == Signal::TSTP {
            terminal.shows(LEFT);
            assert!(terminal.is_cooked());
        }
        terminal.cook();
        terminal.signal(Signal::CONT);
        terminal.shows(ENTERED);
        terminal.shows("black");
        assert!(!terminal.is_cooked());
    }
    terminal.press("f5\r");
    terminal.shows("white played");
    terminal.press("q");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
    assert!(terminal.is_cooked());
    assert!(fs::read_to_string(&path).unwrap().starts_with("f5"));
}
