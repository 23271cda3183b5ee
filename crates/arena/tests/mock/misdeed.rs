//! The ways to misbehave.

use std::io::{self, Write};
use std::process::{Command, exit};
use std::thread;
use std::time::Duration;

/// What to do wrong, and how far it has come.
pub(crate) struct Misdeed {
    mode: String,
    argument: String,
    asked: u64,
}

/// How a protocol writes an answer.
pub(crate) trait Speech {
    /// The answer that plays this move.
    fn plays(&self, mv: &str) -> String;
    /// A move that can be written in the game and is never legal.
    fn illegal(&self) -> &'static str;
    /// A move of another game.
    fn foreign(&self) -> &'static str;
}

impl Misdeed {
    pub(crate) fn new(mode: String, argument: String) -> Misdeed {
        Misdeed { mode, argument, asked: 0 }
    }

    fn number(&self) -> u64 {
        self.argument.parse().unwrap_or(0)
    }

    /// What goes wrong before anything was said.
    pub(crate) fn at_start(&self) {
        match self.mode.as_str() {
            "early-exit" => {
                eprintln!("no weights to be found");
                exit(3);
            }
            "no-handshake" => forever(),
            _ => {}
        }
    }

    /// Answers a question, more or less.
    pub(crate) fn answer(&mut self, speech: &impl Speech, mv: &str) {
        self.asked += 1;
        let right = speech.plays(mv);
        match self.mode.as_str() {
            "crash-on-go" => {
                eprintln!("out of my depth");
                exit(101);
            }
            "crash-at-move" if self.asked == self.number() => std::process::abort(),
            "hang" => forever(),
            "flood" => loop {
                say("info string and another thing");
            },
            "garbage" => {
                let bytes: Vec<u8> = (0..=255).rev().collect();
                let _ = io::stdout().write_all(&bytes);
                say("");
                forever();
            }
            "illegal" => say(&speech.plays(speech.illegal())),
            "wrong-game" => say(&speech.plays(speech.foreign())),
            "two-answers" => {
                say(&right);
                say(&right);
            }
            "hang-after-answer" => {
                say(&right);
                forever();
            }
            "out-of-turn" => {
                say(&right);
                (0..1000).for_each(|_| say("info string what will you do now?"));
            }
            "slow" => {
                thread::sleep(Duration::from_millis(self.number()));
                say(&right);
            }
            "huge-line" => {
                let part = [b'x'; 1 << 20];
                for _ in 0..100 {
                    if io::stdout().write_all(&part).is_err() {
                        forever();
                    }
                }
                say("");
                say(&right);
            }
            "resigns" => say(&speech.plays("resign")),
            "false-claim" => say(&speech.plays("win")),
            "closes-stdout" => become_sh("exec 1>&-; exec sleep 600"),
            "spawns-child-and-hangs" => {
                become_sh(&format!("sleep 600 & echo $! > '{}'; wait", self.argument));
            }
            _ => say(&right),
        }
    }

    /// What happens at the end of input, or when told to end.
    pub(crate) fn quit(&self) {
        if self.mode == "ignore-quit" {
            forever();
        }
    }
}

/// Says a line, if anybody listens.
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Goes on as a shell, which can do with its pipes what safe code cannot.
fn become_sh(script: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]);
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut shell);
    #[cfg(not(unix))]
    let error = "there is no shell to become";
    eprintln!("{error}");
    exit(1);
}
