//! Lines of input, read by a thread of their own so that no search waits for them.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

/// Longer lines are cut. No game needs nearly as much.
const MAX_LINE: usize = 2 << 20;

/// Events that may queue up while a search is being stopped.
pub(crate) const QUEUE: usize = 64;

/// What the loop of a driver waits for: input, or an event of type `S` from a search.
pub(crate) enum DriverEvent<S> {
    /// A line, and when it was read.
    Line(Vec<u8>, Instant),
    /// There will be no more lines.
    EndOfInput,
    /// An event of a search.
    Search(S),
}

/// Sends every line of the input, then its end. Stops when the receiver is gone.
pub(crate) fn spawn_reader<S: Send + 'static>(
    mut input: impl BufRead + Send + 'static,
    events: SyncSender<DriverEvent<S>>,
) -> io::Result<()> {
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Ok(Some(line)) = next_line(&mut input) {
            if events.send(DriverEvent::Line(line, Instant::now())).is_err() {
                return;
            }
        }
        let _ = events.send(DriverEvent::EndOfInput);
    })?;
    Ok(())
}

/// The next line without its end; `None` after the last one.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_and_cut() {
        let long = [vec![b'x'; 5 << 20], b"\nlast".to_vec()].concat();
        let mut input = io::BufReader::new(&long[..]);
        assert_eq!(next_line(&mut input).unwrap().unwrap().len(), MAX_LINE);
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"last");
        assert_eq!(next_line(&mut input).unwrap(), None);
    }
}
