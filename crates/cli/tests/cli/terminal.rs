//! A terminal of a test: the other end of what a command thinks is its screen and keyboard.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

const PATIENCE: Timespec = Timespec { tv_sec: 120, tv_nsec: 0 };
/// What a program writes when it enters and leaves the full screen.
pub(crate) const ENTERED: &str = "\x1b[?1049h";
pub(crate) const LEFT: &str = "\x1b[?1049l";

pub(crate) struct Terminal {
    pub(crate) child: Child,
    master: File,
    /// The child's end of the terminal, to read its settings.
    end: OwnedFd,
    pub(crate) seen: String,
}

impl Terminal {
    /// Runs `tesuji` on a new terminal.
    pub(crate) fn start(words: &[&str]) -> Terminal {
        Terminal::run(Command::new(env!("CARGO_BIN_EXE_tesuji")).args(words))
    }

    /// The same in a session of its own, as after logging in: the terminal controls it.
    pub(crate) fn log_in(words: &[&str]) -> Terminal {
        Terminal::run(Command::new("setsid").arg("--ctty").arg(env!("CARGO_BIN_EXE_tesuji")).args(words))
    }

    fn run(command: &mut Command) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let end = rustix::fs::open(&*name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&end, size).unwrap();
        let give = || end.try_clone().unwrap();
        command
            .env("TERM", "xterm-256color")
            .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(give())
            .stdout(give())
            .stderr(give());
        let child = command.spawn().unwrap();
        let master = File::from(master);
        Terminal { child, master, end, seen: String::new() }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen has shown this.
    pub(crate) fn shows(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        let begun = Instant::now();
        while !self.seen.contains(text) {
            // A clock on the screen keeps it readable for ever.
            assert!(begun.elapsed() < Duration::from_secs(180), "no {text:?} in {}", self.seen);
            let ready = poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&PATIENCE)).unwrap();
            assert!(ready > 0, "no {text:?} in {}", self.seen);
            let count = self.master.read(&mut buffer).unwrap();
            self.seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }

    /// Whether the terminal is in line mode with echo, as a shell needs it.
    pub(crate) fn is_cooked(&self) -> bool {
        tcgetattr(&self.end).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Sets line mode and echo, as a shell does that takes the terminal back.
    pub(crate) fn cook(&self) {
        let mut settings = tcgetattr(&self.end).unwrap();
        settings.local_modes |= LocalModes::ICANON | LocalModes::ECHO;
        tcsetattr(&self.end, OptionalActions::Now, &settings).unwrap();
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.id(), signal).unwrap();
    }

    /// The window is closed, or the connection is lost.
    pub(crate) fn hang_up(self) -> Child {
        let Terminal { child, master, end, .. } = self;
        drop((master, end));
        child
    }
}
