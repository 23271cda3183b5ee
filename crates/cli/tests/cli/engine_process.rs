//! An engine as a process: lines in, lines out.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Far longer than any answer takes: a hang fails the test instead of blocking it.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl EngineProcess {
    /// Starts `tesuji engine` with these arguments.
    pub(crate) fn start(args: &[&str]) -> EngineProcess {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .arg("engine")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        EngineProcess { child, input, output }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line with this prefix, and the lines before it.
    pub(crate) fn until(&self, prefix: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.output.recv_timeout(TIMEOUT).expect("an answer in time");
            if line.starts_with(prefix) {
                return (line, before);
            }
            before.push(line);
        }
    }

    /// Sends a command and returns the lines before its answer.
    pub(crate) fn before_answer(&mut self, command: &str, answer: &str) -> Vec<String> {
        self.say(command);
        self.until(answer).1
    }

    /// Closes the input: the exit code, the remaining lines, and standard error.
    pub(crate) fn close(mut self) -> (i32, Vec<String>, String) {
        drop(self.input.take());
        let code = self.child.wait().unwrap().code().unwrap();
        let rest = self.output.iter().collect();
        let mut err = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (code, rest, err)
    }
}
