//! Standard input, read by a thread of its own so that no search ever waits for it.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

use super::Event;

/// No line of a game is nearly as long; what is longer is not kept in memory.
const LONGEST: usize = 2 << 20;

/// Sends every line with the moment it was read, and the end.
pub(super) fn start(to: SyncSender<Event>) -> io::Result<()> {
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(line)) = next_line(&mut input) {
            if to.send(Event::Line(line, Instant::now())).is_err() {
                return;
            }
        }
        // Nobody is left to tell when this fails.
        let _ = to.send(Event::End);
    })?;
    Ok(())
}

/// The next line without its end; `None` behind the last. One that is too long comes cut.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
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
        line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
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
        assert_eq!(next_line(&mut input).unwrap().unwrap().len(), LONGEST);
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"last");
        assert_eq!(next_line(&mut input).unwrap(), None);
    }
}
