//! Lines from a pipe or a socket, none longer than a limit, each with the moment it was read.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// No protocol has longer lines.
pub(crate) const LONGEST: usize = 64 * 1024;

/// What came through a pipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sound {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line too long; nothing is read after it.
    TooLong,
}

/// What came, and when.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) at: Instant,
    pub(crate) sound: Sound,
}

/// Reads lines and passes them on until the pipe ends, a line is too long or nobody listens, which `to` says.
/// While `to` waits nothing is read, so that whoever floods the pipe waits instead of filling our memory.
pub(crate) fn pass_on(pipe: impl Read, mut to: impl FnMut(Heard) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        let (taken, complete) = match pipe.fill_buf() {
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
        pipe.consume(taken);
        let too_long = line.len() > LONGEST;
        if complete || too_long {
            let at = Instant::now();
            let sound = if too_long { Sound::TooLong } else { Sound::Line(std::mem::take(&mut line)) };
            if !to(Heard { at, sound }) || too_long {
                return;
            }
        }
    }
    if !line.is_empty() {
        to(Heard { at: Instant::now(), sound: Sound::Line(line) });
    }
}

/// The last bytes of something that may be endless.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    const KEPT: usize = 2048;

    /// Reads to the end and keeps the last bytes.
    pub(crate) fn follow(&self, mut pipe: impl Read) {
        let mut bytes = [0; 4096];
        loop {
            match pipe.read(&mut bytes) {
                Ok(0) => return,
                Ok(count) => {
                    let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend(&bytes[..count]);
                    let surplus = kept.len().saturating_sub(Tail::KEPT);
                    kept.drain(..surplus);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// What is kept, as text.
    pub(crate) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(bytes: &[u8]) -> Vec<Sound> {
        let mut sounds = Vec::new();
        pass_on(bytes, |heard| {
            sounds.push(heard.sound);
            true
        });
        sounds
    }

    #[test]
    fn lines_end_where_they_should() {
        let line = |text: &str| Sound::Line(text.as_bytes().to_vec());
        assert_eq!(heard(b"a\n\nb\r\nc"), [line("a"), line(""), line("b\r"), line("c")]);
        assert_eq!(heard(b""), []);
        let longest = "x".repeat(LONGEST);
        assert_eq!(heard(format!("{longest}\ny").as_bytes()), [line(&longest), line("y")]);
        assert_eq!(heard(format!("{longest}x\ny").as_bytes()), [Sound::TooLong]);
        assert_eq!(heard(&vec![0; 10 * LONGEST]), [Sound::TooLong]);
    }

    #[test]
    fn only_the_last_words_are_kept() {
        let tail = Tail::default();
        tail.follow("x".repeat(100_000).as_bytes());
        tail.follow(&b"the end\n"[..]);
        let text = tail.text();
        assert!(text.ends_with("xthe end") && text.len() < 2048, "{} bytes", text.len());
    }
}
