//! Lines of standard input, read by a thread of their own: a request to end must not wait for the next line.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use tesuji_task::CancelToken;

/// Longer lines are cut into several. No game needs nearly as much.
const MAX_LINE: u64 = 1 << 20;
/// How often to check for a request to end.
const TICK: Duration = Duration::from_millis(40);

/// Standard input, line by line.
pub(crate) struct InputLines(Receiver<Vec<u8>>);

impl InputLines {
    /// Starts to read.
    pub(crate) fn start() -> io::Result<InputLines> {
        let (sender, receiver) = sync_channel(1);
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(line) = next_line(&mut input) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        Ok(InputLines(receiver))
    }

    /// The next line with its end; `None` at the end of the input, when its terminal is gone, or when cancelled.
    ///
    /// `tick` is called while there is none.
    pub(crate) fn next(&self, cancel: &CancelToken, mut tick: impl FnMut()) -> Option<Vec<u8>> {
        while !cancel.is_cancelled() {
            match self.0.recv_timeout(TICK) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => tick(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

fn next_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let read = input.take(MAX_LINE).read_until(b'\n', &mut line);
    matches!(read, Ok(1..)).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_the_input_and_have_a_greatest_length() {
        let long = vec![b'x'; MAX_LINE as usize + 5];
        let mut input = &[&b"f5\n"[..], &long].concat()[..];
        let mut lines = std::iter::from_fn(|| next_line(&mut input));
        assert_eq!(lines.next().unwrap(), b"f5\n");
        assert_eq!(lines.next().unwrap().len(), MAX_LINE as usize);
        assert_eq!(lines.next().unwrap().len(), 5);
        assert_eq!(lines.next(), None);
    }
}
