//! The kinds of misbehaviour.

use std::io::{self, Write};
use std::process::{Command, exit};
use std::thread;
use std::time::Duration;

/// A kind of misbehaviour, and the requests so far.
pub(crate) struct Misbehaviour {
    mode: String,
    argument: String,
    asked: u64,
}

/// How a protocol writes an answer.
pub(crate) trait AnswerFormat {
    /// The answer that plays this move.
    fn plays(&self, mv: &str) -> String;
    /// A move that can be written in the game and is never legal.
    fn illegal(&self) -> &'static str;
    /// A move of another game.
    fn foreign(&self) -> &'static str;
}

impl Misbehaviour {
    pub(crate) fn new(mode: String, argument: String) -> Misbehaviour {
        Misbehaviour { mode, argument, asked: 0 }
    }

    fn number(&self) -> u64 {
        self.argument.parse().unwrap_or(0)
    }

    /// Misbehaves before the handshake.
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

    /// Answers a request, or misbehaves.
    pub(crate) fn answer(&mut self, format: &impl AnswerFormat, mv: &str) {
        self.asked += 1;
        let right = format.plays(mv);
        match self.mode.as_str() {
            "crash-on-go" => {
                eprintln!("out of my depth");
                exit(101);
            }
            "crash-at-move" if self.asked == self.number() => std::process::abort(),
            "hang" => forever(),
            "flood" => loop {
                send("info string and another thing");
            },
            "garbage" => {
                let bytes: Vec<u8> = (0..=255).rev().collect();
                let _ = io::stdout().write_all(&bytes);
                send("");
                forever();
            }
            "illegal" => send(&format.plays(format.illegal())),
            "wrong-game" => send(&format.plays(format.foreign())),
            "two-answers" => {
                send(&right);
                send(&right);
            }
            "hang-after-answer" => {
                send(&right);
                forever();
            }
            "out-of-turn" => {
                send(&right);
                (0..1000).for_each(|_| send("info string what will you do now?"));
            }
            "slow" => {
                thread::sleep(Duration::from_millis(self.number()));
                send(&right);
            }
            "huge-line" => {
                let part = [b'x'; 1 << 20];
                for _ in 0..100 {
                    if io::stdout().write_all(&part).is_err() {
                        forever();
                    }
                }
                send("");
                send(&right);
            }
            "resigns" => send(&format.plays("resign")),
            "false-claim" => send(&format.plays("win")),
            "closes-stdout" => become_sh("exec 1>&-; exec sleep 600"),
            "spawns-child-and-hangs" => {
                become_sh(&format!("sleep 600 & echo $! > '{}'; wait", self.argument));
            }
            _ => send(&right),
        }
    }

    /// A game is over, or the next one begins: a program for one game ends.
    pub(crate) fn game_over(&self) {
        if self.mode == "one-game" {
            exit(0);
        }
    }

    /// Ends, or misbehaves, at the end of input or on the quit command.
    pub(crate) fn quit(&self) {
        if self.mode == "ignore-quit" {
            forever();
        }
    }
}

/// Sends a line; a closed pipe is ignored.
pub(crate) fn send(line: &str) {
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

/// Becomes a shell, which can close its pipes.
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
