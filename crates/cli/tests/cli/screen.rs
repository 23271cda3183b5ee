//! `play` on a terminal: however it ends, the terminal is restored and the game is saved.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

const PATIENCE: Timespec = Timespec { tv_sec: 120, tv_nsec: 0 };
const LEFT: &str = "\x1b[?1049l";

struct Terminal {
    child: Child,
    master: File,
    /// The child's end of the terminal, to read its settings.
    end: OwnedFd,
    seen: String,
}

impl Terminal {
    fn start(words: &[&str]) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let end = rustix::fs::open(&*name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&end, size).unwrap();
        let give = || end.try_clone().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(words)
            .env("TERM", "xterm-256color")
            .stdin(give())
            .stdout(give())
            .stderr(give())
            .spawn()
            .unwrap();
        let master = File::from(master);
        Terminal { child, master, end, seen: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen has shown this.
    fn shows(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        while !self.seen.contains(text) {
            let ready = poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&PATIENCE)).unwrap();
            assert!(ready > 0, "no {text:?} in {}", self.seen);
            let count = self.master.read(&mut buffer).unwrap();
            self.seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }

    /// Whether the terminal is in line mode with echo, as a shell needs it.
    fn is_cooked(&self) -> bool {
        tcgetattr(&self.end).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }
}

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
    ends("signal.txt", 1, |terminal| {
        let id = rustix::process::Pid::from_child(&terminal.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    });
}

/// Interrupted while the engine thinks and values are computed.
#[test]
fn interrupting_a_search() {
    let path = file("thinking.txt");
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
        let mut terminal = Terminal::start(&["play", "othello", "--second", engine, "--save", path.to_str().unwrap()]);
        terminal.shows("black");
        terminal.press("f5\r");
        terminal.shows(if engine == "random" { "white played" } else { "nodes" });
        let Terminal { mut child, master, end, .. } = terminal;
        drop((master, end));
        assert!(child.wait().unwrap().code().is_some());
        assert!(fs::read_to_string(&path).unwrap().starts_with("f5"));
    }
}
