//! Reads lines of bounded length from a pipe or a socket, each with the time it was read.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The longest line of any protocol.
pub(crate) const MAX_LINE: usize = 64 * 1024;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LineRead {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line that is too long; nothing after it is read.
    TooLong,
}

/// What was read, and when.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedLine {
    pub(crate) at: Instant,
    pub(crate) read: LineRead,
}

/// Reads lines and passes them to `sink` until the input ends, a line is too long or `sink` returns `false`. While
/// `sink` blocks nothing is read, so a flood of lines blocks its writer instead of filling our memory.
pub(crate) fn read_lines(input: impl Read, mut sink: impl FnMut(ReceivedLine) -> bool) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        let (taken, complete) = match input.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => match bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => {
                    line.extend_from_slice(&bytes[..end]);
                    (end + 1, true)
                }
                None => {
                    line.extend_from_slice(bytes);
                    (bytes.len(), false)
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        input.consume(taken);
        let too_long = line.len() > MAX_LINE;
        if complete || too_long {
            let at = Instant::now();
            let read = if too_long { LineRead::TooLong } else { LineRead::Line(std::mem::take(&mut line)) };
            if !sink(ReceivedLine { at, read }) || too_long {
                return;
            }
        }
    }
    if !line.is_empty() {
        sink(ReceivedLine { at: Instant::now(), read: LineRead::Line(line) });
    }
}

/// The last bytes of a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputTail(Arc<Mutex<VecDeque<u8>>>);

impl OutputTail {
    const CAPACITY: usize = 2048;

    /// Reads to the end and keeps the last bytes.
    pub(crate) fn follow(&self, mut input: impl Read) {
        let mut bytes = [0; 4096];
        loop {
            match input.read(&mut bytes) {
                Ok(0) => return,
                Ok(count) => {
                    let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend(&bytes[..count]);
                    let surplus = kept.len().saturating_sub(OutputTail::CAPACITY);
                    kept.drain(..surplus);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// The bytes as text.
    pub(crate) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<LineRead> {
        let mut lines = Vec::new();
        read_lines(bytes, |line| {
            lines.push(line.read);
            true
        });
        lines
    }

    #[test]
    fn lines_are_split_and_bounded() {
        let line = |text: &str| LineRead::Line(text.as_bytes().to_vec());
        assert_eq!(all(b"a\n\nb\r\nc"), [line("a"), line(""), line("b\r"), line("c")]);
        assert_eq!(all(b""), []);
        let longest = "x".repeat(MAX_LINE);
        assert_eq!(all(format!("{longest}\ny").as_bytes()), [line(&longest), line("y")]);
        assert_eq!(all(format!("{longest}x\ny").as_bytes()), [LineRead::TooLong]);
        assert_eq!(all(&vec![0; 10 * MAX_LINE]), [LineRead::TooLong]);
    }

    #[test]
    fn only_the_last_bytes_are_kept() {
        let tail = OutputTail::default();
        tail.follow("x".repeat(100_000).as_bytes());
        tail.follow(&b"the end\n"[..]);
        let text = tail.text();
        assert!(text.ends_with("xthe end") && text.len() < 2048, "{} bytes", text.len());
    }
}
